import { type OperationName, operationNames } from '../../../contract/operations.ts'
import type { LoggedRequest } from '../../../request-log/request-log.ts'
import { fits } from '../../../request-log/request-views.ts'

/** What the list of requests is narrowed to, as it stands in the query; empty texts narrow nothing. */
export interface RequestFilters {
  readonly status: string
  readonly operation: string
  /** Part of an address, a code, a trace id, a note or a body. */
  readonly q: string
  readonly transactionId: string
}

/** What can become of a request. */
export const requestStatuses = ['accepted', 'refused'] as const

/** Longest text that is searched for. */
const longestText = 64

/** Reads the filters of a query; what is wrong with them is said, and they narrow nothing. */
export function readRequestFilters(query: Readonly<Record<string, string>>): {
  filters: RequestFilters
  problems: readonly string[]
} {
  const problems: string[] = []
  const take = (name: keyof RequestFilters, right: (text: string) => boolean, problem: string) => {
    const text = query[name]?.trim() ?? ''
    if (text === '' || right(text)) return text
    problems.push(problem)
    return ''
  }
  const among = (choices: readonly string[]) => (text: string) => choices.includes(text)
  const short = (text: string) => text.length <= longestText
  const filters = {
    status: take('status', among(requestStatuses), 'The status must be one of accepted, refused.'),
    operation: take('operation', among(operationNames), 'There is no operation of that name.'),
    q: take('q', short, 'The text to search for has at most 64 characters.'),
    transactionId: take('transactionId', short, 'The transaction id has at most 64 characters.'),
  }
  return { filters, problems }
}

/** Whether a request fits. It is searched as it is shown: `hide` takes what is secret out. assumption: dashboard-requests */
export function requestMatcher(
  { status, operation, q, transactionId }: RequestFilters,
  hide: (text: string) => string,
): (entry: LoggedRequest) => boolean {
  const meant = fits({
    status: status === '' ? null : (status as (typeof requestStatuses)[number]),
    operation: operation === '' ? null : (operation as OperationName),
    transactionId: transactionId === '' ? null : transactionId,
  })
  const text = q.toLowerCase()
  const holds = (shown: string) =>
    shown.toLowerCase().includes(text) && hide(shown).toLowerCase().includes(text)
  return (entry) => meant(entry) && (text === '' || textsOf(entry).some(holds))
}

/** Texts of a request that are searched, the short ones first. */
const textsOf = ({
  traceId,
  code,
  method,
  path,
  operation,
  origin,
  target,
  notes,
  body,
  answer,
}: LoggedRequest) => [
  traceId,
  code,
  `${method} ${path}`,
  operation ?? '',
  origin + target,
  ...notes,
  body,
  answer,
]
