import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { controls } from '../../src/contract/control/controls/controls.ts'
import type { Refusal } from '../../src/contract/errors.ts'
import { mayBeFraction } from '../../src/contract/fields.ts'
import { operations } from '../../src/contract/operations.ts'
import { validate, validateRequest } from '../../src/contract/validate.ts'

const sale = { amount: 1000, priceCurrency: 'USD', transactionRequestId: 'R-1' }
const voiding = { originalTransactionId: '1', transactionRequestId: 'R-1' }

const saleOf = (members: object, strict = false) =>
  validateRequest(operations.sale, { ...sale, ...members }, strict)

/** Field and reason of a refusal, in a line. */
function wrong(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    const { code, field, detail } = error as Refusal
    expect(code).toBe('C17')
    return `${field} ${detail}`
  }
  throw new Error('it was taken')
}

describe('assumption field-reading: values that count as left out', () => {
  test.each([null, ''])('%j counts as left out at every depth', (empty) => {
    const paymentMethod = { category: 'CARD', id: empty }
    const suggestions = [{ feeMode: empty, values: [15] }, { values: empty }]
    const { input, notes } = saleOf({ description: empty, paymentMethod, tipConfig: { suggestions } })
    expect(input).toEqual({
      ...sale,
      paymentMethod: { category: 'CARD' },
      tipConfig: { suggestions: [{ values: [15] }, {}] },
    })
    expect(notes).toEqual([])
  })

  test.each([null, '', undefined])('a required member that is %j is refused as missing', (empty) => {
    expect(wrong(() => saleOf({ transactionRequestId: empty }))).toBe('transactionRequestId is required')
    expect(wrong(() => saleOf({ amount: { orderAmount: empty } }))).toBe('amount.orderAmount is required')
  })

  test('a required member that was mistyped is named, because a refusal has no notes', () => {
    const { amount, ...rest } = sale
    const refused = wrong(() => validateRequest(operations.sale, { ...rest, Amount: amount, zzz: 1 }, false))
    expect(refused).toBe('amount is required; Amount is an unknown field; did you mean amount?')
    expect(wrong(() => saleOf({ amount: { orderAmout: 1 } }))).toBe(
      'amount.orderAmount is required; amount.orderAmout is an unknown field; did you mean amount.orderAmount?',
    )
  })

  test('the request itself is never changed', () => {
    const body = { ...sale, paymentMethod: { category: 'CARD', id: '' } }
    const before = structuredClone(body)
    validateRequest(operations.sale, body, true)
    expect(body).toEqual(before)
  })

  test('objects in a list and lists of texts are kept', () => {
    const productList = [{ name: 'Tea', amount: 1000, num: 1, note: '' }]
    const { input } = validateRequest(operations['create-session'], { ...sale, productList }, false)
    expect(input.productList).toEqual([{ name: 'Tea', amount: 1000, num: 1 }])
    const names = { names: ['A', 'B'], values: [1, 2] }
    expect(saleOf({ tipConfig: { suggestions: names } }).input.tipConfig?.suggestions).toEqual(names)
  })
})

describe('api ids-2: a member that the specification forbids', () => {
  test('a forbidden member is refused with or without strict', () => {
    const body = { ...voiding, referenceOrderId: 'ORDER-1' }
    for (const strict of [true, false]) {
      const refused = wrong(() => validateRequest(operations.void, body, strict))
      expect(refused).toMatch(/^referenceOrderId .*originalTransactionId/)
    }
  })

  test.each([null, '', undefined])('a forbidden member that is %j counts as left out', (referenceOrderId) => {
    const { notes } = validateRequest(operations.void, { ...voiding, referenceOrderId }, true)
    expect(notes).toEqual([])
  })
})

describe('assumption field-reading: unknown members', () => {
  test('unknown members are noted with the member that was probably meant', () => {
    const { notes } = saleOf({ refrenceOrderId: 'ORDER-1', paymentMethod: { categry: 'CARD' }, zzz: 1 })
    expect(notes).toEqual([
      'refrenceOrderId: is an unknown field; did you mean referenceOrderId?',
      'paymentMethod.categry: is an unknown field; did you mean paymentMethod.category?',
      'zzz: is an unknown field',
    ])
  })

  test('the first unknown member is refused when strict', () => {
    expect(wrong(() => saleOf({ zzz: 1, yyy: 1 }, true))).toBe('zzz is an unknown field')
  })

  test.each([null, undefined])('an unknown member that is %j counts as left out, even if strict', (value) => {
    expect(saleOf({ zzz: value, paymentMethod: { zzz: value } }, true).notes).toEqual([])
  })

  test('unknown members of objects in a list are noted, and refused when strict', () => {
    const members = {
      tipConfig: { suggestions: [{ values: [15] }, { vals: [15] }] },
      amount: { orderAmount: 1, tipConfig: { suggestions: { zzz: 1 } } },
    }
    expect(saleOf(members).notes).toEqual([
      'amount.tipConfig.suggestions.zzz: is an unknown field',
      'tipConfig.suggestions.1.vals: is an unknown field; did you mean tipConfig.suggestions.1.values?',
    ])
    const productList = [{ name: 'Tea', amount: 1000, num: 1, nam: 'x' }]
    expect(wrong(() => validateRequest(operations['create-session'], { ...sale, productList }, true))).toBe(
      'productList.0.nam is an unknown field; did you mean productList.0.name?',
    )
  })

  test('at most ten unknown members are named, long names are shortened, and an empty name is quoted', () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`${index}`.repeat(70), 1]))
    const { notes } = saleOf(many)
    expect(notes).toHaveLength(10)
    expect(notes[0]).toBe(`${'0'.repeat(64)}: is an unknown field`)
    expect(saleOf({ zzz: { more: '' }, yyy: [] }).notes).toHaveLength(2)
    expect(saleOf({ '': 1 }).notes).toEqual(['"": is an unknown field'])
  })

  test('a member with a name that every object has is unknown too', () => {
    expect(saleOf({ toString: 1 }).notes).toHaveLength(1)
    expect(saleOf({ constructor: {} }).notes).toHaveLength(1)
  })

  test('a list in place of an object is refused, unless the member accepts either', () => {
    expect(wrong(() => saleOf({ paymentMethod: [] }))).toBe('paymentMethod must be an object, but is a list')
    expect(wrong(() => saleOf({ amount: [] }))).toBe('amount must be an object, but is a list')
    const list = 'amount.tipConfig must be an object, but is a list'
    expect(wrong(() => saleOf({ amount: { orderAmount: 1, tipConfig: [] } }))).toBe(list)
    const inner = 'tipConfig.suggestions.0 must be an object, but is a list'
    expect(wrong(() => saleOf({ tipConfig: { suggestions: [[]] } }))).toBe(inner)
    expect(saleOf({ tipConfig: { suggestions: [] } }).notes).toEqual([])
  })

  test('a text in place of an object is refused by the rule of the member', () => {
    for (const strict of [true, false])
      expect(wrong(() => saleOf({ paymentMethod: 'CARD' }, strict))).toBe('paymentMethod must be an object')
  })
})

