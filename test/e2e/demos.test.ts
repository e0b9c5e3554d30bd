import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { newId } from '../support/service/new-id.ts'
import { type GroupSandbox, optionSets, startShared } from './option-sets.ts'

/** The requests of two published demos, as they send them, and the members of answers that they read. */

const inPerson = '/v1/semi-integration/transaction'
const publicUrl = 'https://coffee.example.com'
const [automatic, attended] = ['TBX-AUTO-001', 'TBX-ATTENDED-001']

let count = 0
const requestId = () => newId('coffee').slice(-32)
const orderId = () => newId('ORDER').slice(-32)

/** A demo on a sandbox: no SDK, no User-Agent of one, every member in JSON. */
function demoOn(sandbox: GroupSandbox, headersOf: () => Readonly<Record<string, string>>) {
  const { appId, merchantId } = sandbox
  const send = (method: string, path: string, members: Record<string, unknown>) => {
    const all = { appId, merchantId, ...members }
    const headers = headersOf()
    return method === 'POST'
      ? sandbox.send('POST', path, { headers, body: all })
      : sandbox.send('GET', `${path}?${new URLSearchParams(all as Record<string, string>)}`, { headers })
  }
  const accepted = (method: string) => async (path: string, members: Record<string, unknown>) => {
    const { status, envelope } = await send(method, path, members)
    expect([path, status, envelope.code, envelope.msg]).toEqual([path, 200, '0', 'success'])
    return envelope.data
  }
  const [post, get] = [accepted('POST'), accepted('GET')]
  const final = (transactionRequestId: string) =>
    vi.waitFor(
      async () => {
        const data = await get('/v1/transaction/query', { transactionRequestId })
        expect(['S', 'F', 'C']).toContain(data.transactionStatus)
        return data
      },
      { timeout: 60_000 },
    )
  /** What an operation at a terminal opens, once it succeeded. */
  const paid = async (operation: string, members: Record<string, unknown>) => {
    const { transactionId } = await post(`${inPerson}/${operation}`, members)
    const record = await final(String(members.transactionRequestId))
    expect([operation, record]).toMatchObject([operation, { transactionStatus: 'S', transactionId }])
    return record
  }
  return { send, post, get, final, paid }
}

/** The web demo: a total in every amount, and where results go, on another host. */
const webMoney = (orderAmount: number, taxAmount = 0, tipAmount = 0) => ({
  amount: {
    ...{ orderAmount, taxAmount, ...(tipAmount > 0 && { tipAmount }) },
    ...{ totalAmount: orderAmount + taxAmount + tipAmount, priceCurrency: 'USD' },
  },
})
const webTargets = {
  notifyUrl: `${publicUrl}/webhook`,
  terminalEventNotifyUrl: `${publicUrl}/terminal-events`,
}
const webOrder = () => ({
  ...{ transactionRequestId: requestId(), referenceOrderId: orderId(), description: 'two flat whites' },
  ...{ terminalSn: 'TBX-AUTO-001', ...webTargets },
})
const webFollowUp = ({ transactionId: originalTransactionId }: AnyJson) => ({
  ...{ originalTransactionId, transactionRequestId: requestId(), description: 'changed her mind' },
  ...{ terminalSn: automatic, pushToTerminal: true, printReceipt: 'AUTO', ...webTargets },
})

