/** The network and check digit of a card number; used by the service and by the hosted page's script. */

/** Card networks by first digits and length of the number and of the security code. ISO/IEC 7812. */
const networks = [
  { name: 'AMEX', begins: /^3[47]/, lengths: [15], securityCode: 4 },
  { name: 'DINERS', begins: /^3(?:0[0-5]|[689])/, lengths: [14, 16, 19], securityCode: 3 },
  { name: 'JCB', begins: /^35(?:2[89]|[3-8])/, lengths: [16, 17, 18, 19], securityCode: 3 },
  { name: 'VISA', begins: /^4/, lengths: [13, 16, 19], securityCode: 3 },
  {
    name: 'MASTERCARD',
    begins: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    securityCode: 3,
  },
  { name: 'DISCOVER', begins: /^6(?:011|4[4-9]|5)/, lengths: [16, 17, 18, 19], securityCode: 3 },
  { name: 'UNIONPAY', begins: /^62/, lengths: [16, 17, 18, 19], securityCode: 3 },
] as const

/** A card network. */
export type Network = (typeof networks)[number]

/** The network that the first digits name, or undefined. */
export const findCardNetwork = (digits: string): Network | undefined =>
  networks.find(({ begins }) => begins.test(digits))

/** True when the check digit is right; only digits count. ISO/IEC 7812-1, Annex B (Luhn). */
export function hasCheckDigit(text: string): boolean {
  let [sum, count] = [0, 0]
  for (let index = text.length - 1; index >= 0; index--) {
    const digit = text.charCodeAt(index) - 48
    if (digit < 0 || digit > 9) continue
    const doubled = digit * 2
    sum += count % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled
    count += 1
  }
  return count > 0 && sum % 10 === 0
}
