import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  connectSandbox,
  createSandbox,
  InvalidOption,
  LostAnswer,
  ServiceRefusal,
  type TestSandbox,
  type TestSandboxOptions,
  WaitFailed,
} from '../../src/library/index.ts'
import { usualWait } from '../../src/testing/helpers/wait-for.ts'
import { askJson } from '../support/network/ask-json.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const dollars = (amount: number) => ({ amount, priceCurrency: 'USD' })

/** A sandbox over HTTP as of another process: createSandbox connects to its own in the same way. */
async function reach(options?: TestSandboxOptions): Promise<TestSandbox> {
  const own = await openTestSandbox({ retries: 'fast', ...options })
  return connectSandbox({ url: `${own.url}/` })
}

test('an attended terminal takes a card, a tip and a PIN, and has a receipt', async () => {
  const sandbox = await reach()
  const terminal = sandbox.terminal('TBX-ATTENDED-001')
  const { transactionId } = await sandbox.client.sale({
    ...dollars(2500),
    terminalSn: terminal.terminalSn,
    tipConfig: { onScreenTip: true, suggestions: { feeMode: 'RATE', values: [15, 18, 20] } },
  })
  await terminal.waitForScreen('present-card')
  await terminal.present('visa-chip-pin')
  await terminal.waitForScreen('tip')
  await terminal.tip(500)
  await terminal.waitForScreen('pin')
  expect((await terminal.pin({ correct: false })).pinTriesLeft).toBe(2)
  const { ended } = await terminal.pin()
  expect(ended?.status ?? (await sandbox.payments.waitFor(transactionId)).status).toBe('SUCCESS')
  const paid = { transactionAmount: 3000, tipAmount: 500 }
  expect((await sandbox.payments.get(transactionId)).record).toMatchObject(paid)
  expect((await terminal.receipt()).transactionId).toBe(transactionId)
  await expect(terminal.sign()).rejects.toThrow(ServiceRefusal)
})

test('a wait fails with what came instead; its limit is milliseconds or a text with a unit, and a payment has the statuses of a list', async () => {
  const sandbox = await reach()
  const waiting = sandbox.terminal('TBX-ATTENDED-001').waitForScreen('pin', { timeout: 500 })
  await expect(waiting).rejects.toThrow(WaitFailed)
  await expect(waiting).rejects.toThrow('TBX-ATTENDED-001 shows idle, not pin (waited 500 ms)')
  const none = () => false
  for (const timeout of [20, '20ms'] as const) {
    await expect(sandbox.webhooks.waitFor(none, { timeout })).rejects.toThrow('(waited 20 ms)')
    const pin = sandbox.terminal('TBX-ATTENDED-001').waitForScreen('pin', { timeout })
    await expect(pin).rejects.toThrow('(waited 20 ms)')
    await expect(sandbox.webhooks.delivered({ timeout })).resolves.toBeUndefined()
  }
  const wrongUnit = { timeout: 'soon' as '2s' }
  await expect(sandbox.webhooks.waitFor(none, wrongUnit)).rejects.toThrow(InvalidOption)
  await expect(sandbox.webhooks.delivered(wrongUnit)).rejects.toThrow(InvalidOption)
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  expect((await sandbox.payments.waitFor(transactionId, 'approved')).status).toBe('SUCCESS')
  const declined = sandbox.payments.waitFor(transactionId, 'declined')
  await expect(declined).rejects.toThrow('is SUCCESS, not declined')
  const wrong = sandbox.payments.waitFor(transactionId, 'aproved' as never)
  await expect(wrong).rejects.toThrow(InvalidOption)
  await expect(wrong).rejects.toThrow(
    'status must be approved, declined, closed, pending, a status such as SUCCESS, or its letter; it is "aproved"',
  )
})

test('a wait for a screen ends with its sandbox', async () => {
  const own = await createSandbox()
  const waiting = own.terminal('TBX-ATTENDED-001').waitForScreen('pin')
  const failed = expect(waiting).rejects.toThrow(/not pin: its sandbox was closed$/)
  await own.terminal('TBX-ATTENDED-001').screen()
  await own.close()
  await failed
})

