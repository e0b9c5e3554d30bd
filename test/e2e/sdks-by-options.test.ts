import { TransactionStatus } from '@sunbay/sunbay-nexus-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorTable } from '../../src/contract/errors.ts'
import type { AnyJson } from '../support/any-json.ts'
import { startSandboxCommand } from '../support/commands/running-sandbox.ts'
import { type Sdk, sdks } from '../support/sdk/sdks.ts'
import { newId } from '../support/service/new-id.ts'
import { payloadOf } from '../support/service/shop.ts'
import { type GroupSandbox, optionSets, startShared } from './option-sets.ts'
import { clientOf, nullMembers, originalMembers } from './sdk-client.ts'
import { sdkShopOn } from './sdk-shop.ts'

const attended = 'TBX-ATTENDED-001'

/** Every method of the Node SDK; each transaction reaches a final status. */
async function walkNode(sandbox: GroupSandbox): Promise<void> {
  const { client, merchant, terminal, base, order, onlineOrder, query, queryByRequest, followUp } =
    sdkShopOn(sandbox)
  const { SUCCESS, FAIL, CLOSED } = TransactionStatus
  const reaches = (opened: { transactionId?: string }, status = SUCCESS) =>
    expect.poll(async () => (await query(opened.transactionId)).transactionStatus).toBe(status)

  const sale = await client.sale(order(1000))
  await reaches(sale)
  await reaches(await client.sale(order(9823)), FAIL)
  const original = { ...terminal, originalTransactionId: String(sale.transactionId) }
  expect((await client.tipAdjust({ ...original, tipAmount: 100 })).tipAmount).toBe(100)
  await reaches(await client.refund(followUp(sale, 400)))
  await reaches(await client.refund(order(300)))
  const auth = await client.auth(order(5000))
  await reaches(auth)
  await reaches(await client.incrementalAuth(followUp(auth, 500)))
  await reaches(await client.postAuth(followUp(auth, 5500)))
  const forced = await client.forcedAuth(order(700))
  await reaches(forced)
  const { amount: _, ...toVoid } = followUp(forced, 700)
  await reaches(await client.voidTransaction(toVoid))
  const waiting = await client.sale(order(1000, attended))
  const originalTransactionId = String(waiting.transactionId)
  const aborted = await client.abort({ ...base, originalTransactionId, terminalSn: attended })
  expect(aborted.transactionStatus).toBe(CLOSED)
  await reaches(waiting, CLOSED)

  const openPage = async (request = onlineOrder(1000)) => {
    const { checkoutUrl } = await client.createCheckoutSession(request)
    return String(checkoutUrl?.split('/').at(-1))
  }
  const expired = await client.expireCheckoutSession({ ...merchant, sessionId: await openPage() })
  await reaches(expired, CLOSED)
  const request = onlineOrder(800)
  const pay = `/_sandbox/sessions/${await openPage(request)}/pay`
  const paid = await sandbox.send('POST', pay, { body: { card: 'mastercard-contactless' } })
  expect(paid.envelope.code).toBe('0')
  expect((await queryByRequest(request.transactionRequestId)).transactionStatus).toBe(SUCCESS)
  const wallet = { paymentMethod: 'GOOGLE_PAY', cardEncryptedData: payloadOf('GOOGLE_PAY') }
  const direct = await client.checkoutDirectPayment({ ...onlineOrder(1000), ...wallet })
  await reaches(direct)
  const back = { transactionRequestId: newId(), originalTransactionId: String(direct.transactionId) }
  await reaches(await client.onlineRefund({ ...merchant, ...back }))

  const { batchList = [] } = await client.batchQuery(terminal)
  expect(batchList.length).toBeGreaterThan(0)
  for (const channelCode of new Set(batchList.map((batch) => String(batch.channelCode))))
    await client.batchClose({ ...base, transactionRequestId: newId(), channelCode })
  expect((await client.batchQuery(terminal)).batchList).toEqual([])
  expect((await client.batchCloseList(terminal)).batchCloseList?.length).toBeGreaterThan(0)
  expect((await client.merchantQuery(merchant)).status).toBe('Y')
  expect((await client.merchantTerminalsQuery(merchant)).terminals?.length).toBeGreaterThan(0)
}

