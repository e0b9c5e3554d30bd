import {
  AuthenticationMethod,
  CardNetworkType,
  EntryMode,
  RelatedTransactionStatus,
  SunbayNetworkError,
  TransactionBatchStatus,
  TransactionStatus,
  TransactionType,
} from '@sunbay/sunbay-nexus-sdk'
import { expect, test } from 'vitest'
import { errorTable } from '../../src/contract/errors.ts'
import { newId } from '../support/service/new-id.ts'
import { isoWithOffset, localTime } from '../support/service/time-formats.ts'
import { openSdkShop, quietClient, sdkRefusal } from './sdk-shop.ts'

const { INITIAL, SUCCESS } = TransactionStatus
const some = expect.stringMatching(/./)

// That every method succeeds is in sdks-by-options.test.ts: here, what the SDK reads of the answers.

test('api operation-1-1, operation-3-1: a sale succeeds, and its record has every member', async () => {
  const { client, order, final, queryByRequest } = await openSdkShop()
  const parts = { tipAmount: 150, taxAmount: 80, surchargeAmount: 20, cashbackAmount: 500 }
  const request = { ...order(1000, 'TBX-AUTO-001', parts), attach: '{"table": 7}' }
  const { transactionRequestId, referenceOrderId } = request
  const opened = await client.sale(request)
  expect(opened.isSuccess?.()).toBe(true)
  expect(opened).toMatchObject({
    ...{ code: '0', traceId: some, transactionId: expect.stringMatching(/^\d{16}$/) },
    ...{ transactionRequestId, referenceOrderId, transactionStatus: INITIAL },
  })
  const { transactionId } = opened
  const record = await final(transactionId)
  expect(record).toMatchObject({
    ...{ transactionId, transactionRequestId, referenceOrderId },
    ...{ transactionStatus: SUCCESS, transactionType: TransactionType.SALE },
    amount: { ...request.amount, transAmount: 1750 },
    createTime: expect.stringMatching(localTime),
    completeTime: expect.stringMatching(localTime),
    ...{ maskedPan: '411111******1111', paymentMethodId: 'VISA', cardNetworkType: CardNetworkType.CREDIT },
    entryMode: EntryMode.CONTACTLESS,
    authenticationMethod: AuthenticationMethod.NOT_AUTHENTICATED,
    batchNo: '1',
    voucherNo: expect.stringMatching(/^\d{6}$/),
    stan: expect.stringMatching(/^\d{6}$/),
    rrn: expect.stringMatching(/^\d{12}$/),
    authCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
    ...{ transactionResultCode: '000', transactionResultMsg: 'Approved', terminalSn: 'TBX-AUTO-001' },
    ...{ description: 'a test', attach: '{"table": 7}' },
    transactionBatchStatus: TransactionBatchStatus.U,
  })
  expect(record.relatedTransactionStatus).toBeUndefined()
  expect((await queryByRequest(transactionRequestId)).transactionId).toBe(transactionId)
})

test('api operation-4-1, operation-4-2: open and closed batches have every member', async () => {
  const { client, terminal, paid, query } = await openSdkShop()
  expect((await client.batchQuery(terminal)).batchList).toEqual([])
  const sale = await paid(1000, { tipAmount: 150, taxAmount: 80, surchargeAmount: 20 })
  await paid(500, { priceCurrency: 'EUR' })
  const sums = { netAmount: 1250, tipAmount: 150, surchargeAmount: 20, taxAmount: 80 }
  const [dollars, euros] = (await client.batchQuery(terminal)).batchList ?? []
  expect(dollars).toEqual({
    ...{ batchNo: '1', startTime: expect.stringMatching(isoWithOffset), channelCode: 'SBX-CARD' },
    ...{ priceCurrency: 'USD', totalCount: 1, ...sums },
  })
  expect(euros).toMatchObject({ batchNo: '2', priceCurrency: 'EUR', totalCount: 1, netAmount: 500 })
  const close = { ...terminal, transactionRequestId: newId(), channelCode: 'SBX-CARD', description: 'day' }
  expect({ ...(await client.batchClose(close)) }).toMatchObject({
    ...{ code: '0', batchNo: '1', terminalSn: 'TBX-AUTO-001', transactionCount: 1, priceCurrency: 'USD' },
    ...{ batchTime: expect.stringMatching(isoWithOffset), ...sums },
  })
  expect((await client.batchQuery(terminal)).batchList).toEqual([])
  expect((await query(sale.transactionId)).transactionBatchStatus).toBe(TransactionBatchStatus.C)
})

test('api service-5: the look-ups of a merchant and its terminals return every member', async () => {
  const { client, merchant, sandbox } = await openSdkShop()
  const { merchantId } = merchant
  const found = await client.merchantQuery(merchant)
  expect(found).toMatchObject({
    ...{ merchantId, dbaName: 'Tillbox Coffee', mcc: '5814', country: 'USA', stateName: 'California' },
    ...{ cityName: 'San Francisco', street: '1 Market Street', detailAddress: 'Suite 100' },
    ...{ zipCode: '94105', status: 'Y', createTime: expect.stringMatching(localTime) },
  })
  const channel = { channelCode: 'SBX-CARD', channelName: 'Sandbox Cards' }
  expect(found.midList).toContainEqual({ ...channel, mid: expect.stringMatching(/^\d{15}$/) })
  const { terminals = [], ...rest } = await client.merchantTerminalsQuery(merchant)
  expect([rest.merchantId, rest.nextToken]).toEqual([merchantId, undefined])
  expect(terminals.map(({ sn }) => sn)).toEqual(sandbox.terminals)
  expect(terminals[0]).toEqual({
    ...{ terminalId: some, sn: 'TBX-AUTO-001', vendor: some, model: some },
    createTime: expect.stringMatching(localTime),
    tidList: expect.arrayContaining([
      { channelCode: 'SBX-QR', channelName: 'Sandbox QR', tid: expect.stringMatching(/^\d{8}$/) },
    ]),
  })
})

