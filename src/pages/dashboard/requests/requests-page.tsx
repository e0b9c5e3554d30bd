import { operationNames } from '../../../contract/operations.ts'
import { createSecretHider } from '../../../sandbox/request-log/hide-secrets.ts'
import type { LoggedRequest } from '../../../sandbox/request-log/request-log.ts'
import { formatNumber } from '../../components/format.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty, ListNote } from '../../components/panel.tsx'
import { defaultTimeZone, html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { Choice, filterLook, isFiltered, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageAbove, placeInList, readOpen } from '../lists/list-page.tsx'
import {
  findRequests,
  isOfSandbox,
  type RequestFilters,
  readRequestFilters,
  requestColumns,
  requestCount,
  requestLink,
  requestMatcher,
  shownRequests,
} from './request-table.tsx'

/** Requests in the log, newest first. */
export const requestsPage: MakePage = async (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const { status, ...filters } = readRequestFilters(reader)
  const show = reader.oneOf('show', ['all'])
  const matches = listedRequests(context, { status, ...filters }, show)
  const before = reader.before() ?? (await positionOf(context, matches, readOpen(reader)))
  return listPage({
    section: 'requests',
    items: 'requests',
    reader,
    filters,
    others: { status, show },
    before,
    topics: ['requests'],
    pieces: () => ({ calls: callTabs(context, { status, ...filters }, show) }),
    aside: (slot) => slot('calls'),
    lead: `The last ${formatNumber(context.log.capacity)}, kept in memory. Times are of the wall clock, ${defaultTimeZone(context)}.`,
    search: { label: 'Path, code, trace id, or text of a body', filters, choices: requestChoices(filters) },
    columns: () => requestColumns(context),
    link: requestLink,
    part: async () => ({
      ...(await requestsPart(context, matches, before)),
      empty: noRequests({ status, ...filters }, before, baseUrl),
    }),
  })
}

/** Whose requests, and the refused ones, as tabs, with how many there are where nothing else filters them. */
function callTabs({ log }: PagesContext, { status, ...others }: RequestFilters, show: string): string {
  const all = log.list()
  const tested = all.filter((entry) => !isOfSandbox(entry))
  const tabs = (
    [
      ['', 'Payment API', {}, tested],
      ['refused', 'Refused', { status: 'refused' }, tested.filter(({ code }) => code !== '0')],
      ['everything', 'Everything', { show: 'all' }, all],
    ] as const
  ).map(([name, label, query, entries]) => {
    const count = isFiltered(others) ? undefined : entries.reduce((sum, each) => sum + requestCount(each), 0)
    return [name, label, `/requests${queryString(others, query)}`, count] as const
  })
  const chosen = show === 'all' ? 'everything' : status === 'refused' ? status : ''
  return html(<Tabs label="Requests by caller and answer" id="show" tabs={tabs} chosen={chosen} />)
}

const requestChoices = (filters: Omit<RequestFilters, 'status'>) => (
  <>
    <Choice name="operation" filters={filters} options={operationNames} />
    <label class={filterLook(filters.transactionId !== '', 'w-38 tight:basis-23')}>
      <span class="sr-only">Transaction</span>
      <input
        class="placeholder:text-note"
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

/** A test for the requests of the list. `show`: `all` has the sandbox's own calls, too. */
function listedRequests(context: PagesContext, filters: RequestFilters, show: string) {
  const hides = show === '' && filters.q === ''
  const matchesFilters = requestMatcher(context, filters, createSecretHider(context))
  return (entry: LoggedRequest) => !(hides && isOfSandbox(entry)) && matchesFilters(entry)
}

type Matches = ReturnType<typeof listedRequests>

/** Where the page with that request begins; null: it is the newest, or no page has it. */
async function positionOf({ log }: PagesContext, matches: Matches, open: string) {
  const entries = log.list()
  const index = entries.findIndex((entry) => entry.traceId === open && matches(entry))
  const position = index < 0 ? null : await pageAbove(entries, index, matches)
  return position === null ? null : String(log.total - entries.length + position)
}

/** One page of the list. */
async function requestsPart(context: PagesContext, matches: Matches, before: string | null) {
  const { log } = context
  const below = before === null ? log.total : Number(before)
  const { rows, older } = findRequests(context, matches, below)
  const entries = log.list()
  const place = await placeInList(entries, below - log.total + entries.length, matches, rows)
  return { rows: shownRequests(context, rows), older: older === null ? null : String(older), place }
}

const noRequests = (filters: RequestFilters, before: string | null, baseUrl: string) =>
  before !== null ? (
    <ListNote>The log does not keep older requests.</ListNote>
  ) : isFiltered(filters) ? (
    <Empty title="No request matches" />
  ) : (
    <Empty
      title="No requests of the payment API yet"
      commands={[
        ['Take a payment', 'tillbox sale --amount 10.00'],
        ['Follow requests as they come', 'tillbox logs tail'],
      ]}
      baseUrl={baseUrl}
    >
      <p>Every request appears here with its answer, and with the reason when it is refused.</p>
    </Empty>
  )
