import { describe, expect, test } from 'vitest'
import {
  EmptyReference,
  referencesIn,
  withReferences,
} from '../../../src/testing/scenario/file/references.ts'
import {
  moneyIn,
  WrongAmount,
  withMinorUnits,
  wrongAmountsIn,
} from '../../../src/testing/scenario/file/written-amounts.ts'

describe('assumption written-amounts: amounts of a scenario', () => {
  test.each([
    ['10.00 USD', 1000, 'USD'],
    ['10.000 KWD', 10_000, 'KWD'],
    ['10 JPY', 10, 'JPY'],
    [{ minor: 1000 }, 1000, undefined],
  ])('the amount %j is %i minor units', (given, amount, currency) =>
    expect(moneyIn(given)).toEqual({ amount, currency }),
  )

  test.each(['10.00', 'USD', '', 'ten USD', 1000, null, '10.00 usd', { minor: 1, currency: 'USD' }])(
    '%j is not an amount',
    (given) => expect(moneyIn(given)).toBeUndefined(),
  )

  test.each(['10 USD', '10.001 USD', '10.00 JPY', '1.2.3 USD', '10.00 XXQ'])(
    'the amount %s is refused',
    (text) => expect(() => moneyIn(text)).toThrow(WrongAmount),
  )

  test.each([
    [{ sale: { amount: 1000 } }, '1000 has no currency. Write 1000.00 USD, or { minor: 1000 } for 10.00 USD'],
    [{ sale: { amount: '10.00' } }, '10.00 has no currency. Write 10.00 USD'],
    [
      { sale: { productList: [{ amount: 5 }] } },
      '5 has no currency. Write 5.00 USD, or { minor: 5 } for 0.05 USD',
    ],
    [{ sale: { amount: '10 USD' } }, '10 could be 10.00 or 0.10 USD. Write 10.00 USD, or { minor: 10 }'],
  ])('the amount in %j is refused with how to write it', (step, reason) =>
    expect(wrongAmountsIn(step).map((each) => each.reason)).toEqual([reason]),
  )

  test('zero, minor units and other numbers need no currency', () =>
    expect(wrongAmountsIn({ amount: { minor: 5 }, tipAmount: 0, count: 7 })).toEqual([]))

  test('a request has its amounts in minor units, with a currency if it takes one', () => {
    const ten = { amount: '10.00 USD' }
    const more = { tipAmount: '1.50 USD', description: '2.00 USD' }
    const read = { amount: 1000, tipAmount: 150, description: '2.00 USD', priceCurrency: 'USD' }
    expect(withMinorUnits('sale', { ...ten, ...more })).toEqual(read)
    expect(withMinorUnits('tip-adjust', { tipAmount: '1.50 USD' })).toEqual({ tipAmount: 150 })
    const inEuro = { amount: { orderAmount: 1000, priceCurrency: 'EUR' } }
    expect(withMinorUnits('sale', { amount: { orderAmount: '10.00 EUR' } })).toEqual(inEuro)
    const inDollars = { amount: 1000, priceCurrency: 'USD' }
    expect(withMinorUnits('sale', { ...ten, priceCurrency: 'USD' })).toEqual(inDollars)
    for (const amount of ['10.00 USD', { orderAmount: '10.00 USD', priceCurrency: 'EUR' }])
      expect(() => withMinorUnits('sale', { amount, priceCurrency: 'EUR' })).toThrow('USD and EUR')
    expect(withMinorUnits('sale', { amount: { minor: -1 } })).toEqual({ amount: -1 })
    const products = { productList: [{ amount: 450, num: 2 }], priceCurrency: 'USD' }
    const written = { productList: [{ amount: '4.50 USD', num: 2 }] }
    expect(withMinorUnits('create-session', written)).toEqual(products)
    const both = 'USD and EUR'
    expect(() => withMinorUnits('sale', { amount: '10.00 USD', tipAmount: '1.00 EUR' })).toThrow(both)
  })
})

const captured = new Map<string, unknown>([
  ['sale', { transactionId: '17', list: [{ id: 'a' }], amount: 5 }],
  ['case', { name: 'first' }],
])
const braced = (text: string) => `$\{${text}}`

test('references are replaced in lists and objects, and the rest stays as it is', () => {
  const value = {
    list: [{ id: '$sale.transactionId' }, 1, null],
    text: `order ${braced('case.name')}`,
    flag: true,
  }
  const filled = { list: [{ id: '17' }, 1, null], text: 'order first', flag: true }
  expect(withReferences(value, captured)).toEqual(filled)
})

test.each([
  ['$sale.amount', 5],
  [`${braced('sale.amount')} pieces`, '5 pieces'],
  ['$sale.list.0.id', 'a'],
  ['$5.00', '$5.00'],
  ['cost $sale', 'cost $sale'],
])('the text %s becomes %j', (text, value) => expect(withReferences(text, captured)).toEqual(value))

test.each([
  ['$none', '$none is not there: its step did not run'],
  ['$sale.none', '$sale has no none; it has transactionId, list, amount'],
  ['$sale.toString', '$sale has no toString'],
  ['$sale.amount.more', '$sale.amount has no more'],
])('the reference %s is refused with the reason', (text, why) => {
  expect(() => withReferences(text, captured)).toThrow(EmptyReference)
  expect(() => withReferences(text, captured)).toThrow(why)
})

test('references are found with their places', () => {
  expect(referencesIn({ a: ['x', '$one.two'], b: braced('three') })).toEqual([
    { name: 'one', rest: ['two'], path: ['a', 1] },
    { name: 'three', rest: [], path: ['b'] },
  ])
})
