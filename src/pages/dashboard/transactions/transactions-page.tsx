import { isThere } from '../../../control/terminals.ts'
import { Empty, Panel } from '../../components/panel.tsx'
import type { PagesContext } from '../../frame/context.ts'
import { defaultTimeZone } from '../../frame/context.ts'
import { html, type PageRequest, type PageView } from '../../frame/page-view.tsx'
import { FleetStrip, fleetStripFragment } from '../../terminal/fleet/fleet.tsx'
import { fleetChanges } from '../../terminal/fleet/fleet-state.ts'
import { latencyChart, outcomeChart, timeCharts } from '../charts/charts.tsx'
import { Legend, NumbersFold } from '../charts/time-chart.tsx'
import { type TimeSpan, timeSpanNamed, timeSpans } from '../charts/time-spans.ts'
import { List, listPage } from '../lists/list.tsx'
import { isFiltered, queryReader, queryString } from '../lists/query.ts'
import { Totals } from './totals.tsx'
import { TransactionFilterForm } from './transaction-filter-form.tsx'
import {
  matcherOf,
  onlineChoice,
  readTransactionFilters,
  type TransactionFilters,
} from './transaction-filters.ts'
import { type Cursor, findExactly, readCursor, type SearchResult, search } from './transaction-search.ts'
import { transactionTable } from './transaction-table.tsx'

/** The first page: totals, charts, and the list of transactions. */
export function transactionsPage(context: PagesContext, { query, origin }: PageRequest): PageView {
  const reader = queryReader(query)
  const { problems } = reader
  const filters = readTransactionFilters(reader)
  const cursor = readCursor(reader)
  const chosen = reader.oneOf(
    'span',
    timeSpans.map(({ name }) => name),
  )
  const span = timeSpanNamed(chosen, context.statistics.current.figures, context.clock.now())
  return listPage({
    title: 'Transactions',
    section: 'transactions',
    path: '/',
    query: queryString(filters, { span: span.name }, cursor),
    topics: ['transactions', 'webhooks', 'terminals'],
    again: () => fleetChanges(context),
    problems,
    fragments: () => fragmentsOf(context, { filters, cursor, span, origin }),
    body: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {slot('totals')}
        <FleetStrip>{slot('fleet')}</FleetStrip>
        <div class="columns">
          <section class="panel panel-list" aria-label="List of transactions">
            <TransactionFilterForm filters={filters} context={context} problems={problems} />
            {slot('list')}
          </section>
          <div class="side">
            <Panel title="Over time" name="time" note={timeSpanChoice(filters, span)}>
              <Legend />
              {slot('quiet')}
              {slot('volume')}
              <NumbersFold>{slot('volume-numbers')}</NumbersFold>
              {slot('amounts')}
              <NumbersFold>{slot('amounts-numbers')}</NumbersFold>
            </Panel>
            <Panel title="Outcomes" name="outcomes">
              {slot('outcomes')}
            </Panel>
            <Panel title="Webhook response times" name="latency">
              {slot('latency')}
            </Panel>
          </div>
        </div>
      </>
    ),
  })
}

/** What of the transactions is shown. */
interface ListView {
  readonly filters: TransactionFilters
  readonly cursor: Cursor
  readonly span: TimeSpan
  readonly origin: string
}

async function fragmentsOf(context: PagesContext, view: ListView) {
  const { statistics, clock, attempts } = context
  const latest = await attempts.latest()
  const { figures, deliveries } = statistics.current
  const timeZone = defaultTimeZone(context)
  return {
    totals: html(<Totals figures={figures} deliveries={deliveries} />),
    fleet: fleetStripFragment(context),
    list: listFragment(context, view),
    ...timeCharts({ figures, span: view.span, now: clock.now(), timeZone }),
    outcomes: outcomeChart(figures),
    latency: latencyChart(latest),
  }
}

function listFragment(context: PagesContext, { filters, cursor, span, origin }: ListView): string {
  const { statistics, clock } = context
  const unknown = unknownTerminal(context, filters)
  if (statistics.current.transactions.length === 0 && unknown === null)
    return html(
      <Empty origin={origin} title="No payments yet" commands={firstCommands}>
        <p>Run one of these commands; the result appears here.</p>
      </Empty>,
    )
  const { rows, newer, older, stoppedAt } = find(context, filters, cursor)
  const to = (position: Partial<Cursor>) => `/${queryString(filters, { span: span.name }, position)}`
  return html(
    <List
      name="transactions"
      table={rows.length > 0 ? transactionTable(rows, clock.now()) : null}
      empty={
        <Empty title={isFiltered(filters) ? 'No transaction matches' : 'No transactions on this page'}>
          {unknown !== null && <p>There is no terminal {unknown}.</p>}
          <p>
            <a href="/">Show all transactions</a>
          </p>
        </Empty>
      }
      links={{
        newest: newer && to({}),
        newer: newer && to({ after: newer }),
        older: older && to({ before: older }),
      }}
      goOn={stoppedAt && to(cursor.after === null ? { before: stoppedAt } : { after: stoppedAt })}
    />,
  )
}

/** Matching transactions; a complete id finds its transaction however old it is. */
function find(
  { engine, statistics }: PagesContext,
  filters: TransactionFilters,
  cursor: Cursor,
): SearchResult {
  const matches = matcherOf(filters)
  const exact = filters.q === '' ? undefined : findExactly(engine.state.ledgers.values(), filters.q)
  const counted = exact && statistics.current.find(exact.id)
  return counted !== undefined && matches(counted)
    ? { rows: [counted], older: null, newer: null, stoppedAt: null }
    : search(statistics.current, matches, cursor)
}

const firstCommands = [
  'tillbox sale --amount 10.00',
  'tillbox checkout create --amount 24.90 --open',
  'tillbox trigger --list',
]

/** The terminal of the filter when the sandbox has no such terminal; null otherwise. */
const unknownTerminal = (context: PagesContext, { terminal }: TransactionFilters): string | null =>
  terminal === '' || terminal === onlineChoice || isThere(context, terminal) ? null : terminal

const timeSpanChoice = (filters: TransactionFilters, chosen: TimeSpan) => (
  <nav class="spans" aria-label="Time span of the charts">
    {timeSpans.map((span) => (
      <a
        href={`/${queryString(filters, { span: span.name })}`}
        aria-current={span === chosen ? 'true' : undefined}
      >
        {span.label}
      </a>
    ))}
  </nav>
)
