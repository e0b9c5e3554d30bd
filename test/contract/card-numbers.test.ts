import { describe, expect, test } from 'vitest'
import { findCardNetwork, hasCheckDigit } from '../../src/contract/card-numbers.ts'

describe('ISO/IEC 7812: the network of a card number', () => {
  test.each([
    ['AMEX', ['34', '37']],
    ['DINERS', ['300', '305', '36', '38', '39']],
    ['JCB', ['3528', '3529', '353', '358']],
    ['VISA', ['4', '40', '49']],
    ['MASTERCARD', ['51', '55', '2221', '2229', '223', '229', '23', '26', '270', '271', '2720']],
    ['DISCOVER', ['6011', '644', '649', '65']],
    ['UNIONPAY', ['62', '620']],
  ])('a number of %s begins with %j', (name, begins) => {
    for (const digits of begins)
      expect([digits, findCardNetwork(`${digits}000000`)?.name]).toEqual([digits, name])
  })

  test.each(['1', ...'33 306 3527 359 50 56 2220 2721 273 6010 6012 643 60 66 7'.split(' '), ''])(
    'no network has numbers that begin with %s',
    (digits) => expect(findCardNetwork(digits.padEnd(8, '0'))).toBeUndefined(),
  )

  test('only the beginning of a number decides its network', () => {
    for (const begin of ['34', '36', '3528', '4', '51', '6011', '62'])
      expect(findCardNetwork(`9${begin}0000`)).toBeUndefined()
  })

  test('a network has its lengths of numbers and of security codes', () => {
    expect(findCardNetwork('4')).toMatchObject({ lengths: [13, 16, 19], securityCode: 3 })
    expect(findCardNetwork('34')).toMatchObject({ lengths: [15], securityCode: 4 })
  })
})

describe('ISO/IEC 7812-1 Annex B: the check digit', () => {
  test.each([
    ...'0 00 18 26 34 42 59 67 75 83 91 79927398713 4111111111111111'.split(' '),
    '4111 1111-1111 1111',
  ])('%s passes the check of its last digit', (text) => expect(hasCheckDigit(text)).toBe(true))

  test.each(['', 'abc', ' - ', '1', '9', '10', '19', '79927398710', '4111111111111112'])(
    '%j fails the check of its last digit',
    (text) => expect(hasCheckDigit(text)).toBe(false),
  )

  test('a number with any other digit fails the check', () => {
    const number = '79927398713'
    for (let at = 0; at < number.length; at++)
      for (let digit = 0; digit < 10; digit++) {
        const other = number.slice(0, at) + digit + number.slice(at + 1)
        expect([other, hasCheckDigit(other)]).toEqual([other, other === number])
      }
  })

  test('characters other than digits are ignored', () => {
    for (const beside of ['/', ':', ' ', 'x', '٣'])
      expect(hasCheckDigit(`${beside}1${beside}8${beside}`)).toBe(true)
  })
})
