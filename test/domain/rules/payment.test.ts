import { describe, expect, test } from 'vitest'
import { applications, builtIn, type MerchantDetails } from '../../../src/domain/fixtures.ts'
import { createLedger, usualRules } from '../../../src/domain/model/ledger.ts'
import { rrnOf, stanOf, voucherNoOf } from '../../../src/domain/model/record-numbers.ts'
import { amountOf, type Transaction } from '../../../src/domain/model/transaction.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import { noon, on, payment, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'
import { newId } from '../../support/service/new-id.ts'

const kinds = [
  ['sale', 'SALE'],
  ['auth', 'AUTH'],
  ['forced-auth', 'FORCED_AUTH'],
] as const
const minute = 60_000
const iso = (at: number) => new Date(at).toISOString()

describe.each(kinds)('%s', (type, kind) => {
  test(`api operations: a payment opens a transaction of type ${kind} and runs it on the terminal`, () => {
    const till = new Till()
    const transaction = till.open(payment(type, 1000), { still: true })
    expect(transaction).toMatchObject({ type: kind, status: 'INITIAL', inCloud: false, authCode: null })
    till.settle()
    expect(transaction).toMatchObject({ status: 'SUCCESS', resultCode: '000', authCode: '123456' })
    expect(transaction.completedAt).toBe(noon)
  })

  test('api ids-1: referenceOrderId may be sent, and may be left out', () => {
    const till = new Till()
    expect(till.open(payment(type, 1000, { referenceOrderId: 'ORDER-1' })).orderId).toBe('ORDER-1')
    expect(till.open(payment(type, 1000)).orderId).toBeNull()
  })

  test('api ids-4: a transactionRequestId opens one transaction, whatever its outcome, and is no order identifier', () => {
    const [till, ...used] = tillWith(
      payment(type, 1000),
      payment(type, 1000, {}, 'do-not-honor'),
      payment(type, 1000, {}, 'host-timeout'),
      payment(type, 1000, { terminalSn: 'TBX-OFFLINE-001' }),
      payment(type, 1000, { terminalSn: 'TBX-CANCEL-001' }),
    )
    expect(used.map(({ status }) => status)).toEqual(['SUCCESS', 'FAIL', 'PROCESSING', 'INITIAL', 'CLOSED'])
    expect(used.map(({ authCode }) => authCode)).toEqual(['123456', null, null, null, null])
    for (const { id, transactionRequestId } of used) {
      const again = payment(type, 1000, { transactionRequestId })
      till.refuses(again, 'SBX_DUP_TXN_ID transactionRequestId', id)
    }
    const same = { transactionRequestId: 'ORDER-1', referenceOrderId: 'ORDER-1' }
    till.refuses(payment(type, 1000, same), 'C17 transactionRequestId')
  })

  test('both shapes of the amount mean the same', () => {
    const till = new Till()
    const cashback = type === 'auth' ? 0 : 500
    const parts = { tipAmount: 200, taxAmount: 80, surchargeAmount: 30, cashbackAmount: cashback }
    const flat = till.open(payment(type, 1000, parts))
    const amount = { orderAmount: 1000, priceCurrency: 'USD', ...parts, totalAmount: 1310 + cashback }
    const object = till.open(payment(type, 0, { amount, priceCurrency: null }))
    for (const each of [flat, object]) {
      expect(each).toMatchObject({ currency: 'USD', order: 1000, tip: 200, tax: 80, surcharge: 30, cashback })
      expect(amountOf(each)).toBe(1310 + cashback)
    }
  })
})

