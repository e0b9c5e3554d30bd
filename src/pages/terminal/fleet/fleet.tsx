import {
  type ScreenName,
  type ScreenView,
  type ShownTransaction,
  terminalPath,
} from '../../../contract/control/screens.ts'
import { addressed } from '../../../contract/presentation/copy-as.ts'
import { money } from '../../../contract/presentation/money.ts'
import { unpairedIn } from '../../../domain/unpaired-terminals.ts'
import { type ScreenContext, screenNamed } from '../../../sandbox/control/terminals.ts'
import { resultEnds } from '../../../sandbox/records/screen-view.ts'
import { formatDateTime, plural } from '../../components/format.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty } from '../../components/panel.tsx'
import {
  Choice,
  filterForm,
  isFiltered,
  queryReader,
  queryString,
} from '../../dashboard/lists/filter-form.tsx'
import { type Column, ListTable, MiddleCut, Sum } from '../../dashboard/lists/list-table.tsx'
import { html, type MakePage, type PagesContext } from '../../frame/page-view.tsx'
import { merchantOptions, resultWord, workbenchId } from '../screens/workbench-view.ts'

/** Terminals that a strip shows: the keyboard passes each before it reaches what is below. */
const mostInStrip = 4

/** The fleet as a row, those that wait first. Before it, how many terminals there are, or how many wait. */
export function fleetStripFragment(context: ScreenContext): string {
  const fleet = shownFleet(context)
  const waiting = fleet.counts.find(([state]) => state === 'waiting')?.[1] ?? 0
  const first = (
    <li class="flex items-center">
      {waiting > 1 ? (
        <a class="text-warm font-semibold text-note" href="/terminals?state=waiting">
          {waiting} waiting
        </a>
      ) : (
        <a class="text-note" href="/terminals">
          {plural(fleet.views.length + fleet.more, 'terminal')}
        </a>
      )}
    </li>
  )
  return html(
    <ul class="flex h-control flex-wrap gap-2 whitespace-nowrap *:h-control *:min-w-0">
      {first}
      {fleet.views.slice(0, mostInStrip).map((view) => (
        <li class="max-sm:hidden">{terminalLine(view)}</li>
      ))}
    </ul>,
  )
}

const terminalLine = (view: ScreenView) => (
  <a
    class={`mini flex h-control items-center gap-2 rounded-full border bg-paper px-3 text-ink no-underline hover:border-line-strong ${fleetStateOf(view) === 'waiting' ? 'border-warm' : ''}`}
    data-state={fleetStateOf(view)}
    id={`mini-${workbenchId(view.terminalSn)}`}
    href={terminalPath(view.terminalSn)}
  >
    <i
      class={`size-3.5 flex-none rounded-full border-[2.5px] ${statusOf(view) === 'FAIL' ? 'border-bad' : rings[fleetStateOf(view)]}`}
      aria-hidden="true"
    />
    <span class="code">{view.terminalSn}</span>
    <Asks view={view} />
    {view.waiting > 0 && (
      <span class="pill bg-test-tint text-test max-md:hidden">{view.waiting} in line</span>
    )}
  </a>
)

/** Of a result that is shown. */
const statusOf = ({ screen, transaction }: ScreenView) =>
  screen === 'result' ? transaction?.status : undefined

/** The ring says what a terminal is at, by colour and by shape. */
const rings = {
  idle: 'border-good',
  waiting: 'border-warm bg-[radial-gradient(var(--color-warm)_40%,transparent_46%)]',
  processing: 'border-accent border-b-line border-l-line animate-turn',
  offline: 'border-bad bg-[linear-gradient(135deg,transparent_40%,var(--color-bad)_40%_60%,transparent_60%)]',
  unpaired: 'border-dotted border-line-strong',
} as const

const Asks = ({ view }: { readonly view: ScreenView }) => (
  <>
    {view.transaction !== null && (
      <strong class="text-note tabular-nums max-lg:hidden">{shownAmount(view.transaction)}</strong>
    )}
    {view.pairingCode !== undefined && <strong class="text-note code">{view.pairingCode}</strong>}
    <span
      class={`text-xs font-medium ${['idle', 'offline'].includes(fleetStateOf(view)) ? 'text-ink-soft' : ''}`}
    >
      {asksInWords(view)}
    </span>
  </>
)

const shownAmount = ({ transactionAmount, currency }: ShownTransaction) => money(transactionAmount, currency)

const asksInWords = ({ screen, transaction }: ScreenView): string =>
  screen === 'result' && transaction !== null ? resultWord(transaction) : asks[screen]

