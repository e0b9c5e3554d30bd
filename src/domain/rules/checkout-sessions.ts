import { formatAmount } from '../../contract/currencies.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import type { Product } from '../../contract/operations/checkout.ts'
import type { ServiceInput } from '../../contract/operations.ts'
import { isFinal } from '../../contract/statuses.ts'
import type { Card } from '../fixtures.ts'
import { readOnline } from '../model/cards.ts'
import type {
  CancelSession,
  CreateSession,
  DirectPayment,
  PaySession,
  Request,
  Stamp,
} from '../model/commands.ts'
import type { Events } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import type { OnlineOrder, Transaction } from '../model/transaction.ts'
import { acceptOnline, onlineOrder, readMoney } from './accept.ts'
import { plainInstructions } from './terminal/instructions.ts'
import { requireCard } from './terminal/refuse-at.ts'

/** Opens a hosted page and its transaction. docs/api.md#operation-2-1. assumption: checkout */
export function createSession(ledger: Ledger, command: CreateSession, stamp: Stamp): Events {
  const { input, sessionId } = command
  const expiresAt = stamp.at + limits.sessionExpiry
  const online = onlineOrder({
    sessionId,
    returnUrl: input.merchantReturnUrl,
    products: input.productList,
    collectsBillingAddress: input.collectBillingAddress,
    collectsShippingAddress: input.collectShippingAddress,
  })
  return openSale(ledger, command, { online, expiresAt }, stamp)
}

/** Takes a payment from a wallet, in the cloud. docs/api.md#operation-2-2 */
export function payDirectly(ledger: Ledger, command: DirectPayment, stamp: Stamp): Events {
  const { input, card } = command
  const { paymentMethod: wallet, merchantReturnUrl: returnUrl, productList: products } = input
  const online = onlineOrder({ wallet, returnUrl, products })
  return openSale(ledger, command, { online, card: requireCard(ledger.catalogue, card) }, stamp)
}

function openSale(
  ledger: Ledger,
  { input, outcome, fingerprint }: CreateSession | DirectPayment,
  processing: { online: OnlineOrder; card?: Card; expiresAt?: number },
  stamp: Stamp,
): Events {
  const money = readMoney(input)
  if (money.cashback > 0)
    rejectField('cashbackAmount', 'must not be sent online: nobody hands out cash there')
  requireSum(input.productList ?? [], money.order, money.currency)
  const orderId = input.referenceOrderId ?? null
  const instructions = plainInstructions(null, outcome)
  const draft = { kind: 'SALE' as const, money, orderId, instructions, fingerprint, ...processing }
  return acceptOnline(ledger, input, draft, stamp)
}

/** Refuses products whose sum differs from the order amount. assumption: checkout */
function requireSum(products: readonly Product[], order: number, currency: string): void {
  if (products.length === 0) return
  const sum = products.reduce((all, { amount, num }) => all + amount * num, 0)
  const show = (amount: number) => `${formatAmount(amount, currency)} ${currency}`
  if (sum !== order)
    rejectField('productList', `must sum to the order amount, ${show(order)}, but sums to ${show(sum)}`)
}

/** The shopper pays with a test card; the host's answer follows. assumption: checkout */
export function paySession(ledger: Ledger, { sessionId, card, wallet }: PaySession, stamp: Stamp): Events {
  const { id, status } = requireOpen(requireSession(ledger, { sessionId }), stamp.at)
  const cardRead = readOnline(requireCard(ledger.catalogue, card), wallet ?? null)
  const presented = { type: 'card-presented', id, card, cardRead, wallet, screen: 'processing' } as const
  return status === 'INITIAL' ? [{ type: 'taken-up', id, screen: 'processing' }, presented] : [presented]
}

/** Cancels the session for the shopper. */
export function cancelSession(ledger: Ledger, { sessionId }: CancelSession, stamp: Stamp): Events {
  return [
    { type: 'closed', id: requireOpen(requireSession(ledger, { sessionId }), stamp.at).id, reason: 'cancel' },
  ]
}

/** Closes the session for the merchant. docs/api.md#operation-2-3. */
export function expireSession(ledger: Ledger, { input }: Request<'expire-session'>, stamp: Stamp): Events {
  const { id } = requireOpen(requireSession(ledger, input), stamp.at)
  return [{ type: 'closed', id, reason: 'expired' }]
}

/** The transaction of the named session. */
export function requireSession(
  ledger: Ledger,
  {
    sessionId,
    transactionRequestId,
  }: Pick<ServiceInput<'expire-session'>, 'sessionId' | 'transactionRequestId'>,
): Transaction {
  if (sessionId != null)
    return ledger.transactions.ofSession(sessionId) ?? noSession(ledger, 'sessionId', sessionId)
  if (transactionRequestId == null) return rejectField('sessionId', 'is required, or transactionRequestId')
  const found = ledger.transactions.withTransactionRequestId(transactionRequestId)
  return found?.online?.sessionId == null
    ? noSession(ledger, 'transactionRequestId', `with transaction request id ${transactionRequestId}`)
    : found
}

const noSession = (ledger: Ledger, field: string, id: string): never =>
  reject('SBX_SESSION_NONE', {
    field,
    detail:
      id === '' ? 'it has no checkout page' : `merchant ${ledger.settings.merchantId} has no session ${id}`,
  })

/** A session that still takes a payment. */
function requireOpen(transaction: Transaction, at: number): Transaction {
  const field = 'sessionId'
  if (isFinal(transaction.status))
    reject('SBX_SESSION_OVER', { field, detail: `transaction ${transaction.id} is ${transaction.status}` })
  if (transaction.screen !== 'waiting')
    reject('SBX_SESSION_BUSY', { field, detail: `transaction ${transaction.id} is with the host` })
  if (transaction.expiresAt !== null && transaction.expiresAt <= at)
    reject('SBX_SESSION_OVER', {
      field,
      detail: `it expired at ${new Date(transaction.expiresAt).toISOString()}`,
    })
  return transaction
}
