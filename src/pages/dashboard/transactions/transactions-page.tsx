import { isThere } from '../../../control/terminals.ts'
import type { CountedTransaction } from '../../../views/statistics/counted-transaction.ts'
import { insertionIndex, type Register, type Survey } from '../../../views/statistics/filter-survey.ts'
import { Empty, Panel } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  html,
  type PageRequest,
  type PagesContext,
  type PageView,
} from '../../frame/page-view.tsx'
import { FleetStrip, fleetChanges, fleetStripFragment } from '../../terminal/fleet/fleet.tsx'
import { latencyChart, outcomeChart, timeCharts } from '../charts/charts.tsx'
import { Legend, NumbersFold, type TimeSpan, timeSpanNamed, timeSpans } from '../charts/time-chart.tsx'
import { Chips, SavedViews, SaveView } from '../lists/filter-form.tsx'
import { ColumnMenu, readColumns } from '../lists/list-columns.tsx'
import { List, listPage } from '../lists/list-page.tsx'
import { isFiltered, queryReader, queryString } from '../lists/list-query.ts'
import { isFirstRun } from '../start/first-steps.ts'
import { HideStart } from '../start/start-page.tsx'
import { StartPanel } from '../start/start-panel.tsx'
import { Count, chipsOf, ExportLinks, rangeInWords, Totals } from './list-line.tsx'
import { lookUp } from './look-up.ts'
import {
  onlineChoice,
  readTransactionFilters,
  TransactionFilterForm,
  type TransactionFilterQuery,
} from './transaction-filter-form.tsx'
import { type Cursor, readCursor, type SearchResult, search } from './transaction-search.ts'
import { transactionTable } from './transaction-table.tsx'

