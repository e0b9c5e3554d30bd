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

const range = /^(\d{1,15}(?:\.\d{1,4})?)?(\.\.)?(\d{1,15}(?:\.\d{1,4})?)?$/

/** Reads `1000`, `10.00`, `10.00..20.00`, `10.00..` and `..20.00`; undefined for anything else. */
export function readAmountRange(text: string): AmountRange | undefined {
  const [, from, dots, to] = range.exec(text) ?? []
  if (from === undefined && to === undefined) return undefined
  if (dots === undefined) return to === undefined ? { from: boundOf(from), to: boundOf(from) } : undefined
  return { from: boundOf(from), to: boundOf(to) }
}

const boundOf = (text: string | undefined): AmountBound | null =>
  text === undefined ? null : { units: text.includes('.') ? 'major' : 'minor', value: Number(text) }

/** True for an amount of minor units within the range; `exponent`: decimals of the currency. */
export function isWithin({ from, to }: AmountRange, minorUnits: number, exponent: number): boolean {
  const inUnitsOf = ({ units }: AmountBound) => (units === 'minor' ? minorUnits : minorUnits / 10 ** exponent)
  return (from === null || inUnitsOf(from) >= from.value) && (to === null || inUnitsOf(to) <= to.value)
}
