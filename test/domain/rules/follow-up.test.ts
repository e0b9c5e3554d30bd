import { describe, expect, test } from 'vitest'
import { authorisedAmount } from '../../../src/domain/model/parts.ts'
import { amountOf } from '../../../src/domain/model/transaction.ts'
import { day, on, payment, request, saleOf, Till, tillWith } from '../../support/domain/ledger.ts'
import { newId } from '../../support/service/new-id.ts'

const followUps = ['incremental-auth', 'post-auth'] as const

describe.each(followUps)('%s', (type) => {
  test('the currency of the follow-up is that of its original, named or left out', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { priceCurrency: 'EUR' }))
    till.refuses(on(type, auth, { amount: 1, priceCurrency: 'USD' }), 'SBX_CURRENCY priceCurrency')
    const inside = { amount: { orderAmount: 1, priceCurrency: 'USD' } }
    expect(till.refusal(on(type, auth, inside)).code).toBe('SBX_CURRENCY')
    const named = till.open(on(type, auth, { amount: 1, priceCurrency: 'EUR' }, 'do-not-honor'))
    const leftOut = till.open(on(type, auth, { amount: 1 }))
    expect([named.currency, leftOut.currency]).toEqual(['EUR', 'EUR'])
  })

  test('with pushToTerminal false the follow-up runs in the cloud, even while the terminal is offline', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.set('TBX-AUTO-001', { online: false })
    const pushed = till.open(on(type, auth, { amount: 1 }))
    expect([pushed.status, pushed.inCloud]).toEqual(['INITIAL', false])
    till.open(saleOf(1000))
    till.do(on('abort', pushed))
    const inCloud = till.open(on(type, auth, { amount: 1, pushToTerminal: false }))
    expect([inCloud.status, inCloud.inCloud, inCloud.expiresAt]).toEqual(['SUCCESS', true, null])
  })

  test('the follow-up uses the card of its original, has its order identifier, and an amount of at least 1', () => {
    const till = new Till()
    till.set('TBX-AUTO-001', { card: 'amex-chip' })
    const auth = till.open(payment('auth', 1000, { referenceOrderId: 'ORDER-1' }))
    till.set('TBX-AUTO-001', { card: 'jcb-contactless' })
    expect(till.refusal(on(type, auth, { amount: 0 })).code).toBe('C17')
    const followUp = till.open(on(type, auth, { amount: 1 }))
    expect([followUp.card, followUp.orderId, followUp.originalId]).toEqual(['amex-chip', 'ORDER-1', auth.id])
    expect(auth.followUps?.children).toEqual([followUp.id])
  })
})

describe('incremental-auth', () => {
  test('an increment raises the authorised total once it succeeds, and only then', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.open(on('incremental-auth', auth, { amount: 500 }))
    till.open(on('incremental-auth', auth, { amount: 300 }, 'do-not-honor'))
    till.open(on('incremental-auth', auth, { amount: 250 }, 'late-approval'))
    expect(authorisedAmount(auth)).toBe(1500)
    till.pass(59_999)
    expect(authorisedAmount(auth)).toBe(1500)
    till.pass(1)
    expect(authorisedAmount(auth)).toBe(1750)
    expect(auth.order).toBe(1000)
  })

  test('several increments may be under way at once', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    for (const amount of [10, 20]) till.open(on('incremental-auth', auth, { amount }, 'late-approval'))
    till.pass(120_000)
    expect(authorisedAmount(auth)).toBe(1030)
  })

  test('the authorised total is at most 10^12', () => {
    const [till, auth] = tillWith(payment('auth', 1e12 - 1))
    till.refuses(on('incremental-auth', auth, { amount: 2 }), 'C17 amount')
    expect(till.open(on('incremental-auth', auth, { amount: 1 })).status).toBe('SUCCESS')
    expect(authorisedAmount(auth)).toBe(1e12)
  })

  test('increments under way count towards the limit of the authorised total', () => {
    const [till, auth] = tillWith(payment('auth', 1e12 - 10))
    till.open(on('incremental-auth', auth, { amount: 6, pushToTerminal: false }, 'late-approval'))
    const more = on('incremental-auth', auth, { amount: 6, pushToTerminal: false }, 'late-approval')
    expect(till.refusal(more)).toMatchObject({ code: 'C17', field: 'amount' })
  })
})

