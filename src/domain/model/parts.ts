import { type AmountParts, totalOf } from '../../contract/amounts.ts'
import { paymentTypes } from '../../contract/statuses.ts'
import type { Ledger } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/** Arithmetic with the parts of amounts, in minor units. Null and undefined count as 0. */

type PartsOrNone = AmountParts | null | undefined

const nothing: AmountParts = { order: 0, tip: 0, tax: 0, surcharge: 0, cashback: 0 }

const combine = (one: PartsOrNone, other: PartsOrNone, sign: 1 | -1): AmountParts => {
  const [a, b] = [one ?? nothing, other ?? nothing]
  return {
    order: a.order + sign * b.order,
    tip: a.tip + sign * b.tip,
    tax: a.tax + sign * b.tax,
    surcharge: a.surcharge + sign * b.surcharge,
    cashback: a.cashback + sign * b.cashback,
  }
}

export const plus = (one: PartsOrNone, other: PartsOrNone): AmountParts => combine(one, other, 1)

export const minus = (one: PartsOrNone, other: PartsOrNone): AmountParts => combine(one, other, -1)

/** The total of the parts; 0 for none. */
export const totalOrZero = (parts: PartsOrNone): number => (parts == null ? 0 : totalOf(parts))

/** The order in which a plain sum is taken from the parts. assumption: refund-parts */
export const partsInOrder = ['order', 'tax', 'surcharge', 'tip', 'cashback'] as const

/** Takes a plain sum from the remaining parts, one after another; any excess is taken from the order. */
export function take(sum: number, remaining: AmountParts): AmountParts {
  const taken = { ...nothing }
  let rest = sum
  for (const part of partsInOrder) {
    taken[part] = Math.min(rest, Math.max(remaining[part], 0))
    rest -= taken[part]
  }
  taken.order += rest
  return taken
}

/** What can still be refunded, captured or raised. Amounts in minor units. */

/** True for a success that was not voided. */
export const isInEffect = ({ status, followUps }: Transaction): boolean =>
  status === 'SUCCESS' && followUps?.voided !== true

/** The parts of a transaction, with those of the increments of an AUTH. assumption: authorisations */
export const authorisedParts = (transaction: Transaction): AmountParts =>
  plus(transaction, transaction.followUps?.raised)

/** The total that an AUTH may capture. */
export const authorisedAmount = (auth: Transaction): number => totalOf(authorisedParts(auth))

/** Sandbox time from which an AUTH can be neither raised nor captured. assumption: auth-validity */
export const authorisedUntil = (
  { settings }: Pick<Ledger, 'settings'>,
  { completedAt, createdAt }: Transaction,
): number => (completedAt ?? createdAt) + settings.authValidity

/** The parts of a payment that are not refunded; refunds in flight count as refunded. assumption: refunds */
export const refundableParts = (payment: Transaction): AmountParts =>
  minus(minus(payment, payment.followUps?.refunded), payment.followUps?.refunding)

/** The amount that may still be refunded; null when nothing can be. */
export const leftToRefund = (transaction: Transaction): number | null =>
  paymentTypes.includes(transaction.type) && isInEffect(transaction)
    ? totalOf(refundableParts(transaction))
    : null

/**
 * The amount that may still be captured; null when nothing can be. An authorisation is captured once.
 * assumption: authorisations
 */
export const leftToCapture = (transaction: Transaction): number | null =>
  transaction.type === 'AUTH' && isInEffect(transaction) && transaction.followUps?.captured !== true
    ? authorisedAmount(transaction)
    : null

/** True for an authorisation whose time to be captured is over. `at`: sandbox time in milliseconds. */
export const hasLapsed = (ledger: Pick<Ledger, 'settings'>, transaction: Transaction, at: number): boolean =>
  leftToCapture(transaction) !== null && at > authorisedUntil(ledger, transaction)
