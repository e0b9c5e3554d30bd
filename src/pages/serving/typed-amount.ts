import { exponentOf } from '../../contract/currencies.ts'
import { rejectField } from '../../contract/errors.ts'

/**
 * An amount that a person typed, in major units: `2`, `2.50`, `2,50`. As in the commands, one with a decimal point has all
 * decimals of the currency. assumption: own-tip. Errors: C17 of the field.
 */
export function typedAmount(typed: string, currency = 'USD', field = 'amount'): number {
  const exponent = exponentOf(currency) ?? 2
  const [, whole, decimals] = /^\s*(\d{1,10})(?:[.,](\d*))?\s*$/.exec(typed) ?? []
  if (whole === undefined)
    return rejectField(field, `must be an amount like ${exampleOf('2', '5', exponent)}`)
  if (decimals !== undefined && decimals.length !== exponent)
    rejectField(field, wrongDecimals(currency, exponent, exampleOf(whole, decimals, exponent)))
  return Number(whole + (decimals ?? '').padEnd(exponent, '0'))
}

const exampleOf = (whole: string, decimals: string, exponent: number): string =>
  exponent === 0 ? whole : `${whole}.${decimals.padEnd(exponent, '0').slice(0, exponent)}`

/** The same sentence as the commands have. */
const wrongDecimals = (currency: string, exponent: number, example: string): string =>
  exponent === 0
    ? `${currency} has no decimals; give a whole number, such as ${example}`
    : `${currency} has ${exponent} decimals; write all ${exponent} decimals, such as ${example}`
