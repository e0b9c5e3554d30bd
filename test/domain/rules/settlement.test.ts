import { describe, expect, test } from 'vitest'
import { availableBalance, batchStatusOf } from '../../../src/domain/model/totals.ts'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { closeOfDayAt } from '../../../src/domain/rules/settlement.ts'
import {
  closesOf,
  closing,
  day,
  freeRefund,
  noon,
  on,
  payment,
  request,
  saleOf,
  Till,
  tillBatches,
  tillWith,
} from '../../support/domain/ledger.ts'

const auto = 'TBX-AUTO-001'
const tip20 = 'TBX-TIP20-001'

const balanceOf = (till: Till, currency = 'USD') => availableBalance(till.ledger, currency)
const batchStatuses = (till: Till, ...all: Transaction[]) =>
  all.map((each) => batchStatusOf(till.ledger, each))

/** A till with sales on two channels and in two currencies. */
function mixed(): Till {
  const till = new Till(0)
  till.open(saleOf(1000, { tipAmount: 100, taxAmount: 80, surchargeAmount: 20 }))
  till.open(saleOf(300, { cardNetworkType: 'EBT' }))
  till.open(saleOf(40, { priceCurrency: 'EUR' }))
  return till
}

describe('batch close', () => {
  test('api operation-4-2: a close settles every open batch, with the totals it had', () => {
    const till = mixed()
    const batches = structuredClone(tillBatches(till))
    till.pass(5000)
    const events = till.do(closing({ transactionRequestId: 'CLOSE-OF-DAY' }))
    expect(events.map(({ type }) => type)).toEqual(['batch-closed'])
    expect(tillBatches(till)).toEqual([])
    const close = { transactionRequestId: 'CLOSE-OF-DAY', fingerprint: 'same', closedAt: noon + 5000 }
    expect(closesOf(till)).toEqual([{ ...close, batches }])
    expect(batches).toMatchObject([
      { batchNo: 1, channelCode: 'SBX-CARD', currency: 'USD', net: 1200 },
      { batchNo: 2, channelCode: 'SBX-EBT', currency: 'USD', net: 300 },
      { batchNo: 3, channelCode: 'SBX-CARD', currency: 'EUR', net: 40 },
    ])
  })

  test('the transactions of a closed batch have the batch status C, and keep their batch number', () => {
    const [till, sale, forced, auth] = tillWith(
      saleOf(1000),
      payment('forced-auth', 10),
      payment('auth', 500),
    )
    expect(batchStatuses(till, sale, forced, auth)).toEqual(['U', 'U', 'N'])
    till.do(closing())
    expect(batchStatuses(till, sale, forced, auth)).toEqual(['C', 'C', 'N'])
    expect([sale.batchNo, forced.batchNo, auth.batchNo]).toEqual([1, 1, null])
  })

  test.each([
    ['channel', { channelCode: 'SBX-CARD' }, [2, 4]],
    ['currency', { priceCurrency: 'EUR' }, [1, 2, 4]],
    ['terminal', { terminalSn: tip20 }, [1, 2, 3]],
  ])('closing one %s leaves the other batches open', (_, what, left) => {
    const till = mixed()
    till.terminal(tip20).batchNo = 3
    till.open(saleOf(500, { terminalSn: tip20, cardNetworkType: 'EBT' }))
    till.do(closing(what))
    expect(tillBatches(till).map(({ batchNo }) => batchNo)).toEqual(left)
    till.do(closing())
    expect(tillBatches(till)).toEqual([])
    expect(till.refusal(closing()).code).toBe('SBX_BATCH_EMPTY')
    expect(closesOf(till).map(({ batches }) => batches.length)).toEqual([4 - left.length, left.length])
  })

  test('a close without terminalSn closes the batches of all terminals, as one close', () => {
    const till = mixed()
    till.open(saleOf(500, { terminalSn: tip20 }))
    const events = till.do(closing())
    expect(events.map((event) => 'terminalSn' in event && event.terminalSn)).toEqual([auto, tip20])
    expect(tillBatches(till)).toEqual([])
    const closed = closesOf(till).map(({ batches }) =>
      batches.map((each) => `${each.terminalSn} ${each.batchNo}`),
    )
    expect(closed).toEqual([[`${auto} 1`, `${auto} 2`, `${auto} 3`, `${tip20} 1`]])
    expect(balanceOf(till)).toBe(0)
  })

  test('a follow-up without terminalSn joins the batch of its original’s terminal, and has its card data', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card: 'visa-chip-pin' })
    const sale = till.open(saleOf(1000, { terminalSn: tip20 }))
    const refund = till.open(on('refund', sale, { amount: 100 }))
    const cloud = till.open(on('refund', sale, { amount: 100, pushToTerminal: false }))
    expect([refund.terminalSn, cloud.terminalSn, cloud.batchNo]).toEqual([tip20, tip20, sale.batchNo])
    expect(tillBatches(till)).toMatchObject([{ terminalSn: tip20, count: 3, net: 1000 }])
    for (const { cardRead } of [refund, cloud]) expect(cardRead).toEqual(sale.cardRead)
  })

  test('a follow-up on an inserted card is recorded as inserted', () => {
    const [till, sale] = tillWith(saleOf(1000, { terminalSn: 'TBX-ATTENDED-001' }))
    const at = { terminalSn: 'TBX-ATTENDED-001' } as const
    till.do({ type: 'present-card', ...at, card: 'visa-contactless', entry: 'insert' })
    till.do({ type: 'enter-pin', ...at, correct: true })
    const refund = till.open(on('refund', sale, { amount: 100, pushToTerminal: false }))
    expect(refund.cardRead).toMatchObject({ entryMode: 'CONTACT', authenticationMethod: 'PIN' })
  })

  test('the next transaction opens a batch with the next number of its terminal', () => {
    const till = mixed()
    till.open(saleOf(1, { terminalSn: tip20 }))
    till.do(closing({ channelCode: 'SBX-EBT' }))
    till.do(closing({ terminalSn: auto }))
    const next = [saleOf(5), saleOf(6), saleOf(7, { priceCurrency: 'EUR' }), saleOf(8, { terminalSn: tip20 })]
    expect(next.map((command) => till.open(command).batchNo)).toEqual([4, 4, 5, 1])
    expect(tillBatches(till)).toMatchObject([
      { terminalSn: tip20, count: 2 },
      { batchNo: 4, count: 2, net: 11 },
      { batchNo: 5, count: 1, net: 7 },
    ])
  })
})

