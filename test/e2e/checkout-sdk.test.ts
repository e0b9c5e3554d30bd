import {
  RelatedTransactionStatus,
  TransactionBatchStatus,
  TransactionStatus,
  TransactionType,
} from '@sunbay/sunbay-nexus-sdk'
import { describe, expect, test } from 'vitest'
import type { LaunchedSandbox } from '../support/commands/running-sandbox.ts'
import { sdkRefusal } from '../support/sdk/sdk-refusal.ts'
import { openSdkShop } from '../support/sdk/sdk-shop.ts'
import { newId } from '../support/service/new-id.ts'

/** A payload as the command makes it. */
async function payloadFor({ json }: LaunchedSandbox, wallet: string, ...more: string[]): Promise<string> {
  const made = await json(['checkout', 'wallet-payload', '--payment-method', wallet, ...more])
  return made.cardEncryptedData
}

/** The SDK does not model the id of the session: it is in the address of the page. */
const sessionIn = (checkoutUrl: string | undefined): string => String(checkoutUrl).split('/').at(-1) ?? ''

describe('the public Node SDK, online', () => {
  test('api operation-2-1: a created session is paid on its page', async () => {
    const { sandbox, client, onlineOrder, queryByRequest } = await openSdkShop()
    const request = {
      ...onlineOrder(900, { taxAmount: 80 }),
      productList: [{ name: 'Coffee', amount: 450, num: 2 }],
      collectBillingAddress: false,
      merchantReturnUrl: 'http://localhost:3000/done',
    }
    const opened = await client.createCheckoutSession(request)
    expect([opened.isSuccess?.(), opened.code]).toEqual([true, '0'])
    expect(opened.checkoutUrl?.startsWith(`${sandbox.url}/checkout/`)).toBe(true)
    expect(Date.parse(String(opened.expiresAt))).toBeGreaterThan(Date.now())
    const waiting = await queryByRequest(request.transactionRequestId)
    expect(waiting.transactionStatus).toBe(TransactionStatus.INITIAL)
    expect(waiting.referenceOrderId).toBe(request.referenceOrderId)

    const body = { card: 'mastercard-contactless' }
    const path = `/_sandbox/sessions/${sessionIn(opened.checkoutUrl)}/pay`
    expect((await sandbox.send('POST', path, { body })).envelope.data.state).toBe('paid')
    const paid = await queryByRequest(request.transactionRequestId)
    expect(paid.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(paid.transactionType).toBe(TransactionType.SALE)
    expect(paid.transactionBatchStatus).toBe(TransactionBatchStatus.N)
    expect(paid.amount).toMatchObject({ orderAmount: 900, taxAmount: 80, transAmount: 980 })
    expect(paid.paymentMethodId).toBe('MASTERCARD')
    expect(paid.maskedPan).toBe('555555******4444')
    for (const absent of [paid.terminalSn, paid.batchNo, paid.entryMode]) expect(absent).toBeUndefined()
  })

  test('api operation-2-3: a session expires once, and a second request is refused', async () => {
    const { client, merchant, onlineOrder, queryByRequest } = await openSdkShop()
    const request = onlineOrder(1000)
    const sessionId = sessionIn((await client.createCheckoutSession(request)).checkoutUrl)
    const expired = await client.expireCheckoutSession({ ...merchant, sessionId, reason: 'sold out' })
    expect(expired).toMatchObject({
      sessionId,
      sessionStatus: 'EXPIRED',
      transactionRequestId: request.transactionRequestId,
    })
    expect(expired.transactionId).toMatch(/^\d{16}$/)
    expect(Date.parse(String(expired.expiredAt))).not.toBeNaN()
    expect((await queryByRequest(request.transactionRequestId)).transactionStatus).toBe(
      TransactionStatus.CLOSED,
    )
    const again = await sdkRefusal(client.expireCheckoutSession({ ...merchant, sessionId }))
    expect([again.code, again.message]).toEqual(['SBX_SESSION_OVER', 'The session is over'])
    const unknown = await sdkRefusal(client.expireCheckoutSession({ ...merchant, sessionId: 'cs_0' }))
    expect(unknown.code).toBe('SBX_SESSION_NONE')
  })

  test.each(['GOOGLE_PAY', 'APPLE_PAY'])(
    'api operation-2-2: a direct payment with %s succeeds',
    async (paymentMethod) => {
      const { sandbox, client, onlineOrder, queryByRequest } = await openSdkShop()
      const address = {
        line1: '1 Main St',
        city: 'Town',
        state: 'CA',
        postalCode: '94105',
        countryCode: 'USA',
      }
      const request = {
        ...onlineOrder(1000),
        paymentMethod,
        cardEncryptedData: await payloadFor(sandbox, paymentMethod, '--card', 'visa-debit'),
        customerName: 'A Customer',
        customerEmail: 'customer@example.com',
        billingAddress: address,
        shippingAddress: address,
      }
      const opened = await client.checkoutDirectPayment(request)
      expect(opened.isSuccess?.()).toBe(true)
      expect(opened.transactionId).toMatch(/^\d{16}$/)
      expect(opened.transactionRequestId).toBe(request.transactionRequestId)
      expect(opened.referenceOrderId).toBe(request.referenceOrderId)
      const record = await queryByRequest(request.transactionRequestId)
      expect(record.transactionId).toBe(opened.transactionId)
      expect(record.transactionStatus).toBe(TransactionStatus.SUCCESS)
      expect(record.subPaymentMethodId).toBe(paymentMethod)
      expect(record.maskedPan).toBe('400555******0019')
      const repeated = await sdkRefusal(client.checkoutDirectPayment(request))
      expect(repeated.code).toBe('SBX_DUP_TXN_ID')
      const expired = await payloadFor(sandbox, paymentMethod, '--corrupt', 'expired')
      const late = client.checkoutDirectPayment({
        ...request,
        ...onlineOrder(1000),
        cardEncryptedData: expired,
      })
      expect((await sdkRefusal(late)).code).toBe('SBX_WALLET')
    },
  )

  test('api operation-2-4, refund-1, refund-2: an online payment is refunded in part and then in full', async () => {
    const { sandbox, client, merchant, onlineOrder, queryByRequest } = await openSdkShop()
    const request = {
      ...onlineOrder(1000),
      paymentMethod: 'GOOGLE_PAY',
      cardEncryptedData: await payloadFor(sandbox, 'GOOGLE_PAY'),
    }
    const { transactionId } = await client.checkoutDirectPayment(request)
    const refund = (more: object = {}) =>
      client.onlineRefund({
        ...merchant,
        originalTransactionId: String(transactionId),
        transactionRequestId: newId(),
        description: 'cold',
        ...more,
      })
    const part = await refund({ amount: { priceCurrency: 'USD', totalAmount: 400 } })
    expect(part.isSuccess?.()).toBe(true)
    expect(part.transactionStatus).toBe(TransactionStatus.SUCCESS)
    expect(part).toMatchObject({
      originalTransactionId: transactionId,
      amount: { orderAmount: 400, priceCurrency: 'USD' },
      transactionResultCode: '000',
      transactionResultMsg: 'Approved',
      description: 'cold',
    })
    for (const time of [part.createTime, part.completeTime]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/)
    const after = await queryByRequest(request.transactionRequestId)
    expect(after.relatedTransactionStatus).toBe(RelatedTransactionStatus.PART_REFUNDED)

    const tooMuch = await sdkRefusal(refund({ amount: { priceCurrency: 'USD', orderAmount: 601 } }))
    expect(tooMuch.message).toBe('Refund amount exceeds original transaction amount')
    const byRequest = { originalTransactionRequestId: request.transactionRequestId }
    const rest = await refund({ originalTransactionId: undefined, ...byRequest })
    expect(rest.amount).toMatchObject({ orderAmount: 600 })
    expect((await queryByRequest(String(rest.transactionRequestId))).transactionType).toBe(
      TransactionType.REFUND,
    )
    expect((await sdkRefusal(refund())).message).toBe('Transaction already fully refunded')
    const done = await queryByRequest(request.transactionRequestId)
    expect(done.relatedTransactionStatus).toBe(RelatedTransactionStatus.REFUNDED)
    expect(done.transactionStatus).toBe(TransactionStatus.SUCCESS)
  })
})
