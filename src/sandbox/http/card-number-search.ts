import { hasCheckDigit } from '../../contract/card-numbers.ts'

/** The search for card numbers in a text. Patterns are bounded, so time is linear. assumption: card-data */

/** First digits of the card networks; the service's own ids begin with none of them. */
const networks = /^(4|5[0-8]|2[2-7]|3[0-9]|6[0-9])/

/** Lengths of the groups of printed card numbers. */
const printed = ['464', '465', '4444', '44441', '44442', '44443']

/** White space, and the punctuation that people put between groups. */
const gap = String.raw`[\s._+/-]{1,3}`

/** A card number in one run of digits, or in printed groups; a match may begin within another one. */
const forms = [
  String.raw`\d{13,19}`,
  ...printed.map((lengths) => Array.from(lengths, (length) => String.raw`\d{${length}}`).join(gap)),
].map((form) => new RegExp(String.raw`(?<!\d)(?=(${form})(?!\d))`, 'g'))

/** A quick test for most texts: the beginning of the shortest run, or of the shortest groups. */
const mayHold = new RegExp(String.raw`\d{13}|\d{4}${gap}(?:\d{6}|\d{4}${gap}\d{4})${gap}\d{4}`)

/** True when the text has a card number, as one run of digits or in printed groups. */
export const holdsCardNumber = (text: string): boolean =>
  mayHold.test(text) &&
  forms.some((form) => [...text.matchAll(form)].some(([, digits = '']) => isCardNumber(digits)))

const isCardNumber = (digits: string): boolean => networks.test(digits) && hasCheckDigit(digits)
