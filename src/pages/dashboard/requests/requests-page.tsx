import { operationNames } from '../../../contract/operations.ts'
import { createSecretHider } from '../../../request-log/hide-secrets.ts'
import type { LoggedRequest } from '../../../request-log/request-log.ts'
import { capitalize } from '../../../text/words.ts'
import { formatNumber, plural } from '../../components/format.ts'
import { Empty } from '../../components/panel.tsx'
import { defaultTimeZone, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { Choice, isFiltered, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageAround } from '../lists/list-page.tsx'
import {
  findRequests,
  isOfSandbox,
  type RequestFilters,
  readRequestFilters,
  requestColumns,
  requestCount,
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
  const before = reader.position('before')
  return listPage({
    section: 'requests',
    items: 'requests',
    reader,
    filters,
    others: { show },
    cursor: { before },
    topics: ['requests'],
    lead: `The last ${formatNumber(context.log.capacity)}, kept in memory. Times are of the wall clock, ${defaultTimeZone(context)}.`,
    search: { label: 'Path, code, trace id, or text of a body', filters, choices: requestChoices(filters) },
    columns: requestColumns(context),
    link: requestLink,
    findPosition: (id) => findRequestPosition(context, id),
    part: (position) => ({
      ...requestsPart(context, filters, show, position.before),
      empty: nothing(filters, position.before, baseUrl),
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
    <label class={filters.transactionId === '' ? 'filter rigid' : 'filter rigid filter-set'}>
      <span class="visually-hidden">Transaction</span>
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

function findRequestPosition({ log }: PagesContext, id: string) {
  const entries = log.list()
  const index = entries.findIndex(({ traceId }) => traceId === id)
  return index < 0 ? undefined : { before: String(log.total - entries.length + pageAround(index)) }
}

/** One page of the list. `show`: `all` has the sandbox's own calls, too, and each look-up in a row of its own. */
function requestsPart(context: PagesContext, filters: RequestFilters, show: string, before: string | null) {
  const hides = show === '' && filters.q === ''
  const matchesFilters = requestMatcher(context, filters, createSecretHider(context))
  const matches = (entry: LoggedRequest) => !(hides && isOfSandbox(entry)) && matchesFilters(entry)
  const below = before === null ? undefined : Number(before)
  const { rows, older } = findRequests(context, matches, show === '', below)
  const hidden = hides
    ? context.log.list().filter((entry) => isOfSandbox(entry) && matchesFilters(entry)).length
    : 0
  const folded = rows.some(({ entry, times }) => times > requestCount(entry))
  return {
    rows: shownRequests(context, rows),
    older: older === null ? null : String(older),
    note: (hidden > 0 || folded || show !== '') && (
      <>
        {hidden > 0 && `${plural(hidden, 'call')} of the control interface and of these pages hidden. `}
        {folded && 'Look-ups of one transaction in a row are one line. '}
        <a id="show" href={`/requests${queryString(filters, { show: show === '' ? 'all' : '' })}`}>
          {show === '' ? 'Show everything' : 'Show the payment API only'}
        </a>
      </>
    ),
  }
}

const nothing = (filters: RequestFilters, before: string | null, baseUrl: string) =>
  before !== null ? (
    <p class="stopped soft small text-center">The log does not keep older requests.</p>
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
