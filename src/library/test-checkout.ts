import type { CardName } from '../contract/built-in-names.ts'
import type { SessionView } from '../contract/sandbox/control-answers.ts'
import type { CallControl } from './caller.ts'

/** A hosted payment page, as the shopper uses it. */
export interface TestCheckout {
  readonly sessionId: string
  /** Pays with a test card, by name; by default an approved one. */
  pay(card?: CardName): Promise<SessionView>
  /** Cancels the payment. */
  cancel(): Promise<SessionView>
  /** State of the session. */
  state(): Promise<SessionView>
}

/** The default card. */
const usualCard = 'visa-contactless'

export function checkoutOf(call: CallControl, sessionId: string): TestCheckout {
  const names = { id: sessionId }
  return {
    sessionId,
    pay: (card = usualCard) => call('pay-session', { card }, names),
    cancel: () => call('cancel-session', {}, names),
    state: () => call('session', undefined, names),
  }
}
