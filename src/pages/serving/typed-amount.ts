import { exponentOf } from '../../contract/currencies.ts'
import { rejectField } from '../../contract/errors.ts'
import { decimalsText, parseMinorUnits } from '../../text/minor-units.ts'

/**
 * An amount that a person typed, in major units: `2`, `2.50`, `2,50`. As in the commands, one with a decimal point has all
 * decimals of the currency. assumption: own-tip. Errors: C17 of the field.
 */
export function typedAmount(typed: string, currency = 'USD', field = 'amount'): number {
  const exponent = exponentOf(currency) ?? 2
  const text = typed.trim().replace(',', '.')
  const amount = parseMinorUnits(/^\d+$/.test(text) ? text + '0'.repeat(exponent) : text, exponent)
  if (amount === 'unreadable')
    return rejectField(field, `must be an amount like ${exampleOf('2', '5', exponent)}`)
  if (amount !== 'decimals') return amount
  const [whole = '', decimals = ''] = text.split('.')
  const remedy = exponent === 0 ? 'give a whole number' : `write all ${exponent} decimals`
  const example = exampleOf(whole, decimals, exponent)
  return rejectField(field, `${decimalsText(currency, exponent)}; ${remedy}, such as ${example}`)
}

const exampleOf = (whole: string, decimals: string, exponent: number): string =>
  exponent === 0 ? whole : `${whole}.${decimals.padEnd(exponent, '0').slice(0, exponent)}`
