import { type Card, cards } from '../../../src/domain/fixtures.ts'
import type { Command } from '../../../src/domain/model/commands.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { newId } from '../service/new-id.ts'
import { request } from './ledger.ts'

/** Commands of the online payments, as the handlers would make them. */

/** Cards that pay online: those with a number that are no benefit card. */
export const onlineCards = cards.filter(
  (card): card is Card & { number: string } => card.number !== undefined && card.category === 'CARD',
)

/** A hosted page for that many minor units. */
export function newSession(amount: unknown, more: object = {}, outcome: string | null = null): Command {
  const members = { transactionRequestId: newId(), amount, priceCurrency: 'USD', ...more }
  return { ...request('create-session', members, outcome), sessionId: newId('cs') } as Command
}

/** A wallet's payment of that many minor units. */
export function walletPayment(
  amount: unknown,
  more: object = {},
  outcome: string | null = null,
  card = 'visa-contactless',
): Command {
  const wallet = { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: '{}' }
  const members = { transactionRequestId: newId(), amount, priceCurrency: 'USD', ...wallet, ...more }
  return { ...request('direct-payment', members, outcome), card } as Command
}

const sessionIdOf = ({ online }: Transaction): string => online?.sessionId ?? 'none'

/** The shopper pays. */
export const paying = (session: Transaction, card = 'visa-contactless'): Command => ({
  type: 'pay-session',
  sessionId: sessionIdOf(session),
  card,
})

/** The shopper gives up. */
export const givingUp = (session: Transaction): Command => ({
  type: 'cancel-session',
  sessionId: sessionIdOf(session),
})

/** The merchant closes the page. */
export const expiring = (session: Transaction, more: object = {}): Command =>
  request('expire-session', { sessionId: sessionIdOf(session), ...more })

/** A refund of an online payment; without an amount, of all that is left. */
export function onlineRefund({ id }: Transaction, more: object = {}, outcome: string | null = null): Command {
  const members = { transactionRequestId: newId(), originalTransactionId: id, ...more }
  return request('online-refund', members, outcome)
}
