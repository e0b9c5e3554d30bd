import { type AmountParts, totalOf } from '../../contract/amounts.ts'
import { paymentTypes } from '../../contract/statuses.ts'
import type { Ledger } from './ledger.ts'
import { minus, plus } from './parts.ts'
import type { Transaction } from './transaction.ts'

/** What can still be refunded, captured or raised. Amounts in minor units. */

/** True for a success that was not voided. */
export const isInEffect = ({ status, followUps }: Transaction): boolean =>
  status === 'SUCCESS' && followUps?.voided !== true

/** The parts that an AUTH and its increments authorised. assumption: authorised-total */
export const authorisedParts = (auth: Transaction): AmountParts => plus(auth, auth.followUps?.raised)

/** The total that an AUTH may capture. */
export const authorisedOf = (auth: Transaction): number => totalOf(authorisedParts(auth))

/** Sandbox time from which an AUTH can be neither raised nor captured. assumption: auth-validity */
export const authorisedUntil = (
  { settings }: Pick<Ledger, 'settings'>,
  { completedAt, createdAt }: Transaction,
): number => (completedAt ?? createdAt) + settings.authValidity

/** The parts of a payment that are not refunded; refunds in flight count as refunded. assumption: in-flight-refunds */
export const refundableParts = (payment: Transaction): AmountParts =>
  minus(minus(payment, payment.followUps?.refunded), payment.followUps?.refunding)

/** The amount that may still be refunded; null when nothing can be. */
export const leftToRefund = (transaction: Transaction): number | null =>
  paymentTypes.includes(transaction.type) && isInEffect(transaction)
    ? totalOf(refundableParts(transaction))
    : null

/**
 * The amount that may still be captured; null when nothing can be. An authorisation is captured once.
 * assumption: post-auth-limit
 */
export const leftToCapture = (transaction: Transaction): number | null =>
  transaction.type === 'AUTH' && isInEffect(transaction) && transaction.followUps?.captured !== true
    ? authorisedOf(transaction)
    : null