const asks: Readonly<Record<ScreenName, string>> = {
  idle: 'Ready',
  offline: 'Offline',
  'present-card': 'Present card',
  'insert-card': 'Insert the card',
  tip: 'Add a tip',
  pin: 'Enter PIN',
  processing: 'Processing',
  signature: 'Sign here',
  result: 'Done',
  pairing: 'Pairing code',
}

/** States of a terminal, in the order in which they are shown, in words. */
const fleetStates = {
  waiting: 'Waiting',
  processing: 'Processing',
  idle: 'Ready',
  offline: 'Offline',
  unpaired: 'Not paired',
} as const

type FleetState = keyof typeof fleetStates

/** State of a terminal. An automatic terminal never waits for a person. */
export function fleetStateOf({ screen, acts }: Pick<ScreenView, 'screen' | 'acts'>): FleetState {
  if (screen === 'pairing') return 'unpaired'
  if (screen === 'offline') return 'offline'
  if (screen === 'idle' || screen === 'result') return 'idle'
  return acts.some((act) => act !== 'cancel') ? 'waiting' : 'processing'
}

/** Most terminals that one page shows: each is drawn again at every change. */
const mostTerminals = 200

/** Which terminals are shown; empty texts for all. `q`: of a serial number or name, or the merchant's. */
type FleetFilters = Readonly<Record<'q' | 'merchant' | 'state', string>>

/** Terminals by state, waiting ones first; `more`: beyond the page's limit; `counts`: of each state. */
function shownFleet(
  context: ScreenContext,
  { q, merchant, state }: FleetFilters = { q: '', merchant: '', state: '' },
) {
  const { ledgers } = context.engine.state
  const unpaired = unpairedIn(ledgers).map(({ profile }) => profile.terminalSn)
  const serials = [...ledgers.values()]
    .filter(({ settings }) => merchant === '' || merchant === settings.merchantId)
    .flatMap(({ terminals }) => [...terminals.keys()])
  const all = [...serials, ...(merchant === '' ? unpaired : [])]
    .map((terminalSn) => screenNamed(context, terminalSn))
    .filter(({ terminalSn, label, merchantName }) =>
      [terminalSn, label, merchantName].some((text) => text?.toLowerCase().includes(q.toLowerCase())),
    )
  const states = Object.keys(fleetStates) as FleetState[]
  const byState = states.map((name) => [name, all.filter((view) => fleetStateOf(view) === name)] as const)
  const shown = byState.flatMap(([name, views]) => (state === '' || state === name ? views : []))
  return {
    views: shown.slice(0, mostTerminals),
    more: Math.max(0, shown.length - mostTerminals),
    counts: byState.map(([name, { length }]) => [name, length] as const),
  }
}