/** Every method of another SDK, by its requests; each transaction reaches a final status. */
async function walkOther(sandbox: GroupSandbox, sdk: Sdk): Promise<void> {
  const { send, post, done, query, final, order, money, on, push } = clientOf(sandbox, sdk)
  const { appId, merchantId } = sandbox
  const sale = await done('sale', { ...order(), ...money(1000) })
  expect(sale.transactionStatus).toBe('S')
  for (const member of ['stan', 'voucherNo', 'rrn', 'authCode', 'createTime', 'completeTime', 'maskedPan'])
    expect(sale[member]).toMatch(/./)
  expect((await done('sale', { ...order(), ...money(9823) })).transactionStatus).toBe('F')
  const adjust = { originalTransactionId: sale.transactionId, tipAmount: 100 }
  const nulls = nullMembers(sdk, 'originalTransactionRequestId', 'attach')
  expect((await post('tip-adjust', { ...adjust, ...nulls })).data.tipAmount).toBe(100)
  const noOrder = nullMembers(sdk, 'referenceOrderId', 'paymentMethod', 'cardNetworkType', 'timeExpire')
  const refund = { ...on(sale.transactionId), ...noOrder, ...money(400), ...push }
  expect((await done('refund', refund)).transactionStatus).toBe('S')
  expect(await post('refund', { ...refund, transactionRequestId: newId(), ...money(2000) })).toMatchObject({
    ...{ code: 'SBX_OVER_REFUND', msg: errorTable.SBX_OVER_REFUND.message },
  })
  const free = { ...order(), ...money(300), ...nullMembers(sdk, ...originalMembers), ...push }
  expect((await done('refund', free)).transactionStatus).toBe('S')
  const auth = await done('auth', { ...order(), ...money(5000) })
  const raise = await done('incremental-auth', { ...on(auth.transactionId), ...money(500), ...push })
  expect([auth.transactionStatus, raise.transactionStatus]).toEqual(['S', 'S'])
  const capture = {
    ...on(auth.transactionId),
    ...money(5500),
    ...nullMembers(sdk, 'referenceOrderId'),
    ...push,
  }
  expect((await done('post-auth', capture)).transactionStatus).toBe('S')
  const forced = await done('forced-auth', { ...order(), ...money(700) })
  expect((await done('void', { ...on(forced.transactionId), ...push })).transactionStatus).toBe('S')
  const waiting = (await post('sale', { ...order(), ...money(1000), terminalSn: attended })).data
  const abort = { originalTransactionId: waiting.transactionId, terminalSn: attended, description: 'left' }
  expect((await post('abort', { ...abort, ...nulls })).data.transactionStatus).toBe('C')
  expect((await final(waiting.transactionId)).transactionStatus).toBe('C')

  // .NET 1.0.6 and Java 1.0.13 know some of these only in later versions, which send them alike.
  const online = (path: string, members: object, operation = path) =>
    send(operation, 'POST', `/v1/checkout/${path}`, JSON.stringify({ appId, merchantId, ...members }))
  const buyer = () => ({
    transactionRequestId: newId(),
    referenceOrderId: newId('ORDER').slice(-32),
    description: `by ${sdk.name}`,
    ...money(1000),
  })
  const opening = { ...buyer(), ...nullMembers(sdk, 'productList', 'notifyUrl') }
  const { sessionId } = (await online('create-session', opening)).data
  const expired = (await online('expire-session', { sessionId })).data
  expect((await query(expired.transactionId)).data.transactionStatus).toBe('C')
  const wallet = { paymentMethod: 'APPLE_PAY', cardEncryptedData: payloadOf('APPLE_PAY') }
  const direct = (await online('sale', { ...buyer(), ...wallet }, 'direct-payment')).data
  expect((await final(direct.transactionId)).transactionStatus).toBe('S')
  const back = { transactionRequestId: newId(), originalTransactionId: direct.transactionId }
  const refunded = (await online('refund', back, 'online-refund')).data
  expect((await final(refunded.transactionId)).transactionStatus).toBe('S')

  const terminal = { appId, merchantId, terminalSn: 'TBX-AUTO-001' }
  const queried = new URLSearchParams(terminal)
  const look = async () =>
    sdk.batchQuery === 'GET'
      ? send('batch-query', 'GET', `/v1/settlement/batch-query?${queried}`)
      : send('batch-query', 'POST', '/v1/settlement/batch-query', JSON.stringify(terminal))
  const { batchList } = (await look()).data
  expect(batchList.length).toBeGreaterThan(0)
  for (const { channelCode } of batchList) {
    const close = { ...terminal, channelCode, transactionRequestId: newId(), description: 'end of day' }
    const closed = await send('batch-close', 'POST', '/v1/settlement/batch-close', JSON.stringify(close))
    expect([closed.code, typeof closed.data.batchNo]).toEqual(['0', 'string'])
  }
  expect((await look()).data).toEqual({ batchList: [] })
  const close = JSON.stringify({ ...terminal, transactionRequestId: newId(), description: 'end of day' })
  const empty = await send('batch-close', 'POST', '/v1/settlement/batch-close', close)
  expect(empty.code).toBe('SBX_BATCH_EMPTY')
  if (!sdk.looksUp) return
  const ofMerchant = new URLSearchParams({ appId, merchantId })
  const lookUp = async (operation: string, path: string, members = ofMerchant) =>
    (await send(operation, 'GET', `${path}?${members}`)).data
  const { batchCloseList } = await lookUp('batch-close-list', '/v1/settlement/batch-close-list', queried)
  expect(batchCloseList.length).toBeGreaterThan(0)
  const { midList, ...merchant } = await lookUp('merchant-query', '/v1/merchant/query')
  const { terminals } = await lookUp('merchant-terminals', '/v1/merchant/terminals/query')
  expect(terminals.length).toBeGreaterThan(0)
  const tids = terminals.flatMap(({ tidList, ...rest }: AnyJson) => [...tidList, rest])
  for (const text of [merchant, ...midList, ...tids].flatMap(Object.values)) expect(text).toBeTypeOf('string')
}

