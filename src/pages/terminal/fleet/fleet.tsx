import type { PropsWithChildren } from 'hono/jsx'
import { type ScreenName, type ScreenView, terminalPath } from '../../../contract/sandbox/screens.ts'
import type { ScreenContext } from '../../../control/terminals.ts'
import { addressed } from '../../../presentation/copy-as.ts'
import { money } from '../../../presentation/money.ts'
import { html } from '../../frame/page-view.tsx'
import { resultWord } from '../screens/screen-texts.ts'
import { workbenchId } from '../screens/workbench-view.ts'
import { fleetOf, fleetStateOf, fleetStates } from './fleet-state.ts'

/** The terminals as small screens, as a piece of a page; `baseUrl`: where the browser reached the sandbox. */
export function fleetFragment(context: ScreenContext, baseUrl: string): string {
  const { views, more } = fleetOf(context)
  return html(<Fleet views={views} more={more} baseUrl={baseUrl} />)
}

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
