import { operationNames } from '../../../contract/operations.ts'
import { createSecretHider } from '../../../sandbox/request-log/hide-secrets.ts'
import type { LoggedRequest } from '../../../sandbox/request-log/request-log.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { formatNumber, plural } from '../../components/format.ts'
import { Empty, ListNote } from '../../components/panel.tsx'
import { defaultTimeZone, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { Choice, filterLook, isFiltered, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage } from '../lists/list-page.tsx'
import {
  findRequests,
  isOfSandbox,
  type RequestFilters,
  readRequestFilters,
  requestColumns,
  requestLink,
  requestMatcher,
  requestStatuses,
  shownRequests,
} from './request-table.tsx'

/** Requests in the log, newest first. */
export const requestsPage: MakePage = (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const filters = readRequestFilters(reader)
  const show = reader.oneOf('show', ['all'])
  const before = reader.before()
  return listPage({
    section: 'requests',
    items: 'requests',
    reader,
    filters,
    others: { show },
    before,
    topics: ['requests'],
    lead: `The last ${formatNumber(context.log.capacity)}, kept in memory. Times are of the wall clock, ${defaultTimeZone(context)}.`,
    search: { label: 'Path, code, trace id, or text of a body', filters, choices: requestChoices(filters) },
    columns: requestColumns(context),
    link: requestLink,
    part: () => ({
      ...requestsPart(context, filters, show, before),
      empty: noRequests(filters, before, baseUrl),
    }),
  })
}

const requestChoices = (filters: RequestFilters) => (
  <>
    <Choice
      name="status"
      filters={filters}
      options={requestStatuses.map((status) => [status, capitalize(status)])}
    />
    <Choice name="operation" filters={filters} options={operationNames} />
    <label class={filterLook(filters.transactionId !== '')}>
      <span class="sr-only">Transaction</span>
      <input
        id="filter-transaction"
        type="search"
        placeholder="Transaction id"
        name="transactionId"
        value={filters.transactionId}
        maxlength={64}
        inputmode="numeric"
        autocomplete="off"
      />
    </label>
  </>
)

/** One page of the list. `show`: `all` has the sandbox's own calls, too. */
function requestsPart(context: PagesContext, filters: RequestFilters, show: string, before: string | null) {
  const hides = show === '' && filters.q === ''
  const matchesFilters = requestMatcher(context, filters, createSecretHider(context))
  const matches = (entry: LoggedRequest) => !(hides && isOfSandbox(entry)) && matchesFilters(entry)
  const below = before === null ? undefined : Number(before)
  const { rows, older } = findRequests(context, matches, below)
  const hidden = hides
    ? context.log.list().filter((entry) => isOfSandbox(entry) && matchesFilters(entry)).length
    : 0
  return {
    rows: shownRequests(context, rows),
    older: older === null ? null : String(older),
    note: (hidden > 0 || show !== '') && (
      <>
        {hidden > 0 && `${plural(hidden, 'call')} of the control interface and of these pages hidden. `}
        <a id="show" href={`/requests${queryString(filters, { show: show === '' ? 'all' : '' })}`}>
          {show === '' ? 'Show everything' : 'Show the payment API only'}
        </a>
      </>
    ),
  }
}

const noRequests = (filters: RequestFilters, before: string | null, baseUrl: string) =>
  before !== null ? (
    <ListNote>The log does not keep older requests.</ListNote>
  ) : isFiltered(filters) ? (
    <Empty title="No request matches" />
  ) : (
    <Empty
      title="No requests of the payment API yet"
      commands={['tillbox sale --amount 10.00', 'tillbox logs tail']}
      baseUrl={baseUrl}
    >
      <p>Every request appears here with its answer, and with the reason when it is refused.</p>
    </Empty>
  )
