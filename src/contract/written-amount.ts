import { exponentOf, formatAmount } from './currencies.ts'
import { limits } from './headers.ts'

/** Amounts as people write them. docs/assumptions.md: written-amounts */

/**
 * What a whole number such as `10` is in a currency that has decimals: 10.00 where a person is asked for an
 * amount; in scripts, where it may be meant as minor units, it is refused.
 */
export type WholeNumbers = 'major' | 'refused'

/** Why a text is not taken as an amount. `wrong` follows the text: `is not an amount`. */
export interface AmountProblem {
  readonly kind: 'unreadable' | 'decimals' | 'bare' | 'limit' | 'currency'
  readonly wrong: string
  /** How to write it; it ends with an amount: `Write 10.00`. */
  readonly remedy: string
}

/** Reads `10.00`, `12.5` and, of a currency without decimals, `1000`. assumption: written-amounts */
export function readAmount(text: string, currency: string, whole: WholeNumbers): number | AmountProblem {
  const exponent = exponentOf(currency)
  if (exponent === undefined) return unknownCurrency(currency)
  const example = `Write an amount such as ${exponent === 0 ? '1000' : (10).toFixed(exponent)}`
  const digits = parseDecimal(text, whole)
  if (digits === undefined) {
    const point = text.replace(/,(?=\d{3}(?!\d))/g, '').replace(',', '.') // 1,000.00 and 10,00
    const isMeant = parseDecimal(point, 'refused')?.decimals.length === exponent
    return { kind: 'unreadable', wrong: 'is not an amount', remedy: isMeant ? `Write ${point}` : example }
  }
  const { integer, decimals } = digits
  if (exponent === 3 && /,\d{3}$/.test(text)) {
    const wrong = `could be ${integer}.${decimals} or ${integer}${decimals}.000 ${currency}`
    return { kind: 'bare', wrong, remedy: `Write ${integer}.${decimals}` }
  }
  if (/,\d{3}$/.test(text)) {
    const meant = formatAmount(Number(integer + decimals) * 10 ** exponent, currency)
    return { kind: 'bare', wrong: 'has a comma between thousands', remedy: `Write ${meant}` }
  }
  if (decimals.length > exponent) {
    const wrong = `has too many decimals: ${currency} has ${exponent || 'none'}`
    return { kind: 'decimals', wrong, remedy: example }
  }
  const amount = Number(integer + decimals.padEnd(exponent, '0'))
  const most = formatAmount(limits.amount, currency)
  if (amount > limits.amount)
    return {
      kind: 'limit',
      wrong: `is over the limit of ${most} ${currency}`,
      remedy: `Write at most ${most}`,
    }
  if (whole === 'major' || decimals !== '' || exponent === 0 || amount === 0) return amount
  const [major, minor] = [amount, Number(text)].map((units) => formatAmount(units, currency))
  return { kind: 'bare', wrong: `could be ${major} or ${minor} ${currency}`, remedy: `Write ${major}` }
}

function unknownCurrency(currency: string): AmountProblem {
  const capitals = currency.toUpperCase()
  const isKnown = exponentOf(capitals) !== undefined
  const remedy = isKnown ? `Did you mean ${capitals}?` : 'Use a code in capitals, such as USD'
  return { kind: 'currency', wrong: `${currency} is not an active ISO 4217 currency`, remedy }
}

/** The digits before and after the decimal point; a decimal comma is only typed: on a page or at a prompt. */
export function parseDecimal(
  text: string,
  whole: WholeNumbers,
): { readonly integer: string; readonly decimals: string } | undefined {
  const written = whole === 'major' ? text.replace(',', '.') : text
  const [, integer, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(written) ?? []
  return integer === undefined ? undefined : { integer, decimals }
}
