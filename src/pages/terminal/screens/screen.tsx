import type { Child, PropsWithChildren } from 'hono/jsx'
import type { ScreenName, ScreenView } from '../../../contract/control/screens.ts'
import { money } from '../../../contract/presentation/money.ts'
import { Submit } from '../../components/actions.tsx'
import { Spinner } from '../../components/basics.tsx'
import { Icon } from '../../components/icons.tsx'
import { cardLook } from '../card-picker.tsx'
import { saleForm, WorkbenchForm } from './forms.tsx'
import { PinScreen, PresentScreen, SignatureScreen, TipScreen } from './input-screens.tsx'
import {
  previousResult,
  resultWord,
  type ScreenProps,
  screenAnnouncement,
  takesSale,
  type WorkbenchView,
} from './workbench-view.ts'

/**
 * Display of a terminal, with its text for screen readers. `status`: the bar at its upper end, which changes
 * by itself. `transactionRequestId`: of the sale that can be typed.
 */
export const drawScreen = (workbench: WorkbenchView, status: Child, transactionRequestId: string) => {
  const { screen: view, before, isCardIn } = workbench
  const previous = waitsForCard.has(view.screen) ? before : null
  const ended = previous && previousResult(previous)
  return (
    <>
      <div
        class={`display flex text-ink display-${view.screen}`}
        data-screen={view.screen}
        data-announcement={[ended, screenAnnouncement(view)].filter(Boolean).join('. ')}
        tabindex={-1}
      >
        {status}
        {previous !== null && (
          <p
            class={`before flex-none bg-(--display-sunken) px-1 py-0.75 text-center text-xs/[1.35] ${previous.status === 'SUCCESS' ? 'text-good' : previous.status === 'FAIL' ? 'text-bad' : ''}`}
          >
            {ended}
          </p>
        )}
        <div class="display-body grid flex-1 animate-arrive content-center items-center px-4 py-2 text-center">
          {drawn(workbench)}
          {takesSale(view) && saleForm(workbench, transactionRequestId)}
        </div>
      </div>
      {view.acts.includes('cancel') && <WorkbenchForm view={view} act="cancel" /> /* of the red key */}
      {isCardIn && inReader.has(view.screen) && (
        <span class={`inserted absolute ${cardLook(view.transaction?.card ?? '')}`} aria-hidden="true" />
      )}
    </>
  )
}

/** The result of the payment before stays for as long as the next one waits for its card. */
const waitsForCard: ReadonlySet<ScreenName> = new Set(['present-card', 'insert-card'])

function drawn({ screen: view, isCardIn }: WorkbenchView): Child {
  const { transaction } = view
  if (view.screen === 'pairing') return <Pairing view={view} />
  if (view.screen === 'offline') return <Offline view={view} />
  if (transaction === null) return <Ready view={view} />
  const draw = paymentScreens[view.screen] ?? Result
  return draw({ view, transaction, isCardIn })
}

const inReader: ReadonlySet<ScreenName> = new Set(['tip', 'pin', 'processing'])

/** Serial, line and connection, at the upper end of the display. */
export const StatusBar = ({ view: { terminalSn, online, mode, waiting } }: { readonly view: ScreenView }) => (
  <p class="px-3 py-2 flex items-center gap-2 text-ink-soft text-xs flex-none">
    <span class="truncate min-w-0 flex-1 code">{terminalSn}</span>
    {mode === 'auto' && <span class="pill text-test bg-test-tint">automatic</span>}
    {waiting > 0 && <span class="pill text-test bg-test-tint">{waiting} in line</span>}
    <span class={online ? 'flex' : 'flex opacity-30'}>
      <Icon name="signal" />
    </span>
    <span class="sr-only">{online ? 'online' : 'offline'}</span>
  </p>
)

const Ready = ({ view }: { readonly view: ScreenView }) => (
  <div class="grid justify-items-center">
    <h2 class="display-heading leading-snug line-clamp-2 max-sm:line-clamp-1">{view.merchantName}</h2>
    <p class="text-ink-soft mt-1">Ready for the next payment</p>
  </div>
)

