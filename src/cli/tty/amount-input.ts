import { money } from '../../presentation/money.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseAmount } from '../input/amount.ts'

/** What can be typed of an amount; what is wrong with it is said, not left out. */
export const isAmountKey = (key: string): boolean => /^[\d.,]$/.test(key)

/** The longest amount that can be typed, in signs. */
export const longestAmount = 15

/** An amount that was typed, or a tip, in minor units, read as the commands read it; else a word on what is wrong. */
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