test('a terminal goes offline and online, takes a queued outcome, and changes its settings', async () => {
  const sandbox = await reach()
  const terminal = sandbox.terminal()
  await terminal.offline()
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  expect((await sandbox.payments.get(transactionId)).waitsFor).toBe('TBX-AUTO-001 to come online')
  await terminal.queue('lost-card')
  await terminal.online()
  const story = new RegExp(`^${transactionId} is FAIL, not SUCCESS\\nTimeline \\(.+\\):(\\n  .+)+$`)
  await expect(sandbox.payments.waitFor(transactionId)).rejects.toThrow(story)
  expect((await terminal.set({ pace: 20 })).pace).toBe(20)
})

test('payments are found by id and order and in lists, and a wait that is too long fails', async () => {
  const sandbox = await reach()
  const referenceOrderId = 'ORDER-77'
  const found = sandbox.payments.waitFor(referenceOrderId)
  const { transactionId } = await sandbox.client.sale({ ...dollars(1000), referenceOrderId })
  expect((await found).record.transactionId).toBe(transactionId)
  expect((await askJson(`${sandbox.url}/_sandbox/requests?status=refused`)).data.requests).toEqual([]) // a wait is not an error
  await sandbox.client.refund({ originalTransactionId: transactionId, ...dollars(300) })
  expect(await sandbox.payments.list({ type: 'REFUND' })).toMatchObject([{ amount: 300 }])
  expect(await sandbox.payments.list({ amount: 1000, status: 'approved' })).toMatchObject([{ transactionId }])
  expect(await sandbox.payments.list({ since: new Date(Date.now() + 60_000) })).toEqual([])
  for (let count = 0; count < 60; count++) await sandbox.client.sale(dollars(1))
  expect(await sandbox.payments.list({ amount: 1 })).toHaveLength(60)
  const none =
    'There is no transaction none, and none of that order: a referenceOrderId must be 6 to 32 characters out of A–Z a–z 0–9 _ - | * \\ (waited 20 ms)'
  const waited = (order: string) =>
    expect(sandbox.payments.waitFor(order, 'SUCCESS', { timeout: 20 })).rejects
  await waited('none').toThrow(none)
  await waited(`${transactionId}0`).toThrow(/, and none of that order \(waited/)
  await expect(sandbox.payments.get('none')).rejects.toThrow(ServiceRefusal)
})

test('a wait for the order of a refused request tells why it was refused', async () => {
  const sandbox = await reach()
  const order = crypto.randomUUID()
  const sale = sandbox.client.sale({ ...dollars(1000), referenceOrderId: order })
  await expect(sale).rejects.toThrow(ServiceRefusal)
  await expect(sandbox.payments.waitFor(order, 'approved', { timeout: 20 })).rejects.toThrow(
    /its sale was refused: .*referenceOrderId.*must be 6 to 32 characters/,
  )
})

test('lists have the newest last, and a limit keeps the newest', async () => {
  const receiver = await openReceiver()
  const sandbox = await reach({ notifyUrl: receiver.url })
  const ids: string[] = []
  for (const order of ['ORDER-1', 'ORDER-2', 'ORDER-3']) {
    const { transactionId } = await sandbox.client.sale({ ...dollars(1000), referenceOrderId: order })
    ids.push(transactionId)
    await sandbox.webhooks.waitFor((each) => each.transactionId === transactionId)
  }
  const idsOf = (all: readonly { readonly transactionId: string | null }[]) =>
    all.map((each) => each.transactionId)
  expect(idsOf(await sandbox.payments.list())).toEqual(ids)
  expect(idsOf(await sandbox.payments.list({ limit: 2 }))).toEqual(ids.slice(1))
  expect(idsOf(await sandbox.webhooks.list())).toEqual(ids)
  expect(idsOf(await sandbox.webhooks.list({ order: 'ORDER-2' }))).toEqual([ids[1]])
  expect(idsOf(await sandbox.requests.list({ operation: 'sale' }))).toEqual(ids)
  expect(idsOf(await sandbox.requests.list({ operation: 'sale', limit: 2 }))).toEqual(ids.slice(1))
  await expect(sandbox.requests.list({ limit: 0 })).rejects.toThrow('limit must be at least 1')
})

test('a checkout page can be paid or cancelled', async () => {
  const sandbox = await reach()
  const opened = await sandbox.client.createSession(dollars(500))
  expect(await sandbox.checkout(opened.sessionId).state()).toMatchObject({ state: 'open', amount: 500 })
  expect(await sandbox.checkout(opened.sessionId).pay()).toMatchObject({ state: 'paid' })
  const other = await sandbox.client.createSession(dollars(500))
  expect(await sandbox.checkout(other.sessionId).cancel()).toMatchObject({ state: 'cancelled' })
})

test('webhooks can be waited for, verified, resent and sent with changes', async () => {
  const receiver = await openReceiver()
  const sandbox = await reach({ notifyUrl: receiver.url })
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  const delivery = await sandbox.webhooks.waitFor((each) => each.transactionId === transactionId)
  expect(delivery).toMatchObject({ kind: 'payment', transactionStatus: 'S', state: 'delivered' })
  const [{ headers, body }] = (await receiver.got(1)) as [(typeof receiver.arrivals)[0]]
  expect(await sandbox.webhooks.verify(headers, body)).toEqual({ valid: true })
  const bytes = Buffer.from(body)
  expect(await sandbox.webhooks.verify(new Headers(headers as never), bytes)).toEqual({ valid: true })
  expect(await sandbox.webhooks.verify(headers, `${body} `)).toMatchObject({ valid: false })
  expect(await sandbox.webhooks.resend(delivery.id)).toEqual([delivery.id])
  await sandbox.webhooks.delivered()
  expect((await receiver.got(2))[1]?.id).toBe(delivery.id)
  expect((await sandbox.webhooks.get(delivery.id)).deliveries[0]?.tries).toHaveLength(2)
  await sandbox.webhooks.send(transactionId, { set: { transactionStatus: 'F' } })
  expect((await receiver.got(3))[2]?.json).toMatchObject({ transactionStatus: 'F' })
})

test('the error of a wait names the webhooks that are not delivered', async () => {
  const receiver = await openReceiver(500)
  const sandbox = await reach({ notifyUrl: receiver.url, retries: [60_000] })
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  await receiver.got(1)
  await expect(sandbox.webhooks.delivered({ timeout: 50 })).rejects.toThrow(
    new RegExp(
      `Webhooks are not delivered: 1 pending\\n  \\S+ payment ${transactionId} S to ${receiver.url}: ` +
        'pending after 1 attempt, last 500, next at [\\d-]+T[\\d:.]+Z\\n' +
        "Retries wait for the sandbox clock: move it with clock.advance; where it runs, retries: 'fast' shortens them\\n" +
        '\\(waited 50 ms\\)$',
    ),
  )
  await expect(sandbox.webhooks.waitFor(() => true, { timeout: 50 })).rejects.toThrow(WaitFailed)
  await sandbox.clock.advance('60s')
  await sandbox.webhooks.delivered()
  expect(await sandbox.webhooks.list({ state: 'failed' })).toHaveLength(1)
})

test('webhooks are held, and released in the order that the test chooses', async () => {
  const receiver = await openReceiver()
  const sandbox = await reach({ notifyUrl: receiver.url })
  await sandbox.webhooks.hold()
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  await sandbox.payments.waitFor(transactionId)
  const refund = await sandbox.client.refund({ originalTransactionId: transactionId, ...dollars(1000) })
  await sandbox.payments.waitFor(refund.transactionId)
  await sandbox.webhooks.delivered()
  expect(receiver.arrivals).toEqual([])
  const ids = (await sandbox.webhooks.list()).map(({ id }) => id)
  const released = await sandbox.webhooks.release(ids.toReversed())
  expect(released.map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  expect(receiver.arrivals.map(({ json }) => json.transactionType)).toEqual(['REFUND', 'SALE'])
  await expect(sandbox.webhooks.release(ids[0])).rejects.toThrow(ServiceRefusal)
  await sandbox.client.sale(dollars(1000))
  expect(await sandbox.webhooks.release()).toEqual([])
  await sandbox.webhooks.delivered()
  expect(receiver.arrivals).toHaveLength(3)
})

test('faults of answers and of webhooks are added, listed, removed and cleared', async () => {
  const receiver = await openReceiver()
  const sandbox = await reach({ notifyUrl: receiver.url })
  const { id } = await sandbox.faults.add('lost-answer', { operation: 'sale' })
  expect(await sandbox.faults.list()).toMatchObject([{ id, kind: 'lost-answer', times: 1 }])
  const ids = { referenceOrderId: 'LOST-ORDER', transactionRequestId: 'lost-request' }
  const lost = sandbox.client.sale({ ...dollars(1000), ...ids })
  await expect(lost).rejects.toThrow(LostAnswer)
  await expect(lost).rejects.toThrow(
    `${sandbox.url} returned no valid response: the connection was cut; it may have been carried out: query lost-request`,
  )
  expect((await sandbox.payments.waitFor('LOST-ORDER')).status).toBe('SUCCESS')
  await sandbox.faults.remove(id)
  await sandbox.webhooks.delivered()
  await sandbox.faults.add('duplicate')
  const before = receiver.arrivals.length
  await sandbox.client.sale(dollars(1000))
  await receiver.got(before + 2)
  await sandbox.faults.clear()
  expect(await sandbox.faults.list()).toEqual([])
  await expect(sandbox.client.sale(dollars(1000), { fault: 'http-503' })).rejects.toThrow()
  const declined = await sandbox.client.sale(dollars(1000), { outcome: 'lost-card' })
  await sandbox.payments.waitFor(declined.transactionId, 'FAIL')
})

test('requests are listed, found as the last one, and followed as they come', async () => {
  const sandbox = await reach()
  const seen: string[] = []
  const { stop } = await sandbox.requests.on(({ operation, code }) => seen.push(`${operation} ${code}`))
  await sandbox.snapshot('not-of-the-payment-api')
  await sandbox.client.sale(dollars(1000))
  await expect(sandbox.client.sale(dollars(-1))).rejects.toThrow(ServiceRefusal)
  expect(await sandbox.requests.refused()).toMatchObject([{ operation: 'sale', code: 'C17' }])
  const last = await sandbox.requests.last({ status: 'accepted' })
  expect(JSON.parse(last?.request.body ?? '')).toMatchObject(dollars(1000))
  await expect.poll(() => seen).toEqual(['sale 0', 'sale C17'])
  stop()
  await sandbox.client.sale(dollars(1000))
  expect(seen).toHaveLength(2)
})

test('a listener that throws gets the next request too, and its error is one of the process', async () => {
  const sandbox = await reach()
  const handlers = process.listeners('uncaughtException')
  const thrown: string[] = []
  process
    .removeAllListeners('uncaughtException')
    .on('uncaughtException', ({ message }) => thrown.push(message))
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const each of handlers) process.on('uncaughtException', each)
  })
  await sandbox.requests.on(({ code }) => {
    throw new Error(`heard ${code}`)
  })
  await sandbox.client.sale(dollars(1000))
  await expect(sandbox.client.sale(dollars(-1))).rejects.toThrow(ServiceRefusal)
  await expect.poll(() => thrown).toEqual(['heard 0', 'heard C17'])
})

