import type { RequestSummary } from '../../../contract/sandbox/request-log.ts'
import { hiderOf } from '../../../request-log/hiding.ts'
import type { LoggedRequest } from '../../../request-log/request-log.ts'
import { summaryOf } from '../../../request-log/request-views.ts'
import { defaultApplication } from '../../../views/views.ts'
import { AnswerMark, Empty, Panel, Table } from '../../components/badges.tsx'
import { shortTime, timeOf } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { html, type View } from '../../frame/page-view.ts'
import { numberIn } from '../lists/paging.ts'
import { narrows, queryWith } from '../transactions/transaction-filters.ts'
import { pageSize } from '../transactions/transaction-search.ts'
import { RequestFilterForm } from './request-filter-form.tsx'
import { type RequestFilters, readRequestFilters, requestMatcher } from './request-filters.ts'

/** Requests that the sandbox handled, newest first, as far as its log goes. */
export function requestsView(
  context: PagesContext,
  query: Readonly<Record<string, string>>,
  origin: string,
): View {
  const { filters, problems: wrong } = readRequestFilters(query)
  const problems = [...wrong]
  const before = numberIn(query, 'before', problems)
  const more = before === null ? {} : { before: String(before) }
  return {
    title: 'Requests',
    place: 'requests',
    live: { path: `/requests/live${queryWith(filters, more)}`, topics: ['requests'] },
    status: problems.length > 0 ? 422 : 200,
    parts: () => ({ requests: listPart(context, filters, before, origin) }),
    body: (slot) => (
      <>
        <div class="page-head">
          <h1 class="page-title">Requests</h1>
          <p class="page-lead">The last {context.log.capacity.toLocaleString('en')}, kept in memory</p>
        </div>
        <Panel title="Handled requests, newest first" name="requests">
          <RequestFilterForm filters={filters} problems={problems} />
          {slot('requests')}
        </Panel>
      </>
    ),
  }
}

/** Requests below a number, newest first, and the number at which the page ends. */
function find(
  { log }: Pick<PagesContext, 'log'>,
  meant: (entry: LoggedRequest) => boolean,
  before: number | null,
): { readonly rows: readonly LoggedRequest[]; readonly older: number | null } {
  const kept = log.list()
  const first = log.total - kept.length
  const rows: LoggedRequest[] = []
  let place = Math.min(before ?? log.total, log.total) - first
  let end = place
  while (place > 0) {
    place -= 1
    const entry = kept[place] as LoggedRequest
    if (!meant(entry)) continue
    if (rows.length === pageSize) return { rows, older: first + end }
    rows.push(entry)
    end = place
  }
  return { rows, older: null }
}

function listPart(
  context: PagesContext,
  filters: RequestFilters,
  before: number | null,
  origin: string,
): string {
  const hide = hiderOf(context)
  const { rows, older } = find(context, requestMatcher(filters, hide), before)
  if (rows.length === 0 && before === null)
    return html(<Nothing narrowed={narrows(filters)} origin={origin} />)
  return html(
    <>
      {rows.length === 0 ? (
        <p class="stopped">The log has no more: older requests are no longer kept.</p>
      ) : (
        <RequestTable context={context} requests={rows.map((entry) => summaryOf(entry, hide))} />
      )}
      {(older !== null || before !== null) && (
        <nav class="pager" aria-label="Pages of requests">
          {before !== null && (
            <a id="newest" href={`/requests${queryWith(filters)}`}>
              Newest
            </a>
          )}
          {older !== null && (
            <a id="older" rel="next" href={`/requests${queryWith(filters, { before: String(older) })}`}>
              Older
            </a>
          )}
        </nav>
      )}
    </>,
  )
}

const Nothing = ({ narrowed, origin }: { readonly narrowed: boolean; readonly origin: string }) =>
  narrowed ? (
    <div class="empty">
      <p class="empty-title">No request fits</p>
      <p>The log keeps the last ones in memory; a restart begins with none.</p>
    </div>
  ) : (
    <Empty
      title="No request yet"
      commands={['tillbox sale --amount 10.00', 'tillbox logs tail']}
      origin={origin}
    >
      <p>Whatever asks the service is shown here with what was answered, and why when it was refused.</p>
    </Empty>
  )

const heads = [
  <th scope="col">Request</th>,
  <th scope="col">Answer</th>,
  <th scope="col" class="from-medium">
    Transaction
  </th>,
  <th scope="col" class="from-small figure">
    Took
  </th>,
  <th scope="col" class="figure">
    Time
  </th>,
]

interface TableProps {
  readonly context: PagesContext
  readonly requests: readonly RequestSummary[]
}

const RequestTable = ({ context, requests }: TableProps) => {
  const timeZone = timeZoneOf(context)
  const now = context.clock.wall()
  return (
    <Table caption="Requests, newest first" heads={heads}>
      {requests.map((request) => {
        const { at, method, path, operation, traceId, transactionId, durationMs } = request
        return (
          <tr>
            <th scope="row">
              <a
                id={`row-${traceId}`}
                class={operation === null ? 'code' : undefined}
                href={`/requests/${traceId}`}
              >
                {operation ?? `${method} ${path}`}
              </a>
              {operation !== null && <span class="under code wide-only">{`${method} ${path}`}</span>}
            </th>
            <td>
              <AnswerMark request={request} />
              <span class="under">
                {[request.status, whyInShort(request)].filter((each) => each !== '').join(', ')}
              </span>
            </td>
            <td class="from-medium code">
              {transactionId !== null && <a href={`/transactions/${transactionId}`}>{transactionId}</a>}
            </td>
            <td class="from-small figure time">{shortTime(durationMs)}</td>
            <td class="figure time">{timeOf(at, now, timeZone)}</td>
          </tr>
        )
      })}
    </Table>
  )
}

/** Why it was refused in a line; of what was accepted, what deserves a note. */
function whyInShort({ refusal, notes }: RequestSummary): string {
  if (refusal === null) return notes.join('; ')
  const exact = [refusal.field, refusal.detail].filter((each) => each !== null).join(': ')
  return exact === '' ? refusal.message : exact
}

/** The log runs by the wall clock; it is written in the first merchant's time zone, as the charts are. */
export const timeZoneOf = (context: PagesContext): string =>
  defaultApplication(context).merchants[0]?.timeZone ?? 'UTC'
