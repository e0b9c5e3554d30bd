import { type AmountParts, totalOf } from '../../contract/amounts.ts'

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
export const sumOf = (parts: PartsOrNone): number => (parts == null ? 0 : totalOf(parts))

/** The order in which a plain sum is taken from the parts. assumption: refund-parts */
export const partsInOrder = ['order', 'tax', 'surcharge', 'tip', 'cashback'] as const

/** Takes a plain sum from the remaining parts, one after another; any excess is taken from the order. */
export function take(sum: number, left: AmountParts): AmountParts {
  const taken = { ...nothing }
  let rest = sum
  for (const part of partsInOrder) {
    taken[part] = Math.min(rest, Math.max(left[part], 0))
    rest -= taken[part]
  }
  taken.order += rest
  return taken
}
