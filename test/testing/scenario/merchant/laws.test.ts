import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Books,
  isGivenBack,
  judgedOrders,
  type KnownPayment,
  type MerchantOrder,
  orderedIn,
  violationsIn,
} from '../../../../src/testing/scenario/merchant/laws.ts'

const order = (given: Partial<MerchantOrder> = {}): MerchantOrder => ({
  id: 'A-1',
  currency: 'USD',
  amount: 1250,
  paid: true,
  pending: false,
  shipped: true,
  refunded: 0,
  ...given,
})

let last = 0
const payment = (given: Partial<KnownPayment> = {}): KnownPayment => ({
  transactionId: String(++last),
  referenceOrderId: 'A-1',
  originalTransactionId: null,
  type: 'SALE',
  status: 'SUCCESS',
  relatedTransactionStatus: null,
  amount: 1250,
  currency: 'USD',
  ...given,
})

const sale = payment({ transactionId: 'sale' })
const refund = (amount: number) => payment({ type: 'REFUND', originalTransactionId: 'sale', amount })
const backAgain = payment({ type: 'REFUND', originalTransactionId: 'again' })
const failed = payment({ status: 'FAIL' })
const voided = payment({ relatedTransactionStatus: 'VOIDED' })
const authorised = payment({ type: 'AUTH' })
const unpaid = order({ paid: false, shipped: false })
const pending = order({ ...unpaid, pending: true })
const refundsAsked = { amount: 400, currency: 'USD' }

const usual: Books = { orders: [order()], payments: [sale], refundsAsked: undefined }
const lawsBrokenBy = (books: Partial<Books>): string[] =>
  violationsIn({ ...usual, ...books }).map(({ law }) => law)

test.each(
  Object.entries<Partial<Books>>({
    'paid and shipped': {},
    'without orders': { orders: [], payments: [] },
    'declined, and called failed': { orders: [unpaid], payments: [failed] },
    'declined, then paid with another try': { payments: [failed, sale] },
    'a bill of two halves, one of which was paid back on purpose': {
      orders: [order({ amount: 1000, refunded: 500 })],
      payments: [payment({ transactionId: 'sale', amount: 500 }), payment({ amount: 500 }), refund(500)],
    },
    'paid in part for good': {
      ...{ orders: [pending], payments: [payment({ amount: 500 }), failed], inParts: true },
    },
    'paid back by a refund that was voided, then by another one': {
      orders: [order({ refunded: 400 })],
      payments: [sale, { ...refund(400), relatedTransactionStatus: 'VOIDED' }, refund(400)],
      refundsAsked,
    },
    'charged the old price, paid back, and charged the new one': {
      orders: [order({ amount: 1300 })],
      payments: [sale, refund(1250), payment({ amount: 1300 })],
    },
    'refunded in part': { orders: [order({ refunded: 400 })], payments: [sale, refund(400)] },
    'charged twice, and one of them paid back in full': { payments: [sale, refund(1250), payment()] },
    'charged twice, one of them paid back in full, which nobody asked for': {
      payments: [sale, refund(1250), payment()],
      refundsAsked: { amount: 0, currency: 'USD' },
    },
    'charged twice, one of them paid back, and the other one, too, as was asked for': {
      orders: [order({ refunded: 1250 })],
      payments: [sale, refund(1250), payment({ transactionId: 'again' }), backAgain],
      refundsAsked: { amount: 1250, currency: 'USD' },
    },
    'charged twice, one of them voided, and called a refund': {
      orders: [order({ refunded: 1250 })],
      payments: [sale, voided],
    },
    'the same, and called a refund': {
      orders: [order({ refunded: 1250 })],
      payments: [sale, refund(1250), payment()],
      refundsAsked: { amount: 0, currency: 'USD' },
    },
    'charged twice, and one of them voided': { payments: [sale, voided] },
    'voided, and called refunded': { orders: [order({ refunded: 1250 })], payments: [voided] },
    'authorised and shipped, and captured later': { payments: [authorised, payment({ type: 'POST_AUTH' })] },
    'shipped on an authorisation': { orders: [order({ paid: false })], payments: [authorised] },
    'pending, as its payment is': { orders: [pending], payments: [payment({ status: 'PROCESSING' })] },
    'a bill that is split between two payments': {
      payments: [payment({ amount: 500 }), payment({ amount: 750 })],
    },
    'as many orders as were asked for, and one that was paid back in full': {
      orders: [order({ refunded: 1250 }), order({ id: 'A-2' })],
      payments: [sale, refund(1250), payment({ referenceOrderId: 'A-2' })],
      ordersAsked: 1,
    },
    'one part of a split bill was declined, and the other one paid back': {
      orders: [order({ paid: false, shipped: false, refunded: 500 })],
      payments: [
        payment({ transactionId: 'sale', amount: 500 }),
        payment({ amount: 750, status: 'FAIL' }),
        refund(500),
      ],
      refundsAsked,
    },
    'shipped by itself, or paid back': {
      orders: [order(), order({ id: 'A-2', shipped: false, refunded: 1250 })],
      payments: [
        payment(),
        payment({ transactionId: 'sale', referenceOrderId: 'A-2' }),
        { ...refund(1250), referenceOrderId: 'A-2' },
      ],
      shipsWhenPaid: true,
    },
    'one parcel': { orders: [order({ parcels: 1 })] },
    'what is not told is not judged': { orders: [order({ amount: undefined, refunded: undefined })] },
    'no more than was asked for': {
      orders: [order({ refunded: 400 })],
      payments: [sale, refund(400)],
      refundsAsked,
    },
  }),
)('a sound shop breaks no law: %s', (_, books) => expect(lawsBrokenBy(books)).toEqual([]))

