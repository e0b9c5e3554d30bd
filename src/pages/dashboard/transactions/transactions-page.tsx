import { isThere } from '../../../control/terminals.ts'
import { currenciesOf, total } from '../../../views/statistics/contribution.ts'
import { insertionIndex } from '../../../views/statistics/filter-survey.ts'
import type { TimeRange } from '../../../views/statistics/timeline.ts'
import { Fold } from '../../components/basics.tsx'
import { formatDateTime } from '../../components/format.ts'
import { Empty } from '../../components/panel.tsx'
import { html, type PageRequest, type PagesContext, type PageView } from '../../frame/page-view.tsx'
import { FleetStrip, fleetChanges, fleetStripFragment } from '../../terminal/fleet/fleet.tsx'
import { type ChartName, charts } from '../charts/charts.tsx'
import { currencyChoice, FigureCards, figureFragments } from '../charts/figures.tsx'
import { NumbersTable, TimeChart } from '../charts/time-chart.tsx'
import { axisOf, queryOf, RangeBar, rangeBefore } from '../charts/time-range.tsx'
import { Chips, SavedViews, SaveView } from '../lists/filter-form.tsx'
import { ColumnMenu, readColumns } from '../lists/list-columns.tsx'
import { List, listPage, pageSize } from '../lists/list-page.tsx'
import { isFiltered, type QueryReader, queryReader, queryString } from '../lists/list-query.ts'
import { countDone, firstStepsOf, isFirstRun } from '../start/first-steps.ts'
import { HideStart } from '../start/start-page.tsx'
import { StartLine, StartPanel } from '../start/start-panel.tsx'
import { Count, chipsOf, ExportLinks, rangeInWords } from './list-line.tsx'
import { type LookUpResult, lookUp, todayOf } from './look-up.ts'
import {
  onlineChoice,
  readTransactionFilters,
  TransactionFilterForm,
  type TransactionFilterQuery,
} from './transaction-filter-form.tsx'
import { type Cursor, readCursor, type SearchResult, search } from './transaction-search.ts'
import { transactionTable } from './transaction-table.tsx'

/** Parameters of the address that are no filters; empty ones are the usual ones. */
type ViewQuery = ReturnType<typeof readView>

function readView(reader: QueryReader) {
  return {
    chart: reader.oneOf('chart', Object.keys(charts)),
    currency: reader.text(
      'currency',
      (text) => /^[A-Z]{3}$/.test(text),
      'The currency must be three letters, such as USD.',
    ),
    columns: readColumns(reader),
  }
}

/** The first page: figures, a chart, and the list of transactions, all of one time range. */
export function transactionsPage(
  context: PagesContext,
  { query, baseUrl, isStartHidden }: PageRequest,
): PageView {
  const reader = queryReader(query)
  const { problems } = reader
  const filters = readTransactionFilters(reader)
  const cursor = readCursor(reader)
  const view = readView(reader)
  const isWhole = cursor.before === null && cursor.after === null && !isFiltered(filters)
  const hasStart = isWhole && isStartHidden !== true
  const { since, until, ...others } = filters
  return listPage({
    title: 'Transactions',
    section: 'transactions',
    path: '/',
    query: queryString(filters, view, { start: isWhole && !hasStart ? 'off' : '' }, cursor),
    topics: [
      'transactions',
      'webhooks',
      'terminals',
      ...(view.chart === 'latency' ? ['requests' as const] : []),
    ],
    again: () => fleetChanges(context),
    problems,
    fragments: () => fragmentsOf(context, { filters, cursor, view, baseUrl, hasStart }),
    body: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {hasStart && slot('start')}
        <div class="home-line row gap-4 below-3">
          <FleetStrip>{slot('fleet')}</FleetStrip>
          <RangeBar range={{ since, until }} others={{ ...others, ...view }} />
        </div>
        <div class="home-parts stack gap-3 one-column">
          <FigureCards slot={slot} currency={slot('currency')} />
          <section class="panel panel-chart" aria-label="Over time">
            <nav class="chart-tabs flex small" aria-label="Charts">
              {Object.entries(charts).map(([name, { tab }]) => (
                <a
                  href={`/${queryString(filters, view, { chart: name === 'volume' ? '' : name })}`}
                  aria-current={name === (view.chart || 'volume') ? 'true' : undefined}
                >
                  {tab}
                </a>
              ))}
            </nav>
            {slot('chart')}
            <Fold summary="Numbers" className="fold numbers-fold">
              {slot('chart-numbers')}
            </Fold>
          </section>
          <section class="panel panel-list" aria-label="List of transactions">
            <SavedViews />
            <TransactionFilterForm {...{ filters, view, context, problems }} />
            <div class="list-line h-1-75 row wrap smaller">
              {slot('list-count')}
              <Chips
                chips={chipsOf(filters, { since, until, ...view })}
                path={`/${queryString({ since, until, ...view })}`}
              />
              <SaveView />
              <ColumnMenu columns={view.columns} otherParameters={{ ...filters, ...view, columns: '' }} />
              <ExportLinks filters={filters} />
            </div>
            {slot('list')}
          </section>
        </div>
      </>
    ),
  })
}

