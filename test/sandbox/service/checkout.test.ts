import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../../src/contract/operations.ts'
import {
  following,
  openService,
  plainLedgersOf,
  sale,
  secondKey,
  WallClock,
} from '../../support/service/service.ts'
import { asking, openSession, paidOnline, walletSale } from '../../support/service/shop.ts'
import { localTime } from '../../support/service/time-formats.ts'

const userAgents = [null, 'SunbayNexusSDK-Python/1.0.14 Python/3.11.2 Linux/6.1.0']

/** The members that the strictest SDK accepts; where it has no model, those that the others read. */
const sessionMembers =
  'amount checkoutUrl description expiresAt merchantId productList referenceOrderId sessionId transactionRequestId'.split(
    ' ',
  )
const paymentMembers = ['transactionId', 'referenceOrderId', 'transactionRequestId']
const expiredMembers = ['sessionId', 'sessionStatus', 'transactionId', 'transactionRequestId', 'expiredAt']
const refundMembers = [
  ...'amount completeTime createTime description originalTransactionId transactionId'.split(' '),
  ...'transactionRequestId transactionResultCode transactionResultMsg transactionStatus transactionType'.split(
    ' ',
  ),
]

const namesOf = (data: object) => Object.keys(data).sort()
const withoutOrder = (names: readonly string[]) => names.filter((name) => name !== 'referenceOrderId')

describe.each(userAgents)('the answers to %s', (userAgent) => {
  const headers = { 'User-Agent': userAgent }

  test('api operation-2-1, operation-2-3: a session is answered with exactly its members when it is opened and when it expires', async () => {
    const { call } = await openService({ wall: new WallClock(Date.UTC(2026, 10, 20, 12)).read })
    const productList = [{ name: 'tea', amount: 500, num: 2 }]
    const request = sale(1000, { description: 'tea', attach: 'x', taxAmount: 80, productList })
    const { data } = await call('create-session', request, headers)
    expect(namesOf(data)).toEqual([...sessionMembers].sort())
    const { transactionRequestId, referenceOrderId } = request as Record<string, string>
    expect(data).toMatchObject({
      ...{ expiresAt: '2026-11-20T12:30:00+00:00', merchantId: 'M1000000001', description: 'tea' },
      ...{ productList, transactionRequestId, referenceOrderId },
    })
    expect(data.amount).toEqual({ orderAmount: 1000, taxAmount: 80, priceCurrency: 'USD' })
    expect(new URL(data.checkoutUrl).pathname).toBe(`/checkout/${data.sessionId}`)
    const expired = (await call('expire-session', { sessionId: data.sessionId }, headers)).data
    expect(namesOf(expired)).toEqual([...expiredMembers].sort())
    expect(expired).toMatchObject({
      ...{ sessionId: data.sessionId, sessionStatus: 'EXPIRED', transactionRequestId },
      expiredAt: '2026-11-20T12:00:00+00:00',
    })
    expect(expired.transactionId).toMatch(/^\d{16}$/)
  })

  test('api operation-2-2, operation-2-4: a direct payment and its refund are answered with exactly their members', async () => {
    const { call } = await openService()
    const { data } = await call('direct-payment', walletSale(1000, { tipAmount: 50 }), headers)
    expect(namesOf(data)).toEqual([...paymentMembers].sort())
    const request = following(data.transactionId, { description: 'cold' })
    const refund = (await call('online-refund', request, headers)).data
    expect(namesOf(refund)).toEqual([...refundMembers].sort())
    const amount = { orderAmount: 1000, tipAmount: 50, transAmount: 1050, totalAmount: 1050 }
    expect(refund).toMatchObject({
      ...{ originalTransactionId: data.transactionId, transactionStatus: 'S', transactionType: 'REFUND' },
      ...{ transactionResultCode: '000', transactionResultMsg: 'Approved', description: 'cold' },
      amount: { ...amount, priceCurrency: 'USD' },
      createTime: expect.stringMatching(localTime),
      completeTime: expect.stringMatching(localTime),
    })
  })

  test('members without a value are left out', async () => {
    const { call } = await openService()
    const bare = { referenceOrderId: null }
    const session = (await call('create-session', sale(1, bare), headers)).data
    const unsent = ['description', 'productList']
    const names = withoutOrder(sessionMembers).filter((name) => !unsent.includes(name))
    expect(namesOf(session)).toEqual(names.sort())
    const payment = (await call('direct-payment', walletSale(1, bare), headers)).data
    expect(namesOf(payment)).toEqual(withoutOrder(paymentMembers).sort())
    const asked = { ...headers, ...asking('late-approval') }
    const late = await call('online-refund', following(payment.transactionId), asked)
    const absent = ['completeTime', 'transactionResultCode', 'transactionResultMsg', 'description']
    expect(namesOf(late.data)).toEqual(refundMembers.filter((name) => !absent.includes(name)).sort())
    expect(late.data.transactionStatus).toBe('P')
  })
})

