import type { Child } from 'hono/jsx'
import { type ScreenName, type ScreenView, terminalPath } from '../../../contract/sandbox/screens.ts'
import { type ScreenContext, screenNamed } from '../../../control/terminals.ts'
import { merchantProfileOf } from '../../../domain/state.ts'
import { unpairedIn } from '../../../domain/unpaired-terminals.ts'
import { addressed } from '../../../presentation/copy-as.ts'
import { money } from '../../../presentation/money.ts'
import { resultEnds } from '../../../records/screen-view.ts'
import { Hidden, Submit } from '../../components/actions.tsx'
import { plural } from '../../components/format.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty } from '../../components/panel.tsx'
import { Choice, queryString } from '../../dashboard/lists/filter-form.tsx'
import { html, type MakePage, type PagesContext, type Values } from '../../frame/page-view.tsx'
import { resultWord, workbenchId } from '../screens/workbench-view.ts'

/** The fleet as a row that may scroll. First stands how many terminals there are, or how many of them wait. */
export function fleetStripFragment(context: ScreenContext, baseUrl: string): string {
  const fleet = shownFleet(context)
  const waiting = fleet.counts.find(([state]) => state === 'waiting')?.[1] ?? 0
  const first = (
    <li class="row">
      {waiting > 1 ? (
        <a class="warm bold smaller" href="/terminals?state=waiting">
          {waiting} waiting
        </a>
      ) : (
        <a class="smaller" href="/terminals">
          {plural(fleet.views.length + fleet.more, 'terminal')}
        </a>
      )}
    </li>
  )
  return html(drawFleet(fleet, baseUrl, terminalLine, first))
}

const drawFleet = (fleet: ShownFleet, baseUrl: string, draw: (view: ScreenView) => Child, first?: Child) => (
  <ul class="fleet stack gap-3">
    {first}
    {fleet.views.map((view) => (
      <li>{draw(view)}</li>
    ))}
    {fleet.more > 0 && (
      <li class="middle soft">
        {fleet.more} more: <span class="code">{addressed('tillbox terminal list', baseUrl)}</span>
      </li>
    )}
  </ul>
)

const miniTerminal = (view: ScreenView) => {
  const state = fleetStateOf(view)
  const { terminalSn, label, merchantName, waiting } = view
  return (
    <a
      class={`mini lined stack gap-2 ink no-underline shrinks on-paper mini-${state}`}
      id={`mini-${workbenchId(terminalSn)}`}
      href={terminalPath(terminalSn)}
    >
      <span class="row gap-2 shrinks">
        <i class="mini-ring circle rigid" aria-hidden="true" />
        <span class="stack breaks shrinks line-1-3">
          <span class="code">{terminalSn}</span>
          <span class="cut one-line soft smallest">{label ?? merchantName ?? 'no merchant'}</span>
          <span class="visually-hidden">{fleetStates[state]}</span>
        </span>
        {waiting > 0 && <span class="pill pill-test to-end">{waiting} in line</span>}
      </span>
      <span class="mini-body stack shrinks">
        <span class={`mini-screen pad-2 stack breaks shrinks line-1-3 ${resultClass(view)}`}>
          <Asks view={view} />
          {view.transaction?.description != null && (
            <span class="cut one-line soft smallest">{view.transaction.description}</span>
          )}
        </span>
      </span>
    </a>
  )
}

const terminalLine = (view: ScreenView) => (
  <a
    class={`mini lined row gap-2 ink no-underline on-paper mini-${fleetStateOf(view)} ${resultClass(view)}`}
    id={`mini-${workbenchId(view.terminalSn)}`}
    href={terminalPath(view.terminalSn)}
  >
    <i class="mini-ring circle rigid" aria-hidden="true" />
    <span class="code">{view.terminalSn}</span>
    <Asks view={view} />
    {view.waiting > 0 && <span class="pill pill-test">{view.waiting} in line</span>}
  </a>
)

const resultClass = ({ screen, transaction }: ScreenView): string =>
  screen === 'result' ? `mini-screen-${transaction?.status}` : ''

const Asks = ({ view: { screen, transaction, pairingCode } }: { readonly view: ScreenView }) => (
  <>
    {transaction !== null && (
      <span class="mini-sum cut one-line large tight bold text-center tabular">
        {money(transaction.transactionAmount, transaction.currency)}
      </span>
    )}
    {pairingCode !== undefined && (
      <span class="mini-sum cut one-line large tight bold text-center code">{pairingCode}</span>
    )}
    <span class="mini-asks smallest medium">
      {screen === 'result' && transaction !== null ? resultWord(transaction) : asks[screen]}
    </span>
  </>
)

