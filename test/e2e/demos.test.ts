import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { ServerOptions } from '../../src/server/server.ts'
import { type GroupSandbox, optionSets, startShared } from '../support/commands/option-sets.ts'
import { newId } from '../support/service/new-id.ts'

/** The requests of two published demos, as they send them, and the members of answers that they read. */

const inPerson = '/v1/semi-integration/transaction'
const publicUrl = 'https://coffee.example.com'
const attended = 'TBX-ATTENDED-001'

let count = 0

/**
 * The demos send pushToTerminal on abort and tip adjust as well. The specification lists it for four other operations, so
 * --strict refuses it there.
 */
const pushed = (options: Partial<ServerOptions>) => (options.strict ? {} : { pushToTerminal: false })

/** What both demos do: no SDK, no User-Agent of one, every member in JSON. */
function demoOn(sandbox: () => GroupSandbox, headersOf: () => Readonly<Record<string, string>>) {
  const send = async (method: string, path: string, members: Record<string, unknown>) => {
    const { appId, merchantId } = sandbox()
    const all = { appId, merchantId, ...members }
    const headers = headersOf()
    const query = new URLSearchParams(all as Record<string, string>)
    return method === 'GET'
      ? sandbox().send('GET', `${path}?${query}`, { headers })
      : sandbox().send('POST', path, { headers, body: all })
  }
  const post = async (path: string, members: Record<string, unknown>) => {
    const { status, envelope } = await send('POST', path, members)
    expect([path, status, envelope.code, envelope.msg]).toEqual([path, 200, '0', 'success'])
    return envelope.data
  }
  const get = async (path: string, members: Record<string, unknown>) => {
    const { status, envelope } = await send('GET', path, members)
    expect([path, status, envelope.code]).toEqual([path, 200, '0'])
    return envelope.data
  }
  const final = (transactionRequestId: string) =>
    vi.waitFor(
      async () => {
        const data = await get('/v1/transaction/query', { transactionRequestId })
        expect(['S', 'F', 'C']).toContain(data.transactionStatus)
        return data
      },
      { timeout: 60_000 },
    )
  return { send, post, get, final }
}

/** The web demo: a total in every amount, and where results go, on another host. */
const webMoney = (orderAmount: number, taxAmount = 0, tipAmount = 0) => ({
  amount: {
    orderAmount,
    taxAmount,
    ...(tipAmount > 0 && { tipAmount }),
    totalAmount: orderAmount + taxAmount + tipAmount,
    priceCurrency: 'USD',
  },
})
const webTargets = {
  notifyUrl: `${publicUrl}/webhook`,
  terminalEventNotifyUrl: `${publicUrl}/terminal-events`,
}
const requestId = () => newId('coffee').slice(-32)

const web = (sandbox: () => GroupSandbox, headersOf: () => Readonly<Record<string, string>>) => {
  const demo = demoOn(sandbox, headersOf)
  const order = () => ({
    transactionRequestId: requestId(),
    referenceOrderId: newId('ORDER').slice(-32),
    description: 'two flat whites',
    terminalSn: 'TBX-AUTO-001',
    ...webTargets,
  })
  const followUp = (originalTransactionId: string) => ({
    originalTransactionId,
    transactionRequestId: requestId(),
    description: 'changed her mind',
    terminalSn: 'TBX-AUTO-001',
    pushToTerminal: true,
    printReceipt: 'AUTO',
    ...webTargets,
  })
  return { ...demo, order, followUp }
}

