import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  type AmountRange,
  asManyAsPossible,
  endsBeforeItBegins,
  isWithin,
  mostListed,
  onlineTerminal,
  readAmountRange,
  readMajorUnits,
  wantedTransactions,
} from '../../src/contract/control/transaction-list.ts'
import { parseStatuses } from '../../src/contract/statuses.ts'

describe('the words of filters', () => {
  test.each([
    ['approved', ['SUCCESS']],
    ['Declined', ['FAIL']],
    ['closed', ['CLOSED']],
    ['pending', ['INITIAL', 'PROCESSING']],
    ['failed', undefined],
    ['success', ['SUCCESS']],
    ['p', ['PROCESSING']],
    ['approved, C', ['SUCCESS', 'CLOSED']],
    ['', undefined],
    ['approved,', undefined],
    ['great', undefined],
  ])('the status filter %j is read as its statuses or is refused', (text, statuses) =>
    expect(parseStatuses(text)).toEqual(statuses),
  )

  test.each([
    ['1000', 1000, true],
    ['1000', 1001, false],
    ['10.00', 1000, true],
    ['10', 1000, false],
    ['10.00..', 99_999, true],
    ['..10.00', 1001, false],
    ['10.00..', 1000, true],
    ['10.00..', 999, false],
    ['..10.00', 1000, true],
    ['5.00..1500', 1400, true],
    ['5.00..1500', 1501, false],
    ['5.00..1500', 499, false],
    ['0', 0, true],
    ['1.2345', 1, false],
    ['999999999999999', 999_999_999_999_999, true],
  ])('the amount range %j includes or excludes %d', (text, amount, isIn) => {
    expect(isWithin(readAmountRange(text) as AmountRange, amount, 2)).toBe(isIn)
  })

  test.each([
    ['20.00..10.00', true],
    ['2000..1000', true],
    ['10.00..10.00', false],
    ['20.00..1000', false],
    ['20.00..', false],
    ['..10.00', false],
  ])('whether the amount range %j ends before it begins: %j', (text, ends) => {
    expect(endsBeforeItBegins(readAmountRange(text) as AmountRange)).toBe(ends)
  })

  test('an amount with a point is in major units, whatever the decimals of the currency', () => {
    const { from, to } = readAmountRange('10.00..20') ?? {}
    expect([from?.units, from?.value, to?.units, to?.value]).toEqual(['major', 10, 'minor', 20])
    const range = readAmountRange('10.0') as AmountRange
    const within = [true, true, false]
    expect([isWithin(range, 10, 0), isWithin(range, 10_000, 3), isWithin(range, 1000, 3)]).toEqual(within)
  })

  test.each([
    '',
    '..',
    '...',
    '.',
    '1.',
    '.5',
    '10,00',
    '-1',
    '1..2..3',
    'ten',
    '1x',
    'x1',
    '1000 2000',
    '1.23456',
    '1'.repeat(16),
  ])('%j is not an amount', (text) => expect(readAmountRange(text)).toBeUndefined())

  test.each([
    ['10', 10],
    ['10.5', 10.5],
    ['1.2345', 1.2345],
    ['1.23456', undefined],
    ['1.', undefined],
    ['10..20', undefined],
    ['', undefined],
  ])('as an amount in major units, %j is %d', (text, value) => {
    expect(readMajorUnits(text)?.value).toBe(value)
  })
})

test.each([
  ['status', 'approved,C', true],
  ['status', 'great', false],
  ['type', 'capture', true],
  ['type', 'gift', false],
  ['amount', '10.00..', true],
  ['amount', 'ten', false],
  ['limit', String(mostListed), true],
  ['limit', String(mostListed + 1), false],
  ...['0', '-1', 'x1', '1x', ''].map((limit) => ['limit', limit, false] as const),
  ['limit', '1', true],
  ['last4', '4242', true],
  ...['424', '42424', 'x424', '424x'].map((last4) => ['last4', last4, false] as const),
  ['amount', '20.00..10.00', false],
  ['amount', '20.00..10', true],
  ['since', '2026-01-31T12:00:00Z', true],
  ['since', 'yesterday', false],
  ['terminal', onlineTerminal, true],
  ['terminal', '', false],
] as const)('assumption list-filters: the filter %s accepts %j: %s', (member, value, isTaken) => {
  expect(safeParse(wantedTransactions[member], value).success).toBe(isTaken)
})

test('as many as possible is the limit of a list', () => {
  expect(asManyAsPossible).toEqual({ limit: String(mostListed) })
})
