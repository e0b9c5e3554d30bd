import type { PropsWithChildren } from 'hono/jsx'
import { type ScreenName, type ScreenView, terminalPath } from '../../../contract/sandbox/screens.ts'
import { type ScreenContext, screenNamed } from '../../../control/terminals.ts'
import { unpairedIn } from '../../../domain/unpaired-terminals.ts'
import { addressed } from '../../../presentation/copy-as.ts'
import { money } from '../../../presentation/money.ts'
import { resultEnds } from '../../../records/screen-view.ts'
import { Empty, PageHead } from '../../components/panel.tsx'
import { html, type PageRequest, type PagesContext, type PageView } from '../../frame/page-view.tsx'
import { resultWord, workbenchId } from '../screens/workbench-view.ts'

/** The fleet as a row that may scroll: terminals that wait for a person come first. */
export function fleetStripFragment(context: ScreenContext, baseUrl: string): string {
  const { views, more } = fleetOf(context)
  const waits = (view: ScreenView) => fleetStateOf(view) === 'person'
  const ordered = [...views.filter(waits), ...views.filter((view) => !waits(view))]
  return html(<Fleet views={ordered} more={more} baseUrl={baseUrl} />)
}

/** A row of the terminals on a page that is about something else. Inside: the slot of `fleetStripFragment`. */
export const FleetStrip = ({ children }: PropsWithChildren) => (
  <section class="fleet-strip below-3" aria-label="Terminals">
    {children}
  </section>
)

const Fleet = ({ views, more, baseUrl }: ReturnType<typeof fleetOf> & { readonly baseUrl: string }) => (
  <ul class="fleet stack gap-3">
    {views.map((view) => (
      <li>
        <MiniTerminal view={view} />
      </li>
    ))}
    {more > 0 && (
      <li class="fleet-more soft">
        {more} more: <span class="code">{addressed('tillbox terminal list', baseUrl)}</span>
      </li>
    )}
  </ul>
)

const MiniTerminal = ({ view }: { readonly view: ScreenView }) => {
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
          <span class="mini-label soft smallest">{label ?? merchantName ?? 'no merchant'}</span>
        </span>
      </span>
      <span class="mini-body stack shrinks">
        <MiniScreen view={view} />
      </span>
      <span class="mini-foot row between gap-2 soft smallest shrinks">
        <span>{fleetStates[state]}</span>
        {waiting > 0 && <span class="pill pill-test mini-line">{waiting} in line</span>}
      </span>
    </a>
  )
}

/** A small screen: the amount and the question. */
const MiniScreen = ({ view }: { readonly view: ScreenView }) => {
  const { screen, transaction, pairingCode } = view
  const tone = screen === 'result' ? ` mini-screen-${transaction?.status}` : ''
  return (
    <span class={`mini-screen pad-2 stack breaks shrinks line-1-3${tone}`} data-mini={screen}>
      {transaction !== null && (
        <span class="mini-sum text-center tabular">
          {money(transaction.transactionAmount, transaction.currency)}
        </span>
      )}
      {pairingCode !== undefined && <span class="mini-sum text-center code">{pairingCode}</span>}
      <span class="mini-asks smallest medium">
        {screen === 'result' && transaction !== null ? resultWord(transaction) : asks[screen]}
      </span>
      {transaction?.description != null && (
        <span class="mini-what clipped soft smallest">{transaction.description}</span>
      )}
    </span>
  )
}

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

/** State of a terminal, in short. */
type FleetState = 'idle' | 'person' | 'processing' | 'offline' | 'unpaired'

/** The same in words. */
const fleetStates: Readonly<Record<FleetState, string>> = {
  idle: 'Idle',
  person: 'Waiting for a person',
  processing: 'Processing',
  offline: 'Offline',
  unpaired: 'Not paired',
}

/** State of a terminal. An automatic terminal never waits for a person. */
export function fleetStateOf({ screen, acts }: Pick<ScreenView, 'screen' | 'acts'>): FleetState {
  if (screen === 'pairing') return 'unpaired'
  if (screen === 'offline') return 'offline'
  if (screen === 'idle' || screen === 'result') return 'idle'
  return acts.some((act) => act !== 'cancel') ? 'person' : 'processing'
}

/** Most terminals that one page shows: each is drawn again at every change. */
const most = 200

/** The screens of all terminals, in the order of the sandbox, and the number beyond the limit of a page. */
function fleetOf(context: ScreenContext): {
  readonly views: readonly ScreenView[]
  readonly more: number
} {
  const { ledgers } = context.engine.state
  const serials = [
    ...[...ledgers.values()].flatMap(({ terminals }) => [...terminals.keys()]),
    ...unpairedIn(ledgers).map(({ profile }) => profile.terminalSn),
  ]
  return {
    views: serials.slice(0, most).map((terminalSn) => screenNamed(context, terminalSn)),
    more: Math.max(0, serials.length - most),
  }
}

/** Milliseconds until the first shown result disappears; null when none is shown. */
export function fleetChanges(context: ScreenContext): number | null {
  const ends = fleetOf(context).views.flatMap((view) => resultEnds(view) ?? [])
  return ends.length === 0 ? null : Math.min(...ends)
}

/** Every terminal as a small live screen that leads to its page. */
export const fleetPage = (context: PagesContext, { baseUrl }: Pick<PageRequest, 'baseUrl'>): PageView => ({
  title: 'Terminals',
  section: 'terminals',
  live: { path: '/terminals/live', topics: ['terminals'], again: () => fleetChanges(context) },
  fragments: () => {
    const fleet = fleetOf(context)
    const isEmpty = fleet.views.length === 0
    return {
      fleet: html(isEmpty ? <NoTerminals baseUrl={baseUrl} /> : <Fleet {...fleet} baseUrl={baseUrl} />),
    }
  },
  body: (slot) => (
    <>
      <PageHead title="Terminals">
        <a href="/terminals?show=">Show several side by side</a>
      </PageHead>
      <div class="fleet-grid">{slot('fleet')}</div>
    </>
  ),
})

const NoTerminals = ({ baseUrl }: Pick<PageRequest, 'baseUrl'>) => (
  <Empty title="No terminals" commands={['tillbox terminal add DESK-1 --mode attended']} baseUrl={baseUrl}>
    <p>Add one; it appears here.</p>
  </Empty>
)