describe.each([
  { ...optionSets[0], id: () => `CID_${Date.now()}_${++count}` },
  // The specification wants a UUID, and these two refuse any other id.
  { ...optionSets[1], id: () => crypto.randomUUID() },
  { ...optionSets[2], id: () => crypto.randomUUID() },
])('the published web demo, with $name', ({ options = {}, id }) => {
  let sandbox: GroupSandbox
  beforeAll(async () => {
    sandbox = await startShared(options)
  })
  afterAll(() => sandbox.close())
  const { post, get, final, order, followUp } = web(
    () => sandbox,
    () => ({ 'X-Client-Request-Id': id() }),
  )

  test('api operation-1-1: a sale with tipConfig, signatureConfig, AUTO receipt and a public notifyUrl succeeds', async () => {
    const request = {
      ...order(),
      ...webMoney(1000, 80),
      paymentMethod: { category: 'CARD' },
      printReceipt: 'AUTO',
      tipConfig: {
        onScreenTip: true,
        tipMode: 'ON_SALE',
        tipWithTax: false,
        useHostConfig: false,
        suggestions: { feeMode: 'RATE', values: [15, 18, 20] },
      },
      signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 2500 },
    }
    const opened = await post(`${inPerson}/sale`, request)
    expect(opened.transactionId).toMatch(/^\d{16}$/)
    expect(opened.transactionRequestId).toBe(request.transactionRequestId)
    const record = await final(request.transactionRequestId)
    expect(record).toMatchObject({
      transactionId: opened.transactionId,
      referenceOrderId: request.referenceOrderId,
      transactionStatus: 'S',
      transactionResultCode: '000',
      amount: { orderAmount: 1000, taxAmount: 80, tipAmount: 0, transAmount: 1080 },
    })
  })

  test('api operation-1-2, operation-1-4, operation-1-5, operation-1-6, operation-1-7: follow-ups with totalAmount, AUTO receipt and a public notifyUrl succeed', async () => {
    const succeeds = async (operation: string, members: Record<string, unknown>) => {
      const { transactionId } = await post(`${inPerson}/${operation}`, members)
      const record = await final(String(members.transactionRequestId))
      expect([operation, record.transactionStatus, record.transactionId]).toEqual([
        operation,
        'S',
        transactionId,
      ])
      return transactionId as string
    }
    const auth = await succeeds('auth', { ...order(), ...webMoney(5000) })
    await succeeds('incremental-auth', { ...followUp(auth), ...webMoney(500) })
    const capture = await succeeds('post-auth', { ...followUp(auth), ...webMoney(5500, 0, 500) })
    await succeeds('refund', { ...followUp(capture), ...webMoney(100) })
    await succeeds('refund', { ...order(), ...webMoney(300), printReceipt: 'AUTO' })
    const sale = await succeeds('sale', { ...order(), ...webMoney(700) })
    await succeeds('void', followUp(sale))
  })

  test('api operation-1-9: a tip-adjust with pushToTerminal succeeds', async () => {
    const request = { ...order(), ...webMoney(1000) }
    const { transactionId } = await post(`${inPerson}/sale`, request)
    await final(request.transactionRequestId)
    const adjust = { originalTransactionId: transactionId, tipAmount: 150, terminalSn: 'TBX-AUTO-001' }
    const answer = await post(`${inPerson}/tip-adjust`, { ...adjust, ...pushed(options) })
    expect(answer.tipAmount).toBe(150)
    const record = await get('/v1/transaction/query', { transactionId })
    expect(record.amount).toMatchObject({ tipAmount: 150, transAmount: 1150 })
  })

  test('api operation-1-8: an abort with pushToTerminal closes a sale that waits at a terminal', async () => {
    const request = { ...order(), ...webMoney(1000), terminalSn: attended }
    const { transactionId } = await post(`${inPerson}/sale`, request)
    const abort = { originalTransactionId: transactionId, terminalSn: attended, description: 'left' }
    expect((await post(`${inPerson}/abort`, { ...abort, ...pushed(options) })).transactionStatus).toBe('C')
    expect((await final(request.transactionRequestId)).transactionStatus).toBe('C')
  })

  test('api operation-2-1, operation-2-3: a session is expired by its transactionRequestId without a sessionId', async () => {
    const { terminalSn: _, ...buyer } = order()
    const request = { ...buyer, ...webMoney(1000, 80), merchantReturnUrl: `${publicUrl}/done` }
    const session = await post('/v1/checkout/create-session', request)
    expect(session.checkoutUrl).toContain('/checkout/')
    expect(Date.parse(session.expiresAt)).not.toBeNaN()
    const { transactionRequestId, referenceOrderId } = request
    const expired = await post('/v1/checkout/expire-session', { transactionRequestId, referenceOrderId })
    expect(expired).toMatchObject({
      sessionId: session.sessionId,
      sessionStatus: 'EXPIRED',
      transactionRequestId,
    })
    expect((await final(transactionRequestId)).transactionStatus).toBe('C')
  })

  test('api operation-4-1, operation-4-2: a batch-close for each channelCode, with its name in the id, closes every batch', async () => {
    for (const cardNetworkType of ['CREDIT', 'EBT']) {
      const request = { ...order(), ...webMoney(1000), cardNetworkType }
      await post(`${inPerson}/sale`, request)
      await final(request.transactionRequestId)
    }
    const terminal = { terminalSn: 'TBX-AUTO-001' }
    const { batchList } = await get('/v1/settlement/batch-query', terminal)
    const channels = [
      ...new Set<string>(batchList.map((batch: { channelCode: string }) => batch.channelCode)),
    ]
    expect(channels).toEqual(expect.arrayContaining(['SBX-CARD', 'SBX-EBT']))
    const day = requestId()
    for (const channelCode of channels) {
      const close = {
        ...terminal,
        ...webTargets,
        channelCode,
        description: 'end of day',
        printReceipt: 'AUTO',
      }
      const closed = await post('/v1/settlement/batch-close', {
        ...close,
        transactionRequestId: `${day}_${channelCode}`,
      })
      expect(closed).toMatchObject({ terminalSn: 'TBX-AUTO-001', priceCurrency: 'USD' })
      expect(Number(closed.batchNo)).toBeGreaterThan(0)
    }
    expect((await get('/v1/settlement/batch-query', terminal)).batchList).toEqual([])
  })
})