/** Milliseconds until the first shown result disappears; null when none is shown. */
export function fleetChanges(context: ScreenContext): number | null {
  const ends = shownFleet(context).views.flatMap((view) => resultEnds(view) ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

/** The tone of a state. */
const tones = {
  waiting: 'open',
  processing: 'open',
  idle: 'success',
  offline: 'fail',
  unpaired: 'closed',
} as const

/** What the list says of each terminal: its merchant if there are several, how many wait if some do. */
const fleetColumns = (context: PagesContext, views: readonly ScreenView[]): readonly Column<ScreenView>[] => {
  const merchant: Column<ScreenView> = {
    head: 'Merchant',
    look: '@max-lg:hidden',
    title: ({ merchantName }) => merchantName ?? undefined,
    cell: ({ merchantName }) => merchantName,
    isUnder: true,
  }
  const { size } = context.engine.state.ledgers
  const hasCode = views.some(({ pairingCode }) => pairingCode !== undefined)
  return [
    {
      head: 'Terminal',
      look: `@sm:@max-lg:py-1 ${size > 1 ? '@lg:w-76 @xl:w-auto' : ''}`,
      isName: true,
      cell: ({ terminalSn, label, merchantName }) => (
        <>
          <span class="code">
            <MiddleCut text={terminalSn} />
          </span>
          <span class="text-ink-soft font-normal @sm:@max-lg:hidden"> {label}</span>
          <span class="under block font-normal @max-sm:hidden @lg:hidden">
            {[label, size > 1 && merchantName].filter(Boolean).join(' · ')}
          </span>
        </>
      ),
      title: ({ terminalSn, label }) => label ?? terminalSn,
    },
    ...(size > 1 ? [merchant] : []),
    {
      head: 'Status',
      look: `${hasCode ? '@sm:w-48' : '@sm:w-38'} ${size === 1 ? '@xl:w-auto' : ''}`,
      cell: (view) => (
        <span class={`state tone-${tones[fleetStateOf(view)]}`} title={fleetStates[fleetStateOf(view)]}>
          {view.screen === 'result' ? asks.idle : asks[view.screen]} {view.pairingCode}
        </span>
      ),
    },
    {
      head: 'Last payment',
      look: `@sm:w-64 @lg:w-72 ${size === 1 ? '@max-sm:hidden' : 'when'}`,
      cell: ({ last, transaction, screen, merchantId }) =>
        transaction !== null && screen !== 'result'
          ? payment('Now', transaction)
          : last?.completedAt != null &&
            payment(
              resultWord(last),
              last,
              formatDateTime(last.completedAt, timeZoneOf(context, merchantId)).slice(5, 16),
            ),
      ...(size === 1 && { isUnder: true }),
    },
    ...(views.some(({ waiting }) => waiting > 0) ? [waitingColumn] : []),
  ]
}

/** A payment of a terminal: the present one, or how the last one ended, and when. */
const payment = (word: string, { transactionAmount, currency }: ShownTransaction, time = '') => (
  <span class="grid-cols-[4.25rem_1fr] gap-x-2 @sm:grid @lg:grid-cols-[4.25rem_1fr_5.25rem]">
    {word}{' '}
    <span class="text-end">
      <Sum amount={transactionAmount} currency={currency} />
    </span>{' '}
    <span class="text-end text-ink-soft in-[td]:@max-lg:hidden">{time}</span>
  </span>
)

const waitingColumn: Column<ScreenView> = {
  head: 'In line',
  look: '@sm:w-20 @max-sm:hidden figure',
  cell: ({ waiting }) => waiting > 0 && waiting,
  isUnder: 'in line: ',
}

const timeZoneOf = ({ engine }: PagesContext, merchantId: string | null): string =>
  engine.state.ledgers.get(merchantId ?? '')?.settings.timeZone ?? 'UTC'

/** Every terminal in a row that leads to its page and follows it; a query chooses some of them. */
export const fleetPage: MakePage = (context, { query, baseUrl }) => {
  const reader = queryReader(query)
  const filters = {
    q: reader.shortText('q', 'The search text'),
    merchant: reader.text(
      'merchant',
      (id) => context.engine.state.ledgers.has(id),
      'There is no merchant with that id.',
    ),
    state: reader.oneOf('state', Object.keys(fleetStates)),
  }
  const { state, ...choices } = filters
  const merchants = merchantOptions(context)
  return {
    title: 'Terminals',
    section: 'terminals',
    aside: (slot) => slot('states'),
    status: reader.problems.length === 0 ? 200 : 422,
    live: {
      path: `/terminals/live${queryString(filters)}`,
      topics: ['terminals'],
      again: () => fleetChanges(context),
    },
    fragments: () => {
      const fleet = shownFleet(context, filters)
      return {
        states: html(drawStates(fleet.counts, filters)),
        fleet: html(
          fleet.views.length > 0 ? (
            <>
              <ListTable
                caption="Terminals"
                columns={fleetColumns(context, fleet.views)}
                rows={fleet.views}
                link={({ terminalSn }) => ({
                  id: `row-${workbenchId(terminalSn)}`,
                  href: terminalPath(terminalSn),
                })}
              />
              {fleet.more > 0 && (
                <p class="pt-4 text-ink-soft text-sm">
                  {fleet.more} more: <span class="code">{addressed('tillbox terminal list', baseUrl)}</span>
                </p>
              )}
            </>
          ) : !isFiltered(filters) ? (
            <Empty
              title="No terminals"
              commands={['tillbox terminal add DESK-1 --mode attended']}
              baseUrl={baseUrl}
            >
              <p>Add one; it appears here.</p>
            </Empty>
          ) : (
            <Empty title="No terminal matches now" />
          ),
        ),
      }
    },
    body: (slot) => (
      <section class="panel panel-list" aria-label="Terminals">
        <div class="list-line flex flex-wrap items-center gap-3 mb-2 narrow:gap-y-1 tight:gap-x-2">
          {filterForm(
            'Terminals',
            '/terminals',
            {
              label: 'Serial number, name or merchant',
              filters: choices,
              choices: merchants.length > 1 && (
                <Choice name="merchant" filters={filters} options={merchants} />
              ),
            },
            { state },
            reader.problems,
          )}
        </div>
        {slot('fleet')}
      </section>
    ),
  }
}

/** `counts`: terminals of the merchant in each state; a state of none has no tab, but for the first. */
const drawStates = (counts: readonly (readonly [FleetState, number])[], filters: FleetFilters) => {
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  const stateHref = (state: string) => `/terminals${queryString(filters, { state })}`
  const tabs = [
    ['', 'All', stateHref(''), all] as const,
    ...counts
      .filter(([name, count]) => count > 0 || name === filters.state || name === 'waiting')
      .map(([name, count]) => [name, fleetStates[name], stateHref(name), count] as const),
  ]
  return <Tabs label="Terminals by state" id="state" tabs={tabs} chosen={filters.state} />
}
