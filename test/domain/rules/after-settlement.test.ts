import { describe, expect, test } from 'vitest'
import { availableBalance, batchStatusOf } from '../../../src/domain/model/totals.ts'
import {
  closesOf,
  closing,
  day,
  momentNames,
  on,
  payment,
  saleOf,
  Till,
  tillBatches,
  tillWith,
} from '../../support/domain/ledger.ts'

const slow = 'TBX-SLOW-001'
const late = 'late-approval'

const balanceOf = (till: Till) => availableBalance(till.ledger, 'USD')

describe('a settled transaction', () => {
  test('api error-sbx-no-balance: a refund is accepted while the balance covers it, and joins a new batch', () => {
    const till = new Till(0)
    const settled = till.open(saleOf(1000))
    till.do(closing())
    till.pass(2 * day)
    till.refuses(on('refund', settled, { amount: 400 }), 'SBX_NO_BALANCE', 'the balance is 0.00 USD')
    till.open(saleOf(300))
    expect(till.refusal(on('refund', settled, { amount: 301 })).code).toBe('SBX_NO_BALANCE')
    const refund = till.open(on('refund', settled, { amount: 300 }))
    expect([refund.status, refund.batchNo, balanceOf(till)]).toEqual(['SUCCESS', 2, 0])
    expect(tillBatches(till)).toMatchObject([{ batchNo: 2, count: 2, net: 0 }])
    expect(closesOf(till)).toMatchObject([{ batches: [{ count: 1, net: 1000 }] }])
  })

  test('a refund of a settled payment can be voided while its own batch is open', () => {
    const till = new Till(500)
    const settled = till.open(saleOf(500))
    till.do(closing())
    const refund = till.open(on('refund', settled, { amount: 500 }))
    expect(till.open(on('void', refund)).status).toBe('SUCCESS')
    expect([balanceOf(till), tillBatches(till)]).toMatchObject([500, [{ batchNo: 2, count: 0, net: 0 }]])
  })
})

describe('a transaction under way while the batch is closed', () => {
  test('a void in line at its terminal fails with 012 after the close', () => {
    const till = new Till(0)
    const sale = till.open(saleOf(1000))
    till.open(saleOf(5, { terminalSn: slow }))
    const voided = till.open(on('void', sale, { terminalSn: slow }))
    expect(voided.status).toBe('INITIAL')
    till.do(closing())
    till.pass(60_000)
    expect(voided).toMatchObject({
      status: 'FAIL',
      resultCode: '012',
      resultMsg: 'Invalid transaction: already settled',
      outcome: 'already-settled',
      rule: 'settled',
      authCode: null,
    })
    expect([balanceOf(till), batchStatusOf(till.ledger, sale)]).toEqual([5, 'C'])
  })

  test.each([late, 'host-timeout'])('a void at the host (%s) fails with 012 after the close', (outcome) => {
    const till = new Till(0)
    const sale = till.open(saleOf(1000, { tipAmount: 100 }))
    const voided = till.open(on('void', sale, {}, outcome))
    expect([voided.status, voided.rule]).toEqual(['PROCESSING', 'header'])
    till.do(closing())
    till.pass(60_000)
    expect([voided.status, voided.resultCode, voided.rule]).toEqual(['FAIL', '012', 'settled'])
    expect(momentNames(voided)).toEqual(['opened', 'taken-up', 'host-asked', 'declined'])
    expect(sale.followUps).toMatchObject({ voided: false, voiding: false })
    expect([tillBatches(till), balanceOf(till)]).toEqual([[], 0])
    expect(closesOf(till)).toMatchObject([{ batches: [{ count: 1, net: 1100, tip: 100 }] }])
    expect(till.replay()).toEqual(till.ledger)
  })

  test('a void of a refund fails with 012 after the close, and the refund stays refunded', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const refund = till.open(on('refund', sale, { amount: 1000 }))
    const voided = till.open(on('void', refund, {}, late))
    till.do(closing())
    till.pass(60_000)
    expect([voided.status, voided.resultCode]).toEqual(['FAIL', '012'])
    expect(till.refusal(on('refund', sale, { amount: 1 })).code).toBe('SBX_REFUNDED')
  })

  test('a void of an AUTH goes on after a close, as an AUTH is in no batch', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.open(saleOf(1000))
    const voided = till.open(on('void', auth, {}, late))
    till.do(closing())
    till.pass(60_000)
    expect([voided.status, voided.resultCode, voided.rule]).toEqual(['SUCCESS', '000', 'header'])
  })

  test('a sale at the host is not settled, and joins the next batch when it succeeds', () => {
    const till = new Till(0)
    const pending = till.open(saleOf(700, {}, late))
    expect(till.refusal(closing()).code).toBe('SBX_BATCH_EMPTY')
    const inLine = till.open(saleOf(1000))
    till.pass(60_000)
    const other = till.open(saleOf(5, {}, late))
    till.do(closing())
    expect(closesOf(till)).toMatchObject([{ batches: [{ batchNo: 1, count: 2, net: 1700 }] }])
    till.pass(60_000)
    expect([pending.batchNo, inLine.batchNo, other.batchNo]).toEqual([1, 1, 2])
    expect([tillBatches(till), balanceOf(till)]).toMatchObject([[{ batchNo: 2, count: 1, net: 5 }], 5])
  })

  test('a refund at the host is held through the close, and joins the next batch', () => {
    const till = new Till(1000)
    const sale = till.open(saleOf(1000))
    const refund = till.open(on('refund', sale, { amount: 600 }, late))
    till.do(closing())
    expect(balanceOf(till)).toBe(400)
    till.pass(60_000)
    expect([refund.status, refund.batchNo, balanceOf(till)]).toEqual(['SUCCESS', 2, 400])
    expect(tillBatches(till)).toMatchObject([{ batchNo: 2, count: 1, net: -600 }])
  })
})