describe('an empty batch', () => {
  test.each<[string, object, string?]>([
    ['nothing was paid', {}],
    ['a terminal that nobody knows', { terminalSn: 'COUNTER-9' }, 'terminalSn'],
    ['a channel that does not exist', { terminalSn: 'TBX-AUTO-001', channelCode: 'SBX-GOLD' }, 'channelCode'],
  ])('a close of empty batches is refused for what was named: %s', (_, members, field) => {
    const till = new Till()
    till.open(payment('auth', 1000))
    const refused = till.refusal(closing(members))
    expect([refused.code, refused.field]).toEqual(['SBX_BATCH_EMPTY', field])
    for (const value of Object.values(members)) expect(refused.detail).toContain(value)
  })

  test('a batch whose transactions are all voided is not closed', () => {
    const [till, sale] = tillWith(saleOf(1000))
    till.open(on('void', sale))
    expect(tillBatches(till)).toMatchObject([{ count: 0, net: 0 }])
    expect(till.refusal(closing()).code).toBe('SBX_BATCH_EMPTY')
    expect(till.open(saleOf(5)).batchNo).toBe(1)
    till.do(closing())
    expect(closesOf(till)).toMatchObject([{ batches: [{ batchNo: 1, count: 1, net: 5 }] }])
  })

  test('an empty batch stays open beside one that is closed', () => {
    const till = mixed()
    const sale = till.open(saleOf(9, { priceCurrency: 'JPY' }))
    till.open(on('void', sale))
    till.do(closing())
    expect(tillBatches(till)).toMatchObject([{ currency: 'JPY', count: 0 }])
    expect(closesOf(till)).toMatchObject([{ batches: [{ count: 1 }, { count: 1 }, { count: 1 }] }])
  })
})

describe('the payout of the net from the balance', () => {
  test('the net is paid out by currency', () => {
    const till = mixed()
    expect([balanceOf(till), balanceOf(till, 'EUR')]).toEqual([1500, 40])
    till.do(closing({ channelCode: 'SBX-EBT' }))
    expect([balanceOf(till), balanceOf(till, 'EUR')]).toEqual([1200, 40])
    till.do(closing())
    expect([balanceOf(till), balanceOf(till, 'EUR')]).toEqual([0, 0])
  })

  test('a negative net is taken into the balance', () => {
    const till = new Till(1000)
    till.open(freeRefund(700))
    expect(balanceOf(till)).toBe(300)
    till.do(closing())
    expect(closesOf(till)).toMatchObject([{ batches: [{ net: -700 }] }])
    expect(balanceOf(till)).toBe(1000)
  })
})