test.each(
  Object.entries<readonly [law: string, books: Partial<Books>]>({
    'two payments stand': ['charged-once', { payments: [sale, payment()] }],
    'two payments stand, and the merchant tells no price': [
      'charged-once',
      { orders: [order({ amount: undefined })], payments: [sale, payment()] },
    ],
    'a part of a split bill is paid twice': [
      'charged-once',
      { payments: [payment({ amount: 500 }), payment({ amount: 750 }), payment({ amount: 500 })] },
    ],
    'a part of a split bill is missing': ['amount-charged', { payments: [payment({ amount: 500 })] }],
    'a repeated request made a second order, which is charged': [
      'ordered-once',
      {
        orders: [order(), order({ id: 'A-2' })],
        payments: [sale, payment({ referenceOrderId: 'A-2' })],
        ordersAsked: 1,
      },
    ],
    'a second parcel leaves': ['shipped-once', { orders: [order({ parcels: 2 })] }],
    'another currency is charged': ['amount-charged', { orders: [order({ currency: 'EUR' })] }],
    'a part is charged in another currency': [
      'amount-charged',
      { payments: [payment({ amount: 1000 }), payment({ amount: 250, currency: 'EUR' })] },
    ],
    'another amount is charged': ['amount-charged', { payments: [payment({ amount: 1249 })] }],
    'more is paid back than was asked for': [
      'refunds-asked',
      { orders: [order({ refunded: 800 })], payments: [sale, refund(400), refund(400)], refundsAsked },
    ],
    'the merchant does not know of a refund': ['refunds-agree', { payments: [sale, refund(400)] }],
    'a refund was declined': ['refunds-agree', { orders: [order({ refunded: 400 })] }],
    'shipped, not paid': ['shipped-if-paid', { orders: [order({ paid: false })], payments: [failed] }],
    'shipped for a part of its price, which was paid back': [
      'shipped-if-paid',
      {
        orders: [order({ paid: false, refunded: 500 })],
        payments: [payment({ transactionId: 'sale', amount: 500 }), refund(500)],
      },
    ],
    'shipped for an authorisation whose capture was declined': [
      'shipped-if-paid',
      {
        orders: [order({ paid: false })],
        payments: [authorised, payment({ type: 'POST_AUTH', status: 'FAIL' })],
      },
    ],
    'paid, and it never left': [
      'shipped-when-paid',
      { orders: [order({ shipped: false })], shipsWhenPaid: true },
    ],
    'charged too much, and paid back in full': [
      'amount-charged',
      { orders: [order({ amount: 100, refunded: 1250 })], payments: [sale, refund(1250)] },
    ],
    'called paid, unpaid': ['paid-if-approved', { orders: [order({ shipped: false })], payments: [failed] }],
    'an approved payment is called failed': ['approved-known', { orders: [unpaid] }],
    'charged another price after the first charge was paid back': [
      'amount-charged',
      { orders: [order({ refunded: 1250 })], payments: [sale, refund(1250), payment({ amount: 9900 })] },
    ],
    'paid back as was asked for, and charged again': [
      'totals-agree',
      {
        orders: [order({ refunded: 1250 })],
        payments: [sale, refund(1250), payment()],
        refundsAsked: { amount: 1250, currency: 'USD' },
      },
    ],
    'charged twice, and both are paid back, which nobody asked for': [
      'refunds-asked',
      {
        orders: [order({ refunded: 2500 })],
        payments: [sale, refund(1250), payment({ transactionId: 'again' }), backAgain],
        refundsAsked: { amount: 0, currency: 'USD' },
      },
    ],
    'another price is captured of an order that is not called paid': [
      'approved-known',
      { orders: [unpaid], payments: [payment({ type: 'POST_AUTH', amount: 100 })] },
    ],
    'the order of a payment is not there': ['approved-known', { orders: [] }],
    'a payment of no order': ['approved-known', { payments: [sale, payment({ referenceOrderId: null })] }],
    'pending for ever': ['ends-known', { orders: [pending], payments: [failed] }],
    'sums differ where no order does alone: voided, and counted': ['totals-agree', { payments: [voided] }],
  }),
)('a law is broken: %s', (_, [law, books]) => expect(lawsBrokenBy(books)).toEqual([law]))

