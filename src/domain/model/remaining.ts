import { paymentTypes } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from './transaction.ts'

/** What is left to do with the money of a transaction. Amounts in minor units. */

/** True for a success that no void took back. */
export const stands = ({ status, followUps }: Transaction): boolean =>
  status === 'SUCCESS' && followUps?.voided !== true

/** What an AUTH may capture in all. */
export const authorisedOf = (auth: Transaction): number => auth.order + (auth.followUps?.raised ?? 0)

/** What refunds of a payment left: in all, and of that the tip. Those in flight count. assumption: in-flight-refunds */
export function refundRemainder(payment: Transaction): { all: number; tip: number } {
  const { followUps } = payment
  return {
    all: amountOf(payment) - (followUps?.refunded ?? 0) - (followUps?.refunding ?? 0),
    tip: payment.tip - (followUps?.refundedTip ?? 0) - (followUps?.refundingTip ?? 0),
  }
}

/** What may still be refunded; null where nothing can be. */
export const leftToRefund = (transaction: Transaction): number | null =>
  paymentTypes.includes(transaction.type) && stands(transaction) ? refundRemainder(transaction).all : null

/** What may still be captured; null where nothing can be. An authorisation is captured once. assumption: post-auth-limit */
export const leftToCapture = (transaction: Transaction): number | null =>
  transaction.type === 'AUTH' && stands(transaction) && transaction.followUps?.captured !== true
    ? authorisedOf(transaction)
    : null
