import { networkOf } from '../../../contract/card-numbers.ts'

/** Digits of a card number in the groups that its network prints: 4-6-5 and 4-6-4, else fours. */
export function groupDigits(digits: string): string {
  const network = networkOf(digits)?.name
  const inThree = network === 'AMEX' || (network === 'DINERS' && digits.length <= 14)
  const groups = inThree ? /^(.{1,4})(.{1,6})?(.+)?$/.exec(digits)?.slice(1) : digits.match(/.{1,4}/g)
  return (groups ?? []).filter((group) => group !== undefined).join(' ')
}

/** Text of an expiry field while it is typed: the slash comes by itself before the third digit. */
export const withSlash = (typed: string): string =>
  /^\d{3,4}$/.test(typed) ? `${typed.slice(0, 2)}/${typed.slice(2)}` : typed