test.each<[OperationName, object, string]>([
  ['create-session', { productList: { name: 'x' } }, 'productList'],
  ['create-session', { productList: [{ name: 'x', amount: 1 }] }, 'productList.0.num'],
  ['create-session', { productList: [{ name: 'x', amount: 2, num: 1 }] }, 'productList'],
  ['create-session', { merchantReturnUrl: 'javascript:alert(1)' }, 'merchantReturnUrl'],
  ['direct-payment', { paymentMethod: { category: 'CARD' } }, 'paymentMethod'],
  ['direct-payment', { cardEncryptedData: null }, 'cardEncryptedData'],
  ['expire-session', { sessionId: null, transactionRequestId: null }, 'sessionId'],
  ['online-refund', { referenceOrderId: 'ORDER-77' }, 'referenceOrderId'],
  ['online-refund', { referenceOrderId: null, amount: 'all' }, 'amount'],
])('%s refuses %j', async (name, members, field) => {
  const service = await openService()
  const before = plainLedgersOf(service.sandbox)
  expect(await service.call(name, walletSale(1, members))).toMatchObject({ code: 'C17', field })
  expect(plainLedgersOf(service.sandbox)).toEqual(before)
})

test('a session that is not named is refused with both members that name one', async () => {
  const { msg } = await (await openService()).call('expire-session', {})
  expect(msg).toContain('is required, or transactionRequestId')
})

test('assumption wallets: the record has no terminal, entry mode or batch, and the wallet as sub-method', async () => {
  const service = await openService()
  const transactionId = await paidOnline(service)
  const spec = (await service.call('query', { transactionId })).data
  expect(spec).toMatchObject({
    ...{ terminalSn: null, batchNo: null, entryMode: null, authenticationMethod: 'NOT_AUTHENTICATED' },
    ...{ paymentMethod: 'VISA', subPaymentMethod: 'GOOGLE_PAY', maskedPan: '411111******1111' },
    stan: expect.stringMatching(/^\d{6}$/),
    voucherNo: expect.stringMatching(/^\d{6}$/),
    rrn: expect.stringMatching(/^\d{12}$/),
  })
  const sdk = await service.call('query', { transactionId }, { 'User-Agent': 'SunbayNexusSDK-Go/1.0.0' })
  expect(sdk.data).toMatchObject({ subPaymentMethodId: 'GOOGLE_PAY', transactionBatchStatus: 'N' })
  for (const name of ['terminalSn', 'batchNo', 'entryMode']) expect(sdk.data).not.toHaveProperty(name)
})

const second = { Authorization: `Bearer ${secondKey}` }

test('sessions and payments of another application are not found and do not change', async () => {
  const service = await openService()
  const { sessionId, transactionRequestId } = await openSession(service)
  const paid = await paidOnline(service)
  const before = plainLedgersOf(service.sandbox)
  const code = async (name: OperationName, members: object) =>
    (await service.call(name, members, second)).code
  expect(await code('expire-session', { sessionId })).toBe('SBX_SESSION_NONE')
  expect(await code('expire-session', { transactionRequestId })).toBe('SBX_SESSION_NONE')
  expect(await code('expire-session', { sessionId, merchantId: 'M1000000001' })).toBe('SBX_OTHER_OWNER')
  expect(await code('online-refund', following(paid))).toBe('SBX_TXN_UNKNOWN')
  expect(await code('query', { transactionId: paid })).toBe('SBX_TXN_UNKNOWN')
  expect(await code('create-session', sale(1, { merchantId: 'M1000000001' }))).toBe('SBX_OTHER_OWNER')
  expect(plainLedgersOf(service.sandbox)).toEqual(before)
})
