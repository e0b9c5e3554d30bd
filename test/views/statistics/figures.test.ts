import { expect, test } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { figuresOf } from '../../../src/views/statistics/figures.ts'
import type { OwnedTransaction } from '../../../src/views/transaction-text.ts'

const payment = {
  type: 'SALE',
  status: 'SUCCESS',
  currency: 'USD',
  order: 1000,
  createdAt: 0,
  outcome: 'approve',
}

test.each([
  ['a sale', {}, { success: 1, 'payments USD': 1, 'taken USD': 1000 }],
  ['another currency', { currency: 'EUR' }, { success: 1, 'payments EUR': 1, 'taken EUR': 1000 }],
  ['a refund', { type: 'REFUND' }, { success: 1, 'payments USD': 1, 'refunded USD': 1000 }],
  ['a hold', { type: 'AUTH' }, { success: 1 }],
  ['an open one', { status: 'INITIAL' }, { open: 1, 'payments USD': 1 }],
  ['a voided one', { followUps: { voided: true } }, { success: 1, 'payments USD': 1 }],
  [
    'a declined one',
    { status: 'FAIL', outcome: 'do-not-honor' },
    { fail: 1, 'declined do-not-honor': 1, 'payments USD': 1 },
  ],
])('what the figures count of %s', (_, more, figures) => {
  const parts = { tip: 0, tax: 0, surcharge: 0, cashback: 0, followUps: null }
  const transaction = { ...payment, ...parts, ...more } as Transaction
  expect(Object.fromEntries(figuresOf([{ transaction } as OwnedTransaction]).all)).toEqual(figures)
})
