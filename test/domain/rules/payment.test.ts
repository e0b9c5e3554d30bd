import { describe, expect, test } from 'vitest'
import { rrnOf, stanOf, voucherNoOf } from '../../../src/domain/model/kinds.ts'
import { createLedger, usualRules } from '../../../src/domain/model/ledger.ts'
import { amountOf } from '../../../src/domain/model/transaction.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import { applications, builtIn, type MerchantDetails } from '../../../src/fixtures.ts'
import { noon, on, payment, saleOf, Till } from '../../support/domain/ledger.ts'
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

  test('api ids-4: a transactionRequestId opens one transaction, whatever its outcome', () => {
    const till = new Till()
    const used = [
      till.open(payment(type, 1000)),
      till.open(payment(type, 1000, {}, 'do-not-honor')),
      till.open(payment(type, 1000, {}, 'host-timeout')),
      till.open(payment(type, 1000, { terminalSn: 'TBX-OFFLINE-001' })),
      till.open(payment(type, 1000, { terminalSn: 'TBX-CANCEL-001' })),
    ]
    expect(used.map(({ status }) => status)).toEqual(['SUCCESS', 'FAIL', 'PROCESSING', 'INITIAL', 'CLOSED'])
    for (const first of used) {
      till.refuses(
        payment(type, 1000, { transactionRequestId: first.transactionRequestId }),
        'SBX_DUP_TXN_ID transactionRequestId',
        first.id,
      )
    }
  })

  test('api ids-4: a transactionRequestId must not equal the order identifier', () => {
    const till = new Till()
    const refused = till.refusal(
      payment(type, 1000, { transactionRequestId: 'ORDER-1', referenceOrderId: 'ORDER-1' }),
    )
    expect([refused.code, refused.field]).toEqual(['C17', 'transactionRequestId'])
  })

  test('both shapes of the amount mean the same', () => {
    const till = new Till()
    const cashback = type === 'auth' ? 0 : 500
    const parts = { tipAmount: 200, taxAmount: 80, surchargeAmount: 30, cashbackAmount: cashback }
    const flat = till.open(payment(type, 1000, parts))
    const object = till.open(
      payment(type, 0, {
        amount: { orderAmount: 1000, priceCurrency: 'USD', ...parts, totalAmount: 1310 + cashback },
        priceCurrency: null,
      }),
    )
    const money = { currency: 'USD', order: 1000, tip: 200, tax: 80, surcharge: 30, cashback }
    expect(flat).toMatchObject(money)
    expect(object).toMatchObject(money)
    expect([amountOf(flat), amountOf(object)]).toEqual([1310 + cashback, 1310 + cashback])
  })
})

describe('amounts', () => {
  const refusalOf = (more: object) => {
    const { code, field } = new Till().refusal(saleOf(1000, more))
    return [code, field]
  }

  test('a totalAmount must equal the sum of the parts', () => {
    const amount = { orderAmount: 1000, priceCurrency: 'USD', tipAmount: 200, totalAmount: 1000 }
    expect(refusalOf({ amount })).toEqual(['C17', 'amount.totalAmount'])
  })

  test('parts are refused beside an amount object', () => {
    for (const part of ['tipAmount', 'taxAmount', 'surchargeAmount', 'cashbackAmount'])
      expect(refusalOf({ amount: { orderAmount: 1000 }, [part]: 1 })).toEqual(['C17', part])
  })

  test('the currency may be inside or beside an amount object, or in both when it is the same', () => {
    const till = new Till()
    expect(till.open(saleOf(0, { amount: { orderAmount: 5 }, priceCurrency: 'EUR' })).currency).toBe('EUR')
    const amount = { orderAmount: 5, priceCurrency: 'USD' }
    expect(till.open(saleOf(0, { amount, priceCurrency: 'USD' })).currency).toBe('USD')
    expect(refusalOf({ amount, priceCurrency: 'EUR' })).toEqual(['C17', 'priceCurrency'])
  })

  test('a first transaction needs a currency', () => {
    expect(refusalOf({ priceCurrency: null })).toEqual(['C17', 'priceCurrency'])
    expect(refusalOf({ amount: { orderAmount: 5 }, priceCurrency: null })).toEqual(['C17', 'priceCurrency'])
  })

  test('the amount of a payment is at least 1, and at most 10^12 with all parts', () => {
    expect(refusalOf({ amount: 0 })).toEqual(['C17', 'amount'])
    expect(refusalOf({ amount: { orderAmount: 0 } })).toEqual(['C17', 'amount.orderAmount'])
    expect(refusalOf({ amount: 1e12, tipAmount: 1 })).toEqual(['C17', 'amount'])
    expect(new Till().open(saleOf(1)).status).toBe('SUCCESS')
    expect(amountOf(new Till().open(saleOf(1e12 - 1, { tipAmount: 1 })))).toBe(1e12)
  })

  test('a payment that both sends a tip and asks for one is refused', () => {
    expect(refusalOf({ tipAmount: 1, tipConfig: {} })).toEqual(['C17', 'tipConfig'])
  })
})

