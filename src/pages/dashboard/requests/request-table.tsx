import type { RequestSummary, WhyRefused } from '../../../contract/control/request-log-answers.ts'
import { type OperationName, operationNames } from '../../../contract/operations.ts'
import { createSecretHider } from '../../../sandbox/request-log/hide-secrets.ts'
import { type LoggedRequest, repeatedBy } from '../../../sandbox/request-log/request-log.ts'
import { listedRequest, type ReadableLog, requestFits } from '../../../sandbox/request-log/request-views.ts'
import { typedCommands } from '../../../shared/text/commands.ts'
import { shortDuration } from '../../../shared/text/duration-words.ts'
import { AnswerBadge } from '../../components/basics.tsx'
import { WholeWords } from '../../components/command.tsx'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import type { QueryReader } from '../lists/filter-form.tsx'
import { pageSize } from '../lists/list-page.tsx'
import { type Column, MiddleCut, type RowLink, TransactionLink, timeColumn } from '../lists/list-table.tsx'

type ShownRequest = ReturnType<typeof shownRequests>[number]

/** The rows as they are shown: without secrets. */
export function shownRequests(context: PagesContext, rows: readonly LoggedRequest[]) {
  const hide = createSecretHider(context)
  return rows.map((entry) => ({ entry, request: listedRequest(context, entry, hide) }))
}

/** A request leads to its page. */
export const requestLink = ({ request: { traceId } }: ShownRequest): RowLink => ({
  id: `row-${traceId}`,
  href: `/requests/${traceId}`,
})

/** The columns of requests. Times: wall clock, in the first merchant's zone, as the log has none. */
export function requestColumns(context: PagesContext): readonly Column<ShownRequest>[] {
  const timeZone = defaultTimeZone(context)
  return [
    {
      head: 'Request',
      look: '@sm:w-92 @sm:py-1 @lg:w-100 whole',
      title: ({ request }) => methodAndPath(request),
      cell: ({ request, entry }) => (
        <span class="code flex truncate @sm:@max-lg:text-xs">
          {request.method}&nbsp;
          {request.path.startsWith(inPerson) && (
            <>
              <span class="@max-sm:min-w-0 @max-sm:shrink-999 @max-sm:truncate @max-[20rem]:hidden">
                {inPerson}
              </span>
              <span class="@min-[20rem]:hidden">…</span>
            </>
          )}
          <MiddleCut text={pathEnd(request)} end={pathEnd(request).lastIndexOf('/')} />
          {requestCount(entry) > 1 && (
            <span class="times text-ink-soft font-normal">{` ×${requestCount(entry)}`}</span>
          )}
        </span>
      ),
      isName: true,
    },
    {
      head: 'Answer',
      look: '@max-sm:hidden wraps',
      title: ({ request }) => resultInShort(request),
      cell: ({ request }) => (
        <span class="flex @max-lg:flex-wrap items-baseline gap-x-2 @sm:gap-y-1 @sm:*:first:flex-none">
          <AnswerBadge request={request} />{' '}
          {resultInShort(request) === '' ? (
            <span class="code text-ink-soft @lg:hidden">{request.transactionId}</span>
          ) : (
            <span
              class={`text-note text-ink-soft text-pretty @sm:line-clamp-3 ${resultInShort(request).length > shortest ? '@max-sm:-me-14 @max-sm:basis-full' : ''}`}
            >
              <WholeWords text={resultInShort(request)} />
            </span>
          )}
        </span>
      ),
      isUnder: true,
    },
    {
      head: 'Caller',
      look: '@sm:w-36 @max-xl:hidden text-ink-soft',
      title: ({ entry }) => callerOf(entry),
      cell: ({ entry }) => callerOf(entry)?.replace(/^Mozilla\/.*/, 'a browser') || '–',
    },
    {
      head: 'Transaction',
      look: '@sm:w-36 @max-lg:hidden code',
      cell: ({ request: { transactionId } }) =>
        transactionId !== null && <TransactionLink id={transactionId} />,
    },
    {
      head: 'Handled in',
      look: '@sm:w-24 @max-2xl:hidden figure text-ink-soft',
      cell: ({ request }) => shortDuration(request.durationMs),
    },
    timeColumn(
      context.clock.wall(),
      ({ entry: { at, repeats } }) => [repeats?.lastAt ?? at, timeZone],
      'Wall clock',
    ),
  ]
}

/** Who sent a request, by its User-Agent. */
function callerOf({ headers }: LoggedRequest): string | undefined {
  const lines = headers.split('\n')
  const at = lines.findIndex((line, index) => index % 2 === 0 && /^user-agent$/i.test(line))
  return at < 0 ? undefined : lines[at + 1]
}

/** Characters of a result that stand beside its state on a phone. */
const shortest = 24

/** How most paths begin: cut first where there is little room. */
const inPerson = '/v1/semi-integration'

const pathEnd = ({ path }: RequestSummary): string =>
  path.startsWith(inPerson) ? path.slice(inPerson.length) : path

const methodAndPath = ({ method, path }: RequestSummary): string => `${method} ${path}`

/** A status other than 200, the injected fault, and the reason of a refusal; of an accepted one its note. */
function resultInShort({ status, refusal, fault, notes }: RequestSummary): string {
  const result = refusal === null ? typedCommands(notes.join('; ')) : refusalReason(refusal)
  return [status !== 200 && `HTTP ${status}`, fault && `fault: ${fault}`, result !== fault && result]
    .filter(Boolean)
    .join(', ')
}

/** Why a request was refused: the detail, after the field that it says something of. */
const refusalReason = ({ field, detail, message }: WhyRefused): string =>
  detail === null ? message : [field, detail].filter((each) => each !== null).join(': ')

/**
 * One page of the requests that match, newest first. `before`: only those below this number of the log;
 * `older`: the number at which the next page begins, null where none follows.
 */
export function findRequests(
  { log }: ReadableLog,
  matches: (entry: LoggedRequest) => boolean,
  before = Number.POSITIVE_INFINITY,
): { readonly rows: readonly LoggedRequest[]; readonly older: number | null } {
  const entries = log.list()
  const first = log.total - entries.length
  const rows: LoggedRequest[] = []
  let end = Math.min(before, log.total) - first
  for (let index = end - 1; index >= 0; index--) {
    const entry = entries[index] as LoggedRequest
    if (!matches(entry)) continue
    if (rows.length === pageSize) return { rows, older: first + end }
    rows.push(entry)
    end = index
  }
  return { rows, older: null }
}

/** How often a request came: equal look-ups in a row are one entry of the log. */
export const requestCount = ({ repeats }: LoggedRequest): number => 1 + (repeats?.count ?? 0)

/**
 * Filters of the requests by query parameter; an empty one matches everything. `q` is a part of an address, a
 * code, a trace id, a note or a body.
 */
export type RequestFilters = ReturnType<typeof readRequestFilters>

/** Results of a request to choose from. */
const requestStatuses = ['accepted', 'refused'] as const

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

/** A call of the control interface or a page, also one that is refused: none is under test. */
export const isOfSandbox = ({ operation, path, code }: LoggedRequest): boolean =>
  operation === null && /^\/(?!v1\/)/.test(path) && code !== 'SBX_NO_PATH'