test('assumption field-reading: --strict refuses pushToTerminal on abort and tip adjust', async () => {
  const sandbox = await startShared({ strict: true })
  const { send } = demoOn(
    () => sandbox,
    () => ({}),
  )
  const original = { originalTransactionId: '1234567890123456', terminalSn: attended, pushToTerminal: true }
  for (const members of [{ path: 'abort' }, { path: 'tip-adjust', tipAmount: 1 }]) {
    const { path, ...more } = members
    const { envelope } = await send('POST', `${inPerson}/${path}`, { ...original, ...more })
    expect([envelope.code, envelope.field]).toEqual(['C17', 'pushToTerminal'])
  }
  await sandbox.close()
})

test('assumption request-id-form: --strict and --like-production refuse the id of the web demo', async () => {
  for (const { options } of optionSets.slice(1)) {
    const sandbox = await startShared(options)
    const { send, order } = web(
      () => sandbox,
      () => ({ 'X-Client-Request-Id': `CID_${Date.now()}_1` }),
    )
    const { status, envelope } = await send('POST', `${inPerson}/sale`, { ...order(), ...webMoney(1) })
    expect([status, envelope.code]).toEqual([400, 'SBX_REQ_ID_FORM'])
    await sandbox.close()
  }
})

describe.each(optionSets)('the published Android demo, with $name', ({ name, options }) => {
  let sandbox: GroupSandbox
  beforeAll(async () => {
    sandbox = await startShared(options)
  })
  afterAll(() => sandbox.close())
  const { post, get, final } = demoOn(
    () => sandbox,
    () => ({ 'User-Agent': 'okhttp/4.12.0', 'Accept-Encoding': 'gzip' }),
  )
  const order = (orderAmount: number, more: object = {}) => ({
    transactionRequestId: requestId(),
    referenceOrderId: newId('ORDER').slice(-32),
    description: 'a sale',
    terminalSn: 'TBX-AUTO-001',
    amount: { orderAmount, priceCurrency: 'USD', ...more },
  })
  /** With a tip that is chosen on the screen: tipConfig inside amount. */
  const tipConfig = {
    onScreenTip: true,
    tipMode: 'ON_SALE',
    suggestions: { feeMode: 'RATE', values: [15, 20] },
  }

  test('api operation-1-1, operation-3-1: the demo reads amounts, method and batch of the record of plain HTTP', async () => {
    const request = { ...order(1000, { tipConfig }), terminalSn: 'TBX-TIP20-001' }
    await post(`${inPerson}/sale`, { ...request, paymentMethod: { category: 'CARD' } })
    const record = await final(request.transactionRequestId)
    expect(record).toMatchObject({
      transactionStatus: 'S',
      paymentMethodId: 'VISA',
      cardNetworkType: 'CREDIT',
      entryMode: 'CONTACTLESS',
      maskedPan: '411111******1111',
      amount: { priceCurrency: 'USD', orderAmount: 1000, tipAmount: 200, transAmount: 1200 },
    })
    // It reads batchNo as text, and makes an integer of it.
    expect(Number.parseInt(String(record.batchNo), 10)).toBe(1)
  })

  test('assumption dialect: the demo reads totalAuthorizedAmount of an authorisation', async () => {
    const request = order(5000)
    const { transactionId } = await post(`${inPerson}/auth`, request)
    await final(request.transactionRequestId)
    const raise = { originalTransactionId: transactionId, terminalSn: 'TBX-AUTO-001', pushToTerminal: false }
    await post(`${inPerson}/incremental-auth`, {
      ...raise,
      description: 'a longer stay',
      transactionRequestId: requestId(),
      amount: { orderAmount: 500, priceCurrency: 'USD' },
    })
    expect((await get('/v1/transaction/query', { transactionId })).totalAuthorizedAmount).toBe(5500)
  })

  test('assumption header-forms: the answer to application/json; charset=utf-8 depends on the options', async () => {
    const charset = { 'Content-Type': 'application/json; charset=utf-8' }
    const { appId, merchantId } = sandbox
    const body = { appId, merchantId, ...order(1000) }
    const { status, envelope } = await sandbox.send('POST', `${inPerson}/sale`, { headers: charset, body })
    const expected: Readonly<Record<string, readonly unknown[]>> = {
      'the defaults': [200, '0', 'success'],
      '--strict': [200, 'C17', 'Bad Request'],
      '--like-production': [200, 'C17', 'Bad Request'],
    }
    expect([status, envelope.code, envelope.msg]).toEqual(expected[name])
  })
})
