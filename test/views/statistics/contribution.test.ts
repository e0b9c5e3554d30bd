import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { sharedContributions } from '../../../src/views/statistics/contribution.ts'

const sold = (more: Partial<Transaction>) =>
  ({
    type: 'SALE',
    status: 'SUCCESS',
    currency: 'USD',
    order: 1000,
    tip: 0,
    tax: 0,
    surcharge: 0,
    cashback: 0,
    followUps: null,
    outcome: 'approve',
    ...more,
  }) as Transaction

test('equal contributions are one object, and each has the values of its transaction', () => {
  const shared = sharedContributions()
  const kinds = [
    sold({}),
    sold({ order: 1001 }),
    sold({ currency: 'EUR' }),
    sold({ type: 'REFUND' }),
    sold({ status: 'FAIL', outcome: 'do-not-honor' }),
    sold({ followUps: { voided: true } as Transaction['followUps'] }),
  ]
  const first = kinds.map(shared)
  expect(first).toEqual(kinds.map((kind) => sharedContributions()(kind)))
  expect(new Set(first).size).toBe(kinds.length)
  for (const [index, kind] of kinds.entries()) expect(shared({ ...kind })).toBe(first[index])
})

test('only some contributions of many amounts are shared, and others are right, too', () => {
  const shared = sharedContributions()
  for (let order = 0; order < 10_000; order++) shared(sold({ order }))
  const last = sold({ order: 10_000 })
  expect(shared(last)).toEqual(sharedContributions()(last))
  expect(shared(last)).not.toBe(shared(last))
})