test('a snapshot brings back its payments', async () => {
  const sandbox = await reach()
  const { transactionId } = await sandbox.client.sale(dollars(1000))
  await sandbox.payments.waitFor(transactionId)
  await sandbox.snapshot('one')
  await sandbox.client.refund({ originalTransactionId: transactionId, ...dollars(1000) })
  await sandbox.snapshot('one')
  await sandbox.client.sale(dollars(1000))
  await sandbox.restore('one')
  expect(await sandbox.payments.list()).toHaveLength(2)
})

test('merchants keep apart, each with its own key and secret', async () => {
  const sandbox = await reach()
  const [one, other] = [await sandbox.newMerchant(), await sandbox.newMerchant({ name: 'Other' })]
  expect(one.webhookSecret).not.toBe(other.webhookSecret)
  const { transactionId } = await one.client.sale(dollars(1000))
  expect((await sandbox.payments.waitFor(transactionId)).merchantId).toBe(one.merchantId)
  await expect(other.client.query({ transactionId })).rejects.toThrow(ServiceRefusal)
  expect(one.env).toEqual({
    ...sandbox.env,
    TILLBOX_API_KEY: one.apiKey,
    TILLBOX_APP_ID: one.appId,
    TILLBOX_MERCHANT_ID: one.merchantId,
    TILLBOX_TERMINAL_SN: one.terminals[0],
    TILLBOX_WEBHOOK_SECRET: one.webhookSecret,
  })
  expect(one.terminal().terminalSn).toBe(one.terminals[0])
  await one.terminal().queue('lost-card')
  const declined = await one.client.sale(dollars(1000))
  await sandbox.payments.waitFor(declined.transactionId, 'declined')
  expect(await connectSandbox({ url: sandbox.url, apiKey: other.apiKey })).toMatchObject({
    merchantId: other.merchantId,
    appId: other.appId,
    webhookSecret: other.webhookSecret,
    terminalSn: other.terminals[0],
  })
})

