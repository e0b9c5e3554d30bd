import { describe, expect, test } from 'vitest'
import { availableBalance } from '../../../src/domain/model/totals.ts'
import { amountOf, type Transaction } from '../../../src/domain/model/transaction.ts'
import { newSession, onlineRefund, paying, walletPayment } from '../../support/domain/checkout.ts'
import { day, freeRefund, partsOf, Till, tillWith } from '../../support/domain/ledger.ts'

/** A till with one online payment of 10.00, and a tip of 2.00 where asked for. */
function paid(tipAmount = 0, reserve?: number) {
  const till = new Till(reserve)
  const sale = till.open(walletPayment(1000, { tipAmount }))
  return { till, sale }
}

describe('assumption refund-parts: the amount of a refund', () => {
  test('a refund without an amount returns all that is left, tip included', () => {
    const { till, sale } = paid(200)
    const refund = till.open(onlineRefund(sale))
    expect(refund).toMatchObject({ type: 'REFUND', status: 'SUCCESS', currency: 'USD', originalId: sale.id })
    expect(partsOf(refund)).toEqual([1000, 0, 0, 200, 0])
    expect(till.refusal(onlineRefund(sale)).code).toBe('SBX_REFUNDED')
  })

  test('api refund-1: a refund after partial ones returns what they left', () => {
    const { till, sale } = paid(200)
    till.do(onlineRefund(sale, { amount: 300 }))
    till.do(onlineRefund(sale, { amount: { orderAmount: 100, tipAmount: 50 } }))
    expect(partsOf(till.open(onlineRefund(sale)))).toEqual([600, 0, 0, 150, 0])
    expect(sale.followUps?.refunded).toMatchObject({ order: 1000, tip: 200 })
    const parts = { taxAmount: 80, surchargeAmount: 20, tipAmount: 7 }
    const other = till.open(walletPayment(1000, parts))
    expect(partsOf(till.open(onlineRefund(other)))).toEqual([1000, 80, 20, 7, 0])
    till.refuses(walletPayment(1000, { cashbackAmount: 5 }), 'C17 cashbackAmount', 'must not be sent online')
  })

  test.each([[{}], [{ totalAmount: null }], [{ priceCurrency: 'USD' }], [{ orderAmount: null }]])(
    'api operation-2-4: an amount object that names no amount, %j, is refused; only an absent amount asks for all',
    (amount) => {
      const { till, sale } = paid(200)
      till.refuses(onlineRefund(sale, { amount }), 'C17 amount.orderAmount')
      expect(amountOf(till.open(onlineRefund(sale, { amount: null })))).toBe(1200)
    },
  )

  test('an amount object with a total alone counts as an amount', () => {
    const { till, sale } = paid()
    const refund = till.open(onlineRefund(sale, { amount: { totalAmount: 400 } }))
    expect(partsOf(refund)).toEqual([400, 0, 0, 0, 0])
    const refused = till.refusal(onlineRefund(sale, { amount: { totalAmount: 601 } }))
    expect([refused.code, refused.detail]).toEqual(['SBX_OVER_REFUND', '6.01 USD requested, 6.00 USD left'])
  })

  test.each<[object, number[]]>([
    [{ amount: { orderAmount: 300, taxAmount: 50, tipAmount: 100 } }, [300, 50, 0, 100, 0]],
    [{ amount: { tipAmount: 50 } }, [0, 0, 0, 50, 0]],
    [{ amount: 300, tipAmount: 100 }, [300, 0, 0, 100, 0]],
    [{ tipAmount: 50 }, [0, 0, 0, 50, 0]],
  ])('parts are accepted with or without their total, and beside the amount: %j', (members, parts) => {
    const [till, sale] = tillWith(walletPayment(1000, { tipAmount: 200, taxAmount: 50 }))
    expect(partsOf(till.open(onlineRefund(sale, members)))).toEqual(parts)
  })

  test.each<[object, string]>([
    [{ amount: { orderAmount: 300, tipAmount: 100, totalAmount: 401 } }, 'C17 amount.totalAmount'],
    [{ amount: {}, tipAmount: 50 }, 'C17 tipAmount'],
    [{ amount: 0 }, 'C17'],
    [{ amount: { totalAmount: 0 } }, 'C17 amount.totalAmount'],
    [{ amount: { tipAmount: 0 } }, 'C17'],
    [{ amount: { orderAmount: 0 } }, 'C17'],
  ])('%j contradicts itself or refunds nothing: %s', (members, refusal) => {
    const { till, sale } = paid(200)
    till.refuses(onlineRefund(sale, members), refusal)
  })

  test('api refund-3: the tip goes back as tip, and no more than there was', () => {
    const { till, sale } = paid(200)
    for (const [amount, field] of [
      [1201, 'amount'],
      [{ totalAmount: 1201 }, 'amount'],
      [{ orderAmount: 1001 }, 'amount'],
      [{ orderAmount: 1, tipAmount: 201 }, 'tipAmount'],
    ] as const)
      expect(till.refusal(onlineRefund(sale, { amount }))).toMatchObject({ code: 'SBX_OVER_REFUND', field })
  })
})

