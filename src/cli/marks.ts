import type { Status } from '../api/statuses.ts'

/** The sign of each status. */
export const marks: Readonly<Record<Status, string>> = {
  INITIAL: '…',
  PROCESSING: '…',
  SUCCESS: '✓',
  FAIL: '✗',
  CLOSED: '■',
}
