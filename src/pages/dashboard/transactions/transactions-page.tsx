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
import { SavedViews, SaveView } from '../lists/filter-form.tsx'
import { readColumns, ViewMenu } from '../lists/list-columns.tsx'
import { type Cursor, listPage } from '../lists/list-page.tsx'
import { isFiltered, queryReader, queryString } from '../lists/list-query.ts'
import { isFirstRun } from '../start/first-steps.ts'
import { HideStart } from '../start/start-page.tsx'
import { StartPanel } from '../start/start-panel.tsx'
import { countInWords, ExportLinks, rangeInWords, Totals } from './list-line.tsx'
import { lookUp } from './look-up.ts'
import {
  onlineChoice,
  readTransactionFilters,
  type TransactionFilterQuery,
  transactionChoices,
} from './transaction-filter-form.tsx'
import { readCursor, search } from './transaction-search.ts'
import { transactionColumns } from './transaction-table.tsx'

/** The first page: totals, charts, and the list of transactions. */
export async function transactionsPage(
  context: PagesContext,
  { query, baseUrl, isStartHidden }: PageRequest,
): Promise<PageView> {
  const reader = queryReader(query)
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
  const view = { filters, cursor, span, columns, baseUrl, hasStart }
  return listPage({
    title: 'Transactions',
    section: 'transactions',
    items: 'transactions',
    reader,
    filters,
    others: { span: chosen, columns },
    live: { span: span.name, start: isWhole && !hasStart ? 'off' : '' },
    cursor,
    topics: ['transactions', 'webhooks', 'terminals'],
    again: () => fleetChanges(context),
    pieces: () => piecesOf(context, view),
    above: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {hasStart && slot('start')}
        {slot('totals')}
        <FleetStrip>{slot('fleet')}</FleetStrip>
      </>
    ),
    below: (slot) => (
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
    ),
    head: <SavedViews />,
    search: {
      label: 'Search id, order, amount, card, result',
      filters,
      choices: transactionChoices(context, filters),
    },
    tools: () => (
      <>
        <SaveView />
        <ViewMenu columns={columns} otherParameters={{ ...filters, span: chosen }}>
          <ExportLinks filters={filters} />
        </ViewMenu>
      </>
    ),
    columns: transactionColumns(columns, context.clock.now()),
    showsAll: columns !== '',
    link: ({ id }) => ({ id: `row-${id}`, href: `/transactions/${id}` }),
    part: () => partOf(context, view),
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

/** The pieces above the list. */
async function piecesOf(context: PagesContext, view: TransactionListView) {
  const { statistics, attempts, catalogue } = context
  const { filters, span, columns, baseUrl, hasStart } = view
  const latest = await attempts.latest()
  const { survey, end, isEndNow } = await lookUp(context, filters)
  const { deliveries } = statistics.current
  const { figures, ids } = survey
  const hrefOf = ({ since, until }: { readonly since: string; readonly until: string }) =>
    `/${queryString({ ...filters, when: '', since, until, columns })}`
  return {
    ...(hasStart && { start: startFragment(context, baseUrl) }),
    totals: html(
      <Totals figures={figures} webhooks={ids === null ? deliveries.counts : deliveries.countsOf(ids)} />,
    ),
    fleet: fleetStripFragment(context, baseUrl),
    ...timeCharts({ figures, span, now: end, isNow: isEndNow, timeZone: defaultTimeZone(context), hrefOf }),
    outcomes: outcomeChart(figures, catalogue),
    latency: latencyChart(latest),
  }
}

/** One page of the list. */
async function partOf(context: PagesContext, view: TransactionListView) {
  const { filters, cursor, span, columns, baseUrl, hasStart } = view
  const { register, matches, survey, isExact } = await lookUp(context, filters)
  const { rows, newer, older, stoppedAt } = await search(register, matches, cursor)
  const stored = context.statistics.current.transactions.length
  const unknown = unknownTerminal(context, filters)
  const asPart = `/${queryString(filters, { match: 'part', span: span.name, columns })}`
  return {
    rows,
    newer,
    older,
    goOn: stoppedAt === null ? null : { [cursor.after === null ? 'before' : 'after']: stoppedAt },
    count: countInWords(survey, stored),
    range: rangeInWords(survey, countNewer(rows[0], survey, register), rows.length),
    empty:
      stored === 0 && unknown === null ? (
        !hasStart && <NothingYet baseUrl={baseUrl} />
      ) : (
        <Empty title={isFiltered(filters) ? 'No transaction matches' : 'No transactions on this page'}>
          {unknown !== null && <p>There is no terminal {unknown}.</p>}
          <p>
            <a href={`/${queryString({ columns })}`}>Show all transactions</a>
          </p>
        </Empty>
      ),
    note: isExact && (
      <>
        Exact match. <a href={asPart}>Search all texts</a>
      </>
    ),
  }
}

const startFragment = (context: PagesContext, baseUrl: string): string =>
  isFirstRun(context) ? html(<StartPanel aside={<HideStart />} {...{ context, baseUrl }} />) : ''

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
