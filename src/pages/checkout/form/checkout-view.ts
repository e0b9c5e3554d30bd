import { statusLetters } from '../../../contract/statuses.ts'
import { stateOf } from '../../../control/sessions.ts'
import { cardReadOf } from '../../../domain/model/cards.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { mostTries } from '../../../domain/rules/terminal/host.ts'

/**
 * Content of the hosted page for a session's transaction. Amounts in minor units of `currency`; times in milliseconds.
 */
export function checkoutViewOf(ledger: Ledger, transaction: Transaction, merchantName: string, now: number) {
  const { online } = transaction
  const card = cardReadOf(ledger, transaction)
  return {
    sessionId: online?.sessionId ?? '',
    state: stateOf(transaction),
    merchantName: merchantName || ledger.settings.merchantId,
    referenceOrderId: transaction.orderId,
    description: transaction.description,
    currency: transaction.currency,
    orderAmount: transaction.order,
    taxAmount: transaction.tax,
    surchargeAmount: transaction.surcharge,
    tipAmount: transaction.tip,
    totalAmount: amountOf(transaction),
    products: online?.products ?? [],
    /** Tries that are left, of three. */
    triesLeft: mostTries - (online?.tries ?? 0),
    /** The host's answer to the last try, if it was declined. */
    declined: online?.declined ?? null,
    expiresAt: transaction.expiresAt ?? 0,
    /** Sandbox time now. */
    now,
    transactionId: transaction.id,
    maskedPan: card?.maskedPan ?? null,
    cardNetwork: card?.paymentMethod ?? null,
    wallet: online?.wallet ?? null,
    /** Where the browser goes when it is over, with the result in its query; null when the merchant named none. */
    returnUrl: returnUrlOf(transaction),
    collectsBillingAddress: online?.collectsBillingAddress ?? false,
    collectsShippingAddress: online?.collectsShippingAddress ?? false,
  }
}

/** Content of the hosted page of a session. */
export type CheckoutView = Readonly<ReturnType<typeof checkoutViewOf>>

/** The merchant's address with the result in its query. assumption: merchant-return */
function returnUrlOf({ online, status, ...ids }: Transaction): string | null {
  if (online?.returnUrl == null) return null
  const url = new URL(online.returnUrl)
  url.searchParams.set('status', statusLetters[status])
  url.searchParams.set('transactionId', ids.id)
  url.searchParams.set('transactionRequestId', ids.transactionRequestId)
  if (ids.orderId !== null) url.searchParams.set('referenceOrderId', ids.orderId)
  url.searchParams.set('sessionId', online.sessionId ?? '')
  return url.href
}
