import { describe, expect, test } from 'vitest'
import { availableBalance } from '../../../src/domain/model/totals.ts'
import { amountOf } from '../../../src/domain/model/transaction.ts'
import { freeRefund, on, payment, saleOf, Till } from '../../support/domain/ledger.ts'

describe('tip adjust', () => {
  test('api operation-1-9: an adjustment replaces the tip of a sale, a forced auth and a post auth', () => {
    const till = new Till()
    const auth = till.open(payment('auth', 1000))
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
    const till = new Till()
    const sale = till.open(saleOf(1000, { tipAmount: 100 }))
    till.do(on('tip-adjust', sale, { tipAmount: 300 }))
    expect(till.refusal(on('refund', sale, { amount: 1000, tipAmount: 301 })).code).toBe('SBX_OVER_REFUND')
    expect(till.open(on('refund', sale, { amount: 1000, tipAmount: 300 })).status).toBe('SUCCESS')
  })

  test('a tip of any other type cannot be adjusted', () => {
    const till = new Till()
    const auth = till.open(payment('auth', 1000))
    const more = till.open(on('incremental-auth', auth, { amount: 1 }))
    const sale = till.open(saleOf(1000))
    const voided = till.open(on('void', sale))
    for (const original of [auth, more, voided, till.open(freeRefund(1))])
      expect(till.refusal(on('tip-adjust', original, { tipAmount: 1 })).code).toBe('SBX_WRONG_TYPE')
  })

  test('the tip of a transaction that is not completed cannot be adjusted', () => {
    const till = new Till()
    const originals = [
      till.open(saleOf(1000, {}, 'do-not-honor')),
      till.open(saleOf(1000, {}, 'host-timeout')),
      till.open(saleOf(1000, { terminalSn: 'TBX-CANCEL-001' })),
      till.open(saleOf(1000, { terminalSn: 'TBX-OFFLINE-001' })),
    ]
    expect(originals.map(({ status }) => status)).toEqual(['FAIL', 'PROCESSING', 'CLOSED', 'INITIAL'])
    for (const original of originals)
      expect(till.refusal(on('tip-adjust', original, { tipAmount: 1 })).code).toBe('SBX_NOT_ALLOWED')
  })

  test('a tip cannot be adjusted once the payment is voided, or while it is being voided', () => {
    const till = new Till()
    const sale = till.open(saleOf(1000))
    till.open(on('void', sale, {}, 'late-approval'))
    expect(till.refusal(on('tip-adjust', sale, { tipAmount: 1 })).detail).toContain('is being voided')
    till.pass(60_000)
    expect(till.refusal(on('tip-adjust', sale, { tipAmount: 1 })).detail).toContain('was voided')
  })

  test('a refund, even in flight, blocks an adjustment; a failed refund does not', () => {
    const till = new Till()
    const sale = till.open(saleOf(1000))
    till.open(on('refund', sale, { amount: 1 }, 'host-timeout'))
    expect(till.refusal(on('tip-adjust', sale, { tipAmount: 1 })).detail).toContain('is being refunded')
    till.pass(60_000)
    till.do(on('tip-adjust', sale, { tipAmount: 1 }))
    expect(sale.tip).toBe(1)
    till.open(on('refund', sale, { amount: 1 }))
    const refused = till.refusal(on('tip-adjust', sale, { tipAmount: 2 }))
    expect(refused.code).toBe('SBX_NOT_ALLOWED')
    expect(refused.detail).toContain('has been refunded')
  })

  test('an adjusted tip may not raise the transaction amount above 10^12', () => {
    const till = new Till()
    const sale = till.open(saleOf(1e12 - 10, { tipAmount: 5 }))
    const refused = till.refusal(on('tip-adjust', sale, { tipAmount: 11 }))
    expect([refused.code, refused.field]).toEqual(['C17', 'tipAmount'])
    till.do(on('tip-adjust', sale, { tipAmount: 10 }))
    expect(amountOf(sale)).toBe(1e12)
  })
})
