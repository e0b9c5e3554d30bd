import type { RequestSummary } from '../../../contract/sandbox/request-log.ts'
import { hiderOf } from '../../../request-log/hide-secrets.ts'
import type { LoggedRequest } from '../../../request-log/request-log.ts'
import { summaryOf } from '../../../request-log/request-views.ts'
import { AnswerBadge } from '../../components/badges.tsx'
import { formatDuration, formatTime } from '../../components/format.ts'
import { Empty, Panel, Table } from '../../components/panel.tsx'
import { defaultTimeZone, type PagesContext } from '../../frame/context.ts'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import { List, listPage, pageSize } from '../lists/list.tsx'
import { isFiltered, queryReader, queryString } from '../lists/query.ts'
import { RequestFilterForm } from './request-filter-form.tsx'
import { type RequestFilters, readRequestFilters, requestMatcher } from './request-filters.ts'

/** Requests in the log, newest first. */
export function requestsPage(context: PagesContext, { query, origin }: PageRequest): PageView {
  const reader = queryReader(query)
  const filters = readRequestFilters(reader)
  const before = reader.position('before')
  const { problems } = reader
  return listPage({
    title: 'Requests',
    section: 'requests',
    path: '/requests',
    query: queryString(filters, { before }),
    topics: ['requests'],
    problems,
    fragments: () => ({ requests: listFragment(context, filters, before, origin) }),
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
  })
}

/** Requests below a number, newest first, and the number at which the next page begins. */
function find(
  { log }: Pick<PagesContext, 'log'>,
  matches: (entry: LoggedRequest) => boolean,
  before: number,
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

function listFragment(
  context: PagesContext,
  filters: RequestFilters,
  before: string | null,
  origin: string,
): string {
  const hide = hiderOf(context)
  const start = before === null ? Number.POSITIVE_INFINITY : Number(before)
  const { rows, older } = find(context, requestMatcher(filters, hide), start)
  if (rows.length === 0 && before === null && !isFiltered(filters))
    return html(
      <Empty
        title="No requests yet"
        commands={['tillbox sale --amount 10.00', 'tillbox logs tail']}
        origin={origin}
      >
        <p>Every request appears here with its answer, and with the reason when it is refused.</p>
      </Empty>,
    )
  const requests = rows.map((entry) => summaryOf(entry, hide))
  return html(
    <List
      name="requests"
      table={rows.length > 0 ? requestTable(context, requests) : null}
      empty={
        before === null ? (
          <Empty title="No request matches">
            <p>The log is kept in memory and starts empty.</p>
          </Empty>
        ) : (
          <p class="stopped">The log does not keep older requests.</p>
        )
      }
      links={{
        newest: before && `/requests${queryString(filters)}`,
        older: older === null ? null : `/requests${queryString(filters, { before: older })}`,
      }}
    />,
  )
}

const heads = [
  'Request',
  'Answer',
  ['Transaction', 'from-medium'],
  ['Took', 'from-small figure'],
  ['Time', 'figure'],
] as const

function requestTable(context: PagesContext, requests: readonly RequestSummary[]) {
  const timeZone = defaultTimeZone(context) // the log runs by the wall clock, and belongs to no merchant
  const now = context.clock.wall()
  return (
    <Table caption="Requests, newest first" heads={heads}>
      {requests.map((request) => {
        const {
          at,
          method,
          path,
          operation,
          traceId,
          transactionId,
          durationMs,
          times = 1,
          lastAt = null,
        } = request
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
              {times > 1 && (
                <span class="times" title={`${times} equal look-ups in a row`}>
                  {` ×${times}`}
                </span>
              )}
              {operation !== null && <span class="under code wide-only">{`${method} ${path}`}</span>}
            </th>
            <td>
              <AnswerBadge request={request} />
              <span class="under">
                {[request.status, request.fault && `injected fault: ${request.fault}`, whyInShort(request)]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </td>
            <td class="from-medium code">
              {transactionId !== null && <a href={`/transactions/${transactionId}`}>{transactionId}</a>}
            </td>
            <td class="from-small figure time">{formatDuration(durationMs)}</td>
            <td class="figure time">
              {formatTime(at, now, timeZone)}
              {lastAt !== null && <span class="under">{`until ${formatTime(lastAt, now, timeZone)}`}</span>}
            </td>
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