test('a sandbox with a wall clock of its own is called, and its webhooks verify, by that clock', async () => {
  const receiver = await openReceiver()
  const sandbox = await openTestSandbox({ retries: 'fast', wall: () => Date.parse('2020-02-29T12:00:00Z') })
  await sandbox.client.sale({ ...dollars(100), notifyUrl: receiver.url })
  const { client } = await sandbox.newMerchant()
  await client.sale(dollars(100))
  await sandbox.webhooks.delivered()
  const [request] = receiver.arrivals
  const verdict = await sandbox.webhooks.verify(request?.headers ?? {}, request?.body ?? '')
  expect(verdict).toMatchObject({ valid: true })
})

describe('reset', () => {
  let sandbox: TestSandbox
  beforeAll(async () => {
    sandbox = await createSandbox()
  })
  afterAll(() => sandbox.close())

  const change = async () => {
    await sandbox.client.sale(dollars(1000))
    await sandbox.faults.add('http-503', { always: true })
    await sandbox.clock.freeze()
    await sandbox.terminal().offline()
    await sandbox.newMerchant({ merchantId: 'M-NEW' })
  }

  test('a reset deletes payments and leaves settings', async () => {
    await change()
    await sandbox.reset()
    expect((await sandbox.state()).transactions).toBe(0)
    expect(await sandbox.faults.list()).toHaveLength(1)
    expect((await sandbox.terminal().screen()).online).toBe(false)
  })

  test('a reset of everything leaves the sandbox as new, with the same key and the saved snapshots', async () => {
    await sandbox.reset({ everything: true })
    await change()
    await sandbox.snapshot('kept')
    const allowed = { addresses: ['192.0.2.1'] }
    expect((await askJson(`${sandbox.url}/_sandbox/allow-list`, 'PUT', allowed)).httpStatus).toBe(200)
    await sandbox.reset({ everything: true })
    expect(await sandbox.faults.list()).toEqual([])
    expect((await sandbox.terminal().screen()).online).toBe(true)
    expect(await sandbox.requests.list()).toEqual([])
    expect(Math.abs((await sandbox.clock.now()).getTime() - Date.now())).toBeLessThan(60_000)
    const { transactionId } = await sandbox.client.sale(dollars(1000))
    await sandbox.payments.waitFor(transactionId)
    await expect(sandbox.newMerchant({ merchantId: 'M-NEW' })).resolves.toMatchObject({ merchantId: 'M-NEW' })
    await sandbox.restore('kept')
  })
})

