import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../../src/contract/operations.ts'
import { following, openService, openSold, sale } from '../../support/service/service.ts'

const second = { merchantId: 'M-2', terminalSn: 'T-2' }

/** A service whose application has a second merchant, with a payment of that merchant. */
async function openWithSecond(type: OperationName = 'sale') {
  const service = await openService({ terminals: 'open' })
  const { data } = await service.call(type, sale(1000, second))
  return { ...service, id: data.transactionId as string }
}

describe('assumption parties: a request without merchantId finds its original within the application', () => {
  test.each<[OperationName, OperationName, object]>([
    ['refund', 'sale', { amount: 400 }],
    ['void', 'sale', {}],
    ['tip-adjust', 'sale', { tipAmount: 5 }],
    ['post-auth', 'auth', { amount: 400 }],
    ['incremental-auth', 'auth', { amount: 400 }],
  ])('%s of another merchant of the application', async (name, original, members) => {
    const { call, id } = await openWithSecond(original)
    const answer = await call(name, following(id, members))
    expect(answer.code).toBe('0')
    const { data } = await call('query', { transactionId: answer.data.transactionId ?? id })
    expect(data.terminalSn).toBe('T-2')
  })

  test('an explicit other merchantId is refused, and so is an original of another application', async () => {
    const { call, control, id } = await openWithSecond()
    const refund = following(id, { amount: 1 })
    expect((await call('refund', { ...refund, merchantId: 'M1000000001' })).code).toBe('SBX_TXN_UNKNOWN')
    const { apiKey } = (await control('POST', 'merchants', { merchantId: 'M-3' })).data
    const headers = { Authorization: `Bearer ${apiKey}` }
    expect((await call('refund', refund, headers)).code).toBe('SBX_TXN_UNKNOWN')
    expect((await call('query', { transactionId: id }, headers)).code).toBe('SBX_TXN_UNKNOWN')
  })
})

describe('assumption refund-without-reference: a refund whose order has a payment', () => {
  const refund = (referenceOrderId: string) => sale(100, { referenceOrderId })

  test('the answer notes the payment and the command that refunds it', async () => {
    const { call, data } = await openSold(sale(1000, { referenceOrderId: 'ORDER-A' }))
    expect((await call('refund', refund('ORDER-B'))).headers.get('X-Sandbox-Note')).toBeNull()
    expect((await call('refund', refund('ORDER-A'))).headers.get('X-Sandbox-Note')).toBe(
      `referenceOrderId: ORDER-A has the payment ${data.transactionId}, to which this refund is not linked. ` +
        `Refund the payment: \`tillbox refund ${data.transactionId} --amount 1.00\``,
    )
  })

  test('strict, it is refused; an order whose payment was refunded in full has none', async () => {
    const { call, data } = await openSold(sale(1000, { referenceOrderId: 'ORDER-A' }), { strict: true })
    expect(await call('refund', refund('ORDER-A'))).toMatchObject({
      code: 'C17',
      field: 'referenceOrderId',
      remedy: `Refund the payment: \`tillbox refund ${data.transactionId} --amount 1.00\``,
    })
    expect((await call('refund', following(data.transactionId, { amount: 1000 }))).code).toBe('0')
    expect((await call('refund', refund('ORDER-A'))).code).toBe('0')
  })
})

test('assumption cards: a payment method that no card fits is declined, with a note', async () => {
  const { call } = await openService()
  const paymentMethod = { category: 'QR-MPM', id: 'PAYPAL' }
  const { data, headers } = await call('sale', sale(1000, { paymentMethod }))
  expect(headers.get('X-Sandbox-Note')).toContain('paymentMethod: no test card of the terminal fits')
  const record = (await call('query', { transactionId: data.transactionId })).data
  expect(record).toMatchObject({ transactionStatus: 'F', transactionResultCode: '040', maskedPan: null })
})