/** The SDK does not model the id of the session: it is in the address of the page. */
const sessionIn = (checkoutUrl: string | undefined): string => String(checkoutUrl).split('/').at(-1) ?? ''

test('api operation-2-1: a created session is paid on its page', async () => {
  const { sandbox, client, onlineOrder, queryByRequest } = await openSdkShop()
  const productList = [{ name: 'Coffee', amount: 450, num: 2 }]
  const request = { ...onlineOrder(900, { taxAmount: 80 }), productList, collectBillingAddress: false }
  const { transactionRequestId, referenceOrderId } = request
  const opened = await client.createCheckoutSession(request)
  expect(opened.checkoutUrl?.startsWith(`${sandbox.url}/checkout/`)).toBe(true)
  expect(Date.parse(String(opened.expiresAt))).toBeGreaterThan(Date.now())
  expect(await queryByRequest(transactionRequestId)).toMatchObject({
    ...{ transactionStatus: INITIAL, referenceOrderId },
  })
  const path = `/_sandbox/sessions/${sessionIn(opened.checkoutUrl)}/pay`
  await sandbox.send('POST', path, { body: { card: 'mastercard-contactless' } })
  const paid = await queryByRequest(transactionRequestId)
  expect(paid).toMatchObject({
    ...{ transactionStatus: SUCCESS, transactionType: TransactionType.SALE },
    transactionBatchStatus: TransactionBatchStatus.N,
    amount: { orderAmount: 900, taxAmount: 80, transAmount: 980 },
    ...{ paymentMethodId: 'MASTERCARD', maskedPan: '555555******4444' },
  })
  for (const absent of [paid.terminalSn, paid.batchNo, paid.entryMode]) expect(absent).toBeUndefined()
})

test.each(['GOOGLE_PAY', 'APPLE_PAY'])(
  'api operation-2-2, operation-2-4, refund-1, refund-2: a payment with %s succeeds, and is refunded in part and then in full',
  async (paymentMethod) => {
    const { sandbox, client, merchant, onlineOrder, queryByRequest } = await openSdkShop()
    const payload = async (more: string) =>
      (await sandbox.json(`checkout wallet-payload --payment-method ${paymentMethod} ${more}`))
        .cardEncryptedData
    const cardEncryptedData = await payload('--card visa-debit')
    const request = { ...onlineOrder(1000), paymentMethod, cardEncryptedData }
    const { transactionRequestId, referenceOrderId } = request
    const { transactionId, ...opened } = await client.checkoutDirectPayment(request)
    expect(opened).toMatchObject({ transactionRequestId, referenceOrderId })
    const paid = { transactionId, transactionStatus: SUCCESS, maskedPan: '400555******0019' }
    expect(await queryByRequest(transactionRequestId)).toMatchObject({
      ...{ ...paid, subPaymentMethodId: paymentMethod },
    })
    const expired = { cardEncryptedData: await payload('--corrupt expired') }
    const late = client.checkoutDirectPayment({ ...request, ...onlineOrder(1000), ...expired })
    expect((await sdkRefusal(late)).code).toBe('SBX_WALLET')

    const original = { originalTransactionId: String(transactionId) }
    const refund = (more: object = {}) =>
      client.onlineRefund({
        ...{ ...merchant, ...original, transactionRequestId: newId(), description: 'cold', ...more },
      })
    const part = await refund({ amount: { priceCurrency: 'USD', totalAmount: 400 } })
    expect(part).toMatchObject({
      ...{ ...original, transactionStatus: SUCCESS, description: 'cold' },
      amount: { orderAmount: 400, priceCurrency: 'USD' },
      ...{ transactionResultCode: '000', transactionResultMsg: 'Approved' },
    })
    for (const time of [part.createTime, part.completeTime]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT/)
    const related = async () => (await queryByRequest(transactionRequestId)).relatedTransactionStatus
    expect(await related()).toBe(RelatedTransactionStatus.PART_REFUNDED)
    const byRequest = { originalTransactionRequestId: transactionRequestId }
    const rest = await refund({ originalTransactionId: undefined, ...byRequest })
    expect(rest.amount).toMatchObject({ orderAmount: 600 })
    expect(await related()).toBe(RelatedTransactionStatus.REFUNDED)
  },
)

test('api errors: a refusal arrives with its message word for word, its code and its traceId', async () => {
  const { client, paid, followUp } = await openSdkShop()
  expect(await sdkRefusal(client.refund(followUp(await paid(1000), 1001)))).toMatchObject({
    message: errorTable.SBX_OVER_REFUND.message,
    code: 'SBX_OVER_REFUND',
    traceId: some,
  })
})

test('api authentication-7: a wrong key is a network error with HTTP 401', async () => {
  const { sandbox, order, merchant } = await openSdkShop()
  const stranger = quietClient(sandbox.url, 'tbx_sandbox_wrong')
  for (const call of [
    stranger.sale(order(1000)),
    stranger.query({ ...merchant, transactionId: '1234567890123456' }),
  ]) {
    const error: unknown = await call.catch((reason) => reason)
    expect(error).toBeInstanceOf(SunbayNetworkError)
    expect((error as Error).message).toMatch(/HTTP 401.*SBX_KEY_UNKNOWN/s)
  }
})
