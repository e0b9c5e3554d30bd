import type { Child } from 'hono/jsx'
import { isThere } from '../../../control/terminals.ts'
import { currenciesByUse, total } from '../../../views/statistics/figures.ts'
import { transactionIndex } from '../../../views/statistics/statistics.ts'
import type { TimeRange } from '../../../views/statistics/timeline.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { PostButton } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { formatDateTime, plural } from '../../components/format.ts'
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
import { rangeBar, rangeBefore, rangeQuery, type Today, timeAxis } from '../charts/time-range.tsx'
import {
  isFiltered,
  type QueryReader,
  queryReader,
  queryString,
  SavedViews,
  SaveView,
} from '../lists/filter-form.tsx'
import { type Cursor, listPage, pageAround, pageSize } from '../lists/list-page.tsx'
import { countDone, firstSteps, isFirstRun, startLine, startPanel } from '../start/start-page.tsx'
import {
  onlineChoice,
  readTransactionFilters,
  type TransactionFilterQuery,
  transactionChoices,
} from './transaction-filter-form.tsx'
import { currentDay, type LookUpResult, lookUp, readCursor, search } from './transaction-search.ts'
import {
  countInWords,
  ExportLinks,
  rangeInWords,
  readColumns,
  transactionColumns,
  viewMenu,
} from './transaction-table.tsx'

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
export const transactionsPage: MakePage = (context, { query, baseUrl, isStartHidden }) => {
  const reader = queryReader(query)
  const filters = readTransactionFilters(reader)
  const cursor = readCursor(reader)
  const view = readView(reader)
  const isWhole = cursor.before === null && cursor.after === null && !isFiltered(filters)
  const hasStart = isWhole && isStartHidden !== true
  const { since, until, ...choices } = filters
  const others = { since, until, ...view }
  const firstPayment = !hasStart && (
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
    live: { start: isWhole && !hasStart ? 'off' : '' },
    cursor,
    topics: [
      'transactions',
      'webhooks',
      'terminals',
      ...(view.chart === 'latency' ? ['requests' as const] : []),
    ],
    again: () => fleetChanges(context),
    pieces: async () => ({
      ...(hasStart && { start: startFragment(context, baseUrl) }),
      fleet: fleetStripFragment(context, baseUrl),
      ...(view.chart !== listAlone && overTime(context, await lookUp(context, filters), filters, view)),
    }),
    above: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {hasStart && slot('start')}
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
    head: <SavedViews />,
    search: {
      label: 'Search id, order, amount, card, result',
      filters: choices,
      choices: transactionChoices(context, choices),
    },
    tools: () => (
      <>
        <SaveView />
        {viewMenu(
          view.columns,
          { ...filters, ...view, columns: '' },
          <>
            <p class="above-3">{overviewSwitch({ ...filters, ...view })}</p>
            <ExportLinks filters={filters} />
          </>,
        )}
      </>
    ),
    columns: transactionColumns(view.columns, context.clock.now()),
    showsAll: view.columns !== '',
    link: ({ transaction: { id } }) => ({ id: `row-${id}`, href: `/transactions/${id}` }),
    findPosition: (id) => findTransactionPosition(context, id),
    part: (position) => transactionsPart(context, filters, view, position, firstPayment),
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
  const { since: _, until: __, ...choices } = filters
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

/** The first steps: in full while none is done, then in a line. */
function startFragment(context: PagesContext, baseUrl: string): string {
  if (!isFirstRun(context)) return ''
  const aside = <PostButton action="/start/hide">Hide</PostButton>
  const isFirst = countDone(firstSteps(context)) === 0
  return html(isFirst ? startPanel(context, baseUrl, aside) : startLine(context, aside))
}

/** A page of the list. `firstPayment`: how to make one, where there is none yet. */
async function transactionsPart(
  context: PagesContext,
  filters: TransactionFilterQuery,
  view: ViewQuery,
  cursor: Cursor,
  firstPayment: Child,
) {
  const found = await lookUp(context, filters)
  const { list, matches, figures, range, looked, isExact } = found
  const count = total(figures.between(range))
  const isNewest = cursor.before === null && cursor.after === null
  const most = isNewest && looked === null ? Math.min(count, pageSize) : pageSize
  const { rows, newer, older, stoppedAt } = await search(list, matches, cursor, most)
  const isAll = isNewest && rows.length === count
  const stored = context.statistics.current.transactions.length
  const unknown = unknownTerminal(context, filters)
  return {
    rows,
    newer,
    older: isAll ? null : older,
    goOn: stoppedAt === null ? null : { [cursor.after === null ? 'before' : 'after']: stoppedAt },
    count: countInWords(count, looked, stored),
    range: rangeInWords(count, looked, isNewest ? 0 : countNewer(rows[0], found), rows.length),
    empty:
      stored === 0 && unknown === null ? (
        firstPayment
      ) : (
        <Empty title={noneTitle(filters)}>
          {figures.extent && <p>{otherTimes(total(figures.all), figures.extent, currentDay(context))}</p>}
          {unknown !== null && <p>There is no terminal {unknown}.</p>}
          <p>
            <a href={`/${queryString(view)}`}>Show all transactions</a>
          </p>
        </Empty>
      ),
    note: isExact && (
      <>
        Exact match. <a href={`/${queryString(filters, { match: 'part' }, view)}`}>Search all texts</a>
      </>
    ),
  }
}

function findTransactionPosition({ statistics }: PagesContext, id: string): Cursor | undefined {
  const { transactions } = statistics.current
  const index = transactionIndex(statistics.current, id)
  const isKnown = transactions[index]?.transaction.id === id
  return isKnown ? { before: transactions[pageAround(index)]?.transaction.id ?? null } : undefined
}

const noneTitle = ({ since, until, ...others }: TransactionFilterQuery): string => {
  if (isFiltered(others)) return 'No transaction matches'
  return since || until ? 'Choose another period' : 'No transactions on this page'
}

/** How many transactions there are at other times, and from when to when. */
const otherTimes = (count: number, { from, until }: TimeRange, { timeZone }: Today): string => {
  const [first, last] = [from, until - 1].map((at) => formatDateTime(at, timeZone).slice(0, 16))
  return `There ${count === 1 ? 'is' : 'are'} ${plural(count, 'transaction')}, from ${first} to ${last}.`
}

/** How many of the matching transactions are newer than this one; null where the search did not look that far. */
function countNewer(row: OwnedTransaction | undefined, { list, ids, figures, range }: LookUpResult) {
  if (row === undefined) return null
  const { id } = row.transaction
  const after = total(figures.between({ from: range.until, until: Number.POSITIVE_INFINITY }))
  if (ids === null) return list.transactions.length - 1 - transactionIndex(list, id) - after
  const index = ids.indexOf(id)
  return index === -1 ? null : index - after
}

/** The filter's terminal if the sandbox has no such terminal; null otherwise. */
const unknownTerminal = (context: PagesContext, { terminal }: TransactionFilterQuery): string | null =>
  terminal === '' || terminal === onlineChoice || isThere(context, terminal) ? null : terminal