test('the outcome is unknown after a refusal with 5xx; a session whose answer is lost can be expired by its transaction request id', async () => {
  const sandbox = await reach()
  const failed = sandbox.client.sale(dollars(500), { fault: 'http-500' })
  await expect(failed).rejects.toMatchObject({ name: 'ServiceRefusal', outcomeUnknown: true })
  await expect(sandbox.client.sale(dollars(-1))).rejects.toMatchObject({ outcomeUnknown: false })
  const transactionRequestId = 'lost-session'
  const request = { ...dollars(500), transactionRequestId }
  const opening = sandbox.client.createSession(request, { fault: 'lost-answer' })
  await expect(opening).rejects.toThrow(LostAnswer)
  const remedy = 'expire the session by transactionRequestId lost-session, then open another with a new one'
  await expect(opening).rejects.toThrow(remedy)
  await sandbox.client.expireSession({ transactionRequestId })
  await sandbox.client.createSession(dollars(500))
})

const typos: Readonly<Record<string, (sandbox: TestSandbox) => Promise<unknown>>> = {
  'status "paid" must be approved, declined, closed, pending, a status such as SUCCESS, or its letter': ({
    payments,
  }) => payments.list({ status: 'paid' as never }),
  'idOrOrder must be the id of a transaction, or its order; it is undefined': ({ payments }) =>
    payments.waitFor(undefined as never),
  'kind "lost-anser" is not a fault: did you mean lost-answer?': ({ faults }) =>
    faults.add('lost-anser' as never),
  'fits must be a function that takes a delivery': ({ webhooks }) => webhooks.waitFor('T1' as never),
  'name "pinn" is not a screen: did you mean pin?': (sandbox) =>
    sandbox.terminal().waitForScreen('pinn' as never),
  'times -1 must be at least 0': (sandbox) => sandbox.terminal().queue('lost-card', -1),
  'evrything is an unknown field; did you mean everything?': ({ reset }) =>
    reset({ evrything: true } as never),
  'timeot is not an option of a wait; did you mean timeout?': ({ webhooks }) =>
    webhooks.delivered({ timeot: 1 } as never),
}

