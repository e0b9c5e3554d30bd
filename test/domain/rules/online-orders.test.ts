import { describe, expect, test } from 'vitest'
import { outcomes } from '../../../src/domain/fixtures.ts'
import { availableBalance, batchStatusOf } from '../../../src/domain/model/totals.ts'
import { amountOf, type Transaction } from '../../../src/domain/model/transaction.ts'
import { newSession, onlineRefund, paying, walletPayment } from '../../support/domain/checkout.ts'
import { closing, on, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'

const product = (amount: number, num = 1) => ({ name: 'Coffee', amount, num })
const openings = { 'create-session': newSession, 'direct-payment': walletPayment } as const

describe.each(Object.entries(openings))('the order of %s', (_, open) => {
  test('assumption amount-shapes: either shape of the amount is accepted, with its parts', () => {
    const parts = { taxAmount: 80, surchargeAmount: 20 }
    const [till, flat] = tillWith(open(1000, parts))
    const amount = { orderAmount: 1000, priceCurrency: 'EUR', ...parts, tipAmount: 5 }
    const nested = till.open(open({ ...amount, totalAmount: 1105 }, { priceCurrency: null }))
    expect([amountOf(flat), flat.currency]).toEqual([1100, 'USD'])
    expect([amountOf(nested), nested.currency, nested.tip]).toEqual([1105, 'EUR', 5])
  })

  test.each<[string, unknown, object, string]>([
    ['no currency', 1000, { priceCurrency: null }, 'priceCurrency'],
    ['nothing to pay', 0, {}, 'amount'],
    ['a wrong total', { orderAmount: 1000, totalAmount: 999 }, {}, 'amount.totalAmount'],
    ['a part beside the object', { orderAmount: 1000 }, { taxAmount: 1 }, 'taxAmount'],
    ['parts beyond the largest amount', 1e12, { taxAmount: 1 }, 'amount'],
  ])('assumption amount-shapes: an order with %s is refused', (_, amount, more, field) => {
    expect(new Till().refusal(open(amount, more))).toMatchObject({ code: 'C17', field })
  })

  test('assumption checkout: the products sum to the order amount without tax; there may be none', () => {
    const till = new Till()
    for (const nothing of [[], null, undefined])
      expect(till.open(open(1000, { productList: nothing })).online?.products).toEqual([])
    const productList = [product(450, 2), product(100), product(0, 1_000_000)]
    expect(till.open(open(1000, { productList, taxAmount: 80 })).online?.products).toEqual(productList)
    const refused = till.refusal(open(1080, { productList, taxAmount: 80 }))
    expect([refused.code, refused.field]).toEqual(['C17', 'productList'])
    expect(refused.detail).toBe('must sum to the order amount, 10.80 USD, but sums to 10.00 USD')
  })

  test('assumption checkout: the largest sum is exact, and larger ones are refused', () => {
    const till = new Till()
    const most = 1e12
    expect(till.open(open(most, { productList: [product(1e6, 1e6)] })).order).toBe(most)
    expect(till.open(open(most, { productList: [product(most - 1), product(1)] })).order).toBe(most)
    for (const productList of [
      [product(1e6, 1e6), product(1)],
      [product(most, 1e6)],
      Array.from({ length: 100 }, () => product(most, 1e6)),
    ])
      expect(till.refusal(open(most, { productList })).detail).toContain('but sums to 1')
  })
})

describe('a direct payment', () => {
  test('api operation-2-2: a direct payment is done at once, in the cloud, with the card of its payload', () => {
    const [, paid] = tillWith(walletPayment(1000, { paymentMethod: 'APPLE_PAY' }, null, 'diners-chip'))
    expect(paid).toMatchObject({ type: 'SALE', status: 'SUCCESS', card: 'diners-chip', terminalSn: null })
    expect(paid).toMatchObject({ expiresAt: null, wakeAt: null, screen: 'done', inCloud: true })
    expect(paid.online).toMatchObject({ wallet: 'APPLE_PAY', sessionId: null })
  })

  test('assumption checkout: a direct payment has one try', () => {
    const declined = new Till().open(walletPayment(1000, {}, null, 'visa-declined'))
    expect(declined).toMatchObject({ status: 'FAIL', resultCode: '005', rule: 'card' })
  })

  const triggers = outcomes.flatMap(({ amount, ...rest }) => (amount ? [{ amount, ...rest }] : []))
  test.each(triggers)('assumption outcome-order: the amount $amount decides: $name', (trigger) => {
    const { amount, code, delay = 0 } = trigger
    const [till, payment] = tillWith(walletPayment(amount, {}, null, 'visa-lost'))
    expect(payment.status).toBe(delay > 0 ? 'PROCESSING' : 'FAIL')
    till.pass(delay)
    expect(payment).toMatchObject({ status: 'FAIL', resultCode: code, rule: 'amount' })
  })

  test('assumption outcome-order: the header wins over amount and card', () => {
    const [till, late] = tillWith(walletPayment(9823, {}, 'late-approval', 'visa-lost'))
    expect(late.status).toBe('PROCESSING')
    till.pass(60_000)
    expect(late).toMatchObject({ status: 'SUCCESS', rule: 'header' })
  })
})

describe('assumption batches, refunds', () => {
  test('online payments join no batch, and count in the balance', () => {
    const till = new Till(0)
    const session = till.open(newSession(1000))
    till.do(paying(session))
    const direct = till.open(walletPayment(500, { tipAmount: 50 }))
    expect(availableBalance(till.ledger, 'USD')).toBe(1550)
    const refund = till.open(onlineRefund(direct))
    expect(availableBalance(till.ledger, 'USD')).toBe(1000)
    for (const each of [session, direct, refund]) {
      expect([each.status, each.batchNo, batchStatusOf(till.ledger, each)]).toEqual(['SUCCESS', null, 'N'])
    }
    expect(till.ledger.batches.size).toBe(0)
    expect(till.refusal(closing()).code).toBe('SBX_BATCH_EMPTY')
  })

  test('a batch close pays out what was paid in person, and leaves online payments in the balance', () => {
    const till = new Till(0)
    till.open(walletPayment(700))
    till.open(saleOf(300))
    till.do(closing())
    expect(availableBalance(till.ledger, 'USD')).toBe(700)
  })
})

describe('operations on payments of the other kind', () => {
  const originals: Readonly<Record<string, (till: Till) => Transaction>> = {
    'a direct payment': (till) => till.open(walletPayment(1000)),
    'an open session': (till) => till.open(newSession(1000)),
    'a paid session': (till) => {
      const session = till.open(newSession(1000))
      till.do(paying(session))
      return session
    },
    'an online refund': (till) => till.open(onlineRefund(till.open(walletPayment(1000)), { amount: 1 })),
  }

  test.each(Object.entries(originals))('every in-person operation refuses %s', (_, make) => {
    const till = new Till()
    const original = make(till)
    const byRequest = { originalTransactionRequestId: original.transactionRequestId }
    for (const command of [
      on('incremental-auth', original, { amount: 1 }),
      on('post-auth', original, { amount: 1 }),
      on('refund', original, { amount: 1 }),
      on('refund', original, { amount: 1, pushToTerminal: false }),
      on('void', original),
      on('tip-adjust', original, { tipAmount: 1 }),
      on('abort', original),
      on('abort', original, { originalTransactionId: null, ...byRequest }),
    ]) {
      const { code, field, detail, remedy } = till.refusal(command)
      expect([command.type, code, field]).toEqual([command.type, 'SBX_WRONG_TYPE', 'originalTransactionId'])
      expect(detail).toContain('/v1/checkout/')
      expect(remedy).toMatch(
        /^(Refund it: `tillbox checkout refund|End its session: `tillbox checkout expire|See the payment it belongs to: `tillbox query) /,
      )
    }
  })

  test('the online refund refuses payments in person, and another online refund', () => {
    const till = new Till()
    const refused = (original: Transaction) => till.refusal(onlineRefund(original, { amount: 1 }))
    const inPerson = till.open(on('refund', till.open(saleOf(1000)), { amount: 1 }))
    for (const original of [till.open(saleOf(1000)), till.open(saleOf(1000, {}, 'late-approval'))]) {
      expect(refused(original).code).toBe('SBX_WRONG_TYPE')
      expect(refused(original).detail).toContain('/v1/semi-integration/transaction/refund')
    }
    expect(refused(inPerson).detail).toBe(`transaction ${inPerson.id} is a REFUND in person`)
    const refund = originals['an online refund']?.(till) as Transaction
    const refusal = ['SBX_WRONG_TYPE', `transaction ${refund.id} is of type REFUND; this acts on SALE`]
    expect([refused(refund).code, refused(refund).detail]).toEqual(refusal)
  })
})
