import { type TimeRange, total } from '../../../sandbox/views/statistics/figures.ts'
import { transactionIndex } from '../../../sandbox/views/statistics/statistics.ts'
import { formatDateTime } from '../../components/format.ts'
import { Empty } from '../../components/panel.tsx'
import {
  defaultTimeZone,
  html,
  type MakePage,
  type PagesContext,
  type Values,
} from '../../frame/page-view.tsx'
import { fleetChanges, fleetStripFragment } from '../../terminal/fleet/fleet.tsx'
import { StatusChart } from '../charts/status-chart.tsx'
import { rangeBar, rangeQuery, timeAxis } from '../charts/time-range.tsx'
import { isFiltered, type QueryReader, queryReader, queryString } from '../lists/filter-form.tsx'
import { listPage, pageSize, placeInList, readOpen } from '../lists/list-page.tsx'
import { SumLine } from '../lists/list-table.tsx'
import { FirstCommands } from './first-commands.tsx'
import {
  readTransactionFilters,
  type TransactionFilterQuery,
  transactionChoices,
} from './transaction-filter-form.tsx'
import {
  currentDay,
  filtered,
  type LookUpResult,
  lookUp,
  matchesIn,
  newerPosition,
  search,
} from './transaction-search.ts'
import { countInWords, readColumns, transactionColumns, viewMenu } from './transaction-table.tsx'

/** Value of `chart`: neither sums nor the chart stand above the list. */
const listAlone = 'none'

/** Parameters of the address that are no filters; empty ones are the usual ones. */
type ViewQuery = ReturnType<typeof readView>

function readView(reader: QueryReader, query: Values) {
  return {
    chart: query.chart === listAlone ? listAlone : '', // a link to a chart that is gone shows the one that is there
    columns: readColumns(reader),
  }
}

/** The first page: sums, the chart, and the list of transactions, all of one time range. */
export const transactionsPage: MakePage = async (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const filters = readTransactionFilters(reader)
  const before = reader.before() ?? (await positionOf(context, filters, readOpen(reader)))
  const view = readView(reader, query)
  const { since, until, ...choices } = filters
  const others = { since, until, ...view }
  return listPage({
    section: 'transactions',
    items: 'transactions',
    reader,
    filters: choices,
    others,
    before,
    topics: ['transactions', 'webhooks', 'terminals'],
    again: () => fleetChanges(context),
    pieces: async () => ({
      fleet: fleetStripFragment(context),
      ...(view.chart !== listAlone && {
        chart: chartFragment(context, await lookUp(context, filters), filters, view),
      }),
    }),
    above: (slot) => (
      <>
        <h1 class="sr-only">Transactions</h1>
        <div class="flex items-center gap-4 mb-2 sm:max-md:flex-wrap max-md:gap-y-1">
          <section
            class="fleet-strip -mx-0.75 flex-[1_1_20rem] overflow-hidden p-0.75 max-sm:flex-none"
            aria-label="Terminals"
          >
            {slot('fleet')}
          </section>
          {rangeBar({ since, until }, { ...choices, ...view }, defaultTimeZone(context))}
        </div>
        {view.chart !== listAlone && (
          <section
            class="overview panel panel-chart pt-2 pb-0 md:[&>.fragment]:flex md:[&>.fragment]:flex-wrap md:[&>.fragment]:items-baseline md:[&>.fragment]:gap-x-4"
            aria-label="Transactions over time by status"
          >
            {slot('chart')}
          </section>
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
          <p class="mt-3">{overviewSwitch({ ...filters, ...view })}</p>
          <p class="flex gap-2 text-ink-soft pt-3 border-t">
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
    columns: () => transactionColumns(view.columns, context.clock.now()),
    showsAll: view.columns !== '',
    link: ({ transaction: { id } }) => ({ id: `row-${id}`, href: `/transactions/${id}` }),
    part: () => transactionsPart(context, filters, view, before, baseUrl),
  })
}

/** Where the page with that transaction begins; null: it is the newest, or no page has it. */
function positionOf(context: PagesContext, filters: TransactionFilterQuery, open: string) {
  const { list, range, fits } = filtered(context, filters)
  const matches = matchesIn(range, fits)
  const owned = list.transactions[transactionIndex(list, open)]
  return owned?.transaction.id === open && matches(owned) ? newerPosition(list, matches, open) : null
}

/** Gives the list the height of the chart, or takes it back. */
const overviewSwitch = (parameters: ViewQuery & TransactionFilterQuery) => {
  const [act, chart] = parameters.chart === listAlone ? ['Show', ''] : ['Hide', listAlone]
  return <a href={`/${queryString(parameters, { chart })}`}>{act} chart</a>
}

function chartFragment(
  context: PagesContext,
  { figures, range }: LookUpResult,
  filters: TransactionFilterQuery,
  view: ViewQuery,
): string {
  const { since: _, until: __, ...choices } = filters
  const today = currentDay(context)
  const axis = timeAxis(range, figures.extent ?? { from: today.now, until: today.now }, today)
  return html(
    <>
      <SumLine
        label="Taken"
        sums={[...figures.between(range)].flatMap(([name, sum]) =>
          name.startsWith('taken ') && sum !== 0 ? [[name.slice(6), sum] as const] : [],
        )}
      />
      <StatusChart
        axis={axis}
        figures={axis.bars.map(figures.between)}
        barLabel={(bar) => barTime(bar, today.timeZone)}
        barHref={(bar) => `/${queryString(filters, rangeQuery(bar, today.timeZone), view)}`}
        empty={
          isFiltered(choices) ? 'No transaction of this period matches.' : 'No transactions in this period.'
        }
      />
    </>,
  )
}

/** `2026-11-20 15:30–16:00`; of whole days the first and the last. */
function barTime({ from, until }: TimeRange, timeZone: string): readonly string[] {
  const [day, time] = formatDateTime(from, timeZone).slice(0, 16).split(' ') as [string, string]
  if (until - from < 86_400_000) return [day, `${time}–${formatDateTime(until, timeZone).slice(11, 16)}`]
  const lastDay = formatDateTime(until - 1, timeZone).slice(0, 10)
  return lastDay === day ? [day] : [`${day} –`, lastDay]
}

/** A page of the list. */
async function transactionsPart(
  context: PagesContext,
  filters: TransactionFilterQuery,
  view: ViewQuery,
  before: string | null,
  baseUrl: string,
) {
  const { list, matches, figures, range, looked } = await lookUp(context, filters)
  const count = total(figures.between(range))
  const isNewest = before === null
  const most = isNewest && looked === null ? Math.min(count, pageSize) : pageSize
  const { rows, older, stoppedAt } = await search(list, matches, before, most)
  const isAll = isNewest && rows.length === count
  const above = isNewest ? list.transactions.length : transactionIndex(list, before)
  const stored = context.statistics.current.transactions.length
  return {
    rows,
    newer: isNewest ? null : await newerPosition(list, matches, before),
    older: isAll ? null : older,
    goOn: stoppedAt,
    place: await placeInList(list.transactions, above, matches, rows, looked === null ? count : undefined),
    count: countInWords(count, looked, stored),
    empty:
      stored === 0 ? (
        <FirstCommands context={context} baseUrl={baseUrl} />
      ) : (
        <Empty title="No transaction matches">
          <p>
            <a href={`/${queryString(view)}`}>Show all transactions</a>
          </p>
        </Empty>
      ),
  }
}
