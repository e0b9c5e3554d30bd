import type { Status } from '../api/statuses.ts'

/** Every change of status that may happen; the three missing rows are final. assumption: transitions */
export const transitions: Readonly<Record<Status, readonly Status[]>> = {
  INITIAL: ['PROCESSING', 'CLOSED'],
  PROCESSING: ['SUCCESS', 'FAIL', 'CLOSED'],
  SUCCESS: [],
  FAIL: [],
  CLOSED: [],
}

/** True when the table allows the change. */
export const mayBecome = (from: Status, to: Status): boolean => transitions[from].includes(to)
