import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasCheckDigit } from '../../../src/contract/card-numbers.ts'
import { holdsCardData } from '../../../src/sandbox/http/card-data.ts'
import { holdsCardNumber } from '../../../src/sandbox/http/card-number-search.ts'
import { assertUntil, times } from '../../support/runner/counts.ts'

/** The plain search: every window of groups of every chain of digits. Slow, and easy to believe. */
function plainly(text: string): boolean {
  for (const [chain] of text.matchAll(/\d+(?:[\s._+/-]{1,3}\d+)*/g)) {
    const groups = chain.split(/\D+/)
    for (let start = 0; start < groups.length; start++)
      for (let end = start + 1; end <= groups.length; end++) {
        const some = groups.slice(start, end)
        const lengths = some.map(({ length }) => length).join(' ')
        const digits = some.join('')
        const printed = /^(?:1[3-9]|4 4 4 4(?: [1-3])?|4 6 [45])$/.test(lengths)
        if (printed && /^(4|5[0-8]|2[2-7]|3[0-9]|6[0-9])/.test(digits) && hasCheckDigit(digits)) return true
      }
  }
  return false
}

/** Pieces of which texts are made that hold a card number, nearly hold one, or hold none. */
const pieces = fc.oneof(
  fc.constantFrom('4111', '1111', '1', '11', '111', '3782', '822463', '10005', '1000', '6212', '0000', '003'),
  fc.constantFrom(
    '4111111111111111',
    '378282246310005',
    '30569309025904',
    '41111111111111111112',
    '4242424242424242',
  ),
  fc.constantFrom(' ', '-', '.', '_', '/', '+', '\t', '\n', '\u00a0', '\u2028', ' - ', '----', '  ', '    '),
  fc.constantFrom('a', 'F', 'x', '"', ',', 'é', '٣', '8af3', '8af38af38af38af38af38af38af38af3'),
  fc.uuid(),
  fc.stringMatching(/^\d{1,20}$/),
)

describe('assumption card-data: the search for card numbers', () => {
  test('the search finds what the plain search finds', () => {
    let matchCount = 0
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (some) => {
        const text = some.join('')
        if (plainly(text)) matchCount += 1
        expect([text, holdsCardNumber(text)]).toEqual([text, plainly(text)])
      }),
      { numRuns: times(400, 20_000) },
    )
    expect(matchCount).toBeGreaterThan(times(20, 250))
  })

  test('the search finds what the plain search finds where the groups alone make the difference', () => {
    const groups = fc.array(
      fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, 6), fc.constantFrom(' ', '-', ' - ', '    ')),
      { minLength: 3, maxLength: 9 },
    )
    let matchCount = 0
    assertUntil(
      fc.property(groups, fc.stringMatching(/^4[0-9]{60}$/), (lengths, digits) => {
        let offset = 0
        const text = lengths
          .map(([length, gap]) => {
            offset += length
            return digits.slice(offset - length, offset) + gap
          })
          .join('')
        if (plainly(text)) matchCount += 1
        expect([text, holdsCardNumber(text)]).toEqual([text, plainly(text)])
      }),
      times(300, 20_000),
      () => matchCount > 2,
    )
    expect(matchCount).toBeGreaterThan(2)
  })

  test.each([
    ['groups of one digit', '1 '],
    ['groups of four', '4111 '],
    ['groups of four and a gap that is too wide', '4111 1111 1111     '],
    ['groups of 4, 6 and 4', '3782 822463 1000 '],
    ['one run', '1'],
    ['runs of 16', '4111111111111112 '],
    ['runs of 19', '4111111111111111112.'],
    ['separators', '-.+'],
    ['half a UUID', '11111111-1111-1111-1111-'],
    ['hexadecimal digits', 'a1'],
    ['escapes', '\\u0034'],
    ['line ends as JSON writes them', '4111\\n'],
    ['names of members', '\\"pan\\" '],
    ['tracks', ';4111111111111111111'],
  ])('a MiB of %s holds no card number, and one at its end is found', (_, unit) => {
    const text = unit.repeat(Math.floor(2 ** 20 / unit.length))
    expect(holdsCardData(text)).toBe(false)
    expect(holdsCardData(`${text} x 4111 1111 1111 1111`)).toBe(true)
  })
})

