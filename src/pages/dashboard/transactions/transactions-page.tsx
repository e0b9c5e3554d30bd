import type { Child } from 'hono/jsx'
import { currenciesByUse, total } from '../../../views/statistics/figures.ts'
import type { TimeRange } from '../../../views/statistics/timeline.ts'
import { Fold } from '../../components/basics.tsx'
import { formatDateTime } from '../../components/format.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  type FragmentSlot,
  html,
  type MakePage,
  type PagesContext,
} from '../../frame/page-view.tsx'
import { fleetChanges, fleetStripFragment } from '../../terminal/fleet/fleet.tsx'
import { type ChartName, charts, faultSeries } from '../charts/charts.tsx'
import { currencyChoice, figureCards, figureFragments } from '../charts/figures.tsx'
import { NumbersTable, TimeChart } from '../charts/time-chart.tsx'
import { rangeBar, rangeBefore, rangeQuery, timeAxis } from '../charts/time-range.tsx'
import { isFiltered, type QueryReader, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageSize } from '../lists/list-page.tsx'
import { isFirstRun, startPanel } from '../start/start-page.tsx'
import {
  readTransactionFilters,
  type TransactionFilterQuery,
  transactionChoices,
} from './transaction-filter-form.tsx'
import { currentDay, type LookUpResult, lookUp, newerPosition, search } from './transaction-search.ts'
import { countInWords, readColumns, transactionColumns, viewMenu } from './transaction-table.tsx'

/** In place of the name of a chart: neither figures nor a chart stand above the list. */
const listAlone = 'none'

/** Parameters of the address that are no filters; empty ones are the usual ones. */
type ViewQuery = ReturnType<typeof readView>

function readView(reader: QueryReader) {
  return {
    chart: reader.oneOf('chart', [...Object.keys(charts), listAlone]),
    currency: reader.text(
      'currency',
      (text) => /^[A-Z]{3}$/.test(text),
      'The currency must be three letters, such as USD.',
    ),
    columns: readColumns(reader),
  }
}

/** The first page: figures, a chart, and the list of transactions, all of one time range. */
export const transactionsPage: MakePage = (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const filters = readTransactionFilters(reader)
  const before = reader.before()
  const view = readView(reader)
  const isWhole = before === null && !isFiltered(filters)
  const { since, until, ...choices } = filters
  const others = { since, until, ...view }
  const firstPayment = !isWhole && (
    <Empty title="No payments yet" commands={['tillbox sale --amount 10.00']} baseUrl={baseUrl}>
      <p>
        Or follow the <a href="/start">first steps</a>.
      </p>
    </Empty>
  )
  return listPage({
    section: 'transactions',
    items: 'transactions',
    reader,
    filters: choices,
    others,
    before,
    topics: [
      'transactions',
      'webhooks',
      'terminals',
      ...(view.chart === 'latency' ? ['requests' as const] : []),
    ],
    again: () => fleetChanges(context),
    pieces: async () => ({
      ...(isWhole && { start: startFragment(context, baseUrl) }),
      fleet: fleetStripFragment(context, baseUrl),
      ...(view.chart !== listAlone && overTime(context, await lookUp(context, filters), filters, view)),
    }),
    above: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {isWhole && slot('start')}
        <div class="home-line row gap-4 below-2">
          <section class="fleet-strip below-3" aria-label="Terminals">
            {slot('fleet')}
          </section>
          {rangeBar({ since, until }, { ...choices, ...view }, defaultTimeZone(context))}
        </div>
        {view.chart !== listAlone && (
          <div class="overview stack gap-2">
            {figureCards(slot, slot('currency'))}
            {chartPanel(slot, { ...filters, ...view })}
          </div>
        )}
      </>
    ),
    search: {
      label: 'Search id, order, amount, card, result',
      filters: choices,
      choices: transactionChoices(context, choices),
    },
    tools: () =>
      viewMenu(
        view.columns,
        { ...filters, ...view, columns: '' },
        <>
          <p class="above-3">{overviewSwitch({ ...filters, ...view })}</p>
          <p class="flex gap-2 soft pad-top-3 rule-above">
            Export{' '}
            {['csv', 'json'].map((format) => (
              <a
                href={`/transactions.${format}${queryString(filters)}`}
                download
                aria-label={`Export as ${format.toUpperCase()}`}
              >
                {format.toUpperCase()}
              </a>
            ))}
          </p>
        </>,
      ),
    columns: transactionColumns(view.columns, context.clock.now()),
    showsAll: view.columns !== '',
    link: ({ transaction: { id } }) => ({ id: `row-${id}`, href: `/transactions/${id}` }),
    part: () => transactionsPart(context, filters, view, before, firstPayment),
  })
}