describe('an online refund', () => {
  test('an online refund has the order, card and wallet of its original, which may be named by its request id', () => {
    const order = { referenceOrderId: 'ORDER-7', paymentMethod: 'APPLE_PAY' }
    const [till, sale] = tillWith(walletPayment(1000, order, null, 'amex-chip'))
    const named = { originalTransactionId: null, originalTransactionRequestId: sale.transactionRequestId }
    const refund = till.open(onlineRefund(sale, { ...named, attach: 'x' }))
    expect(refund).toMatchObject({ orderId: 'ORDER-7', card: 'amex-chip', terminalSn: null, attach: 'x' })
    expect(refund.online?.wallet).toBe('APPLE_PAY')
  })

  test('the refund of a paid session has no session of its own', () => {
    const [till, session] = tillWith(newSession(1000))
    till.do(paying(session))
    const refund = till.open(onlineRefund(session))
    expect(refund.online).toMatchObject({
      ...{ wallet: null, sessionId: null, products: [] },
      ...{ collectsBillingAddress: false, collectsShippingAddress: false },
    })
    expect(till.ledger.transactions.ofSession(session.online?.sessionId ?? '')).toBe(session)
  })

  test('assumption refunds: a refund at the host counts, and is given back when it fails', () => {
    for (const [outcome, left] of [
      ['late-approval', 300],
      ['host-timeout', 1000],
    ] as const) {
      const { till, sale } = paid(0, 0)
      expect(till.open(onlineRefund(sale, { amount: 700 }, outcome))).toMatchObject({ status: 'PROCESSING' })
      expect(availableBalance(till.ledger, 'USD')).toBe(300)
      expect(till.refusal(onlineRefund(sale, { amount: 301 })).detail).toContain('3.00 USD left')
      till.pass(60_000)
      expect(availableBalance(till.ledger, 'USD')).toBe(left)
      expect(amountOf(till.open(onlineRefund(sale)))).toBe(left)
    }
  })

  test.each([
    ['in the amount', { amount: { orderAmount: 1, priceCurrency: 'EUR' } }],
    ['beside the amount', { amount: 1, priceCurrency: 'EUR' }],
    ['without an amount', { priceCurrency: 'EUR' }],
    ['beside a total', { amount: { totalAmount: 1, priceCurrency: 'EUR' } }],
  ])('another currency is refused: %s', (_, members) => {
    const { till, sale } = paid()
    expect(till.refusal(onlineRefund(sale, members)).code).toBe('SBX_CURRENCY')
  })

  test('an original that is unknown or not named is refused', () => {
    const { till, sale } = paid()
    expect(till.refusal(onlineRefund(sale, { originalTransactionId: '1' })).code).toBe('SBX_TXN_UNKNOWN')
    till.refuses(onlineRefund(sale, { originalTransactionId: null }), 'C17 originalTransactionId')
  })
})

describe('api errors: the five refusals of an online refund', () => {
  test('the refusals come in the order and with the words of the specification', () => {
    const till = new Till(0)
    const message = (original: Transaction, more: object = {}) =>
      till.refusal(onlineRefund(original, more)).message
    const session = till.open(newSession(1000))
    till.pass(1000)
    expect(message(session, { amount: 5000 })).toBe('Transaction status not allowed')
    till.do(paying(session))
    till.do(onlineRefund(session))
    till.pass(181 * day)
    expect(message(session, { amount: 5000 })).toBe('Transaction already fully refunded')
    const old = till.open(walletPayment(1000))
    till.pass(181 * day)
    expect(message(old, { amount: 5000 })).toMatch(/exceeds original/)
    till.do(freeRefund(1000))
    expect(availableBalance(till.ledger, 'USD')).toBe(0)
    expect(message(old, { amount: 1000 })).toBe('Refund period expired')
    const fresh = till.open(walletPayment(1000))
    till.do(freeRefund(1))
    expect(message(fresh)).toBe('Insufficient merchant balance')
    expect(till.open(onlineRefund(fresh, { amount: 999 })).status).toBe('SUCCESS')
  })

  test.each([
    ['INITIAL', null, []],
    ['PROCESSING', 'late-approval', ['visa-contactless']],
    ['PROCESSING', null, ['visa-declined']],
    ['FAIL', null, ['visa-declined', 'visa-declined', 'visa-declined']],
  ])('api statuses-1, statuses-2: a session is not refunded: %s (%s, %j)', (status, outcome, cards) => {
    const [till, session] = tillWith(newSession(1000, {}, outcome))
    for (const card of cards) till.do(paying(session, card))
    expect(session.status).toBe(status)
    till.refuses(onlineRefund(session), 'SBX_NOT_ALLOWED')
  })

  test('api limit-refund-period: the refund period is 180 days from the payment, not from the session', () => {
    const [till, session] = tillWith(newSession(1000))
    till.pass(20 * 60_000)
    till.do(paying(session))
    till.pass(180 * day)
    expect(till.open(onlineRefund(session, { amount: 1 })).status).toBe('SUCCESS')
    till.pass(1)
    expect(till.refusal(onlineRefund(session, { amount: 1 })).message).toBe('Refund period expired')
  })
})
