import { formatAmount } from './currencies.ts'
import { rejectField } from './errors.ts'
import { limits } from './headers.ts'

/** The parts of an amount, in minor units. */
export interface AmountParts {
  readonly order: number
  readonly tip: number
  readonly tax: number
  readonly surcharge: number
  readonly cashback: number
}

/** Amounts of one transaction, in minor units of `currency`. Null currency: the original's. */
export interface Amounts extends AmountParts {
  readonly currency: string | null
}

type AmountPart = number | null | undefined

interface PricedParts {
  readonly priceCurrency?: string | null | undefined
  readonly tipAmount?: AmountPart
  readonly taxAmount?: AmountPart
  readonly surchargeAmount?: AmountPart
  readonly cashbackAmount?: AmountPart
}

/** A request's amount: an integer, or an object with its parts. */
interface AmountInput extends PricedParts {
  readonly amount:
    | number
    | (PricedParts & { readonly orderAmount: number; readonly totalAmount?: AmountPart })
}

/** Members of a request for the parts other than the order amount. */
export const partNames = ['tipAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount'] as const

/** Sum of the parts: the transaction amount. */
export const totalOf = (money: AmountParts): number =>
  money.order + money.tip + money.tax + money.surcharge + money.cashback

/**
 * Reads either shape: the specification's integer with its parts beside it, or the SDKs' object. assumption:
 * amount-shapes
 */
export function readAmounts(input: AmountInput): Amounts {
  const { amount } = input
  const whole = typeof amount === 'number'
  const parts: PricedParts = whole ? input : amount
  if (!whole) refuseMixed(input, amount)
  const money = {
    currency: parts.priceCurrency ?? input.priceCurrency ?? null,
    order: whole ? amount : amount.orderAmount,
    tip: parts.tipAmount ?? 0,
    tax: parts.taxAmount ?? 0,
    surcharge: parts.surchargeAmount ?? 0,
    cashback: parts.cashbackAmount ?? 0,
  }
  const total = totalOf(money)
  const claimed = whole ? null : amount.totalAmount
  if (claimed != null && claimed !== total)
    rejectField('amount.totalAmount', `must equal the sum of the parts, ${total}, but is ${claimed}`)
  if (total < 1) refuseNothing(whole ? 'amount' : 'amount.orderAmount', money.currency)
  if (total > limits.amount) rejectField('amount', `must sum to at most ${limits.amount}`)
  return money
}

/** A refund's amount, in either shape; an online refund may leave it out, or name only a total. */
export interface RefundAmountInput extends PricedParts {
  readonly amount?:
    | number
    | (PricedParts & { readonly orderAmount?: AmountPart; readonly totalAmount?: AmountPart })
    | null
    | undefined
}

/** What a refund asks for: parts, or one sum out of what is left. `sum` null: all of it. */
export type RefundAmounts = Amounts | { readonly currency: string | null; readonly sum: number | null }

const hasParts = (parts: PricedParts): boolean => partNames.some((name) => parts[name] != null)

/** Reads a refund's amount; an integer or `totalAmount` alone is one sum. assumption: refund-parts */
export function readRefundAmounts(input: RefundAmountInput): RefundAmounts {
  const { amount, priceCurrency = null } = input
  if (amount == null)
    return hasParts(input) ? readAmounts({ ...input, amount: 0 }) : { currency: priceCurrency, sum: null }
  if (typeof amount === 'number') {
    const money = readAmounts({ ...input, amount })
    return hasParts(input) ? money : { currency: money.currency, sum: money.order }
  }
  if (amount.orderAmount != null || hasParts(amount))
    return readAmounts({ ...input, amount: { ...amount, orderAmount: amount.orderAmount ?? 0 } })
  refuseMixed(input, amount)
  if (amount.totalAmount == null)
    return rejectField(
      'amount.orderAmount',
      'is required, or totalAmount; only a refund without amount refunds all that is left',
    )
  const currency = amount.priceCurrency ?? priceCurrency
  if (amount.totalAmount < 1) refuseNothing('amount.totalAmount', currency)
  return { currency, sum: amount.totalAmount }
}

function refuseNothing(field: string, currency: string | null): never {
  const least = currency === null ? undefined : `The least amount is ${formatAmount(1, currency)} ${currency}`
  return rejectField(field, 'must be at least 1 minor unit', least)
}

function refuseMixed(beside: PricedParts, inside: PricedParts): void {
  for (const name of partNames)
    if (beside[name] != null) rejectField(name, 'belongs inside amount when amount is an object')
  const [one, other] = [beside.priceCurrency, inside.priceCurrency]
  if (one != null && other != null && one !== other)
    rejectField('priceCurrency', `differs from amount.priceCurrency, which is ${other}`)
}
