/** The digits of a written amount before and after its decimal point; undefined for no amount. */
export function amountDigits(text: string): { whole: string; decimals: string | undefined } | undefined {
  const [, whole, decimals] = /^(\d{1,15})(?:\.(\d*))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { whole, decimals }
}

/**
 * Reads an amount as minor units: `1000` as it is, `10.00` when it has exactly `exponent` decimals, so that nothing is
 * guessed. `unreadable` for no amount, or one beyond what a number holds exactly; `decimals` for another count of them.
 */
export function parseMinorUnits(text: string, exponent: number): number | 'unreadable' | 'decimals' {
  const digits = amountDigits(text)
  if (digits === undefined) return 'unreadable'
  const { whole, decimals } = digits
  if (decimals !== undefined && decimals.length !== exponent) return 'decimals'
  const amount = Number(whole + (decimals ?? ''))
  return Number.isSafeInteger(amount) ? amount : 'unreadable'
}

/** `USD has 2 decimals`, `JPY has no decimals`. */
export const decimalsText = (currency: string, exponent: number): string =>
  `${currency} has ${exponent === 0 ? 'no' : exponent} decimals`