describe('amounts', () => {
  const five = { orderAmount: 5, priceCurrency: 'USD' }

  test.each<[string, object, string]>([
    ['a wrong total', { amount: { ...five, tipAmount: 2, totalAmount: 5 } }, 'amount.totalAmount'],
    ['a tip beside an amount object', { amount: five, tipAmount: 1 }, 'tipAmount'],
    ['a tax beside an amount object', { amount: five, taxAmount: 1 }, 'taxAmount'],
    ['a surcharge beside an amount object', { amount: five, surchargeAmount: 1 }, 'surchargeAmount'],
    ['a cashback beside an amount object', { amount: five, cashbackAmount: 1 }, 'cashbackAmount'],
    ['two currencies', { amount: five, priceCurrency: 'EUR' }, 'priceCurrency'],
    ['no currency', { priceCurrency: null }, 'priceCurrency'],
    ['no currency in its amount', { amount: { orderAmount: 5 }, priceCurrency: null }, 'priceCurrency'],
    ['nothing to pay', { amount: 0 }, 'amount'],
    ['nothing to pay in its amount', { amount: { orderAmount: 0 } }, 'amount.orderAmount'],
    ['more than 10^12 with all parts', { amount: 1e12, tipAmount: 1 }, 'amount'],
    ['both a tip and a question for one', { tipAmount: 1, tipConfig: {} }, 'tipConfig'],
  ])('a payment with %s is refused', (_, more, field) => {
    new Till().refuses(saleOf(1000, more), `C17 ${field}`)
  })

  test('the currency may be inside or beside an amount object, or in both when it is the same', () => {
    const till = new Till()
    expect(till.open(saleOf(0, { amount: { orderAmount: 5 }, priceCurrency: 'EUR' })).currency).toBe('EUR')
    expect(till.open(saleOf(0, { amount: five, priceCurrency: 'USD' })).currency).toBe('USD')
  })

  test('the amount of a payment is at least 1, and at most 10^12 with all parts', () => {
    const [, least, most] = tillWith(saleOf(1), saleOf(1e12 - 1, { tipAmount: 1 }))
    expect([least.status, amountOf(most)]).toEqual(['SUCCESS', 1e12])
  })
})

describe('identifiers', () => {
  test('every transaction gets its own transactionId, stan, voucherNo and rrn', () => {
    const [, ...all] = tillWith(saleOf(1000), saleOf(1000), saleOf(1000))
    for (const [numberOf, digits] of [
      [({ id }: Transaction) => id, /^\d{16}$/],
      [stanOf, /^\d{6}$/],
      [voucherNoOf, /^\d{6}$/],
      [rrnOf, /^\d{12}$/],
    ] as const) {
      const numbers = all.map((each) => numberOf(each))
      expect(new Set(numbers).size).toBe(3)
      for (const number of numbers) expect(number).toMatch(digits)
    }
  })

  test('stan and voucherNo begin again after 999999', () => {
    const till = new Till()
    till.ledger.lastStan = 999_998
    till.terminal('TBX-AUTO-001').voucherNo = 999_998
    const [last, first] = [till.open(saleOf(1000)), till.open(saleOf(1000))]
    expect([stanOf(last), voucherNoOf(last)]).toEqual(['999999', '999999'])
    expect([stanOf(first), voucherNoOf(first)]).toEqual(['000001', '000001'])
  })

  test('vouchers are counted by terminal, traces by merchant', () => {
    const till = new Till()
    till.open(saleOf(1000))
    const other = till.open(saleOf(1000, { terminalSn: 'TBX-TIP20-001' }))
    expect([stanOf(other), voucherNoOf(other)]).toEqual(['000002', '000001'])
  })

  test('api ids-3: one order can have many transactions', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { referenceOrderId: 'ORDER-1' }))
    const more = till.open(on('incremental-auth', auth, { amount: 500 }))
    const capture = till.open(on('post-auth', auth, { amount: 1500 }))
    const second = till.open(saleOf(1000, { referenceOrderId: 'ORDER-1' }))
    expect([auth, more, capture, second].map(({ orderId }) => orderId)).toEqual(Array(4).fill('ORDER-1'))
    expect(till.ledger.transactions.size).toBe(4)
  })

  test('api ids-4: a follow-up does not reuse an id either, nor the identifier of its order', () => {
    const [till, sale] = tillWith(saleOf(1000, { referenceOrderId: 'ORDER-1' }))
    const refund = (transactionRequestId: string) => on('refund', sale, { amount: 1, transactionRequestId })
    till.refuses(refund(sale.transactionRequestId), 'SBX_DUP_TXN_ID')
    till.refuses(refund('ORDER-1'), 'C17 transactionRequestId')
  })

  test('api ids-5, statuses-3: a retry after a failure uses a new transactionRequestId and may keep the order', () => {
    const [till, failed] = tillWith(saleOf(1000, { referenceOrderId: 'ORDER-1' }, 'do-not-honor'))
    const again = { referenceOrderId: 'ORDER-1', transactionRequestId: failed.transactionRequestId }
    expect(till.refusal(saleOf(1000, again)).code).toBe('SBX_DUP_TXN_ID')
    const retry = till.open(saleOf(1000, { referenceOrderId: 'ORDER-1' }))
    expect([failed.status, retry.status]).toEqual(['FAIL', 'SUCCESS'])
  })

  test('a refused request leaves its transactionRequestId free', () => {
    const till = new Till()
    const transactionRequestId = newId()
    till.refusal(saleOf(1000, { transactionRequestId, terminalSn: 'TBX-BUSY-001' }))
    expect(till.open(saleOf(1000, { transactionRequestId })).status).toBe('SUCCESS')
  })

  test('attach, description and addresses are kept as they came', () => {
    const extras = {
      attach: '{"table": 7}',
      description: 'two coffees',
      notifyUrl: 'http://localhost:9/hook',
      terminalEventNotifyUrl: 'http://localhost:9/events',
    }
    expect(new Till().open(saleOf(1000, extras))).toMatchObject(extras)
  })
})