describe('post-auth', () => {
  test('a capture counts successful increments, and is refused while one is under way', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const late = on('incremental-auth', auth, { amount: 500, pushToTerminal: false }, 'late-approval')
    till.open(late)
    expect(till.refusal(on('post-auth', auth, { amount: 1 })).code).toBe('SBX_NOT_ALLOWED')
    till.pass(60_000)
    expect(till.refusal(on('post-auth', auth, { amount: 1501 })).code).toBe('SBX_OVER_CAPTURE')
    expect(till.open(on('post-auth', auth, { amount: 1500 })).status).toBe('SUCCESS')
  })

  test('tip, tax and surcharge of a capture come on top of its amount', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    const parts = { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 }
    expect(amountOf(till.open(on('post-auth', auth, { amount: 1000, ...parts })))).toBe(1250)
  })

  test('each part of a capture has a limit of its own', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { taxAmount: 80 }))
    const over = (amounts: object) => {
      const { code, field } = till.refusal(on('post-auth', auth, { amount: 400, ...amounts }))
      return [code, field]
    }
    expect(over({ tipAmount: 401 })).toEqual(['SBX_OVER_CAPTURE', 'tipAmount'])
    expect(over({ taxAmount: 80 + 162 + 1 })).toEqual(['SBX_OVER_CAPTURE', 'taxAmount'])
    expect(over({ surchargeAmount: 163 })).toEqual(['SBX_OVER_CAPTURE', 'surchargeAmount'])
    expect(over({ amount: 1081 })).toEqual(['SBX_OVER_CAPTURE', 'amount'])
    expect(over({ cashbackAmount: 1 })).toEqual(['C17', 'cashbackAmount'])
    expect(over({ amount: 0, tipAmount: 1 })).toEqual(['C17', 'amount'])
    const most = { amount: 400, tipAmount: 400, taxAmount: 242, surchargeAmount: 162 }
    expect(till.open(on('post-auth', auth, most)).status).toBe('SUCCESS')
  })

  test('assumption authorisations: a part of the authorisation is captured once, as itself or in the order', () => {
    const parts = { taxAmount: 80, surchargeAmount: 20, tipAmount: 100 }
    const [till, auth] = tillWith(payment('auth', 1000, parts))
    const { field, detail } = till.refusal(on('post-auth', auth, { amount: 1200, taxAmount: 80 }))
    expect([field, detail]).toEqual([
      'amount',
      '12.00 requested, at most 11.20 USD: what was authorised, less 0.80 that the capture names beside it',
    ])
    expect(till.refusal(on('post-auth', auth, { amount: 1001, ...parts })).field).toBe('amount')
    expect(amountOf(till.open(on('post-auth', auth, { amount: 1000, ...parts })))).toBe(1200)
  })

  test('the limits of tip, tax and surcharge of a capture are settings', () => {
    const till = new Till(10_000_000, 'UTC', { captureTip: 0, captureExcess: 0 })
    const auth = till.open(payment('auth', 1000))
    for (const part of ['tipAmount', 'taxAmount', 'surchargeAmount'])
      expect(till.refusal(on('post-auth', auth, { amount: 1000, [part]: 1 })).field).toBe(part)
  })

  test('the tip of a capture is sent or asked for, and keeps its limit when it is chosen at the terminal or adjusted later', () => {
    const till = new Till(10_000_000, 'UTC', { captureTip: 10 })
    const auth = till.open(payment('auth', 1000))
    const tipConfig = { suggestions: { values: [50] } }
    till.refuses(on('post-auth', auth, { amount: 1000, tipAmount: 1, tipConfig: {} }), 'C17 tipConfig')
    const capture = till.open(on('post-auth', auth, { amount: 1000, tipConfig, terminalSn: 'TBX-TIP20-001' }))
    expect([capture.status, capture.tip]).toEqual(['SUCCESS', 100])
    expect(till.refusal(on('tip-adjust', capture, { tipAmount: 101 }))).toMatchObject({
      code: 'SBX_OVER_CAPTURE',
      message: 'The tip exceeds its limit',
      field: 'tipAmount',
      detail: '1.01 requested, at most 1.00 USD: 10 % of the order amount',
    })
    till.do(on('tip-adjust', capture, { tipAmount: 99 }))
    expect(capture.tip).toBe(99)
  })

  test('tax, tip and surcharge of an AUTH and its increments count in the authorised total', () => {
    const [till, auth] = tillWith(payment('auth', 1000, { taxAmount: 80 }))
    till.open(on('incremental-auth', auth, { amount: 500, tipAmount: 100 }))
    expect(authorisedAmount(auth)).toBe(1680)
    expect(till.refusal(on('post-auth', auth, { amount: 1681 })).code).toBe('SBX_OVER_CAPTURE')
    expect(till.open(on('post-auth', auth, { amount: 1680 })).status).toBe('SUCCESS')
    expect(till.refusal(payment('auth', 1000, { cashbackAmount: 1 })).field).toBe('cashbackAmount')
  })

  test('assumption authorisations, periods: after exactly 30 days an AUTH is still raised, a millisecond later neither raised nor captured', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.pass(30 * day)
    expect(till.open(on('incremental-auth', auth, { amount: 1 })).status).toBe('SUCCESS')
    till.pass(1)
    for (const type of ['incremental-auth', 'post-auth'] as const)
      expect(till.refusal(on(type, auth, { amount: 1 }))).toMatchObject({
        code: 'SBX_AUTH_EXPIRED',
        message: 'The authorisation has expired',
      })
    const short = new Till(10_000_000, 'UTC', { authValidity: day })
    const other = short.open(payment('auth', 1000))
    short.pass(day + 1)
    expect(short.refusal(on('post-auth', other, { amount: 1 })).code).toBe('SBX_AUTH_EXPIRED')
  })

  test('a capture that failed or was closed leaves the AUTH open', () => {
    const [till, auth] = tillWith(payment('auth', 1000))
    till.open(on('post-auth', auth, { amount: 1000 }, 'do-not-honor'))
    const waiting = till.open(on('post-auth', auth, { amount: 1000, terminalSn: 'TBX-OFFLINE-001' }))
    till.do(on('abort', waiting))
    expect(waiting.status).toBe('CLOSED')
    expect(till.open(on('post-auth', auth, { amount: 1000 })).status).toBe('SUCCESS')
  })
})

