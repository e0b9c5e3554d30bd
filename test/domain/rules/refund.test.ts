import { describe, expect, test } from 'vitest'
import { totalOrZero } from '../../../src/domain/model/parts.ts'
import { statusInWords } from '../../../src/sandbox/views/status-in-words.ts'
import { day, freeRefund, on, partsOf, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

describe('refund', () => {
  test('api refund-1: one transaction can have several partial refunds, until a refund of the rest is approved', () => {
    const [till, sale] = tillWith(saleOf(1000))
    expect(till.open(on('refund', sale, { amount: 400 })).status).toBe('SUCCESS')
    const rest = till.open(on('refund', sale, { amount: 600 }, 'late-approval'))
    expect(statusInWords(sale)).toBe('Partially refunded')
    till.pass(60_000)
    expect([rest.status, statusInWords(sale)]).toEqual(['SUCCESS', 'Refunded'])
    expect(totalOrZero(sale.followUps?.refunded)).toBe(1000)
  })

  test('api refund-2: the sum never exceeds the original amount', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.do(on('refund', sale, { amount: 700 }))
    const refused = till.refusal(on('refund', sale, { amount: 301 }))
    expect([refused.code, refused.message]).toEqual([
      'SBX_OVER_REFUND',
      'Refund amount exceeds original transaction amount',
    ])
    expect(refused.detail).toContain('3.00 USD left')
  })

  test('api refund-3: the object form says how much tip is refunded, and without it none is', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 200 }))
    const whole = till.refusal(on('refund', sale, { amount: { orderAmount: 1200 } }))
    expect([whole.code, whole.field, whole.detail]).toEqual([
      'SBX_OVER_REFUND',
      'amount',
      '12.00 USD requested (order 12.00, tip 0.00), 12.00 USD left (order 10.00, tip 2.00)',
    ])
    expect(till.refusal(on('refund', sale, { amount: 800, tipAmount: 201 })).field).toBe('tipAmount')
    const refund = till.open(on('refund', sale, { amount: { orderAmount: 1000 } }))
    expect(partsOf(refund)).toEqual([1000, 0, 0, 0, 0])
    expect(till.open(on('refund', sale, { amount: { orderAmount: 0, tipAmount: 200 } })).tip).toBe(200)
  })

  const parts = { tipAmount: 200, taxAmount: 80, surchargeAmount: 20, cashbackAmount: 5 }

  test('api refund-2: a plain amount equal to all that is left refunds all of it, part by part', () => {
    const [till, sale] = tillWith(saleOf(1000, parts))
    expect(partsOf(till.open(on('refund', sale, { amount: 1305 })))).toEqual([1000, 80, 20, 200, 5])
    expect(till.refusal(on('refund', sale, { amount: 1 })).code).toBe('SBX_REFUNDED')
  })

  test('api refund-1: a smaller plain amount is taken from the order, then tax, surcharge, tip and cashback', () => {
    const [till, sale] = tillWith(saleOf(1000, parts))
    const refunded = (amount: number) => partsOf(till.open(on('refund', sale, { amount })))
    expect(refunded(990)).toEqual([990, 0, 0, 0, 0])
    expect(refunded(50)).toEqual([10, 40, 0, 0, 0])
    expect(refunded(70)).toEqual([0, 40, 20, 10, 0])
    const left = '1.95 USD left (order 0.00, tax 0.00, surcharge 0.00, tip 1.90, cashback 0.05)'
    expect(till.refusal(on('refund', sale, { amount: 196 })).detail).toBe(`1.96 USD requested, ${left}`)
    expect(refunded(195)).toEqual([0, 0, 0, 190, 5])
  })

  test.each([
    ['taxAmount', { amount: 1, taxAmount: 500 }],
    ['surchargeAmount', { amount: 1, surchargeAmount: 499 }],
    ['cashbackAmount', { amount: 1, cashbackAmount: 1 }],
    ['tipAmount', { amount: 1, tipAmount: 1 }],
  ])('api refund-2: no more of a part is refunded than was charged: %s', (field, amounts) => {
    const [till, sale] = tillWith(saleOf(1000))
    expect(till.refusal(on('refund', sale, amounts))).toMatchObject({ code: 'SBX_OVER_REFUND', field })
  })

  test('api errors: a refund in flight counts as refunded, and is given back when it fails', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const late = till.open(on('refund', sale, { amount: 700 }, 'host-timeout'))
    expect(late.status).toBe('PROCESSING')
    expect(till.refusal(on('refund', sale, { amount: 301 })).code).toBe('SBX_OVER_REFUND')
    till.pass(60_000)
    expect(late.status).toBe('FAIL')
    expect(till.open(on('refund', sale, { amount: 1000 })).status).toBe('SUCCESS')
  })

  test('api limit-refund-period: the refund period is 180 days, to the millisecond', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.at += 180 * day
    expect(till.open(on('refund', sale, { amount: 1 })).status).toBe('SUCCESS')
    till.at += 1
    const refused = till.refusal(on('refund', sale, { amount: 1 }))
    expect(refused).toMatchObject({
      code: 'SBX_REFUND_LATE',
      message: 'Refund period expired',
      detail: 'paid on 2026-11-20, more than 180 days ago',
    })
  })

  test('api error-sbx-no-balance: the balance must cover the refund', () => {
    const till = new Till(500)
    expect(till.refusal(freeRefund(501))).toMatchObject({
      ...{ code: 'SBX_NO_BALANCE', field: 'amount', message: 'Insufficient merchant balance' },
      detail: '5.01 requested, the balance is 5.00 USD',
    })
    expect(till.open(freeRefund(500)).status).toBe('SUCCESS')
    expect(till.refusal(freeRefund(1)).code).toBe('SBX_NO_BALANCE')
  })

  test('api ids-2, ids-4: a refund has the order identifier of its original, which it must not send, and its own id', () => {
    const [till, sale] = tillWith(saleOf(1000, { referenceOrderId: 'ORDER-77' }))
    till.refuses(on('refund', sale, { amount: 1, referenceOrderId: 'ORDER-1' }), 'C17 referenceOrderId')
    const refund = on('refund', sale, { amount: 1000 })
    expect(till.open(refund).orderId).toBe('ORDER-77')
    till.refuses(refund, 'SBX_DUP_TXN_ID') // as a duplicate, not as refunded
  })
})
