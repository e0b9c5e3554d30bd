import { describe, expect, test } from 'vitest'
import { availableBalance } from '../../../src/domain/model/totals.ts'
import { amountOf } from '../../../src/domain/model/transaction.ts'
import { on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

describe('tip adjust', () => {
  test('api operation-1-9: an adjustment replaces the tip of a sale, a forced auth and a post auth', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const originals = [
      till.open(saleOf(1000, { tipAmount: 100 })),
      till.open(payment('forced-auth', 1000, { tipAmount: 100 })),
      till.open(on('post-auth', auth, { amount: 1000, tipAmount: 100 })),
    ]
    for (const original of originals) {
      const events = till.do(on('tip-adjust', original, { tipAmount: 250 }))
      expect(events.map(({ type }) => type)).toEqual(['tip-adjusted'])
      expect([original.tip, amountOf(original), original.status]).toEqual([250, 1250, 'SUCCESS'])
    }
    expect(till.ledger.transactions.size).toBe(4)
  })

  test('the balance and the batch follow an adjusted tip, up and down', () => {
    const till = new Till(0)
    const sale = till.open(saleOf(1000, { tipAmount: 100 }))
    const [batch] = till.ledger.batches.values()
    for (const tipAmount of [300, 0, 50]) {
      till.do(on('tip-adjust', sale, { tipAmount }))
      expect(batch).toMatchObject({ count: 1, net: 1000 + tipAmount, tip: tipAmount })
      expect(availableBalance(till.ledger, 'USD')).toBe(1000 + tipAmount)
    }
  })

  test('a refund can return the adjusted tip, and no more', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 100 }))
    till.do(on('tip-adjust', sale, { tipAmount: 300 }))
    expect(till.refusal(on('refund', sale, { amount: 1000, tipAmount: 301 })).code).toBe('SBX_OVER_REFUND')
    expect(till.open(on('refund', sale, { amount: 1000, tipAmount: 300 })).status).toBe('SUCCESS')
  })

  test('an adjusted tip may not raise the transaction amount above 10^12', () => {
    const [till, sale] = tillWith(saleOf(1e12 - 10, { tipAmount: 5 }))
    till.refuses(on('tip-adjust', sale, { tipAmount: 11 }), 'C17 tipAmount')
    till.do(on('tip-adjust', sale, { tipAmount: 10 }))
    expect(amountOf(sale)).toBe(1e12)
  })
})
