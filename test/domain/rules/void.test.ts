import { describe, expect, test } from 'vitest'
import { availableBalance } from '../../../src/domain/model/totals.ts'
import { relatedStatusOf } from '../../../src/domain/original-effects.ts'
import { freeRefund, noon, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const hour = 3_600_000

describe('void', () => {
  test('api operation-1-7: a void acts on a sale, auth, forced auth, post auth and refund', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const originals = [
      till.open(saleOf(1000, { tipAmount: 5, taxAmount: 6, surchargeAmount: 7, cashbackAmount: 8 })),
      till.open(payment('auth', 1000)),
      till.open(payment('forced-auth', 1000)),
      till.open(on('post-auth', auth, { amount: 1000 })),
      till.open(freeRefund(1000)),
    ]
    for (const original of originals) {
      const { currency, order, tip, tax, surcharge, cashback } = original
      const voided = till.open(on('void', original))
      expect(voided).toMatchObject({ type: 'VOID', status: 'SUCCESS', originalId: original.id })
      expect(voided).toMatchObject({ currency, order, tip, tax, surcharge, cashback })
      expect([original.status, relatedStatusOf(original)]).toEqual(['SUCCESS', 'VOIDED'])
    }
  })

  test('api limit-void: a payment counts on the day it completes, and a void sent before midnight completes after it', () => {
    const till = new Till()
    till.at = noon + 12 * hour - 30_000
    const sale = till.open(saleOf(1000, {}, 'late-approval'))
    till.pass(60_000)
    till.at += 24 * hour - 60_000 // 30 s before the midnight that ends the day of its completion
    const voided = till.open(on('void', sale, {}, 'late-approval'))
    till.pass(60_000)
    expect([sale.status, voided.status, relatedStatusOf(sale)]).toEqual(['SUCCESS', 'SUCCESS', 'VOIDED'])
    const other = till.open(saleOf(1000))
    till.at += 24 * hour
    expect(till.refusal(on('void', other)).code).toBe('SBX_VOID_LATE')
  })

  test('api limit-void: a void is for transactions of the same day only, to the millisecond', () => {
    const [till, one, other] = tillWith(saleOf(1000), saleOf(1000))
    till.pass(12 * hour - 1)
    expect(till.open(on('void', one)).status).toBe('SUCCESS')
    till.pass(1)
    till.refuses(on('void', other), 'SBX_VOID_LATE', 'it is of 2026-11-20, today is 2026-11-21')
  })

  // Each line: time zone, hours from noon UTC to the sale, and from the sale to the void.
  test.each([
    ['America/New_York', 11, 2, true],
    ['UTC', 11, 2, false],
    ['Asia/Kolkata', 6, 1, false],
    ['UTC', 6, 1, true],
    ['Pacific/Auckland', -1.5, 1, false],
    ['Pacific/Auckland', -0.5, 13, true],
  ] as const)('api limit-void: the day in %s, %d h, %d h later: %s', (zone, start, later, same) => {
    const till = new Till(10_000_000, zone)
    till.at += start * hour
    const sale = till.open(saleOf(1000))
    till.pass(later * hour)
    if (same) expect(till.open(on('void', sale)).status).toBe('SUCCESS')
    else expect(till.refusal(on('void', sale)).code).toBe('SBX_VOID_LATE')
  })

  test('api limit-void: a day of 25 hours is one day where the clocks go back', () => {
    const till = new Till(10_000_000, 'America/New_York')
    till.at = Date.UTC(2026, 10, 1, 4)
    const sale = till.open(saleOf(1000))
    till.pass(25 * hour - 1)
    expect(till.open(on('void', sale)).status).toBe('SUCCESS')
  })

  test('a captured AUTH cannot be voided before its post auth is', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const capture = till.open(on('post-auth', auth, { amount: 1000 }))
    const { code, remedy } = till.refusal(on('void', auth))
    const refusal = ['SBX_NOT_ALLOWED', expect.stringContaining(`tillbox query ${capture.id}`)]
    expect([code, remedy]).toEqual(refusal)
    till.open(on('void', capture))
    expect(till.open(on('void', auth)).status).toBe('SUCCESS')
  })

  test('assumption voids: the void of a raised AUTH says what was authorised in all', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { taxAmount: 80 }))
    till.open(on('incremental-auth', auth, { amount: 500, tipAmount: 100 }))
    const voided = till.open(on('void', auth))
    expect(voided).toMatchObject({ order: 1500, tax: 80, tip: 100, status: 'SUCCESS' })
  })

  test('after the void of a refund the amount can be refunded again, tip included', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 200 }))
    const full = { amount: 1000, tipAmount: 200 }
    const refund = till.open(on('refund', sale, full))
    expect(till.refusal(on('refund', sale, full)).code).toBe('SBX_REFUNDED')
    till.open(on('void', refund, {}, 'late-approval'))
    expect(till.refusal(on('refund', sale, full)).code).toBe('SBX_REFUNDED')
    till.pass(60_000)
    expect(relatedStatusOf(sale)).toBeNull()
    expect(till.open(on('refund', sale, full)).status).toBe('SUCCESS')
    expect(relatedStatusOf(sale)).toBe('REFUNDED')
  })

  test('after the void of a post auth the AUTH can be captured again, once', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const first = till.open(on('post-auth', auth, { amount: 1000 }))
    till.open(on('void', first, {}, 'late-approval'))
    expect(till.refusal(on('post-auth', auth, { amount: 900 })).code).toBe('SBX_NOT_ALLOWED')
    till.pass(60_000)
    expect(till.open(on('post-auth', auth, { amount: 900 })).status).toBe('SUCCESS')
    expect(till.refusal(on('post-auth', auth, { amount: 1 })).code).toBe('SBX_NOT_ALLOWED')
  })

  test('a void that failed changes nothing', () => {
    const till = new Till(0)
    const sale = till.open(saleOf(1000))
    till.open(on('void', sale, {}, 'do-not-honor'))
    const [batch] = till.ledger.batches.values()
    expect([batch?.count, batch?.net, availableBalance(till.ledger, 'USD')]).toEqual([1, 1000, 1000])
    expect(till.open(on('refund', sale, { amount: 1000 })).status).toBe('SUCCESS')
  })

  test('with pushToTerminal false a void runs in the cloud, even while the terminal is offline', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.set('TBX-AUTO-001', { online: false })
    expect(till.open(on('void', sale, { pushToTerminal: false })).status).toBe('SUCCESS')
  })
})
