import { checkoutPath, type SessionView } from '../../contract/control/control-answers.ts'
import { reject, rejectSaying } from '../../contract/errors.ts'
import type { Wallet } from '../../contract/fields.ts'
import type { SessionState } from '../../contract/statuses.ts'
import type { Card, Catalogue } from '../../domain/fixtures.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import { momentsOf } from '../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { requireCard } from '../../domain/rules/terminal/refuse-at.ts'
import { sessionIn } from '../views/transaction-text.ts'
import type { ControlContext } from './control-context.ts'
import type { ScreenContext } from './terminals.ts'

/** Actions on a hosted page, by its shopper or by the control interface. */

/** The session and its ledger. */
export const sessionNamed = ({ engine }: Pick<ScreenContext, 'engine'>, sessionId: string) =>
  sessionIn(engine.state.ledgers, sessionId) ??
  reject('SBX_SESSION_NONE', { field: 'sessionId', message: `There is no session ${sessionId}` })

/** A test card that can be paid with online. */
export function payable(catalogue: Catalogue, name: string): Card {
  const card = requireCard(catalogue, name)
  if (card.number === undefined || card.category !== 'CARD')
    rejectSaying('card', `The card ${name} cannot be paid with online`)
  return card
}

/** An action of a shopper on the hosted page. */
export type SessionAction =
  | { readonly type: 'pay-session'; readonly card: string; readonly wallet?: Wallet }
  | { readonly type: 'cancel-session' }

/** Performs the action of a shopper; resolves when its result is durable. */
export async function actOnSession(
  { engine }: ControlContext,
  ledger: Ledger,
  { online }: Transaction,
  action: SessionAction,
): Promise<void> {
  await engine.run(ledger, { sessionId: online?.sessionId ?? '', ...action })
}

/** The state of a session. */
export function sessionState(transaction: Transaction): SessionState {
  const { status, screen } = transaction
  if (status === 'SUCCESS') return 'paid'
  if (status === 'FAIL') return 'failed'
  if (status !== 'CLOSED') return screen === 'waiting' ? 'open' : 'processing'
  const closed = momentsOf(transaction).findLast(({ what }) => what === 'closed')
  return closed?.detail === 'cancel' ? 'cancelled' : 'expired'
}

/** The view of a session. `baseUrl`: the public URL, or the one of the request. */
export const sessionView = (ledger: Ledger, transaction: Transaction, baseUrl: string): SessionView => ({
  sessionId: transaction.online?.sessionId ?? '',
  merchantId: ledger.settings.merchantId,
  state: sessionState(transaction),
  transactionId: transaction.id,
  transactionRequestId: transaction.transactionRequestId,
  referenceOrderId: transaction.orderId,
  amount: amountOf(transaction),
  currency: transaction.currency,
  checkoutUrl: `${baseUrl}${checkoutPath(transaction.online?.sessionId ?? '')}`,
  tries: transaction.online?.tries ?? 0,
  declined: transaction.online?.declined ?? null,
  createdAt: new Date(transaction.createdAt).toISOString(),
  expiresAt: new Date(transaction.expiresAt ?? 0).toISOString(),
})
