import { findCardNetwork, hasCheckDigit, type Network } from '../../../contract/card-numbers.ts'
import { networkName } from '../../components/network-names.ts'

/** Checks of the typed card, with messages for the shopper, for the page's script and the service. */

/** The fields that are typed into, in the order they are read. */
export const typedFields = ['number', 'expiry', 'securityCode', 'holder'] as const
export type TypedField = (typeof typedFields)[number]

/** Errors of a typed card at a moment, by field. Only `testNumbers` are accepted. */
export const cardProblems = (
  typed: Readonly<Record<TypedField, string>>,
  testNumbers: ReadonlySet<string>,
  now: number,
): Readonly<Record<TypedField, string | undefined>> => ({
  number: numberProblem(typed.number, testNumbers),
  expiry: expiryProblem(typed.expiry, now),
  securityCode: securityCodeProblem(typed.securityCode, findCardNetwork(cardDigits(typed.number))),
  holder: holderProblem(typed.holder),
})

/** A card number without the spaces and dashes that people put in. */
export const cardDigits = (typed: string): string => typed.replace(/[\s\-\u2010-\u2015]/g, '')

/** The error of a card number, or undefined. Only `testNumbers` are accepted. */
function numberProblem(typed: string, testNumbers: ReadonlySet<string>): string | undefined {
  const digits = cardDigits(typed)
  if (digits === '') return 'Enter a card number.'
  if (!/^[0-9]+$/.test(digits)) return 'A card number has digits only. Remove the other characters.'
  const network = findCardNetwork(digits)
  if (network === undefined) return strangeNumber(digits)
  if (!network.lengths.some((length) => length === digits.length))
    return `${networkName(network.name)} numbers have ${counts(network)} digits, this one has ${digits.length}. Check for a missing or an extra digit.`
  if (!hasCheckDigit(digits))
    return 'The number is mistyped: its check digit is wrong. Compare it with the card.'
  return testNumbers.has(digits)
    ? undefined
    : 'This is not a test card. Real cards are not taken here. Choose one of the test cards.'
}

const strangeNumber = (digits: string): string =>
  digits.length < 13
    ? `Card numbers have 13 to 19 digits, this one has ${digits.length}. Enter all of them.`
    : 'No supported card network has numbers that begin like this. Check the first digits.'

/** `13, 16 or 19`, and `16 to 19` for lengths in a row. */
function counts({ lengths }: Network): string {
  const first = lengths[0]
  const last = lengths[lengths.length - 1] ?? first
  if (first === last) return String(first)
  if (last - first === lengths.length - 1) return `${first} to ${last}`
  return `${lengths.slice(0, -1).join(', ')} or ${last}`
}

/** The error of an expiry date at a moment, or undefined. A card is valid to the end of its month (UTC). */
function expiryProblem(typed: string, now: number): string | undefined {
  if (typed.trim() === '') return 'Enter the expiry date.'
  const [, month, year] =
    /^(\d{1,2})\s*[/-]\s*(\d{2}|\d{4})$/.exec(typed.trim()) ?? /^(\d{2})(\d{2})$/.exec(typed.trim()) ?? []
  if (month === undefined || year === undefined) return 'Enter the expiry date as MM/YY, for example 09/29.'
  if (Number(month) < 1 || Number(month) > 12) return 'There is no such month. Enter 01 to 12, then the year.'
  const endOfMonth = Date.UTC(Number(year.length === 2 ? `20${year}` : year), Number(month), 1)
  return now < endOfMonth ? undefined : 'This date has passed. Enter a date in the future.'
}

/** The error of a security code, or undefined. The network decides its length. */
function securityCodeProblem(typed: string, network: Network | undefined): string | undefined {
  const code = typed.trim()
  if (code === '') return 'Enter the security code.'
  if (!/^[0-9]+$/.test(code)) return 'A security code has digits only. Remove the other characters.'
  if (network === undefined)
    return /^.{3,4}$/.test(code)
      ? undefined
      : `Security codes have 3 or 4 digits, this one has ${code.length}.`
  const { name, securityCode } = network
  return code.length === securityCode
    ? undefined
    : `${networkName(name)} security codes have ${securityCode} digits, this one has ${code.length}. Check the ${
        securityCode === 4 ? 'front' : 'back'
      } of the card.`
}

/** The error of the cardholder's name, or undefined. It is optional. */
function holderProblem(typed: string): string | undefined {
  if (looksLikeNumber(typed))
    return 'This looks like a card number. Enter the name on the card, or leave it empty.'
  return [...typed.trim()].length <= 64 ? undefined : 'A name has at most 64 characters here. Shorten it.'
}

/** True for text with enough digits to hold a card number: it is not shown again. */
export const looksLikeNumber = (typed: string): boolean => typed.replace(/\D/g, '').length >= 12

/** Digits of a card number in the groups that its network prints: 4-6-5 and 4-6-4, else fours. */
export function groupDigits(digits: string): string {
  const network = findCardNetwork(digits)?.name
  const inThree = network === 'AMEX' || (network === 'DINERS' && digits.length <= 14)
  const groups = inThree ? /^(.{1,4})(.{1,6})?(.+)?$/.exec(digits)?.slice(1) : digits.match(/.{1,4}/g)
  return (groups ?? []).filter((group) => group !== undefined).join(' ')
}

/** Text of an expiry field while it is typed: the slash comes by itself before the third digit. */
export const withSlash = (typed: string): string =>
  /^\d{3,4}$/.test(typed) ? `${typed.slice(0, 2)}/${typed.slice(2)}` : typed