describe('identifiers', () => {
  test('every transaction gets its own transactionId, stan, voucherNo and rrn', () => {
    const till = new Till()
    const all = [1, 2, 3].map(() => till.open(saleOf(1000)))
    const written = all.map((each) => ({
      id: each.id,
      stan: stanOf(each),
      voucherNo: voucherNoOf(each),
      rrn: rrnOf(each),
    }))
    for (const member of ['id', 'stan', 'voucherNo', 'rrn'] as const)
      expect(new Set(written.map((each) => each[member])).size).toBe(3)
    for (const { id, stan, voucherNo, rrn } of written) {
      expect(id).toMatch(/^\d{16}$/)
      expect(stan).toMatch(/^\d{6}$/)
      expect(voucherNo).toMatch(/^\d{6}$/)
      expect(rrn).toMatch(/^\d{12}$/)
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

  test('only an approved payment has an authCode', () => {
    const till = new Till()
    expect(till.open(saleOf(1000)).authCode).toBe('123456')
    expect(till.open(saleOf(1000, {}, 'do-not-honor')).authCode).toBeNull()
    expect(till.open(saleOf(1000, { terminalSn: 'TBX-CANCEL-001' })).authCode).toBeNull()
  })

  test('api ids-3: one order can have many transactions', () => {
    const till = new Till()
    const auth = till.open(payment('auth', 1000, { referenceOrderId: 'ORDER-1' }))
    const more = till.open(on('incremental-auth', auth, { amount: 500 }))
    const capture = till.open(on('post-auth', auth, { amount: 1500 }))
    const second = till.open(saleOf(1000, { referenceOrderId: 'ORDER-1' }))
    expect([auth, more, capture, second].map(({ orderId }) => orderId)).toEqual(Array(4).fill('ORDER-1'))
    expect(till.ledger.transactions.size).toBe(4)
  })

  test('api ids-4: a follow-up does not reuse an id either, nor the identifier of its order', () => {
    const till = new Till()
    const sale = till.open(saleOf(1000, { referenceOrderId: 'ORDER-1' }))
    const reused = on('refund', sale, { amount: 1, transactionRequestId: sale.transactionRequestId })
    expect(till.refusal(reused).code).toBe('SBX_DUP_TXN_ID')
    const order = on('refund', sale, { amount: 1, transactionRequestId: 'ORDER-1' })
    expect([till.refusal(order).code, till.refusal(order).field]).toEqual(['C17', 'transactionRequestId'])
  })

  test('api ids-5, statuses-3: a retry after a failure uses a new transactionRequestId and may keep the order', () => {
    const till = new Till()
    const failed = till.open(saleOf(1000, { referenceOrderId: 'ORDER-1' }, 'do-not-honor'))
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
  test('timeExpire is kept to the millisecond, and is 1 day when left out', () => {
    const till = new Till()
    const timeExpire = iso(noon + 3 * minute + 1)
    expect(till.open(saleOf(1000, { timeExpire })).expiresAt).toBe(noon + 3 * minute + 1)
    expect(till.open(saleOf(1000)).expiresAt).toBe(noon + 1440 * minute)
  })

  test('timeExpire must be 3 minutes to 1 day ahead, with 5 seconds of tolerance', () => {
    const till = new Till()
    const expiring = (ahead: number) => saleOf(1000, { timeExpire: iso(noon + ahead) })
    for (const ahead of [3 * minute, 1440 * minute, 3 * minute - 5000, 1440 * minute + 5000])
      expect(till.open(expiring(ahead)).expiresAt).toBe(noon + ahead)
    for (const ahead of [3 * minute - 5001, 1440 * minute + 5001, 0, -minute]) {
      expect(till.refusal(expiring(ahead))).toMatchObject({ code: 'C17', field: 'timeExpire' })
    }
  })

  test('timeExpire may have any offset', () => {
    const till = new Till()
    expect(till.open(saleOf(1000, { timeExpire: '2026-11-20T13:10:00+01:00' })).expiresAt).toBe(
      noon + 10 * minute,
    )
  })
})

describe('the terminal of a payment', () => {
  test('a payment without terminalSn goes to the first terminal of the merchant', () => {
    expect(new Till().open(saleOf(1000)).terminalSn).toBe('TBX-AUTO-001')
  })

  test('an unknown terminal is registered on first sight, once', () => {
    const till = new Till()
    const first = till.do(saleOf(1000, { terminalSn: 'COUNTER-9' }))
    expect(first.map(({ type }) => type)).toEqual(['terminal-set', 'opened'])
    const second = till.do(saleOf(1000, { terminalSn: 'COUNTER-9' }))
    expect(second.map(({ type }) => type)).toEqual(['opened'])
    expect(till.terminal('COUNTER-9').profile).toMatchObject({ terminalSn: 'COUNTER-9', mode: 'auto' })
    const statuses = [...till.ledger.transactions].map(({ status }) => status)
    expect(statuses).toEqual(['SUCCESS', 'SUCCESS'])
  })

  test('a refused request registers no terminal', () => {
    const till = new Till()
    till.refusal(saleOf(0, { terminalSn: 'COUNTER-9' }))
    expect(till.ledger.terminals.has('COUNTER-9')).toBe(false)
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
