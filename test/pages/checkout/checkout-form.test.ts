import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { builtIn, cards } from '../../../src/domain/fixtures.ts'
import { groupDigits, withSlash } from '../../../src/pages/checkout/form/card-checks.ts'
import { offeredCards, readCheckoutForm } from '../../../src/pages/checkout/form/checkout-form.ts'
import { timeLeftInWords, timeLeftOnClock } from '../../../src/pages/checkout/time-left.ts'

const now = Date.UTC(2026, 10, 20, 10)
const offered = offeredCards(builtIn)
const typed = {
  choice: 'typed',
  number: '4242424242424242',
  expiry: '12/28',
  securityCode: '123',
  holder: 'Ada L',
}

/** What is said of one changed field, or undefined when nothing is wrong with any. */
function problemsOf(changed: Readonly<Record<string, string>>, at = now) {
  const read = readCheckoutForm({ ...typed, ...changed }, offered, at)
  return 'card' in read ? undefined : read.errors
}

describe('offered cards', () => {
  test('the offered cards are the cards with a number, the approved ones first', () => {
    expect(offered.map(({ name }) => name).sort()).toEqual(
      cards
        .filter(({ category, number }) => category === 'CARD' && number !== undefined)
        .map(({ name }) => name)
        .sort(),
    )
    const firstDeclined = offered.findIndex(({ outcome }) => outcome !== 'approved')
    expect(offered.slice(firstDeclined).every(({ outcome }) => outcome !== 'approved')).toBe(true)
    expect(offered.find(({ name }) => name === 'visa-insufficient-funds')?.outcome).toBe('Insufficient funds')
  })
})

describe('a chosen card', () => {
  test.each(offered)('the chosen card $name is accepted', ({ name }) => {
    expect(readCheckoutForm({ choice: name, number: '', expiry: '' }, offered, now)).toEqual({ card: name })
  })

  test.each(['ebt-snap', 'wechat-qr', 'no-such', '__proto__', 'TYPED'])(
    'the choice %s is refused, because it is not an offered card',
    (choice) => {
      expect(readCheckoutForm({ choice }, offered, now)).toEqual({
        values: {},
        errors: { choice: 'There is no such test card. Choose one of these.' },
      })
    },
  )

  test('a form without a chosen card is refused', () => {
    expect(readCheckoutForm({}, offered, now)).toEqual({
      values: {},
      errors: { choice: 'Choose a card to pay with.' },
    })
    expect(readCheckoutForm({ choice: '', number: '  ' }, offered, now)).toHaveProperty('errors.choice')
  })

  test('a chosen card together with another typed one is refused, not guessed', () => {
    const read = readCheckoutForm({ ...typed, choice: 'amex-chip' }, offered, now)
    expect(read).toMatchObject({ values: { choice: 'amex-chip' }, errors: { choice: /typed a number/ } })
  })

  test('a number that is typed without a choice is the card to pay with', () => {
    expect(readCheckoutForm({ ...typed, choice: '' }, offered, now)).toEqual({ card: 'visa-manual' })
  })

  test('a number that is typed while the card that the page chose is still chosen is the card to pay with', () => {
    const [preset, other] = offered.map(({ name }) => name)
    expect(readCheckoutForm({ ...typed, choice: preset ?? '' }, offered, now)).toEqual({
      card: 'visa-manual',
    })
    expect(readCheckoutForm({ ...typed, choice: other ?? '' }, offered, now)).toHaveProperty('errors.choice')
  })
})

