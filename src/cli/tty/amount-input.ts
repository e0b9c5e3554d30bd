import { money } from '../../presentation/money.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseAmount } from '../input/amount.ts'

/** The characters of an amount; invalid input is reported, not ignored. */
export const isAmountKey = (key: string): boolean => /^[\d.,]$/.test(key)

/** The longest amount that can be typed, in signs. */
export const longestAmount = 15

/** A typed amount or tip in minor units, read as the commands read it; otherwise a text about the error. */
export function readAmount(
  typed: string,
  currency: string,
  what: 'amount' | 'tip' = 'amount',
): number | string {
  if (typed === '') return `Type the ${what}: 1.50, or 150 in minor units`
  try {
    return parseAmount(typed, currency, 'amount')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return `${typed}: ${error.remedy}`
  }
}

/** An amount while it is typed, with what it comes to: `150▏ = $1.50`. */
export function showAmount(typed: string, currency: string): string {
  const amount = typed === '' ? '' : readAmount(typed, currency)
  return `${typed}▏${typeof amount === 'number' ? ` = ${money(amount, currency)}` : ''}`
}
