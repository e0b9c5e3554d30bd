import { digitsOf } from '../../written-amount.ts'

/** An amount as it is written: a whole number in minor units, one with a decimal point in major units. */
export interface AmountBound {
  readonly units: 'minor' | 'major'
  readonly value: number
}

/** A range of amounts, with both ends included; null: no end. */
export interface AmountRange {
  readonly from: AmountBound | null
  readonly to: AmountBound | null
}

/** Reads `1000`, `10.00`, `10.00..20.00`, `10.00..` and `..20.00`; undefined for anything else. */
export function readAmountRange(text: string): AmountRange | undefined {
  const [first = '', last = first, ...more] = text.split('..')
  if (first + last === '' || more.length > 0) return undefined
  const [from, to] = [boundOf(first), boundOf(last)]
  return from === undefined || to === undefined ? undefined : { from, to }
}

/** True for a range that holds no amount; ends in different units are not compared, as they differ by currency. */
export const endsBeforeItBegins = ({ from, to }: AmountRange): boolean =>
  from !== null && to !== null && from.units === to.units && from.value > to.value

/** Null for no bound; undefined for no amount. */
function boundOf(text: string): AmountBound | null | undefined {
  if (text === '') return null
  const bound = readMajorUnits(text)
  return bound && (text.includes('.') ? bound : { ...bound, units: 'minor' })
}

/**
 * Reads `10` and `10.50` as major units; undefined for anything else. Four decimals at most: the bound is for amounts of
 * every currency.
 */
export function readMajorUnits(text: string): AmountBound | undefined {
  const digits = digitsOf(text, 'refused')
  return digits && digits.decimals.length <= 4 ? { units: 'major', value: Number(text) } : undefined
}

/** True for an amount of minor units within the range; `exponent`: decimals of the currency. */
export function isWithin({ from, to }: AmountRange, minorUnits: number, exponent: number): boolean {
  const inUnitsOf = ({ units }: AmountBound) => (units === 'minor' ? minorUnits : minorUnits / 10 ** exponent)
  return (from === null || inUnitsOf(from) >= from.value) && (to === null || inUnitsOf(to) <= to.value)
}