const asks: Readonly<Record<ScreenName, string>> = {
  idle: 'Ready',
  offline: 'No connection',
  'present-card': 'Present card',
  'insert-card': 'Insert the card',
  tip: 'Add a tip',
  pin: 'Enter PIN',
  processing: 'Please wait',
  signature: 'Sign here',
  result: 'Done',
  pairing: 'Pairing code',
}

/** States of a terminal, in the order in which they are shown, in words. */
const fleetStates = {
  waiting: 'Waiting for a person',
  processing: 'Processing',
  idle: 'Idle',
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
const most = 200

/** Which terminals are shown; empty texts for all. */
type FleetFilters = Readonly<Record<'merchant' | 'state', string>>

type ShownFleet = ReturnType<typeof shownFleet>

/** Terminals by state, those that wait first; `more`: number beyond the limit of a page; `counts`: of the merchant in each state. */
function shownFleet(context: ScreenContext, { merchant, state }: FleetFilters = { merchant: '', state: '' }) {
  const { ledgers } = context.engine.state
  const unpaired = unpairedIn(ledgers).map(({ profile }) => profile.terminalSn)
  const serials = [...ledgers.values()]
    .filter(({ settings }) => merchant === '' || merchant === settings.merchantId)
    .flatMap(({ terminals }) => [...terminals.keys()])
  const all = [...serials, ...(merchant === '' ? unpaired : [])].map((terminalSn) =>
    screenNamed(context, terminalSn),
  )
  const states = Object.keys(fleetStates) as FleetState[]
  const byState = states.map((name) => [name, all.filter((view) => fleetStateOf(view) === name)] as const)
  const shown = byState.flatMap(([name, views]) => (state === '' || state === name ? views : []))
  return {
    views: shown.slice(0, most),
    more: Math.max(0, shown.length - most),
    counts: byState.map(([name, { length }]) => [name, length] as const),
  }
}

/** Milliseconds until the first shown result disappears; null when none is shown. */
export function fleetChanges(context: ScreenContext): number | null {
  const ends = shownFleet(context).views.flatMap((view) => resultEnds(view) ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Every terminal as a small live screen that leads to its page; a query chooses those of a merchant or a state. */
export const fleetPage: MakePage = (context, { query, baseUrl }) => {
  const filters = filtersIn(context, query)
  return {
    title: 'Terminals',
    aside: () => <a href="/terminals?show=">Show several side by side</a>,
    section: 'terminals',
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
            drawFleet(fleet, baseUrl, miniTerminal)
          ) : filters.state === '' ? (
            <Empty
              title="No terminals"
              commands={['tillbox terminal add DESK-1 --mode attended']}
              baseUrl={baseUrl}
            >
              <p>Add one; it appears here.</p>
            </Empty>
          ) : (
            <Empty title="No terminal is in this state now" />
          ),
        ),
      }
    },
    body: (slot) => (
      <>
        <div class="row wrap between gap-3 below-4">
          {slot('states')}
          {drawMerchants(context, filters)}
        </div>
        <div class="fleet-grid">{slot('fleet')}</div>
      </>
    ),
  }
}

/** The filters of an address; a merchant or a state that there is not counts as none. */
function filtersIn({ engine }: PagesContext, { merchant = '', state = '' }: Values): FleetFilters {
  return {
    merchant: engine.state.ledgers.has(merchant) ? merchant : '',
    state: Object.hasOwn(fleetStates, state) ? state : '',
  }
}

/** `counts`: terminals of the merchant in each state. */
const drawStates = (counts: readonly (readonly [FleetState, number])[], filters: FleetFilters) => {
  const all = counts.reduce((sum, [, count]) => sum + count, 0)
  const stateHref = (state: string) => `/terminals${queryString(filters, { state })}`
  const tabs = [
    ['', 'All', stateHref(''), all] as const,
    ...counts.map(([name, count]) => [name, fleetStates[name], stateHref(name), count] as const),
  ]
  return <Tabs label="Terminals by state" id="state" tabs={tabs} chosen={filters.state} />
}

const drawMerchants = (context: PagesContext, filters: FleetFilters) => {
  const { state } = context.engine
  const merchants = [...state.ledgers.keys()].map(
    (id) => [id, `${merchantProfileOf(state, id).details.dbaName} · ${id}`] as const,
  )
  return merchants.length < 2 ? null : (
    <form class="row gap-2" method="get" action="/terminals" data-apply>
      <Hidden fields={{ state: filters.state }} />
      <Choice name="merchant" filters={filters} options={merchants} />
      <Submit className="without-scripts">Show</Submit>
    </form>
  )
}
