import { defaultApplication } from '../../../views/views.ts'
import { Empty, Panel } from '../../components/badges.tsx'
import { counted } from '../../components/format.ts'
import type { PagesContext } from '../../frame/context.ts'
import { html, type View } from '../../frame/page-view.ts'
import { isThere } from '../../terminal/screens/workbench-view.ts'
import { latencyChart, outcomeChart, timeCharts } from '../charts/charts.tsx'
import { Legend, NumbersFold } from '../charts/time-chart.tsx'
import { isSpan, type Span, spanNamed, spans } from '../charts/time-spans.ts'
import { Totals } from './totals.tsx'
import { FilterForm } from './transaction-filter-form.tsx'
import {
  type Filters,
  matcher,
  narrows,
  onlineChoice,
  queryWith,
  readFilters,
} from './transaction-filters.ts'
import { type Cursor, cursorOf, exactly, type Found, search, searchLimit } from './transaction-search.ts'
import { TransactionTable } from './transaction-table.tsx'

/** The first page: everything at a glance, and the list of transactions. */
export function transactionsView(
  context: PagesContext,
  query: Readonly<Record<string, string>>,
  origin: string,
): View {
  const { filters, problems: wrong } = readFilters(query)
  const problems = [...wrong]
  const cursor = cursorOf(query, problems)
  if (query.span && !isSpan(query.span))
    problems.push(`The span must be one of ${spans.map(({ name }) => name).join(', ')}.`)
  const span = spanNamed(query.span, context.statistics.current.figures, context.clock.now())
  const place = {
    span: span.name,
    before: cursor.before ?? '',
    after: cursor.after ?? '',
  }
  return {
    title: 'Transactions',
    place: 'transactions',
    live: { path: `/live${queryWith(filters, place)}`, topics: ['transactions', 'webhooks'] },
    status: problems.length === 0 ? 200 : 422,
    parts: () => partsOf(context, filters, cursor, span, origin),
    body: (slot) => (
      <>
        <h1 class="visually-hidden">Transactions</h1>
        {slot('totals')}
        <div class="columns">
          <section class="panel panel-list" aria-label="List of transactions">
            <FilterForm filters={filters} context={context} problems={problems} />
            {slot('list')}
          </section>
          <div class="side">
            <Panel title="Over time" name="time" note={<SpanChoice filters={filters} chosen={span} />}>
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
            <Panel title="Webhook answers" name="latency">
              {slot('latency')}
            </Panel>
          </div>
        </div>
      </>
    ),
  }
}

async function partsOf(context: PagesContext, filters: Filters, cursor: Cursor, span: Span, origin: string) {
  const { statistics, clock, attempts } = context
  const latest = await attempts.latest()
  const { figures, deliveries } = statistics.current
  const now = clock.now()
  const timeZone = defaultApplication(context).merchants[0]?.timeZone ?? 'UTC'
  return {
    totals: html(<Totals figures={figures} deliveries={deliveries} />),
    list: listPart(context, filters, cursor, span, origin),
    ...timeCharts({ figures, span, now, timeZone }),
    outcomes: outcomeChart(figures),
    latency: latencyChart(latest),
  }
}

function listPart(
  context: PagesContext,
  filters: Filters,
  cursor: Cursor,
  span: Span,
  origin: string,
): string {
  const { statistics, clock } = context
  const unknown = unknownTerminal(context, filters)
  if (statistics.current.transactions.length === 0 && unknown === null)
    return html(<NothingYet origin={origin} />)
  const found = find(context, filters, cursor)
  const more = { span: span.name }
  return html(
    <>
      {found.rows.length > 0 && <TransactionTable rows={found.rows} now={clock.now()} />}
      {found.rows.length === 0 && found.stoppedAt === null && (
        <NoMatch filtered={narrows(filters)} unknown={unknown} />
      )}
      <Pager filters={filters} more={more} found={found} upwards={cursor.after !== null} />
    </>,
  )
}

/** What fits; an id in full finds its transaction, however old it is. */
function find(
  { engine, statistics }: Pick<PagesContext, 'engine' | 'statistics'>,
  filters: Filters,
  cursor: Cursor,
): Found {
  const fits = matcher(filters)
  const exact = filters.q === '' ? undefined : exactly(engine.book.ledgers.values(), filters.q)
  const counted = exact && statistics.current.find(exact.id)
  return counted !== undefined && fits(counted)
    ? { rows: [counted], older: null, newer: null, stoppedAt: null }
    : search(statistics.current, fits, cursor)
}

const NothingYet = ({ origin }: { readonly origin: string }) => (
  <Empty
    origin={origin}
    title="Nothing was paid yet"
    commands={[
      'tillbox sale --amount 10.00',
      'tillbox checkout create --amount 24.90 --open',
      'tillbox trigger --list',
    ]}
  >
    <p>Type one of these in a terminal; what it does appears here by itself.</p>
  </Empty>
)

/** The terminal of the filter when there is none of that name; it is a filter like any other, and finds nothing. */
const unknownTerminal = (context: PagesContext, { terminal }: Filters): string | null =>
  terminal === '' || terminal === onlineChoice || isThere(context, terminal) ? null : terminal

interface NoMatchProps {
  readonly filtered: boolean
  readonly unknown: string | null
}

const NoMatch = ({ filtered, unknown }: NoMatchProps) => (
  <div class="empty">
    <p class="empty-title">{filtered ? 'No transaction fits' : 'No transactions here'}</p>
    {unknown !== null && <p>There is no terminal {unknown}.</p>}
    <p>
      <a href="/">Show all transactions</a>
    </p>
  </div>
)

interface PagerProps {
  readonly filters: Filters
  readonly more: Readonly<Record<string, string>>
  readonly found: Found
  readonly upwards: boolean
}

/** The pages beside this one; and when a search looked long enough, how to go on. */
const Pager = ({ filters, more, found, upwards }: PagerProps) => {
  const { newer, older, stoppedAt } = found
  const to = (where: Record<string, string>) => `/${queryWith(filters, { ...more, ...where })}`
  return (
    <>
      {stoppedAt !== null && (
        <p class="stopped">
          Looked at {counted(searchLimit, 'transaction')} and stopped.{' '}
          <a id="go-on" href={to(upwards ? { after: stoppedAt } : { before: stoppedAt })}>
            Go on from there
          </a>
        </p>
      )}
      {(newer !== null || older !== null) && (
        <nav class="pager" aria-label="Pages of transactions">
          {newer !== null && (
            <>
              <a id="newest" href={to({})}>
                Newest
              </a>
              <a id="newer" rel="prev" href={to({ after: newer })}>
                Newer
              </a>
            </>
          )}
          {older !== null && (
            <a id="older" rel="next" href={to({ before: older })}>
              Older
            </a>
          )}
        </nav>
      )}
    </>
  )
}

const SpanChoice = ({ filters, chosen }: { readonly filters: Filters; readonly chosen: Span }) => (
  <nav class="spans" aria-label="Time span of the charts">
    {spans.map((span) => (
      <a
        href={`/${queryWith(filters, { span: span.name })}`}
        aria-current={span === chosen ? 'true' : undefined}
      >
        {span.label}
      </a>
    ))}
  </nav>
)