test('orders that have ended are judged one by one', () => {
  const orders = ['right', 'wrong', 'open', 'pending'].map((id) => order({ id, pending: id === 'pending' }))
  const payments = orders.map(({ id }) =>
    payment({
      referenceOrderId: id,
      amount: id === 'wrong' ? 1 : 1250,
      status: id === 'open' ? 'PROCESSING' : 'SUCCESS',
    }),
  )
  expect([...judgedOrders({ orders, payments, refundsAsked: undefined })]).toEqual([
    ['right', null],
    ['wrong', 'Order wrong is charged 0.01 USD; its price is 12.50 USD'],
  ])
})

test.each<[string, Partial<MerchantOrder>, [string, string | null][]]>([
  ['counted', {}, [['A-1', 'The orders add up to 12.50 USD, the payments to 0.00 USD']]],
  ['called paid back', { refunded: 1250 }, [['A-1', null]]],
  ['without a price', { amount: undefined }, []],
])('a voided order that is %s, by itself', (_, told, judged) => {
  const books = { orders: [order(told)], payments: [voided], refundsAsked: undefined }
  expect([...judgedOrders(books)]).toEqual(judged)
})

test('the sentence has the amounts and the ids', () => {
  const [found] = violationsIn({ ...usual, payments: [payment({ amount: 1249 })] })
  expect(found?.text).toBe('Order A-1 is charged 12.49 USD; its price is 12.50 USD')
  const [partial] = violationsIn({ ...usual, payments: [payment({ type: 'POST_AUTH', amount: 1249 })] })
  expect(partial?.text).toMatch(
    /12.49 USD is captured; its price is 12.50 USD, and should be the captured amount$/,
  )
})

test('any number of sound orders breaks no law; one more charge of any of them does', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(amounts, fc.nat(), (prices, chosen) => {
      const orders = prices.map((amount, index) => order({ id: `O-${index}`, amount }))
      const payments = orders.map(({ id, amount = 0 }) => payment({ referenceOrderId: id, amount }))
      expect(lawsBrokenBy({ orders, payments })).toEqual([])
      const again = payments[chosen % payments.length] as KnownPayment
      const more = [...payments, payment({ ...again, transactionId: 'again' })]
      expect(lawsBrokenBy({ orders, payments: more })).toEqual(['charged-once'])
    }),
  )
})

test.each([
  ['a refund', refund(400), true],
  ['a voided payment', voided, true],
  ['a payment', sale, false],
  ['the void of a payment', payment({ type: 'VOID' }), false],
  ['a voided authorisation', payment({ type: 'AUTH', relatedTransactionStatus: 'VOIDED' }), false],
])('what a merchant gives back while the world is kind: %s is %s', (_, given, isCounted) => {
  expect(isGivenBack(given)).toBe(isCounted)
})

test('an order that is paid back, declined or only authorised was asked for, and a follow-up asks for none', () => {
  const payments = [
    ...[sale, refund(1250), failed, authorised],
    payment({ referenceOrderId: 'A-2', status: 'FAIL' }),
    payment({ referenceOrderId: 'A-3', type: 'AUTH' }),
    payment({ referenceOrderId: 'A-3', type: 'POST_AUTH' }),
    payment({ referenceOrderId: null, type: 'REFUND' }),
  ]
  expect(orderedIn(payments)).toBe(3)
})