test.each(Object.entries(typos))('a wrong value is refused before it is sent: %s', async (message, act) => {
  const sandbox = await createSandbox()
  await sandbox.close() // nobody would answer
  const acting = act(sandbox)
  await expect(acting).rejects.toThrow(InvalidOption)
  await expect(acting).rejects.toThrow(new RegExp(`^${message.replace(/[?.]/g, '\\$&')}$`))
})

test('an unknown outcome is refused as a wrong option, too, and a refusal says message, detail and code, once each', async () => {
  const sandbox = await reach()
  // @ts-expect-error types refuse it, too
  const queueing = sandbox.terminal().queue('lostcard')
  await expect(queueing).rejects.toThrow(InvalidOption)
  const message = /^outcome is wrong: There is no outcome lostcard\. Did you mean lost-card\?$/
  await expect(queueing).rejects.toThrow(message)
  const sale = (members: object) => sandbox.client.sale({ ...dollars(1000), ...members })
  await expect(sale({ amount: -1 })).rejects.toThrow(/^amount: must be at least 0 \(C17\)$/)
  const unknown = /^There is no such transaction: .*1000.* \(SBX_TXN_UNKNOWN\)$/
  await expect(sandbox.client.query({ transactionId: '1000' })).rejects.toThrow(unknown)
  expect(new ServiceRefusal(200, { code: 'X1', msg: '', traceId: '', data: null }).message).toBe('(X1)')
})

test('a wait ends before the 5,000 ms of a test of vitest or jest do', () => {
  expect(usualWait).toBeLessThan(4_500)
})
