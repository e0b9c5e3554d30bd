import { describe, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../support/service/new-id.ts'
import {
  following,
  onNotification,
  openService,
  openSold,
  type Service,
  sale,
} from '../../support/service/service.ts'
import { localTime } from '../../support/service/time-formats.ts'

/** docs/api.md#record, in its order. */
const specMembers = [
  'transactionId transactionRequestId referenceOrderId transactionStatus transactionType createTime completeTime',
  'priceCurrency orderAmount transactionAmount taxAmount surchargeAmount tipAmount cashbackAmount maskedPan',
  'cardNetworkType paymentMethod subPaymentMethod batchNo voucherNo stan rrn authCode entryMode',
  'authenticationMethod transactionResultCode transactionResultMsg terminalSn description attach',
].flatMap((line) => line.split(' '))

const python = 'SunbayNexusSDK-Python/1.0.14 Python/3.11.2 Linux/6.1.0'
const go = 'SunbayNexusSDK-Go/1.0.0 Go/go1.19.8 Linux/12'
const curl = 'curl/8.5.0'

const parts = { tipAmount: 1, taxAmount: 20, surchargeAmount: 300, cashbackAmount: 4000 }
const texts = { description: 'tea', attach: '{"seat":4}' }
const sums = { orderAmount: 50_000, priceCurrency: 'USD', transAmount: 54_321, transactionAmount: 54_321 }
const nested = { ...parts, ...sums }

async function recordFor(
  { call }: Service,
  userAgent: string | null,
  request: object = sale(50_000, { ...parts, ...texts }),
  outcome: string | null = null,
) {
  const { data } = await call('sale', request, { 'X-Sandbox-Outcome': outcome })
  return (await call('query', { transactionId: data.transactionId }, { 'User-Agent': userAgent })).data
}

describe('the dialect spec', () => {
  test('api record: the record has exactly the thirty members, in their order', async () => {
    const record = await recordFor(await openService({ dialect: 'spec' }), null)
    expect(specMembers).toHaveLength(30)
    expect(Object.keys(record)).toEqual(specMembers)
  })

  test('api record: the members have the types and formats of the specification', async () => {
    const record = await recordFor(await openService({ dialect: 'spec' }), null)
    expect(record).toMatchObject({
      ...{ ...parts, ...texts, transactionStatus: 'S', transactionType: 'SALE', orderAmount: 50_000 },
      ...{ transactionAmount: 54_321, priceCurrency: 'USD', maskedPan: '411111******1111', batchNo: 1 },
      ...{ terminalSn: 'TBX-AUTO-001', transactionResultCode: '000' },
      transactionId: expect.stringMatching(/^\d{16}$/),
      createTime: expect.stringMatching(localTime),
      completeTime: expect.stringMatching(localTime),
      stan: expect.stringMatching(/^\d{6}$/),
      voucherNo: expect.stringMatching(/^\d{6}$/),
      rrn: expect.stringMatching(/^\d{12}$/),
      authCode: expect.stringMatching(/^\w{6}$/),
    })
  })

  test('api record: a member without a value is null, and an amount without a value is zero', async () => {
    const request = sale(1000, { terminalSn: 'TBX-ATTENDED-001', referenceOrderId: null })
    const record = await recordFor(await openService({ dialect: 'spec' }), null, request)
    expect(Object.keys(record)).toEqual(specMembers)
    const absent = Object.keys(record).filter((name) => record[name] === null)
    const withoutValue =
      'referenceOrderId completeTime maskedPan cardNetworkType paymentMethod subPaymentMethod batchNo authCode ' +
      'entryMode authenticationMethod transactionResultCode transactionResultMsg description attach'
    expect(absent).toEqual(withoutValue.split(' '))
    expect(record).toMatchObject({ taxAmount: 0, surchargeAmount: 0, tipAmount: 0, cashbackAmount: 0 })
  })
})

describe('the dialect sdk', () => {
  test('the record has a nested amount, batchNo as text, no flat amounts and no nulls', async () => {
    const record = await recordFor(await openService({ dialect: 'sdk' }), null)
    expect(record.amount).toEqual(nested)
    expect(record).toMatchObject({
      ...{ ...texts, batchNo: '1', paymentMethodId: 'VISA' },
      ...{ transactionBatchStatus: 'U', transactionStatus: 'S' },
    })
    const flat = ['orderAmount', 'priceCurrency', 'transactionAmount', 'tipAmount', 'paymentMethod']
    for (const name of flat) expect(record).not.toHaveProperty(name)
    expect(Object.values(record)).not.toContain(null)
  })

  test('members without a value are left out', async () => {
    const request = sale(1000, { terminalSn: 'TBX-ATTENDED-001', referenceOrderId: null })
    const record = await recordFor(await openService({ dialect: 'sdk' }), null, request)
    const members =
      'amount createTime rrn stan terminalSn transactionBatchStatus transactionId transactionRequestId ' +
      'transactionStatus transactionType voucherNo'
    expect(Object.keys(record).sort()).toEqual(members.split(' '))
  })

  test('relatedTransactionStatus tells what later refunds did', async () => {
    const { call, data } = await openSold(sale(1000), { dialect: 'sdk' })
    const related = async () =>
      (await call('query', { transactionId: data.transactionId })).data.relatedTransactionStatus
    const refund = async (amount: number) =>
      expect((await call('refund', following(data.transactionId, { amount }))).code).toBe('0')
    expect(await related()).toBeUndefined()
    await refund(400)
    expect(await related()).toBe('PART_REFUNDED')
    await refund(600)
    expect(await related()).toBe('REFUNDED')
  })
})

describe('the dialect auto', () => {
  test.each([go, python])('the record is that of the SDKs for %s', async (userAgent) => {
    const record = await recordFor(await openService(), userAgent)
    expect(record.amount.transAmount).toBe(54_321)
    expect(record.batchNo).toBe('1')
    expect(record).not.toHaveProperty('orderAmount')
    expect('transactionBatchStatus' in record).toBe(userAgent !== python)
  })

  const beside = 'the record has the specification’s members and those that SDKs read beside them for %s'
  test.each([null, curl])(beside, async (userAgent) => {
    const record = await recordFor(await openService(), userAgent)
    expect(Object.keys(record)).toEqual([...specMembers, 'amount', 'paymentMethodId', 'refundableAmount'])
    expect(record).toMatchObject({
      ...{ ...parts, orderAmount: 50_000, batchNo: 1, paymentMethod: 'VISA', paymentMethodId: 'VISA' },
      ...{ refundableAmount: 54_321, amount: nested },
    })
  })

  test('subPaymentMethodId stands beside subPaymentMethod, and both are absent where there is no value', async () => {
    const service = await openService()
    await service.control('PATCH', 'terminals/TBX-AUTO-001', { card: 'ebt-snap' })
    const record = await recordFor(service, null)
    expect(record.subPaymentMethod).toEqual(expect.any(String))
    expect(record.subPaymentMethodId).toBe(record.subPaymentMethod)
    const waiting = await recordFor(service, null, sale(1, { terminalSn: 'TBX-ATTENDED-001' }))
    expect(waiting).toMatchObject({ paymentMethod: null, subPaymentMethod: null })
    for (const name of ['paymentMethodId', 'subPaymentMethodId', 'refundableAmount'])
      expect(waiting).not.toHaveProperty(name)
  })

  test('webhooks carry only the specification’s record, whoever sent the request', async () => {
    const service = await openService()
    const bodies: string[] = []
    onTestFinished(onNotification(service.sandbox, ({ body }) => bodies.push(body)))
    await recordFor(service, curl)
    const results = bodies.map((body) => JSON.parse(body)).filter((body) => !('eventType' in body))
    expect(results.map((body) => Object.keys(body))).toEqual([specMembers])
  })

  test.each([
    [null, 'number'],
    [python, 'string'],
  ])('batchNo in the settlement answers for %s is a %s, as in the record', async (userAgent, type) => {
    const service = await openService()
    const headers = { 'User-Agent': userAgent }
    const record = await recordFor(service, userAgent)
    await service.call('sale', sale(1, { priceCurrency: 'EUR' }))
    const open = (await service.call('batch-query', {}, headers)).data.batchList
    const closing = { transactionRequestId: newId() }
    const closed = (await service.call('batch-close', closing, headers)).data
    const list = (await service.call('batch-close-list', {}, headers)).data.batchCloseList
    const others = closed.batchList ?? []
    for (const each of [record, ...open, closed, ...others, ...list]) expect(typeof each.batchNo).toBe(type)
  })
})

describe('a forced dialect', () => {
  test('a forced dialect applies to every caller, and Python gets only the members that it accepts', async () => {
    const ofSpec = await openService({ dialect: 'spec' })
    for (const agent of [python, go]) expect(Object.keys(await recordFor(ofSpec, agent))).toEqual(specMembers)
    const ofSdk = await openService({ dialect: 'sdk' })
    expect(await recordFor(ofSdk, curl)).toMatchObject({ batchNo: '1', transactionBatchStatus: 'U' })
    expect(await recordFor(ofSdk, python)).not.toHaveProperty('transactionBatchStatus')
  })
})

describe('assumption dialect: the amounts that are left', () => {
  /** An authorisation that was raised once. */
  async function raised({ call }: Service) {
    const { transactionId } = (await call('auth', sale(1000))).data
    expect((await call('incremental-auth', following(transactionId, { amount: 500 }))).code).toBe('0')
    return transactionId
  }
  const recordOf = async ({ call }: Service, transactionId: string, agent: string | null = null) =>
    (await call('query', { transactionId }, { 'User-Agent': agent })).data

  test.each([go, curl])('totalAuthorizedAmount includes the increments of an AUTH: %s', async (agent) => {
    const service = await openService()
    const record = await recordOf(service, await raised(service), agent)
    expect(record).toMatchObject({ totalAuthorizedAmount: 1500, amount: { orderAmount: 1000 } })
    expect(record).not.toHaveProperty('refundableAmount')
  })

  test.each([
    ['failed', { 'X-Sandbox-Outcome': 'do-not-honor' }, {}],
    ['waits', {}, { terminalSn: 'TBX-OFFLINE-001' }],
    ['was closed', {}, { terminalSn: 'TBX-CANCEL-001' }],
  ])('totalAuthorizedAmount is absent for an AUTH that %s', async (_, headers, members) => {
    const service = await openService()
    const { transactionId } = (await service.call('auth', sale(1000, members), headers)).data
    for (const agent of [go, curl])
      expect(await recordOf(service, transactionId, agent)).not.toHaveProperty('totalAuthorizedAmount')
  })

  test('totalAuthorizedAmount is absent once the AUTH was voided', async () => {
    const service = await openService()
    const transactionId = await raised(service)
    await service.call('void', following(transactionId))
    expect(await recordOf(service, transactionId)).not.toHaveProperty('totalAuthorizedAmount')
  })

  test.each([go, curl])('refundableAmount is what refunds have left of a payment: %s', async (agent) => {
    const { transactionId, ...service } = await openSold()
    const left = async () => (await recordOf(service, transactionId, agent)).refundableAmount
    expect(await left()).toBe(1000)
    for (const [amount, after] of [
      [400, 600],
      [600, 0],
    ]) {
      const { data } = await service.call('refund', following(transactionId, { amount }))
      expect(await left()).toBe(after)
      expect(await recordOf(service, data.transactionId)).not.toHaveProperty('refundableAmount')
    }
  })

  test('only the control interface shows the remaining amounts to the Python SDK', async () => {
    const service = await openService()
    const transactionId = await raised(service)
    expect(await recordOf(service, transactionId, python)).not.toHaveProperty('totalAuthorizedAmount')
    const payment = (await service.call('sale', sale(700))).data.transactionId
    expect(await recordOf(service, payment, python)).not.toHaveProperty('refundableAmount')
    const auth = (await service.control('GET', `transactions/${transactionId}`)).data
    expect(auth).toMatchObject({ authorisedAmount: 1500, tree: { leftToCapture: 1500, leftToRefund: null } })
    const paid = (await service.control('GET', `transactions/${payment}`)).data
    expect(paid).toMatchObject({ tree: { leftToRefund: 700, leftToCapture: null } })
  })
})
