import type { Command } from '../../../src/domain/model/commands.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { type Card, cards } from '../../../src/fixtures.ts'
import { newId } from '../service/new-id.ts'
import { request } from './ledger.ts'

/** Commands of the online payments, as the handlers would make them. */

/** Cards that pay online: those with a number that are no benefit card. */
export const onlineCards = cards.filter(
  (card): card is Card & { number: string } => card.number !== undefined && card.category === 'CARD',
)

/** A hosted page for that many minor units. */
export const newSession = (amount: unknown, more: object = {}, outcome: string | null = null): Command =>
  ({
    ...request(
      'create-session',
      { transactionRequestId: newId(), amount, priceCurrency: 'USD', ...more },
      outcome,
    ),
    sessionId: newId('cs'),
  }) as Command

/** A wallet's payment of that many minor units. */
export const walletPayment = (
  amount: unknown,
  more: object = {},
  outcome: string | null = null,
  card = 'visa-contactless',
): Command =>
  ({
    ...request(
      'direct-payment',
      {
        transactionRequestId: newId(),
        amount,
        priceCurrency: 'USD',
        paymentMethod: 'GOOGLE_PAY',
        cardEncryptedData: '{}',
        ...more,
      },
      outcome,
    ),
    card,
  }) as Command

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
export const onlineRefund = (
  original: Transaction,
  more: object = {},
  outcome: string | null = null,
): Command =>
  request(
    'online-refund',
    { transactionRequestId: newId(), originalTransactionId: original.id, ...more },
    outcome,
  )