describe('api ids-4: one transactionRequestId for one transaction or one close', () => {
  test('the id of a close is used up, for a close and for any transaction', () => {
    const [till, sale, auth] = tillWith(saleOf(1000), payment('auth', 1000))
    const taken = { transactionRequestId: 'CLOSE-1' }
    till.do(closing(taken))
    till.open(saleOf(1000))
    const others = [
      closing(taken),
      saleOf(1, taken),
      payment('auth', 1, taken),
      freeRefund(1, taken),
      on('refund', sale, { amount: 1, ...taken }),
      on('void', auth, taken),
      on('post-auth', auth, { amount: 1, ...taken }),
      on('incremental-auth', auth, { amount: 1, ...taken }),
    ]
    for (const command of others) {
      till.refuses(command, 'SBX_DUP_TXN_ID transactionRequestId', 'CLOSE-1 closed a batch')
    }
  })

  test('the id of a transaction is used up for a close, however the transaction ended', () => {
    const till = new Till()
    till.open(saleOf(1000))
    for (const outcome of ['approve', 'do-not-honor', 'host-timeout']) {
      const { id, transactionRequestId } = till.open(saleOf(1000, {}, outcome))
      till.refuses(closing({ transactionRequestId }), 'SBX_DUP_TXN_ID', `opened transaction ${id}`)
    }
  })

  test('the id of a refused close stays free', () => {
    const till = new Till()
    const free = { transactionRequestId: 'CLOSE-2' }
    expect(till.refusal(closing(free)).code).toBe('SBX_BATCH_EMPTY')
    till.open(saleOf(1000, free))
  })

  test('a close is not a transaction: it cannot be an original, and nothing of it can be refunded', () => {
    const till = new Till()
    till.open(saleOf(1000))
    till.do(closing({ transactionRequestId: 'CLOSE-3' }))
    const named = { transactionRequestId: 'R-OF-CLOSE', originalTransactionRequestId: 'CLOSE-3', amount: 1 }
    expect(till.refusal(request('refund', named)).code).toBe('SBX_TXN_UNKNOWN')
  })
})

describe('assumption batch-close', () => {
  const close = { type: 'close-of-day' } as const

  test.each([
    ['UTC', '2026-11-20T12:00:00Z', '23:30', '2026-11-20T23:30:00Z'],
    ['UTC', '2026-11-20T23:30:00Z', '23:30', '2026-11-21T23:30:00Z'],
    ['Asia/Kolkata', '2026-11-20T20:00:00Z', '02:00', '2026-11-20T20:30:00Z'],
    ['America/New_York', '2026-10-31T12:00:00Z', '23:00', '2026-11-01T03:00:00Z'],
    ['America/New_York', '2026-11-01T12:00:00Z', '23:00', '2026-11-02T04:00:00Z'],
    ['America/New_York', '2026-03-08T05:30:00Z', '03:30', '2026-03-08T07:30:00Z'],
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '02:30', '2026-03-29T01:30:00Z'],
    ['Africa/Cairo', '2026-04-23T12:00:00Z', '00:00', '2026-04-23T22:00:00Z'],
  ])('in %s a batch opened at %s is closed at %s, which is %s', (zone, opened, autoClose, closed) => {
    const till = new Till(0, zone, { autoClose })
    till.at = Date.parse(opened)
    till.open(saleOf(1000))
    till.at = Date.parse(closed)
    expect(closeOfDayAt(till.ledger)).toBe(till.at)
    till.at -= 1
    expect(till.do(close)).toEqual([])
    till.at += 1
    till.do(close)
    expect(tillBatches(till)).toEqual([])
    expect(closesOf(till)).toMatchObject([{ closedAt: till.at, batches: [{ net: 1000 }] }])
  })

  test('a batch that was emptied by voids counts its time from the next transaction', () => {
    const till = new Till(0, 'UTC', { autoClose: '23:30' })
    till.open(on('void', till.open(saleOf(1000))))
    expect(closeOfDayAt(till.ledger)).toBe(Number.POSITIVE_INFINITY)
    till.pass(day)
    till.open(saleOf(500))
    expect(closeOfDayAt(till.ledger)).toBe(noon + day + 11.5 * 3_600_000)
  })

  test('without the setting no batch is closed automatically', () => {
    const till = new Till()
    till.open(saleOf(1000))
    till.pass(7 * day)
    expect(till.do(close)).toEqual([])
  })
})
