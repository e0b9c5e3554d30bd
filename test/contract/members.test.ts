import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { epochMs as timeOf } from '../../src/contract/answer-kinds.ts'
import { exponentOf, formatAmount, isCurrency } from '../../src/contract/currencies.ts'
import { Refusal, reject } from '../../src/contract/errors.ts'
import { fields } from '../../src/contract/fields.ts'
import {
  currency,
  exists,
  httpUrl,
  isMoment,
  isoTime,
  memberHelp,
  notReserved,
  oneOf,
  optional,
  unwrap,
} from '../../src/contract/member-kinds.ts'
import { commandArgument } from '../../src/contract/operation-members.ts'

const takes = (schema: v.GenericSchema, value: unknown): boolean => v.safeParse(schema, value).success

describe('a moment', () => {
  test.each([
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.1Z',
    '2026-01-31T12:00:00.123456789Z',
    '2026-01-31T12:00:00+01:00',
    '2026-01-31T12:00:00-0530',
    '2024-02-29T00:00:00Z',
  ])('%s is a moment', (text) => expect([isMoment(text), takes(isoTime('When'), text)]).toEqual([true, true]))

  test.each([
    '2026-01-31T12:00:00',
    '2026-01-31',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00.1234567890Z',
    '2026-01-31T12:00:00+1',
    '26-01-31T12:00:00Z',
    'x2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Zx',
    '2026-01-31T12:00:00Z(x)',
    '2026-11-31T12:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T25:00:00Z',
    '',
  ])('%j is not a moment', (text) =>
    expect([isMoment(text), takes(isoTime('When'), text)]).toEqual([false, false]),
  )

  test('the day of a moment must exist in the calendar', () => {
    const existing = [true, false, false, true]
    expect(['2026-11-30', '2026-11-31', 'never', '2026-02-28T23:59:59Z'].map(exists)).toEqual(existing)
  })

  test('a moment in an answer is within the range of a date', () => {
    const times = [8.64e15, -8.64e15, 8.64e15 + 2, -8.64e15 - 2, '0']
    expect(times.filter((value) => takes(timeOf, value))).toEqual([8.64e15, -8.64e15])
  })
})

describe('a URL', () => {
  test.each(['http://127.0.0.1', 'https://merchant.test/hook?a=1', 'HTTPS://merchant.test'])(
    '%s is an http or https URL',
    (text) => {
      expect(takes(httpUrl('Where'), text)).toBe(true)
    },
  )

  test.each([
    'ftp://a.test',
    'http://',
    'http:/a',
    'http://a b',
    'http://a.test/a b',
    ' http://a.test',
    'a.test',
    'xhttp://a.test',
    'http://[',
    1,
  ])('%j is not an http or https URL', (text) => expect(takes(httpUrl('Where'), text)).toBe(false))
})

describe('the schema of a member', () => {
  test('an optional member may be null or left out', () => {
    const schema = optional(fields.referenceOrderId)
    const taken = [undefined, null, 'ORDER-1', 1].filter((value) => takes(schema, value))
    expect(taken).toEqual([undefined, null, 'ORDER-1'])
    for (const each of [schema, fields.referenceOrderId]) expect(unwrap(each)).toBe(fields.referenceOrderId)
  })

  test('a member has its help whether it is optional or not', () => {
    expect(memberHelp(fields.priceCurrency)).toBe('Currency, an ISO 4217 code')
    expect(memberHelp(currency)).toBe('Currency, an ISO 4217 code')
    expect(memberHelp(v.string())).toBe('')
  })

  test.each([
    ['ORDER_1-|*\\', true],
    ['x'.repeat(32), true],
    ['x'.repeat(33), false],
    ['ORDER', false],
    ['ORDER 1', false],
    ['ORDER-1 ', false],
    [' ORDER-1', false],
  ])('referenceOrderId accepts %j: %s', (text, fits) =>
    expect(takes(fields.referenceOrderId, text)).toBe(fits),
  )
})

test.each(['prototype', 'constructor', '__proto__', 'toString'])(
  '%s, which JavaScript reserves, names nothing',
  (name) => expect(takes(v.pipe(v.string(), notReserved), name)).toBe(false),
)

test('a word that is not known is refused with those that are', () => {
  const said = (options: readonly string[]) => v.safeParse(oneOf('Help', options), 'x').issues?.[0].message
  expect([said(['a', 'b']), said(['a', 'b', 'c'])]).toEqual(['must be a or b', 'must be one of a, b, c'])
})

describe('the table of operations', () => {
  test.each([
    ['void', 'originalTransactionId', 'transactionId'],
    ['expire-session', 'sessionId', 'sessionId'],
    ['query', 'transactionId', 'transactionId'],
  ] as const)('%s takes %s as its argument %s', (operation, member, name) =>
    expect(commandArgument(operation)).toMatchObject({ member, name }),
  )

  test('an operation on no transaction has no argument', () =>
    expect(commandArgument('sale')).toBeUndefined())
})

describe('currencies', () => {
  test.each([
    ['USD', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['usd', undefined],
    ['XXX', undefined],
    ['', undefined],
  ])('%j has %s decimals', (code, decimals) => {
    expect([exponentOf(code), isCurrency(code)]).toEqual([decimals, decimals !== undefined])
  })

  test.each([
    [1000, 'USD', '10.00'],
    [5, 'USD', '0.05'],
    [-1000, 'USD', '-10.00'],
    [-5, 'JPY', '-5'],
    [0, 'JPY', '0'],
    [1, 'KWD', '0.001'],
    [7, 'XXX', '7'],
  ])('%i minor units of %s are written as %s', (amount, code, text) =>
    expect(formatAmount(amount, code)).toBe(text),
  )
})

describe('a refusal', () => {
  test('a refusal has the texts of the table unless it is given its own', () => {
    const plain = new Refusal('SBX_REFUNDED')
    const expected = ['Transaction already fully refunded', 'Check the refund history', false, [], undefined]
    expect([plain.message, plain.remedy, plain.replayed, plain.others, plain.status]).toEqual(expected)
    const own = { message: 'M', remedy: 'R', status: 418, replayed: true, detail: 'D' }
    expect(new Refusal('SBX_REFUNDED', own)).toMatchObject(own)
  })

  test.each([
    [{ field: 'amount', detail: 'is required' }, 'amount: is required'],
    [{ detail: 'is required' }, 'body: is required'],
    [{ field: 'amount' }, 'amount: is wrong'],
  ])('C17 with %j has the message %s', (detail, message) => {
    expect(() => reject('C17', detail)).toThrow(message)
    expect(new Refusal('C17', detail).message).toBe(message)
  })

  test('a refusal has the error that caused it', () => {
    const cause = new Error('no space left')
    expect(new Refusal('SBX_STORE_FAIL', { cause }).cause).toBe(cause)
    expect('cause' in new Refusal('SBX_STORE_FAIL')).toBe(false)
  })

  test('a refusal with others keeps its own members', () => {
    const other = new Refusal('SBX_TIME_MISSING')
    const detail = { field: 'F', detail: 'D', remedy: 'R', status: 400, message: 'M', replayed: true }
    const all = { ...detail, code: 'SBX_AUTH_MISSING', others: [other] }
    expect(new Refusal('SBX_AUTH_MISSING', detail).with([other])).toMatchObject(all)
  })
})