describe.each([
  { ...optionSets[0], id: () => `CID_${Date.now()}_${++count}` },
  // The specification wants a UUID, and these two refuse any other id.
  { ...optionSets[1], id: () => crypto.randomUUID() },
  { ...optionSets[2], id: () => crypto.randomUUID() },
])('the published web demo, with $name', ({ options = {}, id }) => {
  let sandbox: GroupSandbox
  let demo: ReturnType<typeof demoOn>
  beforeAll(async () => {
    sandbox = await startShared(options)
    demo = demoOn(sandbox, () => ({ 'X-Client-Request-Id': id() }))
  })
  afterAll(() => sandbox.close())

  test('api operation-1-1: a sale with tipConfig, signatureConfig, AUTO receipt and a public notifyUrl succeeds', async () => {
    const suggestions = { feeMode: 'RATE', values: [15, 18, 20] }
    const request = {
      ...{ ...webOrder(), ...webMoney(1000, 80), paymentMethod: { category: 'CARD' }, printReceipt: 'AUTO' },
      tipConfig: {
        ...{ onScreenTip: true, tipMode: 'ON_SALE', tipWithTax: false, useHostConfig: false, suggestions },
      },
      signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 2500 },
    }
    expect(await demo.paid('sale', request)).toMatchObject({
      ...{ referenceOrderId: request.referenceOrderId, transactionResultCode: '000' },
      amount: { orderAmount: 1000, taxAmount: 80, tipAmount: 0, transAmount: 1080 },
    })
  })

  test('api operation-1-2, operation-1-4, operation-1-5, operation-1-6, operation-1-7: follow-ups with totalAmount, AUTO receipt and a public notifyUrl succeed', async () => {
    const { paid } = demo
    const auth = await paid('auth', { ...webOrder(), ...webMoney(5000) })
    await paid('incremental-auth', { ...webFollowUp(auth), ...webMoney(500) })
    const capture = await paid('post-auth', { ...webFollowUp(auth), ...webMoney(5500, 0, 500) })
    await paid('refund', { ...webFollowUp(capture), ...webMoney(100) })
    await paid('refund', { ...webOrder(), ...webMoney(300), printReceipt: 'AUTO' })
    await paid('void', webFollowUp(await paid('sale', { ...webOrder(), ...webMoney(700) })))
  })

  // The specification lists pushToTerminal for four other operations, so --strict refuses it on these two.
  test('api operation-1-8, operation-1-9: an abort and a tip-adjust with pushToTerminal succeed', async () => {
    const { post, get, final, paid } = demo
    const pushed = options.strict ? {} : { pushToTerminal: false }
    const { transactionId } = await paid('sale', { ...webOrder(), ...webMoney(1000) })
    const tip = { originalTransactionId: transactionId, tipAmount: 150, terminalSn: automatic, ...pushed }
    expect((await post(`${inPerson}/tip-adjust`, tip)).tipAmount).toBe(150)
    const { amount } = await get('/v1/transaction/query', { transactionId })
    expect(amount).toMatchObject({ tipAmount: 150, transAmount: 1150 })
    const request = { ...webOrder(), ...webMoney(1000), terminalSn: attended }
    const waiting = await post(`${inPerson}/sale`, request)
    const original = { originalTransactionId: waiting.transactionId, terminalSn: attended }
    const abort = { ...original, description: 'left', ...pushed }
    expect((await post(`${inPerson}/abort`, abort)).transactionStatus).toBe('C')
    expect((await final(request.transactionRequestId)).transactionStatus).toBe('C')
  })

  test('api operation-2-1, operation-2-3: a session is expired by its transactionRequestId without a sessionId', async () => {
    const { terminalSn: _, ...buyer } = webOrder()
    const request = { ...buyer, ...webMoney(1000, 80), merchantReturnUrl: `${publicUrl}/done` }
    const { checkoutUrl, expiresAt, sessionId } = await demo.post('/v1/checkout/create-session', request)
    expect(checkoutUrl).toContain('/checkout/')
    expect(Date.parse(expiresAt)).not.toBeNaN()
    const { transactionRequestId, referenceOrderId } = request
    const expired = await demo.post('/v1/checkout/expire-session', { transactionRequestId, referenceOrderId })
    expect(expired).toMatchObject({ sessionId, sessionStatus: 'EXPIRED', transactionRequestId })
    expect((await demo.final(transactionRequestId)).transactionStatus).toBe('C')
  })

  test('api operation-4-1, operation-4-2: a batch-close for each channelCode, with its name in the id, closes every batch', async () => {
    for (const cardNetworkType of ['CREDIT', 'EBT'])
      await demo.paid('sale', { ...webOrder(), ...webMoney(1000), cardNetworkType })
    const terminal = { terminalSn: 'TBX-AUTO-001' }
    const open = async () => (await demo.get('/v1/settlement/batch-query', terminal)).batchList
    const channels = new Set((await open()).map(({ channelCode }: AnyJson) => channelCode))
    expect([...channels]).toEqual(expect.arrayContaining(['SBX-CARD', 'SBX-EBT']))
    const day = requestId()
    for (const channelCode of channels) {
      const transactionRequestId = `${day}_${channelCode}`
      const close = { ...terminal, ...webTargets, channelCode, transactionRequestId, printReceipt: 'AUTO' }
      const closed = await demo.post('/v1/settlement/batch-close', { ...close, description: 'end of day' })
      expect(closed).toMatchObject({ ...terminal, priceCurrency: 'USD' })
      expect(Number(closed.batchNo)).toBeGreaterThan(0)
    }
    expect(await open()).toEqual([])
  })
})