/** The first page: totals, charts, and the list of transactions. */
export async function transactionsPage(
  context: PagesContext,
  { query, baseUrl, isStartHidden }: PageRequest,
): Promise<PageView> {
  const reader = queryReader(query)
  const { problems } = reader
  const filters = readTransactionFilters(reader)
  const cursor = readCursor(reader)
  const columns = readColumns(reader)
  const chosen = reader.oneOf(
    'span',
    timeSpans.map(({ name }) => name),
  )
  const { survey, since, end } = await lookUp(context, filters)
  const span = timeSpanNamed(chosen, survey.figures, end, since)
  const isWhole = cursor.before === null && cursor.after === null && !isFiltered(filters)
  const hasStart = isWhole && isStartHidden !== true
  return listPage({
    title: 'Transactions',
    section: 'transactions',
    path: '/',
    query: queryString(
      filters,
      { span: span.name, columns, start: isWhole && !hasStart ? 'off' : '' },
      cursor,
    ),
    topics: ['transactions', 'webhooks', 'terminals'],
    again: () => fleetChanges(context),
    problems,
    fragments: () => fragmentsOf(context, { filters, cursor, span, columns, baseUrl, hasStart }),
    body: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {hasStart && slot('start')}
        {slot('totals')}
        <FleetStrip>{slot('fleet')}</FleetStrip>
        <div class="columns top stack gap-4 one-column">
          <section class="panel panel-list" aria-label="List of transactions">
            <SavedViews />
            <TransactionFilterForm span={chosen} {...{ filters, columns, context, problems }} />
            <div class="list-line h-1-75 row wrap smaller">
              {slot('list-count')}
              <Chips
                chips={chipsOf(filters, { span: chosen, columns })}
                path={`/${queryString({ span: chosen, columns })}`}
              />
              <SaveView />
              <ColumnMenu columns={columns} otherParameters={{ ...filters, span: chosen }} />
              <ExportLinks filters={filters} />
            </div>
            {slot('list')}
          </section>
          <div class="side">
            <Panel title="Over time" name="time" note={timeSpanChoice({ ...filters, columns }, span)}>
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
interface TransactionListView {
  readonly filters: TransactionFilterQuery
  readonly cursor: Cursor
  readonly span: TimeSpan
  /** As the address has them. */
  readonly columns: string
  readonly baseUrl: string
  /** True where the first steps are shown while they last. */
  readonly hasStart: boolean
}

async function fragmentsOf(context: PagesContext, view: TransactionListView) {
  const { statistics, attempts, catalogue } = context
  const { filters, cursor, span, columns, baseUrl, hasStart } = view
  const latest = await attempts.latest()
  const found = await lookUp(context, filters)
  const shown = await search(found.register, found.matches, cursor)
  const { deliveries, transactions } = statistics.current
  const { survey, end, isEndNow, isExact } = found
  const { figures, ids } = survey
  const asPart = isExact ? `/${queryString(filters, { match: 'part', span: span.name, columns })}` : null
  const hrefOf = ({ since, until }: { readonly since: string; readonly until: string }) =>
    `/${queryString({ ...filters, when: '', since, until, columns })}`
  return {
    ...(hasStart && { start: startFragment(context, baseUrl) }),
    totals: html(
      <Totals figures={figures} webhooks={ids === null ? deliveries.counts : deliveries.countsOf(ids)} />,
    ),
    fleet: fleetStripFragment(context, baseUrl),
    'list-count': html(<Count stored={transactions.length} {...{ survey, asPart }} />),
    list: listFragment(context, view, { ...found, ...shown }),
    ...timeCharts({ figures, span, now: end, isNow: isEndNow, timeZone: defaultTimeZone(context), hrefOf }),
    outcomes: outcomeChart(figures, catalogue),
    latency: latencyChart(latest),
  }
}

const startFragment = (context: PagesContext, baseUrl: string): string =>
  isFirstRun(context) ? html(<StartPanel aside={<HideStart />} {...{ context, baseUrl }} />) : ''

function listFragment(
  context: PagesContext,
  { filters, cursor, span, columns, baseUrl, hasStart }: TransactionListView,
  { register, survey, rows, newer, older, stoppedAt }: Awaited<ReturnType<typeof lookUp>> & SearchResult,
): string {
  const { statistics, clock } = context
  const unknown = unknownTerminal(context, filters)
  if (statistics.current.transactions.length === 0 && unknown === null)
    return hasStart ? '' : html(<NothingYet baseUrl={baseUrl} />)
  const to = (position: Partial<Cursor>) => `/${queryString(filters, { span: span.name, columns }, position)}`
  return html(
    <List
      name="transactions"
      table={rows.length > 0 ? transactionTable({ rows, now: clock.now(), columns }) : null}
      empty={
        <Empty title={isFiltered(filters) ? 'No transaction matches' : 'No transactions on this page'}>
          {unknown !== null && <p>There is no terminal {unknown}.</p>}
          <p>
            <a href={`/${queryString({ columns })}`}>Show all transactions</a>
          </p>
        </Empty>
      }
      range={rangeInWords(survey, countNewer(rows[0], survey, register), rows.length)}
      links={{
        newest: newer && to({}),
        newer: newer && to({ after: newer }),
        older: older && to({ before: older }),
      }}
      goOn={stoppedAt && to(cursor.after === null ? { before: stoppedAt } : { after: stoppedAt })}
    />,
  )
}

/** How many of the matching transactions are newer than this one; null where the survey did not look that far. */
function countNewer(row: CountedTransaction | undefined, { ids }: Survey, register: Register): number | null {
  if (row === undefined) return null
  const { id } = row.transaction
  if (ids === null) return register.transactions.length - 1 - register.indexOf(id)
  const index = insertionIndex(ids, id)
  return ids[index] === id ? index : null
}

const NothingYet = ({ baseUrl }: Pick<TransactionListView, 'baseUrl'>) => (
  <Empty baseUrl={baseUrl} title="No payments yet" commands={firstCommands}>
    <p>
      Run one of these commands; the result appears here. Or follow the <a href="/start">first steps</a>.
    </p>
  </Empty>
)

const firstCommands = [
  'tillbox sale --amount 10.00',
  'tillbox checkout create --amount 24.90 --open',
  'tillbox trigger --list',
]

/** The filter's terminal if the sandbox has no such terminal; null otherwise. */
const unknownTerminal = (context: PagesContext, { terminal }: TransactionFilterQuery): string | null =>
  terminal === '' || terminal === onlineChoice || isThere(context, terminal) ? null : terminal

const timeSpanChoice = (otherParameters: object, chosen: TimeSpan) => (
  <nav class="spans flex smaller" aria-label="Time span of the charts">
    {timeSpans.map((span) => (
      <a
        href={`/${queryString(otherParameters, { span: span.name })}`}
        aria-current={span === chosen ? 'true' : undefined}
      >
        {span.label}
      </a>
    ))}
  </nav>
)