describe('a typed number', () => {
  test.each(offered)(
    'the typed number $number is the card $name, with and without groups',
    ({ name, number, network }) => {
      const securityCode = network === 'AMEX' ? '1234' : '123'
      for (const form of [number, groupDigits(number), ` ${number.replace(/(\d{4})/g, '$1-')} `])
        expect(readCheckoutForm({ ...typed, number: form, securityCode }, offered, now)).toEqual({
          card: name,
        })
    },
  )

  test.each([
    ['', 'Enter a card number.'],
    ['4242 4242 4242 424x', 'A card number has digits only. Remove the other characters.'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', 'A card number has digits only. Remove the other characters.'],
    ['1', 'Card numbers have 13 to 19 digits, this one has 1. Enter all of them.'],
    [
      '9999999999999995',
      'No supported card network has numbers that begin like this. Check the first digits.',
    ],
    [
      '424242424242424',
      'Visa numbers have 13, 16 or 19 digits, this one has 15. Check for a missing or an extra digit.',
    ],
    [
      '37828224631000',
      'Amex numbers have 15 digits, this one has 14. Check for a missing or an extra digit.',
    ],
    [
      '601111111111111',
      'Discover numbers have 16 to 19 digits, this one has 15. Check for a missing or an extra digit.',
    ],
    ['4242424242424241', 'The number is mistyped: its check digit is wrong. Compare it with the card.'],
    [
      '4539578763621486',
      'This is not a test card. Real cards are not taken here. Choose one of the test cards.',
    ],
  ])('the typed number %s is refused: %s', (number, problem) => {
    expect(problemsOf({ number })?.number).toBe(problem)
  })
})

describe('the expiry date', () => {
  test.each(['11/26', '1/27', '12/2028', '1228', ' 12 / 28 ', '12-28'])(
    'the expiry date %s is accepted',
    (expiry) => {
      expect(problemsOf({ expiry })).toBeUndefined()
    },
  )

  test.each([
    ['', 'Enter the expiry date.'],
    ['12', 'Enter the expiry date as MM/YY, for example 09/29.'],
    ['12/2', 'Enter the expiry date as MM/YY, for example 09/29.'],
    ['soon', 'Enter the expiry date as MM/YY, for example 09/29.'],
    ['13/28', 'There is no such month. Enter 01 to 12, then the year.'],
    ['00/28', 'There is no such month. Enter 01 to 12, then the year.'],
    ['10/26', 'This date has passed. Enter a date in the future.'],
    ['12/2001', 'This date has passed. Enter a date in the future.'],
  ])('the expiry date %s is refused: %s', (expiry, problem) => {
    expect(problemsOf({ expiry })).toEqual({ expiry: problem })
  })

  test('a card is valid to the last millisecond of the month of its expiry date', () => {
    const end = Date.UTC(2027, 0, 1)
    expect(problemsOf({ expiry: '12/26' }, end - 1)).toBeUndefined()
    expect(problemsOf({ expiry: '12/26' }, end)).toHaveProperty('expiry')
  })
})

describe('security code and name', () => {
  test.each([
    [typed.number, '', 'Enter the security code.'],
    [typed.number, '12a', 'A security code has digits only. Remove the other characters.'],
    [typed.number, '1234', 'Visa security codes have 3 digits, this one has 4. Check the back of the card.'],
    [
      '378282246310005',
      '123',
      'Amex security codes have 4 digits, this one has 3. Check the front of the card.',
    ],
    ['', '12', 'Security codes have 3 or 4 digits, this one has 2.'],
  ])('the card number %s with the security code %s is refused: %s', (number, securityCode, problem) => {
    expect(problemsOf({ number, securityCode })?.securityCode).toBe(problem)
  })

  test('the name may be left out and has at most 64 characters', () => {
    expect(problemsOf({ holder: '' })).toBeUndefined()
    expect(problemsOf({ holder: 'é'.repeat(64) })).toBeUndefined()
    expect(problemsOf({ holder: 'é'.repeat(65) })).toHaveProperty('holder')
    expect(problemsOf({ holder: '4242 4242 4242 4242' })).toHaveProperty('holder')
  })

  test('a form reports all its errors at once', () => {
    const read = readCheckoutForm({ choice: 'typed' }, offered, now)
    expect(read).toMatchObject({ values: { choice: 'typed' } })
    expect(Object.keys('errors' in read ? read.errors : {})).toEqual(['number', 'expiry', 'securityCode'])
  })
})

describe('values that are shown again', () => {
  test('the choice, the expiry date and the name are shown again', () => {
    const read = readCheckoutForm({ ...typed, number: '4242424242424241' }, offered, now)
    expect(read).toMatchObject({ values: { choice: 'typed', expiry: '12/28', holder: 'Ada L' } })
  })

  test.each(['choice', 'number', 'expiry', 'securityCode', 'holder'])(
    'a card number that is typed as %s is not shown again',
    (field) => {
      for (const number of ['4539578763621486', '4539 5787 6362 1486', '4242424242424242'])
        expect(
          JSON.stringify(readCheckoutForm({ choice: 'typed', [field]: number }, offered, now)),
        ).not.toMatch(/4539|4242/)
    },
  )
})

describe('formatting while typing', () => {
  test('grouping neither loses nor adds a digit, whatever the length of the number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{0,24}$/), (digits) => {
        expect(groupDigits(digits).replaceAll(' ', '')).toBe(digits)
      }),
    )
  })

  test.each([
    ['378282246310005', '3782 822463 10005'],
    ['37828', '3782 8'],
    ['30569309025904', '3056 930902 5904'],
    ['42424242', '4242 4242'],
    ['', ''],
  ])('%s is grouped as its network prints it', (digits, grouped) => {
    expect(groupDigits(digits)).toBe(grouped)
  })

  test.each([
    ['1', '1'],
    ['12', '12'],
    ['123', '12/3'],
    ['1228', '12/28'],
    ['12/', '12/'],
    ['x', 'x'],
  ])('an expiry date %s becomes %s', (typed, shown) => {
    expect(withSlash(typed)).toBe(shown)
  })

  test.each([
    [7_200_000, '2 hours', '2 hours'],
    [3_600_000, '60 minutes', '60 minutes'],
    [1_781_000, '29 minutes', '29:41'],
    [60_000, '1 minute', '1:00'],
    [500, 'less than a minute', '0:01'],
    [-5, 'less than a minute', '0:00'],
  ])('%d ms left are shown as %s', (left, words, clock) => {
    expect([timeLeftInWords(left), timeLeftOnClock(left)]).toEqual([words, clock])
  })
})
