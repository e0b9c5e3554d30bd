import { exponentOf, formatAmount } from '../currencies.ts'
import { type TransactionType, takesBack } from '../statuses.ts'

/** Minor units as English writes the currency: `$10.00`, `¥1,000`, `KWD 1.250`; never broken over lines. */
export function money(minorUnits: number, currency: string): string {
  const exponent = exponentOf(currency)
  const amount = formatAmount(minorUnits, currency)
  if (exponent === undefined) return `${amount} ${currency}`
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  })
    .format(Number(amount))
    .replace('-', '−')
}

/** Minor units as commands show and read them: `10.00 USD`. */
export const amountText = (minorUnits: number, currency: string): string =>
  `${formatAmount(minorUnits, currency)} ${currency}`

/** The sign of an amount in a list of transactions: a minus for a refund or a void. */
export const amountSign = (type: TransactionType): '−' | '' => (takesBack(type) ? '−' : '')