describe('a rule that is broken', () => {
  test.each([
    [{ amount: -1 }, 'amount', 'must be at least 0'],
    [{ amount: 1.5 }, 'amount', 'must be an integer in minor units'],
    [{ amount: 'x', priceCurrency: 'XYZ' }, 'amount', 'must be an integer in minor units'],
    [{ priceCurrency: 'usd' }, 'priceCurrency', 'must be an active ISO 4217 code in capitals, such as USD'],
    ...[{ names: ['A'], values: [1, 2] }, { names: ['A'] }].map((suggestions): [object, string, string] => [
      { tipConfig: { suggestions } },
      'tipConfig.suggestions.names',
      'must have as many entries as values, or none',
    ]),
    ...[
      { values: [1000.1] },
      { values: [1001] },
      { feeMode: 'AMOUNT', values: [1_000_000_000_001] },
      { feeMode: 'AMOUNT', values: [100, 1.5] },
    ].map((suggestions): [object, string, string] => [
      { tipConfig: { suggestions } },
      'tipConfig.suggestions.values',
      'must be at most 1000 percent, or integers up to 1000000000000 as amounts',
    ]),
  ])('%j is refused by the first broken rule', (members, field, detail) => {
    expect(wrong(() => saleOf(members))).toBe(`${field} ${detail}`)
  })

  test.each([
    { values: [1000] },
    { values: null },
    { names: null, values: [1] },
    { feeMode: 'AMOUNT', values: [1_000_000_000_000] },
    { values: [1, 2] },
    { names: ['A', 'B'], values: [1, 2] },
    { names: [], values: [1] },
    {},
  ])('suggestions %j are accepted', (suggestions) => {
    expect(saleOf({ tipConfig: { suggestions } }).notes).toEqual([])
  })
})

test.each([
  ['tipConfig.suggestions.values.0', true],
  ['amount.tipConfig.suggestions.12.values.10', true],
  ['suggestions.values.0.more', false],
  ['suggestions.x.values.0', false],
  ['suggestions.values', false],
  ['amount', false],
])('the number at %s may be a fraction: %s', (path, may) => expect(mayBeFraction(path)).toBe(may))

describe('a request of the control interface', () => {
  const row = {
    input: v.object({ name: v.string('must be a string'), inner: v.nullish(v.object({ one: v.string() })) }),
  }

  test('a valid request is returned unchanged', () => {
    expect(validate(row, { name: '' })).toEqual({ name: '' })
  })

  test('unknown members are refused, even inside another member', () => {
    const said = 'nmae is an unknown field; did you mean name?'
    expect(wrong(() => validate(row, { name: 'A', nmae: 1 }))).toBe(said)
    expect(wrong(() => validate(row, { name: 'A', inner: { two: 1 } }))).toMatch(/^inner\.two /)
  })

  test('a wrong or missing member is named', () => {
    expect(wrong(() => validate(row, { name: 1 }))).toBe('name must be a string')
    expect(wrong(() => validate(row, {}))).toBe('name is required')
  })

  test.each([
    [999, 'must be at least 1s'],
    [3661 * 86_400_000, 'must be at most 3660d'],
    [1.5, 'must be an integer in milliseconds'],
  ])('a limit in milliseconds is given with its unit: %d', (ttlMs, why) => {
    const token = { name: 'ci', scope: 'admin', ttlMs }
    expect(wrong(() => validate(controls['create-token'], token))).toBe(`ttlMs ${why}`)
  })

  test('a broken rule of the whole request names the field body', () => {
    const input = v.pipe(
      row.input,
      v.check(() => false, 'is wrong as a whole'),
    ) as unknown as typeof row.input
    expect(wrong(() => validate({ input }, { name: 'A' }))).toBe('body is wrong as a whole')
  })
})

test('assumption field-limits: 128 characters beyond the basic plane fit a description, and 129 do not', () => {
  const smile = '\u{1f600}'
  expect(saleOf({ description: smile.repeat(128) }).notes).toEqual([])
  const reason = 'must have at most 128 characters'
  expect(wrong(() => saleOf({ description: smile.repeat(129) }))).toBe(`description ${reason}`)
  expect(wrong(() => saleOf({ description: `${'x'.repeat(128)}${smile}` }))).toBe(`description ${reason}`)
})
