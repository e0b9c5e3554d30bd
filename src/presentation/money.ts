import { exponentOf, formatAmount } from '../contract/currencies.ts'

/** Minor units the way the currency is written in English: `$10.00`, `¥1,000`, `KWD 1.250`, which no line parts. */
export function money(minorUnits: number, currency: string): string {
  const exponent = exponentOf(currency)
  const amount = formatAmount(minorUnits, currency)
  if (exponent === undefined) return `${amount} ${currency}`
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  }).format(Number(amount))
}