describe('assumption card-data: the ways to write a card number', () => {
  test.each([
    '4111 1111 1111 1111',
    '4111  1111  1111  1111',
    '4111. 1111. 1111. 1111',
    '4111--1111--1111--1111',
    '3782-822463-10005',
    '3782.822463.10005',
    '6212-3456-7890-0000-003',
    'card4111111111111111visa',
    'x4111-1111-1111-1111y',
    'no.4111111111111111.',
    'no-4111.1111.1111.1111-',
    '(4111 1111 1111 1111)',
    '#4111111111111111!',
    '_4111111111111111_',
    '4111111111111111 123',
    '4111111111111111 12/27',
    '12/27 4111111111111111',
    '4111111111111111;4111111111111111',
    'a\n4111111111111111\tb',
    '4111 1111 1111 1111 12/27',
    '4111 1111 1111 1111 123',
    '4111-1111-1111-1111-123',
    '4111.1111.1111.1111.27',
    'order 2024 4111 1111 1111 1111',
    '2024-4111-1111-1111-1111',
    '4111-1111 1111-1111',
    '4111 - 1111 - 1111 - 1111',
    '4111_1111_1111_1111',
    '4111/1111/1111/1111',
    '4111\t1111\u00a01111 1111',
    '3782 822463 10005 1127',
    '3056 930902 5904',
  ])('%j is card data', (text) => {
    for (const each of [text, JSON.stringify({ attach: text })]) expect(holdsCardData(each)).toBe(true)
  })

  test.each([
    ['a UUID of digits', '41111111-1111-4111-8111-111111111111'],
    ['a UUID without dashes', '41111111111141118111111111111111'],
    ['a transaction id of 16 digits', '1795024800000000'],
    ['a timestamp of 13 digits', '1795024800000'],
    ['a wrong check digit', '4111111111111112'],
    ['12 digits', '411111111111'],
    ['20 digits', '41111111111111111111'],
    ['a phone number', '+49 30 1234567890'],
    ['a time and digits', '2026-11-20 12:00:00 1234 5678'],
    ['half a number', '4111 1111'],
    ['an id in groups', '1795 1656 9658 1000'],
    ['a wrong check digit in groups', '4111 1111 1111 1112'],
  ])('%s is not card data', (_, text) => {
    for (const each of [text, JSON.stringify({ attach: text })]) expect(holdsCardData(each)).toBe(false)
  })
})

describe('assumption card-data: members of JSON', () => {
  const pans = fc.constantFrom(
    '4111111111111111',
    '378282246310005',
    '6212345678900000003',
    '4111 1111 1111 1111',
    '4242-4242-4242-4242',
  )
  const ids = [
    ...'appId batchNo merchantId nextToken originalTransactionId'.split(' '),
    ...'originalTransactionRequestId referenceOrderId sessionId terminalSn transactionId'.split(' '),
    ...'transactionRequestId'.split(' '),
  ]
  const freeNames = fc.constantFrom('description', 'attach', 'colour', 'line1', '', 'pan', 'cvv', 'toString')

  /** A value inside of objects, lists, and JSON within a text, beside other members. */
  const nest = (value: unknown, ways: readonly string[]): unknown =>
    ways.reduce((inner, way) => {
      if (way === 'list') return ['x', { transactionId: 'y' }, inner]
      if (way === 'text') return typeof inner === 'string' ? inner : JSON.stringify(inner)
      return { orderAmount: 1000, [way]: inner, last: null }
    }, value)

  const ways = fc.array(fc.constantFrom('list', 'text', 'note', 'amount'), { maxLength: 6 })

  /** JSON with every character of its texts written as an escape. */
  const escaped = (json: string): string =>
    json.replace(/"(?:[^"\\]|\\.)*"/g, (text) => {
      const codes = [...(JSON.parse(text) as string)].map((each) => each.charCodeAt(0).toString(16))
      return `"${codes.map((code) => `\\u${code.padStart(4, '0')}`).join('')}"`
    })

  test('a card number is found in every member that is not an id, however deep and however written', () => {
    fc.assert(
      fc.property(pans, freeNames, ways, (pan, name, some) => {
        const json = JSON.stringify({ sent: nest({ [name]: pan }, some) })
        for (const text of [json, escaped(json), JSON.stringify(JSON.parse(json), null, 2)])
          expect([text, holdsCardData(text)]).toEqual([text, true])
      }),
      { numRuns: times(40, 500) },
    )
  })

  test('an id is never searched, however deep', () => {
    fc.assert(
      fc.property(pans, fc.constantFrom(...ids), ways, (pan, name, some) => {
        const json = JSON.stringify({ sent: nest({ [name]: pan }, some) })
        expect([json, holdsCardData(json)]).toEqual([json, false])
        const target = `/v1/transaction/query?${new URLSearchParams({ a: 'b', [name]: pan })}`
        expect([target, holdsCardData(target)]).toEqual([target, false])
      }),
      { numRuns: times(40, 500) },
    )
  })

  test('both values of a repeated member are searched', () => {
    for (const json of ['{"a":"4111111111111111","a":"x"}', '{"a":"x","a":"4111111111111111"}'])
      expect(holdsCardData(json)).toBe(true)
  })

  test('a text that is cut off is searched as a whole', () => {
    expect(holdsCardData('{"note":"x","cvv": "123","attach":"yy')).toBe(true)
    expect(holdsCardData('{"attach":"{\\"cvv\\":123')).toBe(true)
    expect(holdsCardData('{"referenceOrderId":"4111111111111111","att')).toBe(true)
  })

  test.each([
    ['lists in lists', '['.repeat(2 ** 18) + ']'.repeat(2 ** 18)],
    ['objects in objects', `${'{"a":'.repeat(2 ** 17)}1${'}'.repeat(2 ** 17)}`],
    ['numbers', `[${'4111,'.repeat(2 ** 17)}1]`],
    ['names for card data', `[${'{"pan":1},'.repeat(2 ** 16)}1]`],
    ['spaces after a name, which is not JSON', `{"cvv": ${' '.repeat(2 ** 20)}x`],
    ['backslashes after a name, which is not JSON', `{"cvv": ${'\\'.repeat(2 ** 20)}x`],
    ['texts that are not closed', '{"pan":"'.repeat(2 ** 17)],
    ['a text of JSON in a text', JSON.stringify(JSON.stringify({ a: '\\'.repeat(2 ** 16) }))],
  ])('very many of these hold no card data: %s', (_, json) => expect(holdsCardData(json)).toBe(false))
})
