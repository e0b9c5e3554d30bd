import { expect, test } from 'vitest'
import { differences, isStatus } from '../../../src/testing/scenario/file/match.ts'

const record = {
  transactionStatus: 'S',
  transactionAmount: 5200,
  authCode: null,
  rrn: '000123',
  list: [{ id: 1, name: 'a' }, { id: 2 }],
}

test.each([
  ['a value', 'S', 'S'],
  ['a shape: members that are left out do not matter', { transactionStatus: 'S', authCode: null }, record],
  ['an amount as people write it', { transactionAmount: '52.00 USD' }, record],
  ['an amount without decimals', '5200 JPY', 5200],
  ['digits of YAML for text', { batchNo: 12 }, { batchNo: '12' }],
  ['a list of shapes', { list: [{ id: 1 }, { id: 2 }] }, record],
  ['is any', { is: 'any' }, 0],
  ['is absent', { none: { is: 'absent' } }, record],
  ['is null', { authCode: { is: 'null' } }, record],
  ['is text', { is: 'text' }, ''],
  ['is number', { is: 'number' }, 1],
  ['is list', { is: 'list' }, []],
  ['is object', { is: 'object' }, {}],
  ['gt and lt together', { transactionAmount: { gt: '51.99 USD', lt: 5201 } }, record],
  ['gte and lte', { gte: 3, lte: 3 }, 3],
  ['a comparison with digits in a text', { gte: 1 }, '2'],
  ['matches', { matches: '^\\d{6}$' }, '000123'],
  ['contains a text', { contains: '12' }, '000123'],
  ['contains an entry', { list: { contains: { name: 'a' } } }, record],
  ['length', { list: { length: 2 } }, record],
  ['length in a comparison', { length: { gt: 1 } }, 'ab'],
  ['not', { not: 'F' }, 'S'],
  ['not a shape', { not: { id: 2 } }, { id: 1 }],
])('an expectation matches: %s', (_, expected, actual) => expect(differences(expected, actual)).toEqual([]))

test('an amount in another currency than the answer names, also in a comparison and in an inner object', () => {
  const answer = { priceCurrency: 'USD', transactionAmount: 1250, parts: [{ tipAmount: 100 }] }
  expect(differences({ transactionAmount: '12.50 USD', parts: [{ tipAmount: '1.00 USD' }] }, answer)).toEqual(
    [],
  )
  expect(
    differences({ transactionAmount: '12.50 EUR', parts: [{ tipAmount: { gte: '1.00 EUR' } }] }, answer),
  ).toMatchObject([
    { expected: '"12.50 EUR"', actual: '"12.50 USD"' },
    { expected: '≥ "1.00 EUR"', actual: '"1.00 USD"' },
  ])
})

test.each([
  ['a value', 'S', 'F', { path: [], expected: '"S"', actual: '"F"' }],
  ['a member', { a: { b: 1 } }, { a: { b: 2 } }, { path: ['a', 'b'], expected: '1', actual: '2' }],
  ['an absent member', { a: 1 }, {}, { path: ['a'], expected: '1', actual: 'absent' }],
  ['an inherited member', { toString: { is: 'absent' }, a: 1 }, { a: 2 }, { path: ['a'] }],
  ['null is not absent', { a: null }, {}, { path: ['a'], expected: 'null', actual: 'absent' }],
  ['absent is not null', { is: 'absent' }, null, { actual: 'null' }],
  ['any is not null', { is: 'any' }, null, { expected: 'is "any"' }],
  ['zeros that YAML drops', { rrn: 123 }, record, { path: ['rrn'], expected: '123', actual: '"000123"' }],
  ['text is not a number', '5', 5, { expected: '"5"', actual: '5' }],
  ['another amount', '52.01 USD', 5200, { expected: '"52.01 USD"', actual: '"52.00 USD"' }],
  ['a lesser amount', { gt: '52.01 USD' }, 5200, { expected: '> "52.01 USD"', actual: '"52.00 USD"' }],
  ['a longer list', [1], [1, 2], { expected: '1 entries: [1]', actual: '2: [1,2]' }],
  ['an entry', [{ id: 1 }], [{ id: 2 }], { path: [0, 'id'] }],
  ['no list', [1], 1, { expected: '[1]', actual: '1' }],
  ['no object', { a: 1 }, 'x', { path: [], actual: '"x"' }],
  ['gt', { gt: 5 }, 5, { path: ['gt'], expected: '> 5', actual: '5' }],
  ['gt of what is not a number', { gt: 5 }, 'many', { actual: '"many"' }],
  ['lte', { lte: 5 }, 6, { expected: '≤ 5' }],
  ['matches', { matches: '^a' }, 'b', { expected: 'matches "^a"' }],
  ['contains', { contains: { id: 3 } }, [{ id: 1 }], { path: ['contains'] }],
  ['length', { length: 1 }, [1, 2], { expected: 'length 1', actual: '2' }],
  ['not', { not: 'S' }, 'S', { expected: 'not "S"', actual: '"S"' }],
])('a difference is reported with its place: %s', (_, expected, actual, difference) =>
  expect(differences(expected, actual)).toMatchObject([difference]),
)

test('a long value is cut in a difference, and a comparison beside other members is a member of a shape', () => {
  const [difference] = differences('a', 'b'.repeat(5_000))
  expect(difference?.actual.length).toBeLessThan(500)
  expect(differences({ gt: 1, id: 2 }, { id: 2 })).toMatchObject([{ path: ['gt'], actual: 'absent' }])
})

test('a status matches its word, its name in the service and its letter', () => {
  for (const name of ['approved', 'SUCCESS', 'S', 's']) {
    expect(isStatus(name, 'S')).toBe(true)
    expect(isStatus(name, 'SUCCESS')).toBe(true)
    expect(isStatus(name, 'F')).toBe(false)
  }
  expect(isStatus('pending', 'P')).toBe(true)
  expect(isStatus('approved', undefined)).toBe(false)
})
