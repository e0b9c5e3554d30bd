import { amountDigits } from '../../../text/minor-units.ts'

/** An amount as it is written: a whole number in minor units, one with a decimal point in major units. */
interface AmountBound {
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

/** Null for no bound; undefined for no amount. One to four decimals: the bound is for amounts of every currency. */
function boundOf(text: string): AmountBound | null | undefined {
  if (text === '') return null
  const digits = amountDigits(text)
  if (digits === undefined) return undefined
  if (digits.decimals === undefined) return { units: 'minor', value: Number(text) }
  return /^\d{1,4}$/.test(digits.decimals) ? { units: 'major', value: Number(text) } : undefined
}

/** True for an amount of minor units within the range; `exponent`: decimals of the currency. */
export function isWithin({ from, to }: AmountRange, minorUnits: number, exponent: number): boolean {
  const inUnitsOf = ({ units }: AmountBound) => (units === 'minor' ? minorUnits : minorUnits / 10 ** exponent)
  return (from === null || inUnitsOf(from) >= from.value) && (to === null || inUnitsOf(to) <= to.value)
}
