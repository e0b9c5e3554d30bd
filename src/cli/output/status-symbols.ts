import type { Status } from '../../contract/statuses.ts'

/** The sign of each status. */
export const statusSymbols: Readonly<Record<Status, string>> = {
  INITIAL: '…',
  PROCESSING: '…',
  SUCCESS: '✓',
  FAIL: '✗',
  CLOSED: '■',
}
