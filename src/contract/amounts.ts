import { rejectField } from './errors.ts'
import { limits } from './headers.ts'

/** Amounts of one transaction, in minor units of `currency`. Null currency: the original's. */
export interface Amounts {
  readonly currency: string | null
  readonly order: number
  readonly tip: number
  readonly tax: number
  readonly surcharge: number
  readonly cashback: number
}

type Part = number | null | undefined

interface Parts {
  readonly priceCurrency?: string | null | undefined
  readonly tipAmount?: Part
  readonly taxAmount?: Part
  readonly surchargeAmount?: Part
  readonly cashbackAmount?: Part
}

interface AmountObject extends Parts {
  readonly orderAmount: number
  readonly totalAmount?: Part
}

/** A request's amount, in either shape. */
export interface AmountInput extends Parts {
  readonly amount: number | AmountObject
}

const partNames = ['tipAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount'] as const

/** Sum of the parts: the transaction amount. */
export const totalOf = (money: Omit<Amounts, 'currency'>): number =>
  money.order + money.tip + money.tax + money.surcharge + money.cashback

/**
 * Reads either shape: the specification's integer with its parts beside it, or the SDKs' object.
 * Errors: C17 when the shapes are mixed, the total is wrong or beyond the limit. assumption: amount-shapes
 */
export function readAmounts(input: AmountInput): Amounts {
  const { amount } = input
  const whole = typeof amount === 'number'
  const parts: Parts = whole ? input : amount
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
  if (total < 1) rejectField(whole ? 'amount' : 'amount.orderAmount', 'must be at least 1 where money moves')
  if (total > limits.amount) rejectField('amount', `the parts must sum to at most ${limits.amount}`)
  return money
}

/** An online refund's amount, in either shape; it may be left out, or be a sum alone. */
export interface RefundAmountInput extends Parts {
  readonly amount?:
    | number
    | (Parts & { readonly orderAmount?: Part; readonly totalAmount?: Part })
    | null
    | undefined
}

/** The currency that an online refund names, or null. */
export const refundCurrencyOf = ({ amount, priceCurrency }: RefundAmountInput): string | null =>
  (typeof amount === 'object' ? amount?.priceCurrency : null) ?? priceCurrency ?? null

const hasParts = (parts: Parts): boolean => partNames.some((name) => parts[name] != null)

/** The amount of an online refund, or null for all that is left. Errors: C17. */
export function readRefundAmounts(input: RefundAmountInput): Amounts | null {
  const { amount } = input
  if (amount == null) return hasParts(input) ? readAmounts({ ...input, amount: 0 }) : null
  if (typeof amount === 'number') return readAmounts({ ...input, amount })
  refuseMixed(input, amount)
  const parts = hasParts(amount)
  if (amount.orderAmount == null && !parts && amount.totalAmount == null) return null
  const orderAmount = amount.orderAmount ?? (parts ? 0 : (amount.totalAmount ?? 0))
  return readAmounts({ ...input, amount: { ...amount, orderAmount } })
}

function refuseMixed(beside: Parts, inside: Parts): void {
  for (const name of partNames)
    if (beside[name] != null) rejectField(name, 'belongs inside amount when amount is an object')
  if (
    beside.priceCurrency != null &&
    inside.priceCurrency != null &&
    beside.priceCurrency !== inside.priceCurrency
  )
    rejectField(
      'priceCurrency',
      `is ${beside.priceCurrency}, but amount.priceCurrency is ${inside.priceCurrency}`,
    )
}
