import { isLookUp } from '../../../contract/operations.ts'
import type { LoggedRequest } from '../../../request-log/logged-request.ts'
import { type ReadableLog, transactionsOf } from '../../../request-log/request-views.ts'
import { pageSize } from '../lists/scan-records.ts'

/** A row of the list: a request, or consecutive look-ups of one transaction, shown as the newest of them. */
export interface RequestRow {
  readonly entry: LoggedRequest
  /** The number of requests in the row, and the times of the first and last. */
  times: number
  since: number
  readonly until: number
}

/** One page of rows, newest first. */
interface RequestPage {
  readonly rows: readonly RequestRow[]
  /** The number at which the next page begins; null where none follows. */
  readonly older: number | null
}

interface RequestSearch {
  readonly matches: (entry: LoggedRequest) => boolean
  /** Only those below this number of the log. */
  readonly before?: number
  /** Whether consecutive look-ups of one transaction are one row. */
  readonly folds: boolean
}

/** Requests that match, newest first. assumption: dashboard-requests */
export function findRequests(
  source: ReadableLog,
  { matches, before = Number.POSITIVE_INFINITY, folds }: RequestSearch,
): RequestPage {
  const { log } = source
  const entries = log.list()
  const first = log.total - entries.length
  const rows: RequestRow[] = []
  const open = new Map<string, RequestRow>()
  let end = Math.min(before, log.total) - first
  for (let index = end - 1; index >= 0; index--) {
    const entry = entries[index] as LoggedRequest
    if (!matches(entry)) continue
    const about = folds ? transactionsOf(source, entry) : []
    const [lookedUp = ''] = isAcceptedLookUp(entry) ? about : []
    const row = open.get(lookedUp)
    if (row === undefined) {
      if (rows.length === pageSize) return { rows, older: first + end }
      const fresh = rowOf(entry)
      rows.push(fresh)
      for (const id of about) open.delete(id)
      if (lookedUp !== '') open.set(lookedUp, fresh)
    } else {
      row.times += timesOf(entry)
      row.since = entry.at
    }
    end = index
  }
  return { rows, older: null }
}

const timesOf = ({ repeats }: LoggedRequest): number => 1 + (repeats?.count ?? 0)

const rowOf = (entry: LoggedRequest): RequestRow => ({
  entry,
  times: timesOf(entry),
  since: entry.at,
  until: entry.repeats?.lastAt ?? entry.at,
})

const isAcceptedLookUp = ({ operation, code, fault }: LoggedRequest): boolean =>
  operation !== null && isLookUp(operation) && code === '0' && fault === null
