import type { PropsWithChildren } from 'hono/jsx'
import type { ScreenView, ShownTransaction } from '../../../contract/sandbox/screens.ts'
import { money } from '../../../presentation/money.ts'
import { Submit } from '../../components/actions.tsx'
import { Icon } from '../../components/icons.tsx'
import { WorkbenchForm } from './forms.tsx'
import { resultWord, type ScreenProps } from './workbench-view.ts'

/** Screens on which a payment asks for nothing. */

/** Between two payments. */
export const Ready = ({ view }: { readonly view: ScreenView }) => (
  <div class="ready">
    <h2 class="display-heading line-1-3">{view.merchantName}</h2>
    <p class="soft above-1">Ready for the next payment</p>
  </div>
)

/** It belongs to no merchant: its code pairs it. `command`: that pairs it. */
export const pairing = ({ pairingCode = '' }: ScreenView, command: string) => (
  <div class="ready">
    <h2 class="display-heading line-1-3">Not paired</h2>
    <p class="pairing-code bold code">{pairingCode}</p>
    <p class="soft above-1">Pair this terminal with a merchant:</p>
    <p class="display-small soft above-1 code">{command}</p>
  </div>
)

/** The terminal has no network. */
export const Offline = ({ view }: { readonly view: ScreenView }) => (
  <>
    <Unplugged heading="No connection">
      {view.waiting === 0
        ? 'Payments wait here until the terminal is online.'
        : `Waiting payments: ${view.waiting}.`}
    </Unplugged>
    <WorkbenchForm view={view} act="set" of="connect" className="above-3">
      <Submit look="large" name="online" value="true">
        Go online
      </Submit>
    </WorkbenchForm>
  </>
)

const Unplugged = ({ heading, children }: PropsWithChildren<{ readonly heading: string }>) => (
  <div class="ready">
    <span class="verdict-icon below-5 circle stack centered verdict-CLOSED">
      <Icon name="plug" />
    </span>
    <h2 class="display-heading line-1-3">{heading}</h2>
    <p class="soft above-1">{children}</p>
  </div>
)

/** The display of a terminal that the sandbox no longer has. */
export function GoneScreen({ terminalSn }: { readonly terminalSn: string }) {
  const heading = `Terminal ${terminalSn} no longer exists`
  return (
    <div class="display flex ink display-gone" data-screen="gone" data-announcement={heading} tabindex={-1}>
      <div class="display-body stack middle text-center grows">
        <Unplugged heading={heading}>
          The sandbox was reset, or runs with another state folder.{' '}
          <a href="/terminals">Show the terminals</a>
        </Unplugged>
      </div>
    </div>
  )
}

/** The payment waits for the host, or for its turn at the terminal. */
export const processing = (transaction: ShownTransaction, isCardIn: boolean) => (
  <div class="ready">
    <span class="dots flex gap-3" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    <h2 class="display-heading line-1-3">Please wait</h2>
    <p class="soft above-1">{money(transaction.transactionAmount, transaction.currency)}</p>
    {isCardIn && <p class="display-small soft above-1">Do not remove the card</p>}
  </div>
)

const icons = { SUCCESS: 'check', FAIL: 'cross', CLOSED: 'info' } as const

/** How it ended. */
export const Result = ({ transaction }: ScreenProps) => {
  const { status, transactionAmount, tipAmount, currency, resultCode, resultMsg, authCode } = transaction
  return (
    <div class={`verdict verdict-is-${status}`}>
      <span class={`verdict-icon below-5 circle stack centered verdict-${status}`}>
        <Icon name={icons[status as keyof typeof icons] ?? 'info'} />
      </span>
      <h2 class="display-heading line-1-3">{resultWord(transaction)}</h2>
      <p class="large tabular">{money(transactionAmount, currency)}</p>
      {tipAmount > 0 && <p class="display-small soft above-1">with a tip of {money(tipAmount, currency)}</p>}
      {status === 'FAIL' && (
        <p class="soft above-1">
          {resultMsg} <span class="code">({resultCode})</span>
        </p>
      )}
      {status === 'SUCCESS' && authCode !== null && (
        <p class="display-small soft above-1">
          Auth code <span class="code">{authCode}</span>
        </p>
      )}
      {status === 'CLOSED' && <p class="soft above-1">Nothing was charged</p>}
      <a
        class="inline-flex accented middle small bold h-2-75"
        href={`/transactions/${transaction.transactionId}`}
      >
        Show the payment
      </a>
    </div>
  )
}
