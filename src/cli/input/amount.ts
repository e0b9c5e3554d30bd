import { exponentOf } from '../../contract/currencies.ts'
import { limits } from '../../contract/headers.ts'
import { decimalsText, parseMinorUnits } from '../../text/minor-units.ts'
import { UsageError } from '../errors/usage-error.ts'

/**
 * Reads an amount. `1000` is minor units; with a decimal point it is major units and must have exactly the currency's
 * decimals, so that nothing is guessed: `10.00` USD and `10.000` KWD are 1000 and 10000.
 * Errors: UsageError.
 */
export function parseAmount(text: string, currency: string, flag: string): number {
  const exponent = exponentOf(currency)
  if (exponent === undefined)
    throw new UsageError(
      `${currency} is not an active ISO 4217 currency`,
      exponentOf(currency.toUpperCase()) === undefined
        ? 'Use a code in capitals, such as USD'
        : `Did you mean ${currency.toUpperCase()}?`,
      'priceCurrency',
    )
  const amount = parseMinorUnits(text, exponent)
  if (amount === 'unreadable') throw unreadable(text, flag)
  if (amount === 'decimals') throw wrongDecimals(text, currency, exponent, flag)
  return amount
}

/** An amount of a request. Errors: UsageError, also for one that no request may have. */
export function parseRequestAmount(text: string, currency: string, flag: string): number {
  const amount = parseAmount(text, currency, flag)
  if (amount <= limits.amount) return amount
  const exponent = exponentOf(currency) ?? 0
  const limit = (limits.amount / 10 ** exponent).toLocaleString('en-US', { minimumFractionDigits: exponent })
  throw new UsageError(
    `--${flag} ${text} is over the limit of ${limit} ${currency}`,
    'Pass a smaller amount; nothing was changed',
    flag,
  )
}

const unreadable = (text: string, flag: string) =>
  new UsageError(
    `--${flag} ${text} is not an amount`,
    'Use minor units (1000), or major units with a decimal point (10.00)',
    flag,
  )

function wrongDecimals(text: string, currency: string, exponent: number, flag: string): UsageError {
  const remedy =
    exponent === 0
      ? 'Use a whole number'
      : `Write all ${exponent} decimals, such as ${(10).toFixed(exponent)}, or use minor units`
  return new UsageError(`--${flag} ${text}: ${decimalsText(currency, exponent)}`, remedy, flag)
}
