import type { PropsWithChildren } from 'hono/jsx'
import type { ScreenView } from '../../../contract/sandbox/screens.ts'
import { money } from '../../../presentation/money.ts'
import { Icon } from '../../components/icons.tsx'
import { monogramOf } from '../../components/merchant.tsx'
import { resultWord, type ScreenProps } from './screen-texts.ts'

/** Screens without any action. */

/** Between two payments. */
export const Ready = ({ view }: { readonly view: ScreenView }) => (
  <div class="ready">
    <span class="ready-mark" aria-hidden="true">
      {monogramOf(view.merchantName ?? '')}
    </span>
    <h2 class="display-heading">{view.merchantName}</h2>
    <p class="display-note">Ready for the next payment</p>
  </div>
)

/** It belongs to no merchant: its code pairs it. */
export const Pairing = ({
  view: { pairingCode = '' },
  command,
}: {
  readonly view: ScreenView
  /** That pairs it. */
  readonly command: string
}) => (
  <div class="ready">
    <h2 class="display-heading">Not paired</h2>
    <p class="pairing-code code">{pairingCode}</p>
    <p class="display-note">Pair this terminal with a merchant:</p>
    <p class="display-small code">{command}</p>
  </div>
)

/** The terminal has no network. */
export const Offline = ({ view: { waiting } }: { readonly view: ScreenView }) => (
  <Unplugged heading="No connection">
    {waiting === 0 ? 'Payments wait here until the terminal is online.' : `Waiting payments: ${waiting}.`}
  </Unplugged>
)

const Unplugged = ({ heading, children }: PropsWithChildren<{ readonly heading: string }>) => (
  <div class="ready">
    <span class="verdict-icon verdict-CLOSED">
      <Icon name="plug" />
    </span>
    <h2 class="display-heading">{heading}</h2>
    <p class="display-note">{children}</p>
  </div>
)

/** The display of a terminal that the sandbox no longer has. */
export function GoneScreen({ terminalSn }: { readonly terminalSn: string }) {
  const heading = `Terminal ${terminalSn} no longer exists`
  return (
    <div class="display display-gone" data-screen="gone" data-announcement={heading} tabindex={-1}>
      <div class="display-body">
        <Unplugged heading={heading}>
          The sandbox was reset, or runs with another state folder.{' '}
          <a href="/terminals">Show the terminals</a>
        </Unplugged>
      </div>
    </div>
  )
}

/** The payment waits for the host, or for its turn at the terminal. */
export const Processing = ({
  transaction,
  isCardIn,
}: Pick<ScreenProps, 'transaction'> & { readonly isCardIn: boolean }) => (
  <div class="ready">
    <span class="dots" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
    <h2 class="display-heading">Please wait</h2>
    <p class="display-note">{money(transaction.transactionAmount, transaction.currency)}</p>
    {isCardIn && <p class="display-small">Do not remove the card</p>}
  </div>
)

const icons = { SUCCESS: 'check', FAIL: 'cross', CLOSED: 'info' } as const

/** How it ended. */
export const Result = ({ transaction }: ScreenProps) => {
  const { status, transactionAmount, tipAmount, currency, resultCode, resultMsg, authCode } = transaction
  return (
    <div class={`verdict verdict-is-${status}`}>
      <span class={`verdict-icon verdict-${status}`}>
        <Icon name={icons[status as keyof typeof icons] ?? 'info'} />
      </span>
      <h2 class="display-heading">{resultWord(transaction)}</h2>
      <p class="verdict-sum tabular">{money(transactionAmount, currency)}</p>
      {tipAmount > 0 && <p class="display-small">with a tip of {money(tipAmount, currency)}</p>}
      {status === 'FAIL' && (
        <p class="display-note">
          {resultMsg} <span class="code">({resultCode})</span>
        </p>
      )}
      {status === 'SUCCESS' && authCode !== null && (
        <p class="display-small">
          Auth code <span class="code">{authCode}</span>
        </p>
      )}
      {status === 'CLOSED' && <p class="display-note">Nothing was charged</p>}
    </div>
  )
}