describe.each(optionSets)('the SDKs with $name', ({ options }) => {
  let sandbox: GroupSandbox
  beforeAll(async () => {
    sandbox = await startShared(options)
  })
  afterAll(() => sandbox.close())

  test('every method of the public Node SDK succeeds, and each transaction reaches its final status', () =>
    walkNode(sandbox))

  test.each(sdks)('each method of the $name SDK succeeds, to a final status', (sdk) =>
    walkOther(sandbox, sdk),
  )
})

describe.each(sdks)('the public $name SDK', (sdk) => {
  test('api operation-1-1: the form of tipConfig that the SDK sends is read', async () => {
    const { done, order, money } = clientOf(await startSandboxCommand(), sdk)
    const { suggestions } = sdk
    const tipConfig = { onScreenTip: true, tipMode: 'ON_SALE', tipWithTax: false, suggestions }
    const amount = sdk.tipConfig === 'inside' ? money(1000, { tipConfig }) : { ...money(1000), tipConfig }
    const sale = await done('sale', { ...order(), ...amount, terminalSn: 'TBX-TIP20-001' })
    expect(sale.amount).toMatchObject({ orderAmount: 1000, tipAmount: 200, transAmount: 1200 })
  })

  test('api operation-4-2: a batch-close without a channel closes all batches, and a strict SDK hears of one', async () => {
    const sandbox = await startSandboxCommand()
    await sandbox.json('sale --amount 10.00 --tip-amount 1.50')
    await sandbox.json('sale --amount 3.00 --set cardNetworkType=EBT')
    const { send } = clientOf(sandbox, sdk)
    const nulls = nullMembers(sdk, 'channelCode', 'attach')
    const members = {
      terminalSn: 'TBX-AUTO-001',
      transactionRequestId: newId(),
      description: 'all',
      ...nulls,
    }
    const body = JSON.stringify(members)
    const { data } = await send('batch-close', 'POST', '/v1/settlement/batch-close', body)
    const { batchList, ...first } = data
    expect(first).toMatchObject({ batchNo: '1', netAmount: 1150, tipAmount: 150 })
    if (sdk.strict) expect(batchList).toBeUndefined()
    else expect(batchList).toMatchObject([{ batchNo: '2', channelCode: 'SBX-EBT', netAmount: 300 }])
  })
})