/** What of the transactions is shown. */
interface TransactionListView {
  readonly filters: TransactionFilterQuery
  readonly cursor: Cursor
  readonly view: ViewQuery
  readonly baseUrl: string
  /** True where the first steps are shown while they last. */
  readonly hasStart: boolean
}

async function fragmentsOf(context: PagesContext, page: TransactionListView) {
  const { transactions } = context.statistics.current
  const { filters, cursor, view, baseUrl, hasStart } = page
  const found = await lookUp(context, filters)
  const { figures, range, looked } = found
  const count = total(figures.between(range))
  const isNewest = cursor.before === null && cursor.after === null
  const most = isNewest && looked === null ? Math.min(count, pageSize) : pageSize
  const shown = await search(found.register, found.matches, cursor, most)
  const asPart = found.isExact ? `/${queryString(filters, { match: 'part' }, view)}` : null
  return {
    ...(hasStart && { start: startFragment(context, baseUrl) }),
    fleet: fleetStripFragment(context, baseUrl),
    ...overTime(context, found, page),
    'list-count': html(<Count stored={transactions.length} {...{ count, looked, asPart }} />),
    list: listFragment(context, page, { ...found, ...shown, count }),
  }
}

/** Figures and chart. */
function overTime(
  context: PagesContext,
  { figures, deliveries, range }: LookUpResult,
  { filters, view }: TransactionListView,
) {
  const today = todayOf(context)
  const { timeZone } = today
  const sumsOf = (part: TimeRange) => ({
    figures: figures.between(part),
    deliveries: deliveries.between(part),
  })
  const currencies = currenciesOf(figures.all)
  const currency = view.currency || (currencies[0] ?? 'USD')
  const earlier = rangeBefore(range)
  const before = earlier && sumsOf(earlier)
  const axis = axisOf(range, figures.extent, today)
  const bars = axis.bars.map(sumsOf)
  const content = charts[(view.chart || 'volume') as ChartName].contentOf({
    axis,
    figures: bars.map((bar) => bar.figures),
    deliveries: bars.map((bar) => bar.deliveries),
    log: context.log,
    ...{ currency, timeZone },
  })
  const chart = {
    ...{ ...content, axis },
    labelOf: ({ from }: TimeRange) => formatDateTime(from, timeZone).slice(0, 16),
    hrefOf: (bar: TimeRange) => `/${queryString(filters, queryOf(bar, timeZone), view)}`,
  }
  return {
    ...figureFragments({ period: sumsOf(range), before, bars, currency }),
    currency: currencyChoice([...new Set([currency, ...currencies])].sort(), currency, {
      ...filters,
      ...view,
      currency: '',
    }),
    chart: html(<TimeChart {...chart} />),
    'chart-numbers': html(<NumbersTable {...chart} />),
  }
}

/** The first steps: in full while none is done, then in a line. */
function startFragment(context: PagesContext, baseUrl: string): string {
  if (!isFirstRun(context)) return ''
  const props = { context, aside: <HideStart /> }
  return html(
    countDone(firstStepsOf(context)) === 0 ? (
      <StartPanel baseUrl={baseUrl} {...props} />
    ) : (
      <StartLine {...props} />
    ),
  )
}

function listFragment(
  context: PagesContext,
  { filters, cursor, view, baseUrl, hasStart }: TransactionListView,
  found: LookUpResult & SearchResult & { readonly count: number },
): string {
  const { statistics, clock } = context
  const { rows, newer, older, stoppedAt, count } = found
  const unknown = unknownTerminal(context, filters)
  if (statistics.current.transactions.length === 0 && unknown === null)
    return hasStart ? '' : html(<NothingYet baseUrl={baseUrl} />)
  const to = (position: Partial<Cursor>) => `/${queryString(filters, view, position)}`
  const first = firstIndex(found, filters, cursor)
  const isLast = first === 0 && rows.length === count
  return html(
    <List
      name="transactions"
      table={rows.length > 0 ? transactionTable({ rows, now: clock.now(), columns: view.columns }) : null}
      empty={
        <Empty title={isFiltered(filters) ? 'No transaction matches' : 'No transactions on this page'}>
          {unknown !== null && <p>There is no terminal {unknown}.</p>}
          <p>
            <a href={`/${queryString(view)}`}>Show all transactions</a>
          </p>
        </Empty>
      }
      range={rangeInWords(found, first, rows.length)}
      links={{
        newest: newer && to({}),
        newer: newer && to({ after: newer }),
        older: isLast ? null : older && to({ before: older }),
      }}
      goOn={stoppedAt && to(cursor.after === null ? { before: stoppedAt } : { after: stoppedAt })}
    />,
  )
}

/** How many of the matching transactions are newer than the first one shown; null where that is not known. */
function firstIndex(
  { register, ids, rows }: LookUpResult & SearchResult,
  { since, until }: TransactionFilterQuery,
  { before, after }: Cursor,
): number | null {
  const id = rows[0]?.id
  if (before === null && after === null) return 0
  if (id === undefined || since !== '' || until !== '') return null
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