/** Gives the list the height of figures and chart, or takes it back. */
const overviewSwitch = (parameters: ViewQuery & TransactionFilterQuery) => {
  const [act, chart] = parameters.chart === listAlone ? ['Show', ''] : ['Hide', listAlone]
  return <a href={`/${queryString(parameters, { chart })}`}>{act} figures and chart</a>
}

/** The chart with its tabs; below it the numbers as a table. Until one is chosen, a phone shows the tabs alone. */
const chartPanel = (slot: FragmentSlot, parameters: ViewQuery & TransactionFilterQuery) => (
  <section
    class={parameters.chart === '' ? 'panel panel-chart relative unchosen' : 'panel panel-chart relative'}
    aria-label="Over time"
  >
    <Tabs label="Charts" id="chart" tabs={chartTabs(parameters)} chosen={parameters.chart || 'volume'} />
    {slot('chart')}
    <Fold summary="Numbers" className="fold numbers-fold">
      {slot('chart-numbers')}
    </Fold>
  </section>
)

/** The tab of the usual chart leads back to the usual address. */
const chartTabs = (parameters: ViewQuery & TransactionFilterQuery) =>
  Object.entries(charts).map(([name, { tab }]) => {
    const chart = name === 'volume' && parameters.chart === name ? '' : name
    return [name, tab, `/${queryString(parameters, { chart })}`] as const
  })

function overTime(
  context: PagesContext,
  { figures, deliveries, range }: LookUpResult,
  filters: TransactionFilterQuery,
  view: ViewQuery,
) {
  const { since: _, until: __, ...choices } = filters
  const today = currentDay(context)
  const { timeZone } = today
  const sumsIn = (part: TimeRange) => ({
    figures: figures.between(part),
    deliveries: deliveries.between(part),
  })
  const currencies = currenciesByUse(figures.all)
  const currency = view.currency || (currencies[0] ?? 'USD')
  const earlier = rangeBefore(range)
  const before = earlier && sumsIn(earlier)
  const { from, until } = figures.extent ?? { from: today.now, until: today.now }
  const asked = context.log.list()[0]?.sandboxAt ?? from
  const axis = timeAxis(range, { from: Math.min(from, asked), until }, today)
  const bars = axis.bars.map(sumsIn)
  const content = charts[(view.chart || 'volume') as ChartName].content({
    axis,
    figures: bars.map((bar) => bar.figures),
    deliveries: bars.map((bar) => bar.deliveries),
    log: context.log,
    currency,
    timeZone,
  })
  const chart = {
    ...content,
    axis,
    ...(isFiltered(choices) &&
      view.chart !== 'latency' && { empty: 'No transaction of this period matches.' }),
    series: [...content.series, ...faultSeries(axis, context.faults.list())],
    barLabel: ({ from }: TimeRange) => formatDateTime(from, timeZone).slice(0, 16),
    barHref: (bar: TimeRange) => `/${queryString(filters, rangeQuery(bar, timeZone), view)}`,
  }
  return {
    ...figureFragments(sumsIn(range), before, bars, currency),
    currency: currencyChoice([...new Set([currency, ...currencies])].sort(), currency, {
      ...filters,
      ...view,
      currency: '',
    }),
    chart: html(<TimeChart {...chart} />),
    'chart-numbers': html(<NumbersTable {...chart} />),
  }
}

/** The first steps, while one is left and little is stored. */
const startFragment = (context: PagesContext, baseUrl: string): string =>
  isFirstRun(context) ? html(startPanel(context, baseUrl)) : ''

/** A page of the list. `firstPayment`: how to make one, where there is none yet. */
async function transactionsPart(
  context: PagesContext,
  filters: TransactionFilterQuery,
  view: ViewQuery,
  before: string | null,
  firstPayment: Child,
) {
  const { list, matches, figures, range, looked } = await lookUp(context, filters)
  const count = total(figures.between(range))
  const isNewest = before === null
  const most = isNewest && looked === null ? Math.min(count, pageSize) : pageSize
  const { rows, older, stoppedAt } = await search(list, matches, before, most)
  const isAll = isNewest && rows.length === count
  const stored = context.statistics.current.transactions.length
  return {
    rows,
    newer: isNewest ? null : await newerPosition(list, matches, before),
    older: isAll ? null : older,
    goOn: stoppedAt,
    count: countInWords(count, looked, stored),
    empty:
      stored === 0 ? (
        firstPayment
      ) : (
        <Empty title="No transaction matches">
          <p>
            <a href={`/${queryString(view)}`}>Show all transactions</a>
          </p>
        </Empty>
      ),
  }
}
