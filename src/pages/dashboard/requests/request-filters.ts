import { type OperationName, operationNames } from '../../../contract/operations.ts'
import { type LoggedRequest, repeatedBy } from '../../../request-log/logged-request.ts'
import { type ReadableLog, requestFits } from '../../../request-log/request-views.ts'
import type { QueryReader } from '../lists/list-query.ts'

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
 * assumption: dashboard-requests
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