describe('the original', () => {
  const followUp = (more: object) =>
    request('post-auth', { transactionRequestId: newId(), amount: 1, ...more })

  test('api ids-2: the original is named by its id or its transaction request id; the id wins, even when it is unknown', () => {
    const [till, one, other] = tillWith(payment('auth', 1000), payment('auth', 1000))
    const byRequest = { originalTransactionRequestId: other.transactionRequestId }
    const both = { originalTransactionId: one.id, ...byRequest }
    const found = [both, byRequest].map((names) => till.open(followUp(names)).originalId)
    expect(found).toEqual([one.id, other.id])
    const unknown = { ...both, originalTransactionId: '0000000000000000' }
    till.refuses(followUp(unknown), 'SBX_TXN_UNKNOWN originalTransactionId')
  })

  test('every follow-up must name its original', () => {
    const till = new Till()
    const types = ['incremental-auth', 'post-auth', 'void', 'abort', 'tip-adjust', 'refund'] as const
    for (const type of types) {
      const members = { transactionRequestId: newId(), amount: 1, priceCurrency: 'USD', tipAmount: 1 }
      const none = till.refusal(request(type, members))
      expect([type, none.code, none.field]).toEqual([type, 'C17', 'originalTransactionId'])
      const unknown = till.refusal(request(type, { ...members, originalTransactionRequestId: 'NONE' }))
      expect([type, unknown.code]).toEqual([type, 'SBX_TXN_UNKNOWN'])
      expect(unknown.field).toBe('originalTransactionRequestId')
    }
  })
})
