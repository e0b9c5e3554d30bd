import { describe, expect, test } from 'vitest'
import { type Batch, batchKey } from '../../../src/domain/model/ledger.ts'
import { availableBalance, batchStatusOf } from '../../../src/domain/model/totals.ts'
import {
  freeRefund,
  noon,
  on,
  payment,
  saleOf,
  Till,
  tillBatches,
  tillWith,
} from '../../support/domain/ledger.ts'

const auto = 'TBX-AUTO-001'
const tip20 = 'TBX-TIP20-001'
const totals = ({ count, net, tip, surcharge, tax }: Batch) => ({ count, net, tip, surcharge, tax })
const totalsOf = (till: Till) => tillBatches(till).map(totals)

describe('the open batch', () => {
  test('the open batch adds sales and subtracts refunds', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 200, taxAmount: 80, surchargeAmount: 30 }))
    till.open(saleOf(500, { cashbackAmount: 100 }))
    expect(totalsOf(till)).toEqual([{ count: 2, net: 1910, tip: 200, surcharge: 30, tax: 80 }])
    till.open(on('refund', sale, { amount: 300, tipAmount: 50, taxAmount: 20, surchargeAmount: 10 }))
    expect(totalsOf(till)).toEqual([{ count: 3, net: 1530, tip: 150, surcharge: 20, tax: 60 }])
  })

  test('SALE, FORCED_AUTH, POST_AUTH and REFUND join the batch; AUTH, INCREMENTAL and VOID do not', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const more = till.open(on('incremental-auth', auth, { amount: 1 }))
    expect(tillBatches(till)).toEqual([])
    const members = [
      till.open(on('post-auth', auth, { amount: 1000 })),
      till.open(saleOf(1000)),
      till.open(payment('forced-auth', 1000)),
      till.open(freeRefund(10)),
    ]
    const other = till.open(payment('auth', 1000))
    const voided = till.open(on('void', other))
    for (const member of members)
      expect([member.batchNo, batchStatusOf(till.ledger, member)]).toEqual([1, 'U'])
    for (const each of [auth, more, other, voided])
      expect([each.status, each.batchNo, batchStatusOf(till.ledger, each)]).toEqual(['SUCCESS', null, 'N'])
    expect(totalsOf(till)).toMatchObject([{ count: 4, net: 2990 }])
  })

  test('a transaction joins the batch when it becomes SUCCESS, and not before', () => {
    const [till, late] = tillWith(saleOf(1000, {}, 'late-approval'))
    till.open(saleOf(1000, { terminalSn: 'TBX-DECLINE-001' }))
    till.open(saleOf(1000, { terminalSn: 'TBX-CANCEL-001' }))
    expect([tillBatches(till), batchStatusOf(till.ledger, late), late.batchNo]).toEqual([[], 'N', null])
    till.pass(60_000)
    expect([batchStatusOf(till.ledger, late), late.batchNo]).toEqual(['U', 1])
    expect(tillBatches(till)).toMatchObject([{ count: 1, net: 1000, openedAt: noon + 60_000 }])
  })

  test('voided transactions do not count in the batch, but keep its number', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 200, taxAmount: 80, surchargeAmount: 30 }))
    till.open(saleOf(500))
    till.open(on('void', sale))
    expect(totalsOf(till)).toEqual([{ count: 1, net: 500, tip: 0, surcharge: 0, tax: 0 }])
    expect(sale.batchNo).toBe(1)
  })

  test('a voided payment leaves the batch when the void succeeds, not before', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.open(on('void', sale, {}, 'late-approval'))
    expect(totalsOf(till)).toMatchObject([{ count: 1, net: 1000 }])
    till.pass(60_000)
    expect(totalsOf(till)).toMatchObject([{ count: 0, net: 0 }])
  })

  test('a voided refund leaves the batch too, whose net may be negative', () => {
    const [till, sale] = tillWith(saleOf(1000, { tipAmount: 200 }))
    till.open(freeRefund(700))
    const refund = till.open(on('refund', sale, { amount: 1000, tipAmount: 200 }))
    expect(totalsOf(till)).toMatchObject([{ count: 3, net: -700, tip: 0 }])
    till.open(on('void', refund))
    expect(totalsOf(till)).toMatchObject([{ count: 2, net: 500, tip: 200 }])
  })
})

describe('one batch for each terminal, channel and currency', () => {
  test('batch numbers are counted by terminal', () => {
    const till = new Till()
    const numbers = [
      till.open(saleOf(1000)),
      till.open(saleOf(1000, { priceCurrency: 'EUR' })),
      till.open(saleOf(1000, { terminalSn: tip20 })),
      till.open(saleOf(1000, { cardNetworkType: 'EBT' })),
      till.open(saleOf(1000)),
    ].map(({ terminalSn, batchNo }) => `${terminalSn} ${batchNo}`)
    expect(numbers).toEqual([`${auto} 1`, `${auto} 2`, `${tip20} 1`, `${auto} 3`, `${auto} 1`])
    expect([till.terminal(auto).batchNo, till.terminal(tip20).batchNo]).toEqual([3, 1])
  })

  test('a refund joins the batch of the terminal it is made on, in the channel of its original', () => {
    const [till, sale] = tillWith(saleOf(1000, { cardNetworkType: 'EBT' }))
    till.open(on('refund', sale, { amount: 100, terminalSn: tip20 }))
    till.open(on('refund', sale, { amount: 10, pushToTerminal: false }))
    expect(till.ledger.batches.get(batchKey(tip20, 'SBX-EBT', 'USD'))).toMatchObject({ count: 1, net: -100 })
    expect(till.ledger.batches.get(batchKey(auto, 'SBX-EBT', 'USD'))).toMatchObject({ count: 2, net: 990 })
  })
})

describe('the balance', () => {
  test('the balance is the reserve, plus payments, less refunds, by currency', () => {
    const till = new Till(5000)
    const sale = till.open(saleOf(1000, { tipAmount: 200 }))
    till.open(saleOf(300, { priceCurrency: 'EUR' }))
    till.open(on('refund', sale, { amount: 100 }))
    const balances = ['USD', 'EUR', 'JPY'].map((currency) => availableBalance(till.ledger, currency))
    expect(balances).toEqual([6100, 5300, 5000])
  })

  test('api error-sbx-no-balance: a refund in flight is held from the balance, and given back when it fails', () => {
    const till = new Till(0)
    const sale = till.open(saleOf(1000))
    const other = till.open(saleOf(500))
    till.open(on('refund', sale, { amount: 1000 }, 'host-timeout'))
    till.open(on('refund', other, { amount: 100, terminalSn: tip20 }, 'late-approval'))
    expect(availableBalance(till.ledger, 'USD')).toBe(400)
    expect(till.refusal(freeRefund(401, { terminalSn: 'COUNTER-9' })).code).toBe('SBX_NO_BALANCE')
    till.pass(60_000)
    expect(availableBalance(till.ledger, 'USD')).toBe(1400)
  })
})