/** It belongs to no merchant: its code pairs it. */
const Pairing = ({ view }: { readonly view: ScreenView }) => (
  <div class="grid justify-items-center">
    <h2 class="display-heading leading-snug">Not paired</h2>
    <p class="text-[2rem] font-semibold tracking-[0.12em] code">{view.pairingCode}</p>
  </div>
)

const Offline = ({ view }: { readonly view: ScreenView }) => (
  <>
    <Unplugged heading="No connection">Payments wait here until the terminal is online.</Unplugged>
    <WorkbenchForm view={view} act="set" of="connect" className="mt-3">
      <Submit look="main" name="online" value="true">
        Go online
      </Submit>
    </WorkbenchForm>
  </>
)

const Unplugged = ({ heading, children }: PropsWithChildren<{ readonly heading: string }>) => (
  <div class="grid justify-items-center">
    <span class="verdict-icon rounded-full grid place-items-center bg-[#5d6a63]">
      <Icon name="plug" />
    </span>
    <h2 class="display-heading leading-snug">{heading}</h2>
    <p class="text-ink-soft mt-1">{children}</p>
  </div>
)

/** The display of a terminal that the sandbox no longer has. */
export function GoneScreen({ terminalSn }: { readonly terminalSn: string }) {
  const heading = `Terminal ${terminalSn} no longer exists`
  return (
    <div
      class="display flex text-ink display-gone"
      data-screen="gone"
      data-announcement={heading}
      tabindex={-1}
    >
      <div class="display-body grid flex-1 animate-arrive content-center items-center px-4 py-2 text-center">
        <Unplugged heading={heading}>
          The sandbox was reset, or runs with another state folder.{' '}
          <a href="/terminals">Show the terminals</a>
        </Unplugged>
      </div>
    </div>
  )
}

/** The payment waits for the host, or for its turn at the terminal. */
const Processing = ({ transaction, isCardIn }: ScreenProps) => (
  <div class="grid justify-items-center">
    <p class="mb-4 text-accent">
      <Spinner />
    </p>
    <h2 class="display-heading leading-snug">Please wait</h2>
    <p class="text-ink-soft mt-1">{money(transaction.transactionAmount, transaction.currency)}</p>
    {isCardIn && <p class="text-note text-ink-soft mt-1">Do not remove the card</p>}
  </div>
)

/** Screens of a payment that goes on. */
const paymentScreens: { readonly [screen in ScreenName]?: (props: ScreenProps) => Child } = {
  'present-card': PresentScreen,
  'insert-card': PresentScreen,
  tip: TipScreen,
  pin: PinScreen,
  signature: SignatureScreen,
  processing: Processing,
}

const icons = { SUCCESS: 'check', FAIL: 'cross', CLOSED: 'info' } as const

const Result = ({ transaction }: ScreenProps) => {
  const { status, transactionAmount, tipAmount, currency, resultCode, resultMsg, authCode } = transaction
  return (
    <div class={`verdict verdict-is-${status} grid justify-items-center`}>
      <span
        class={`verdict-icon rounded-full grid place-items-center ${{ SUCCESS: 'bg-[#0a7a48]', FAIL: 'bg-[#b3321d]' }[status as string] ?? 'bg-[#5d6a63]'}`}
      >
        <Icon name={icons[status as keyof typeof icons] ?? 'info'} />
      </span>
      <h2 class="display-heading text-3xl leading-snug">{resultWord(transaction)}</h2>
      <p class="text-lg tabular-nums">{money(transactionAmount, currency)}</p>
      {tipAmount > 0 && (
        <p class="text-note text-ink-soft mt-1">with a tip of {money(tipAmount, currency)}</p>
      )}
      {status === 'FAIL' && (
        <p class="text-ink-soft mt-1">
          {resultMsg} <span class="code">({resultCode})</span>
        </p>
      )}
      {status === 'SUCCESS' && authCode !== null && (
        <p class="text-note text-ink-soft mt-1">
          Auth code <span class="code">{authCode}</span>
        </p>
      )}
      {status === 'CLOSED' && <p class="text-ink-soft mt-1">Nothing was charged</p>}
      <a
        class="inline-flex text-accent items-center text-sm font-semibold min-h-control"
        href={`/transactions/${transaction.transactionId}`}
      >
        Show the payment
      </a>
    </div>
  )
}
