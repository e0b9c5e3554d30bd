import { operationNames } from '../../../contract/operations.ts'
import { secretHiderOf } from '../../../request-log/hide-secrets.ts'
import { requestNamed } from '../../../request-log/request-views.ts'
import { capitalize } from '../../../text/words.ts'
import { Hidden } from '../../components/actions.tsx'
import { formatNumber, logLimits, plural } from '../../components/format.ts'
import { Empty, PageHead } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  html,
  type PageRequest,
  type PagesContext,
  type PageView,
} from '../../frame/page-view.tsx'
import { Choice, FilterForm } from '../lists/filter-form.tsx'
import { List, listPage } from '../lists/list-page.tsx'
import { isFiltered, queryReader, queryString } from '../lists/list-query.ts'
import { RequestDetail } from './request-detail.tsx'
import {
  findRequests,
  isOfSandbox,
  type RequestFilters,
  readRequestFilters,
  requestMatcher,
  requestStatuses,
} from './request-search.ts'
import { RequestTable } from './request-table.tsx'

/** What of the log is shown. */
interface RequestListView {
  readonly filters: RequestFilters
  /** `all`: also the sandbox's own calls, and each look-up in a row of its own. */
  readonly show: string
  readonly before: string | null
  /** Trace id of the request that is shown beside the list; empty for none. */
  readonly open: string
}

/** Requests in the log, newest first; on a wide screen the chosen one beside them. */
export function requestsPage(context: PagesContext, { query, baseUrl }: PageRequest): PageView {
  const reader = queryReader(query)
  const { problems } = reader
  const view: RequestListView = {
    filters: readRequestFilters(reader),
    show: reader.oneOf('show', ['all']),
    before: reader.position('before'),
    open: reader.shortText('open', 'The trace id'),
  }
  const { filters, show, before, open } = view
  return listPage({
    title: 'Requests',
    section: 'requests',
    path: '/requests',
    query: queryString(filters, { show, before, open }),
    topics: ['requests'],
    problems,
    fragments: () => ({ requests: listFragment(context, view, baseUrl) }),
    body: (slot) => (
      <>
        <PageHead
          title="Requests"
          lead={
            <>
              The last {formatNumber(context.log.capacity)}, kept in memory. Times are of the wall clock,{' '}
              {defaultTimeZone(context)}.
            </>
          }
        />
        <div class={`split top stack gap-4 one-column${open === '' ? '' : ' split-open'}`}>
          <section class="panel panel-requests" aria-label="List of requests">
            <RequestFilterForm filters={filters} show={show} problems={problems} />
            {slot('requests')}
          </section>
          {open !== '' && (
            <section class="split-detail" id="request" aria-label="Chosen request">
              <p class="split-back flex between small below-3">
                <a href={addressOf(view)}>Back to the list</a>
                <a href={`/requests/${encodeURIComponent(open)}`}>Open as a page</a>
              </p>
              {detailOf(context, open)}
            </section>
          )}
        </div>
      </>
    ),
  })
}

/** Address of the list, with another request beside it, or none. */
const addressOf = ({ filters, show, before }: RequestListView, open = ''): string =>
  `/requests${queryString(filters, { show, before, open })}`

const detailOf = (context: PagesContext, traceId: string) =>
  context.log.find(traceId) === undefined ? (
    <Empty title="The log no longer keeps this request">
      <p>It holds {logLimits(context.log)}.</p>
    </Empty>
  ) : (
    <RequestDetail context={context} story={requestNamed(context, traceId)} isPage={false} />
  )

function listFragment(context: PagesContext, view: RequestListView, baseUrl: string): string {
  const { filters, show, before, open } = view
  const hides = show === '' && filters.q === ''
  const matchesFilters = requestMatcher(context, filters, secretHiderOf(context))
  const search = {
    matches: hides
      ? (entry: Parameters<typeof matchesFilters>[0]) => !isOfSandbox(entry) && matchesFilters(entry)
      : matchesFilters,
    folds: show === '',
    ...(before !== null && { before: Number(before) }),
  }
  const { rows, older } = findRequests(context, search)
  const hidden = hides
    ? context.log.list().filter((entry) => isOfSandbox(entry) && matchesFilters(entry)).length
    : 0
  const folded = rows.some(({ entry, times }) => times > 1 + (entry.repeats?.count ?? 0))
  if (rows.length === 0 && hidden === 0 && before === null && !isFiltered(filters))
    return html(
      <Empty
        title="No requests yet"
        commands={['tillbox sale --amount 10.00', 'tillbox logs tail']}
        baseUrl={baseUrl}
      >
        <p>Every request appears here with its answer, and with the reason when it is refused.</p>
      </Empty>,
    )
  const to = (traceId: string) => `${addressOf(view, traceId)}#row-${traceId}`
  return html(
    <>
      <List
        name="requests"
        table={rows.length > 0 ? <RequestTable context={context} rows={rows} chosen={open} to={to} /> : null}
        empty={
          before === null ? (
            <Empty title={isFiltered(filters) ? 'No request matches' : 'No requests of the payment API yet'}>
              <p>The log is kept in memory and starts empty.</p>
            </Empty>
          ) : (
            <p class="stopped soft small text-center">The log does not keep older requests.</p>
          )
        }
        links={{
          newest: before && addressOf({ ...view, before: null }),
          older: older === null ? null : addressOf({ ...view, before: String(older) }),
        }}
      />
      {(hidden > 0 || folded || show !== '') && (
        <p class="stopped soft small text-center">
          {hidden > 0 && `${plural(hidden, 'call')} of the control interface and of these pages hidden. `}
          {folded && 'Look-ups of one transaction in a row are one line. '}
          <a id="show" href={addressOf({ ...view, show: show === '' ? 'all' : '', before: null })}>
            {show === '' ? 'Show everything' : 'Show the payment API only'}
          </a>
        </p>
      )}
    </>,
  )
}

interface RequestFilterFormProps {
  readonly filters: RequestFilters
  /** The list's other parameter, kept by the form. */
  readonly show: string
  readonly problems: readonly string[]
}

/** The filters of the requests. */
const RequestFilterForm = ({ filters, show, problems }: RequestFilterFormProps) => (
  <FilterForm
    label="Requests"
    path="/requests"
    searchLabel="Path, code, trace id, or text of a body"
    {...{ filters, problems }}
  >
    <Choice
      name="status"
      filters={filters}
      options={requestStatuses.map((status) => [status, capitalize(status)])}
    />
    <Choice name="operation" filters={filters} options={operationNames.map((name) => [name, name])} />
    <label class="filter shrinks">
      <span class="visually-hidden">Transaction</span>
      <input
        placeholder="Transaction id"
        name="transactionId"
        value={filters.transactionId}
        maxlength={64}
        inputmode="numeric"
        autocomplete="off"
      />
    </label>
    <Hidden fields={{ show }} />
  </FilterForm>
)
