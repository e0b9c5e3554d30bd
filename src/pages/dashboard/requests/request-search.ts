import { isLookUp, type OperationName, operationNames } from '../../../contract/operations.ts'
import { type LoggedRequest, repeatedBy } from '../../../request-log/request-log.ts'
import { type ReadableLog, requestFits, transactionsOf } from '../../../request-log/request-views.ts'
import { pageSize } from '../lists/list-page.tsx'
import type { QueryReader } from '../lists/list-query.ts'

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

/** Requests that match, newest first. assumption: request-log */
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

/**
 * Filters of the requests by query parameter; an empty one matches everything. `q` is a part of an address, a code, a
 * trace id, a note or a body.
 */
export type RequestFilters = ReturnType<typeof readRequestFilters>

/** Results of a request to choose from. */
export const requestStatuses = ['accepted', 'refused'] as const

/** Reads the filters; errors are added to the reader's problems. */
export const readRequestFilters = (reader: QueryReader) => ({
  status: reader.oneOf('status', requestStatuses),
  operation: reader.text(
    'operation',
    (text) => operationNames.some((name) => name === text),
    'There is no operation with that name.',
  ),
  q: reader.shortText('q', 'The search text'),
  transactionId: reader.shortText('transactionId', 'The transaction id'),
})

/**
 * Returns a test whether a request matches. Only visible text is searched: `hide` removes secrets.
 * assumption: request-log
 */
export function requestMatcher(
  source: ReadableLog,
  { status, operation, q, transactionId }: RequestFilters,
  hide: (text: string) => string,
): (entry: LoggedRequest) => boolean {
  const matches = requestFits(source, {
    status: status === '' ? null : (status as (typeof requestStatuses)[number]),
    operation: operation === '' ? null : (operation as OperationName),
    transactionId: transactionId === '' ? null : transactionId,
  })
  const text = q.toLowerCase()
  const contains = (shown: string) =>
    shown.toLowerCase().includes(text) && hide(shown).toLowerCase().includes(text)
  return (entry) => matches(entry) && (text === '' || searchedTexts(entry).some(contains))
}

/** Texts of a request that are searched, the short ones first. */
const searchedTexts = (entry: LoggedRequest): string[] => {
  const { traceId, code, method, path, operation, baseUrl, target, notes, body, answer } = entry
  return [
    traceId,
    ...repeatedBy(entry),
    code,
    `${method} ${path}`,
    operation ?? '',
    baseUrl + target,
    ...notes,
    body,
    answer,
  ]
}

/** A call of the control interface, or a successful request for a page: neither is under test. */
export const isOfSandbox = ({ operation, path, code }: LoggedRequest): boolean =>
  operation === null && (path.startsWith('/_sandbox/') || code === '0')