describe('expiry', () => {
  test('timeExpire is kept to the millisecond, may have any offset, and is 1 day when left out', () => {
    const expiresAt = (more: object) => new Till().open(saleOf(1000, more)).expiresAt
    expect(expiresAt({ timeExpire: iso(noon + 3 * minute + 1) })).toBe(noon + 3 * minute + 1)
    expect(expiresAt({ timeExpire: '2026-11-20T13:10:00+01:00' })).toBe(noon + 10 * minute)
    expect(expiresAt({})).toBe(noon + 1440 * minute)
  })

  test('timeExpire must be 3 minutes to 1 day ahead, with 5 seconds of tolerance', () => {
    const till = new Till()
    const expiring = (ahead: number) => saleOf(1000, { timeExpire: iso(noon + ahead) })
    for (const ahead of [3 * minute, 1440 * minute, 3 * minute - 5000, 1440 * minute + 5000])
      expect(till.open(expiring(ahead)).expiresAt).toBe(noon + ahead)
    for (const ahead of [3 * minute - 5001, 1440 * minute + 5001, 0, -minute])
      till.refuses(expiring(ahead), 'C17 timeExpire')
  })
})

describe('the terminal of a payment', () => {
  test('a payment without terminalSn goes to the first terminal of the merchant', () => {
    expect(new Till().open(saleOf(1000)).terminalSn).toBe('TBX-AUTO-001')
  })

  test('an unknown terminal is registered on first sight, once, and not by a refused request', () => {
    const till = new Till()
    till.refusal(saleOf(0, { terminalSn: 'COUNTER-9' }))
    expect(till.ledger.terminals.has('COUNTER-9')).toBe(false)
    const events = [1, 2].map(() => till.do(saleOf(1000, { terminalSn: 'COUNTER-9' })))
    const types = events.map((each) => each.map(({ type }) => type).join())
    expect(types).toEqual(['terminal-set,opened', 'opened'])
    expect(till.terminal('COUNTER-9').profile).toMatchObject({ terminalSn: 'COUNTER-9', mode: 'auto' })
    const statuses = [...till.ledger.transactions].map(({ status }) => status)
    expect(statuses).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('a payment of a merchant without terminals must name one', () => {
    const [application] = applications
    const details = applications[0]?.merchants[0]?.details as MerchantDetails
    const merchant = { merchantId: 'M9', details, timeZone: 'UTC', reserve: 0, terminals: [] }
    const ledger = createLedger(builtIn, { appId: application?.appId ?? '' }, merchant, usualRules)
    const stamp = new Till().stamp()
    expect(() => decide(ledger, saleOf(1000), stamp)).toThrow('terminalSn')
    expect(decide(ledger, saleOf(1000, { terminalSn: 'FIRST-1' }), stamp)).toHaveLength(2)
  })
})