test('assumption field-reading: --strict refuses pushToTerminal on abort and tip adjust', async () => {
  const sandbox = await startShared({ strict: true })
  const { send } = demoOn(sandbox, () => ({}))
  const original = { originalTransactionId: '1234567890123456', terminalSn: attended, pushToTerminal: true }
  for (const [path, more] of [
    ['abort', {}],
    ['tip-adjust', { tipAmount: 1 }],
  ] as const) {
    const { envelope } = await send('POST', `${inPerson}/${path}`, { ...original, ...more })
    expect([envelope.code, envelope.field]).toEqual(['C17', 'pushToTerminal'])
  }
  await sandbox.close()
})

describe.each(optionSets)('the published Android demo, with $name', ({ name, options }) => {
  let sandbox: GroupSandbox
  let demo: ReturnType<typeof demoOn>
  beforeAll(async () => {
    sandbox = await startShared(options)
    demo = demoOn(sandbox, () => ({ 'User-Agent': 'okhttp/4.12.0', 'Accept-Encoding': 'gzip' }))
  })
  afterAll(() => sandbox.close())
  const order = (orderAmount: number, more: object = {}) => ({
    ...{ transactionRequestId: requestId(), referenceOrderId: orderId(), description: 'a sale' },
    ...{ terminalSn: 'TBX-AUTO-001', amount: { orderAmount, priceCurrency: 'USD', ...more } },
  })

  test('api operation-1-1, operation-3-1: the demo reads amounts, method and batch of the record of plain HTTP', async () => {
    const suggestions = { feeMode: 'RATE', values: [15, 20] }
    const tipConfig = { onScreenTip: true, tipMode: 'ON_SALE', suggestions } // inside amount: chosen on the screen
    const request = { ...order(1000, { tipConfig }), terminalSn: 'TBX-TIP20-001' }
    const record = await demo.paid('sale', { ...request, paymentMethod: { category: 'CARD' } })
    expect(record).toMatchObject({
      ...{ paymentMethodId: 'VISA', cardNetworkType: 'CREDIT', entryMode: 'CONTACTLESS' },
      maskedPan: '411111******1111',
      amount: { priceCurrency: 'USD', orderAmount: 1000, tipAmount: 200, transAmount: 1200 },
    })
    // It reads batchNo as text, and makes an integer of it.
    expect(Number.parseInt(String(record.batchNo), 10)).toBe(1)
  })

  test('assumption dialect: the demo reads totalAuthorizedAmount of an authorisation', async () => {
    const { transactionId } = await demo.paid('auth', order(5000))
    const raise = { ...order(500), originalTransactionId: transactionId, pushToTerminal: false }
    const { referenceOrderId: _, ...members } = raise
    await demo.post(`${inPerson}/incremental-auth`, members)
    expect((await demo.get('/v1/transaction/query', { transactionId })).totalAuthorizedAmount).toBe(5500)
  })

  test('assumption header-forms: the answer to application/json; charset=utf-8 depends on the options', async () => {
    const charset = { 'Content-Type': 'application/json; charset=utf-8' }
    const { appId, merchantId } = sandbox
    const body = { appId, merchantId, ...order(1000) }
    const { status, envelope } = await sandbox.send('POST', `${inPerson}/sale`, { headers: charset, body })
    const answer = name === 'the defaults' ? ['0', 'success'] : ['C17', 'Bad Request']
    expect([status, envelope.code, envelope.msg]).toEqual([200, ...answer])
  })
})
