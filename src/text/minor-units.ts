/**
 * Reads an amount as minor units: `1000` as it is, `10.00` when it has exactly `exponent` decimals, so that nothing is
 * guessed. `unreadable` for no amount, or one beyond what a number holds exactly; `decimals` for another count of them.
 */
export function parseMinorUnits(text: string, exponent: number): number | 'unreadable' | 'decimals' {
  const [, whole = '', decimals] = /^(\d{1,15})(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === '') return 'unreadable'
  if (decimals !== undefined && decimals.length !== exponent) return 'decimals'
  const amount = Number(whole + (decimals ?? ''))
  return Number.isSafeInteger(amount) ? amount : 'unreadable'
}

/** `USD has 2 decimals`, `JPY has no decimals`. */
export const decimalsText = (currency: string, exponent: number): string =>
  `${currency} has ${exponent === 0 ? 'no' : exponent} decimals`
