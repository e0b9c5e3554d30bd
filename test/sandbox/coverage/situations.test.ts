import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { CoverageReport } from '../../../src/contract/control/coverage-answers.ts'
import type { WrittenFault } from '../../../src/contract/control/faults.ts'
import { type SituationName, seenSituations } from '../../../src/contract/exam/catalogue.ts'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import {
  type CallOptions,
  createClient,
  type ServiceClient,
} from '../../../src/testing/helpers/service-client.ts'
import type { TestSandbox } from '../../../src/testing/helpers/test-sandbox.ts'
import { runCommand } from '../../support/commands/command.ts'
import type { Ended } from '../../support/commands/launched.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { askJson } from '../../support/network/ask-json.ts'
import { openReceiver, type WebhookReceiver } from '../../support/webhooks/webhook-receiver.ts'

const clientOf = ({ url, apiKey, appId, merchantId, terminalSn }: TestSandbox): ServiceClient =>
  createClient({ url, apiKey, appId, merchantId, terminalSn })

/** A transactionRequestId or an order that nobody used. */
const newId = (kind = 'REQ'): string => `${kind}-${randomUUID().slice(0, 18)}`

const attended = 'TBX-ATTENDED-001'

let sandbox: TestSandbox
/** The code of a merchant. */
let merchant: ServiceClient
beforeEach(async () => {
  sandbox = await createSandbox({ retries: 'fast' })
  merchant = clientOf(sandbox)
})
afterEach(() => sandbox.close())

const control = async (method: string, path: string, members?: object) =>
  (await askJson(`${sandbox.url}/_sandbox/${path}`, method, members)).data

const reportOf = (): Promise<CoverageReport> => control('GET', 'coverage')

const found = async (name: SituationName) => {
  const { situations } = await reportOf()
  const { state, gaps } = situations.find((each) => each.name === name) ?? {}
  return [state, ...(gaps?.map(({ gap }) => gap) ?? [])]
}

type Opened = { readonly transactionId: string }

/** True for code that asks for nothing, and does nothing after an error. */
let isCareless = false

/** Ends what careless code does. */
const enough = new Error('enough')

/** Waits until a transaction has ended, and asks for it, as sound code does. */
async function learn(opened: Promise<Opened> | Opened): Promise<string> {
  const { transactionId } = await opened
  if (isCareless) {
    await sandbox.payments.waitFor(transactionId).catch(() => undefined) // it may be declined
    return transactionId
  }
  const status = async () => (await merchant.query({ transactionId })).transactionStatus
  await expect.poll(status, { timeout: 5_000 }).toMatch(/[SFC]/)
  return transactionId
}

const anySale = () => ({ referenceOrderId: newId('ORDER'), amount: 1000, priceCurrency: 'USD' })

const sell = (more: object = {}, options: CallOptions = {}) =>
  merchant.sale({ ...anySale(), ...more }, options)

const authorise = () => learn(merchant.auth(anySale()))

type FollowUp = (client: ServiceClient, originalTransactionId: string) => Promise<Opened>

/** A follow-up on an approved payment, or on an AUTH, whose result is learnt. */
const following = (original: () => Promise<string>, act: FollowUp) => async () =>
  void (await learn(act(merchant, await original())))
const onSale = (act: FollowUp) => following(async () => learn(sell()), act)
const onAuth = (act: FollowUp) => following(authorise, act)
const raise: FollowUp = (client, originalTransactionId) =>
  client.incrementalAuth({ originalTransactionId, amount: 500, priceCurrency: 'USD' })
const captureOf =
  (amount: number): FollowUp =>
  (client, originalTransactionId) =>
    client.postAuth({ originalTransactionId, amount, priceCurrency: 'USD' })
const takeBack: FollowUp = (client, originalTransactionId) => client.void({ originalTransactionId })

const refund = (originalTransactionId: string, amount: number, options: CallOptions = {}) =>
  merchant.refund({ originalTransactionId, amount, priceCurrency: 'USD' }, options)

/** The request is refused, or its answer is lost: the client sees an error. */
const fails = async (request: Promise<unknown>) => {
  await expect(request).rejects.toThrow()
  if (isCareless) throw enough
}

/** A sale whose answer a fault spoils; its sound client asks, or sends it again. */
async function sellWith(fault: NonNullable<CallOptions['fault']>, isThere: boolean, wait = 0): Promise<void> {
  const members = { transactionRequestId: newId(), referenceOrderId: newId('ORDER') }
  await fails(sell(members, { fault, timeout: 300 }))
  await new Promise((resolve) => setTimeout(resolve, wait))
  if (isThere) await merchant.query({ transactionRequestId: members.transactionRequestId })
  else await learn(sell(members))
}

/** A sale whose notification goes to a receiver with a fault. */
async function sellNotifying(receiver: WebhookReceiver, fault?: WrittenFault): Promise<string> {
  if (fault !== undefined) await sandbox.faults.add(fault, { always: true })
  const { transactionId } = await sell({ notifyUrl: receiver.url })
  await sandbox.payments.waitFor(transactionId)
  await sandbox.clock.advance('10s') // all attempts are made
  await sandbox.webhooks.delivered().catch(() => undefined) // a dropped one never is
  await sandbox.faults.clear()
  return transactionId
}

/** A sale whose notification, first with a fault, goes to a receiver that checks it. */
async function sellAtChecking(fault: WrittenFault): Promise<void> {
  const receiver = await openReceiver(async ({ headers, body }, response) => {
    const { valid } = await sandbox.webhooks.verify(headers, body)
    response.writeHead(valid ? 200 : 401).end()
  })
  await sellNotifying(receiver)
  await sellNotifying(receiver, fault)
}

const declined = (outcome: NonNullable<CallOptions['outcome']>) => async () =>
  void (await learn(sell({}, { outcome })))

/** How a sound client meets each situation. */
const sound: Readonly<Partial<Record<SituationName, () => Promise<void>>>> = {
  'sale-approved': async () => void (await learn(sell())),
  'auth-approved': async () => void (await authorise()),
  'increment-approved': onAuth(raise),
  'capture-approved': onAuth(captureOf(900)),
  'forced-auth-approved': async () => void (await learn(merchant.forcedAuth(anySale()))),
  'refund-approved': onSale((_, original) => refund(original, 1000)),
  'void-approved': onSale(takeBack),
  'refund-in-part': onSale((_, original) => refund(original, 400)),
  'online-approved': async () => {
    const { sessionId } = await openSession()
    await sandbox.checkout(sessionId).pay()
    await endOfSession(sessionId)
  },
  'tip-adjusted': async () => {
    const originalTransactionId = await learn(sell())
    await merchant.tipAdjust({ originalTransactionId, tipAmount: 200 })
  },

  'insufficient-funds': declined('insufficient-funds'),
  'do-not-honor': declined('do-not-honor'),
  'expired-card': declined('expired-card'),
  'lost-or-stolen': declined('stolen-card'),
  'suspected-fraud': declined('suspected-fraud'),
  'pin-tries-exceeded': declined('pin-tries-exceeded'),
  'issuer-unavailable': declined('issuer-unavailable'),
  'host-timeout': async () => {
    const opened = await sell({}, { outcome: 'host-timeout' })
    await sandbox.clock.advance('61s')
    await learn(opened)
  },
  'refund-declined': onSale((_, original) => refund(original, 1000, { outcome: 'do-not-honor' })),
  'online-try-declined': async () => {
    const { sessionId } = await openSession()
    await sandbox.checkout(sessionId).pay('visa-declined' as never)
    await sandbox.checkout(sessionId).pay()
    await endOfSession(sessionId)
  },

  'late-approval': async () => {
    const opened = await sell({}, { outcome: 'late-approval' })
    await sandbox.clock.advance('61s')
    await learn(opened)
  },
  'cancelled-at-terminal': async () => {
    const opened = await sell({ terminalSn: attended })
    await sandbox.terminal(attended).waitForScreen('present-card')
    await sandbox.terminal(attended).cancel()
    await learn(opened)
  },
  aborted: async () => {
    const opened = await sell({ terminalSn: attended })
    await merchant.abort({ originalTransactionId: opened.transactionId })
    await learn(opened)
  },
  'aborted-too-late': async () => {
    const opened = await sell({}, { outcome: 'late-approval' })
    await merchant.abort({ originalTransactionId: opened.transactionId })
    await sandbox.clock.advance('61s')
    await learn(opened)
  },
  'expired-unpaid': async () => {
    const opened = await sell({ terminalSn: 'TBX-OFFLINE-001' })
    await sandbox.clock.advance('2d')
    await learn(opened)
  },
  'terminal-busy': () => fails(sell({ terminalSn: 'TBX-BUSY-001' })),

  'refund-not-allowed': async () => {
    const original = await learn(sell())
    await learn(takeBack(merchant, original))
    await fails(refund(original, 1000))
  },
  'refund-too-much': async () => fails(refund(await learn(sell()), 9900)),
  'refund-no-balance': () => fails(merchant.refund({ ...anySale(), amount: 10_000_001 })),
  'refunded-already': async () => {
    const original = await learn(sell())
    await learn(refund(original, 1000))
    await fails(refund(original, 1000))
  },
  'refund-too-late': async () => {
    const original = await learn(sell())
    await sandbox.clock.advance('400d')
    await fails(refund(original, 1000))
  },
  'void-too-late': async () => {
    const original = await learn(sell())
    await sandbox.clock.advance('1d')
    await fails(takeBack(merchant, original))
  },
  'void-after-close': async () => {
    const original = await learn(sell())
    await merchant.batchClose({})
    await fails(takeBack(merchant, original))
  },
  'capture-too-much': async () => fails(captureOf(9900)(merchant, await authorise())),
  'auth-expired': async () => {
    const original = await authorise()
    await sandbox.clock.advance('31d')
    await fails(captureOf(900)(merchant, original))
  },
  'other-currency': async () => {
    const originalTransactionId = await learn(sell())
    await fails(merchant.refund({ originalTransactionId, amount: 500, priceCurrency: 'EUR' }))
  },
  'wrong-parameter': () => fails(sell({ amount: 0 })),
  'unknown-transaction': () => fails(merchant.void({ originalTransactionId: '1' })),

  'answer-lost': () => sellWith('lost-answer', true),
  'request-lost': () => sellWith('lost-request', false),
  'connection-reset': () => sellWith('reset', false),
  'answer-truncated': () => sellWith('truncated', true),
  'answer-empty': () => sellWith('empty', true),
  'answer-not-json': () => sellWith('not-json', true),
  'answer-late': async () => {
    await sellWith('latency=600', true)
    await expect.poll(() => found('answer-late')).toEqual(['handled'])
  },
  'error-500': () => sellWith('http-500', false),
  'error-503': () => sellWith('http-503', false, 1100),
  'rate-limited': () => sellWith('http-429=1', false, 1100),

  'look-up-lost': async () => {
    const { transactionId } = await sell()
    await sandbox.payments.waitFor(transactionId)
    await fails(merchant.query({ transactionId }, { fault: 'lost-answer' }))
    await merchant.query({ transactionId })
  },
  'webhook-before-answer': async () => {
    const { url: notifyUrl } = await openReceiver()
    await sell({ notifyUrl }, { fault: 'after-webhook' })
  },
  'end-before-answer': async () => void (await learn(sell({}, { fault: 'after-end' }))),

  'webhook-twice': async () => void (await sellNotifying(await openReceiver(), 'duplicate')),
  'webhook-resent': async () => {
    await sellNotifying(await openReceiver())
    const [{ id = '' } = {}] = await sandbox.webhooks.list()
    await sandbox.webhooks.resend(id)
    await sandbox.webhooks.delivered()
  },
  'webhook-overtaken': async () => {
    const { url: notifyUrl } = await openReceiver()
    await sandbox.webhooks.hold()
    for (const _ of [1, 2]) await sandbox.payments.waitFor((await sell({ notifyUrl })).transactionId)
    const [first, second] = await sandbox.webhooks.list()
    for (const { id = '' } of [{ ...second }, { ...first }]) {
      await sandbox.webhooks.release(id)
      await sandbox.webhooks.waitFor((each) => each.id === id && each.state === 'delivered')
    }
  },
  'webhook-late': async () => {
    const receiver = await openReceiver()
    await sandbox.faults.add('delay=1s')
    const { transactionId } = await sell({ notifyUrl: receiver.url })
    await sandbox.payments.waitFor(transactionId)
    await sandbox.clock.advance('2s')
    await sandbox.webhooks.delivered()
  },
  'webhook-lost': async () => {
    const transactionId = await sellNotifying(await openReceiver(), 'drop')
    await merchant.query({ transactionId })
  },
  'webhook-forged': () => sellAtChecking('bad-signature'),
  'webhook-stale': () => sellAtChecking('stale'),
  'webhook-other-json': () => sellAtChecking('other-json'),
  'webhook-retried': async () => {
    let tries = 0
    const receiver = await openReceiver((_, response) => {
      tries += 1
      response.writeHead(tries === 1 ? 500 : 200).end()
    })
    await sellNotifying(receiver)
  },

  'request-id-reused': async () => {
    const clientRequestId = randomUUID()
    await learn(sell({}, { clientRequestId }))
    const order = anySale()
    await fails(sell(order, { clientRequestId }))
    await learn(sell(order))
  },
  'transaction-request-id-reused': async () => {
    const transactionRequestId = newId()
    const order = { transactionRequestId, referenceOrderId: newId('ORDER') }
    await learn(sell(order))
    await fails(sell(order))
    await merchant.query({ transactionRequestId })
  },
  'clock-wrong': async () => {
    const order = anySale()
    await fails(sell(order, { headers: { 'X-Timestamp': '1000000000000' } }))
    await learn(sell(order))
  },
  'key-unknown': async () => {
    const order = anySale()
    await fails(clientWith('tbx_sandbox_0000000000000000').sale(order))
    await learn(sell(order))
  },
  'key-expired': async () => {
    const { apiKey } = await control('POST', 'keys/regenerate', { graceMs: 0 })
    const order = anySale()
    await fails(sell(order))
    const client = clientWith(apiKey)
    const { transactionId } = await client.sale(order)
    await sandbox.payments.waitFor(transactionId)
    await client.query({ transactionId })
  },

  'batch-closed': async () => {
    await learn(sell())
    await merchant.batchClose({})
  },
  'batch-empty': () => fails(merchant.batchClose({})),
  'settlement-failed': async () => {
    await learn(sell())
    await fails(merchant.batchClose({}, { fault: 'settlement-failed' }))
    await merchant.batchClose({})
  },
  'settled-in-part': async () => {
    await learn(sell())
    await learn(sell({ priceCurrency: 'EUR' }))
    await merchant.batchClose({}, { fault: 'partial-settlement' })
    await merchant.batchClose({}).catch(() => undefined) // one channel may have been all
  },

  'no-decimals': async () => void (await learn(sell({ priceCurrency: 'JPY' }))),
  'three-decimals': async () => void (await learn(sell({ priceCurrency: 'KWD' }))),
  tip: async () => void (await learn(sell({ tipAmount: 200 }))),
  tax: async () => void (await learn(sell({ taxAmount: 100 }))),
  surcharge: async () => void (await learn(sell({ surchargeAmount: 50 }))),
}

function clientWith(apiKey: string) {
  const { url, appId, merchantId, terminalSn } = sandbox
  return createClient({ url, appId, merchantId, terminalSn, apiKey })
}

const openSession = () => merchant.createSession(anySale())

async function endOfSession(sessionId: string): Promise<void> {
  await expect.poll(async () => (await sandbox.checkout(sessionId).state()).state).toBe('paid')
  const [{ transactionId = '' } = {}] = await sandbox.payments.list()
  await learn({ transactionId })
}

test.each(seenSituations)('$name is met, and a sound client has no gap in it', async ({ name }) => {
  expect(await found(name)).toEqual(['unmet'])
  await sound[name]?.()
  const { situations } = await reportOf()
  expect(situations.find((each) => each.name === name)).toMatchObject({ state: 'handled', gaps: [] })
  expect(situations.filter(({ state }) => state === 'gap')).toEqual([])
})

/** A way to the sandbox on which requests lose the name of the program that sends them. */
async function namelessUrl(): Promise<string> {
  const server = http.createServer((incoming, outgoing) => {
    const { host: _, 'user-agent': __, ...headers } = incoming.headers
    const { method = '', url = '' } = incoming
    const sent = http.request(new URL(url, sandbox.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      pipeline(answer, outgoing, () => undefined) // a broken answer breaks here, too
    })
    sent.on('error', () => outgoing.destroy()) // no answer came
    incoming.pipe(sent)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What careless code does in other words than to leave out what comes after an error, or a question. */
const careless: Readonly<Partial<Record<SituationName, () => Promise<unknown>>>> = {
  'answer-late': async () => {
    const order = { referenceOrderId: newId('ORDER') }
    await expect(sell(order, { fault: 'latency=600', timeout: 300 })).rejects.toThrow()
    await sell(order)
  },
  'rate-limited': async () => {
    const members = anySale()
    await expect(sell(members, { fault: 'http-429=1' })).rejects.toThrow()
    await sell(members)
  },
  'webhook-before-answer': () => sell({}, { fault: 'after-webhook' }),
  'webhook-resent': async () => {
    await sellNotifying(await openReceiver(500))
    await control('POST', 'webhooks/resend', { all: true })
  },
  'webhook-overtaken': async () => {
    const { url: notifyUrl } = await openReceiver(500)
    await sandbox.webhooks.hold()
    for (const _ of [1, 2]) await sandbox.payments.waitFor((await sell({ notifyUrl })).transactionId)
    for (const { id } of (await sandbox.webhooks.list()).toReversed())
      await sandbox.webhooks.release(id).catch(() => undefined)
  },
  'webhook-late': async () => sellNotifying(await openReceiver(500), 'delay=1s'),
  'webhook-lost': async () => sellNotifying(await openReceiver(), 'drop'),
  'webhook-forged': async () => sellNotifying(await openReceiver(), 'bad-signature'),
  'webhook-stale': async () => sellNotifying(await openReceiver(500), 'stale'),
  'webhook-other-json': async () => sellNotifying(await openReceiver(401), 'other-json'),
  'webhook-twice': async () => sellNotifying(await openReceiver(409), 'duplicate'),
  'webhook-retried': async () => sellNotifying(await openReceiver(500)),
  'settled-in-part': async () => {
    await learn(sell())
    await merchant.batchClose({}, { fault: 'partial-settlement' })
  },
}

/** What the answer itself tells cannot be missed. */
const neverSeen = ['tip-adjusted', 'batch-closed', 'aborted']

test.each(seenSituations)('a careless client has a gap in $name', async ({ name, seen }) => {
  let again: () => Promise<unknown> = async () => undefined
  const careful = merchant
  merchant = new Proxy(careful, {
    get: (client, method: keyof ServiceClient) => (members: object, options?: CallOptions) => {
      again = () => (client[method] as (...args: unknown[]) => Promise<unknown>)(members, options)
      return again()
    },
  })
  isCareless = true
  onTestFinished(() => {
    isCareless = false
  })
  await (careless[name] ?? sound[name])?.().catch((error) => {
    if (error !== enough) throw error
  })
  if ('refusal' in seen || 'busy' in seen) for (const _ of [1, 2, 3, 4]) await again().catch(() => undefined)
  const state = async () => (await found(name))[0]
  if (neverSeen.includes(name)) expect(await state()).toBe('handled')
  else await expect.poll(state, { timeout: 5_000 }).toBe('gap')
})

/** Runs lines of a shell with `&&`, `;`, `&`, `NAME=value`, `$NAME` and `$(… | tail …)`; resolves to the last end. */
async function runLines(text: string, run: (line: string) => Promise<Ended>, variables: Map<string, string>) {
  let last = { code: 0 as number | null, stdout: '' }
  for (const { 0: whole, 1: operator, 2: line = '', index } of text.matchAll(
    /(^|&&|;|&)\s*((?:\$\([^)]*\)|[^;&])+)/g,
  )) {
    if (operator === '&&' && last.code !== 0) continue
    let filled = line.trim()
    for (const [substitution, inner = '', tail] of filled.matchAll(/\$\((.*?) \| tail (-1|-n \+2)\)/g)) {
      const printed = (await runLines(inner, run, variables)).stdout.trim().split(/\r?\n/)
      filled = filled.replace(substitution, printed.slice(tail === '-1' ? -1 : 1).join(' '))
    }
    filled = filled.replace(/\$([A-Z_]+)/g, (_, name) => variables.get(name) ?? '')
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(filled) ?? []
    if (name !== undefined) variables.set(name, value ?? '')
    else if (filled === 'sleep 1') await new Promise((resolve) => setTimeout(resolve, 1_000))
    else if (/^&(?!&)/.test(text.slice(index + whole.length))) void run(filled.replace(/^tillbox /, ''))
    else last = await run(filled.replace(/^tillbox /, ''))
  }
  return last
}

test.each(seenSituations)('the line that shows how to meet $name makes it happen', async ({ name, how }) => {
  await sandbox.close()
  const receiver = await openReceiver()
  sandbox = await createSandbox({ retries: 'fast', notifyUrl: receiver.url })
  const cwd = scratchFolder()
  const env = { TILLBOX_BASE_URL: await namelessUrl(), TILLBOX_API_KEY: sandbox.apiKey }
  const shown: string[] = []
  const run = async (line: string) => {
    const ended = await runCommand(line, { cwd, env })
    shown.push(`${line}: ${ended.code} ${ended.stderr}`)
    return ended
  }
  await runLines(how, run, new Map(Object.entries(env)))
  const state = async () => (await found(name))[0]
  await expect.poll(state, { message: shown.join('\n'), timeout: 3_000 }).not.toBe('unmet')
})

test('requests of commands and of helpers of tests are not those of the merchant', async () => {
  const env = { TILLBOX_BASE_URL: sandbox.url }
  const line = 'sale --amount 97.34 --no-wait --json'
  const { stdout } = await runCommand(line, { cwd: scratchFolder(), env })
  expect(stdout).toContain('transactionId')
  await sandbox.client.sale(anySale())
  await fails(sandbox.client.sale(anySale(), { fault: 'lost-answer' }))
  await fails(sandbox.client.refund({ originalTransactionId: '1', amount: 1, priceCurrency: 'USD' }))
  expect(await reportOf()).toMatchObject({ met: 0 })
  await learn(sell())
  expect(await reportOf()).toMatchObject({ met: 1, handled: 1 })
})

test('a notification is overtaken by that of a refund which somebody else made', async () => {
  const { url: notifyUrl } = await openReceiver()
  await sandbox.webhooks.hold()
  const originalTransactionId = await learn(sell({ notifyUrl }))
  await sandbox.client.refund({ originalTransactionId, amount: 1000, priceCurrency: 'USD', notifyUrl })
  await expect.poll(async () => (await sandbox.webhooks.list()).length).toBe(2)
  for (const { id } of (await sandbox.webhooks.list()).toReversed()) await sandbox.webhooks.release(id)
  expect(await found('webhook-overtaken')).toEqual(['handled'])
})

test.each(['tillbox-dashboard', 'tillbox-mcp (an agent)'])(
  'requests of %s are not those of the merchant',
  async (agent) => {
    const headers = { 'User-Agent': agent }
    const { transactionId } = await sell({}, { headers })
    await sandbox.payments.waitFor(transactionId)
    await merchant.query({ transactionId }, { headers })
    expect(await reportOf()).toMatchObject({ met: 0 })
  },
)

test.each(['refund', 'void', 'postAuth'] as const)(
  'the answer to a %s in the cloud has its result',
  async (name) => {
    const isCapture = name === 'postAuth'
    const originalTransactionId = await (isCapture ? authorise() : learn(sell()))
    const amount = name === 'void' ? {} : { amount: 1000, priceCurrency: 'USD' }
    await merchant[name]({ originalTransactionId, pushToTerminal: false, ...amount } as never)
    expect((await reportOf()).situations.filter(({ state }) => state === 'gap')).toEqual([])
    await fails(
      merchant.sale({ ...anySale() }, { fault: 'truncated' }), // an answer that breaks off tells nothing
    )
    expect((await found('sale-approved'))[0]).toBe('gap')
  },
)

describe('a lost answer is dealt with', () => {
  test('by closing the page that nobody knows, and opening another one', async () => {
    const { url: notifyUrl } = await openReceiver()
    const order = { ...anySale(), notifyUrl, transactionRequestId: newId() }
    await sandbox.faults.add('drop')
    await fails(merchant.createSession(order, { fault: 'lost-answer' }))
    await merchant.expireSession({ transactionRequestId: order.transactionRequestId })
    await merchant.createSession({ ...order, transactionRequestId: newId() })
    expect(await found('answer-lost')).toEqual(['handled'])
    expect(await found('expired-unpaid')).toEqual(['unmet']) // the code ended it itself
    await expect.poll(() => found('webhook-lost')).toEqual(['handled']) // its answer says so
  })

  test('by closing the batches again', async () => {
    await learn(sell())
    await fails(merchant.batchClose({}, { fault: 'lost-answer' }))
    await fails(merchant.batchClose({}))
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test('by taking the payment back', async () => {
    const transactionRequestId = newId()
    await fails(sell({ transactionRequestId, terminalSn: attended }, { fault: 'lost-answer' }))
    await merchant.abort({ originalTransactionRequestId: transactionRequestId })
    expect(await found('answer-lost')).toEqual(['handled'])
    expect(await found('aborted')).toEqual(['handled'])
  })
})

describe('gaps', () => {
  test('nobody asks for a result', async () => {
    const { transactionId } = await sell()
    await sandbox.payments.waitFor(transactionId)
    expect(await found('sale-approved')).toEqual(['gap', expect.stringContaining('did not get the result')])
  })

  test('an order is paid twice: again before the first payment was final', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const late = await sell({ ...order, terminalSn: 'TBX-LATE-001' })
    await sandbox.clock.advance('1s') // two payments of one millisecond have no order
    const second = await learn(sell({ ...order, terminalSn: 'TBX-TIP20-001' }))
    await sandbox.clock.advance('61s')
    const first = await learn(late)
    expect(await found('sale-approved')).toEqual([
      'gap',
      `the order was paid twice: ${second} is approved, too`,
      `the order was paid twice: ${first} is approved, too`,
    ])
  })

  test('a bill that is split in halves is not paid twice', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    for (const _ of [1, 2]) {
      await learn(sell(order))
      await sandbox.clock.advance('1s')
    }
    expect(await found('sale-approved')).toEqual(['handled'])
  })

  test.each<[string, () => Promise<(id: string, options?: CallOptions) => Promise<Opened>>]>([
    [
      'a refund',
      async () => {
        const originalTransactionId = await learn(sell())
        const members = { originalTransactionId, amount: 400, priceCurrency: 'USD' }
        return (id, options) => merchant.refund({ ...members, transactionRequestId: id }, options)
      },
    ],
    [
      'a refund in the cloud',
      async () => {
        const originalTransactionId = await learn(sell())
        const members = { originalTransactionId, amount: 400, priceCurrency: 'USD', pushToTerminal: false }
        return (id, options) => merchant.refund({ ...members, transactionRequestId: id }, options)
      },
    ],
    [
      'a capture',
      async () => {
        const originalTransactionId = await authorise()
        const members = { originalTransactionId, amount: 900, priceCurrency: 'USD' }
        return (id, options) => merchant.postAuth({ ...members, transactionRequestId: id }, options)
      },
    ],
  ])('%s is sent again with a new id after its answer was lost', async (_, prepare) => {
    const act = await prepare()
    await fails(act(newId(), { fault: 'lost-answer' }))
    await act(newId()).catch(() => undefined) // a second capture is refused
    expect(await found('answer-lost')).toEqual([
      'gap',
      expect.stringContaining('your code sent a new transactionRequestId'),
    ])
  })

  test('a lost answer is followed by a refund of another amount, and by the question what became of it', async () => {
    const originalTransactionId = await learn(sell())
    const id = newId()
    const back = (amount: number, more: object, options: CallOptions = {}) =>
      merchant.refund({ originalTransactionId, amount, priceCurrency: 'USD', ...more }, options)
    await fails(back(400, { transactionRequestId: id }, { fault: 'lost-answer' }))
    await back(100, {})
    await merchant.query({ transactionRequestId: id })
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test('a lost answer is followed by a refund of another payment without an order', async () => {
    const [one, other] = [await learn(sell()), await learn(sell())]
    const id = newId()
    const back = (originalTransactionId: string, more: object, options: CallOptions = {}) =>
      merchant.refund(
        { originalTransactionId, amount: 400, priceCurrency: 'USD', referenceOrderId: null, ...more },
        options,
      )
    await fails(back(one, { transactionRequestId: id }, { fault: 'lost-answer' }))
    await back(other, {})
    await merchant.query({ transactionRequestId: id })
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test('a lost answer is followed by the other part of the bill at another terminal', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const id = newId()
    await fails(sell({ ...order, amount: 700, transactionRequestId: id }, { fault: 'lost-answer' }))
    await learn(sell({ ...order, amount: 300, terminalSn: 'TBX-TIP20-001' }))
    await merchant.query({ transactionRequestId: id })
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test.each([
    ['unknown', 'handled'],
    ['known', 'gap'],
  ])('a payment whose answer is lost was declined, and is voided while that is %s', async (known, state) => {
    const id = newId()
    await fails(sell({ transactionRequestId: id }, { fault: 'lost-answer', outcome: 'insufficient-funds' }))
    const declined = () => sandbox.payments.list({ status: 'declined' })
    await expect.poll(declined).toHaveLength(1)
    if (known === 'known') await merchant.query({ transactionRequestId: id })
    await fails(merchant.void({ originalTransactionRequestId: id }))
    await merchant.query({ transactionRequestId: id })
    expect((await found('insufficient-funds'))[0]).toBe(state)
  })

  test('a payment is voided once a notification told that it was declined', async () => {
    const receiver = await openReceiver()
    const sale = { transactionRequestId: newId(), notifyUrl: receiver.url }
    await fails(sell(sale, { fault: 'lost-answer', outcome: 'insufficient-funds' }))
    await expect.poll(() => sandbox.payments.list({ status: 'declined' })).toHaveLength(1)
    await sandbox.webhooks.delivered()
    await fails(merchant.void({ originalTransactionRequestId: sale.transactionRequestId }))
    expect((await found('insufficient-funds'))[0]).toBe('gap')
  })

  test('an abort comes when the payment is declined already', async () => {
    const { transactionId } = await sell({}, { outcome: 'insufficient-funds' })
    await expect.poll(() => sandbox.payments.list({ status: 'declined' })).toHaveLength(1)
    await fails(merchant.abort({ originalTransactionId: transactionId }))
    await merchant.query({ transactionId })
    expect(await found('insufficient-funds')).toEqual(['handled'])
  })

  test.each<[string, () => Promise<(options?: CallOptions) => Promise<unknown>>]>([
    [
      'a tip adjust',
      async () => {
        const originalTransactionId = await learn(sell())
        return (options) => merchant.tipAdjust({ originalTransactionId, tipAmount: 200 }, options)
      },
    ],
    [
      'an abort',
      async () => {
        const { transactionId: originalTransactionId } = await sell({ terminalSn: attended })
        return (options) => merchant.abort({ originalTransactionId }, options)
      },
    ],
    [
      'the end of a session',
      async () => {
        const { sessionId } = await openSession()
        return (options) => merchant.expireSession({ sessionId }, options)
      },
    ],
  ])('the answer to %s without an id is lost, and it is sent again or not', async (_, prepare) => {
    const act = await prepare()
    await fails(act({ fault: 'lost-answer' }))
    expect(await found('answer-lost')).toEqual(['gap', expect.stringContaining('neither queried')])
    await act().catch(() => undefined) // what has ended is refused
    expect(await found('answer-lost')).toEqual(['handled'])
    await fails(act({ fault: 'http-429=1' }))
    await act().catch(() => undefined)
    expect(await found('rate-limited')).toEqual(['gap', expect.stringContaining('Retry-After')])
  })

  test('a lost abort is told by the notification of its payment; a lost tip by a look at it', async () => {
    const { url: notifyUrl } = await openReceiver()
    const { transactionId: opened } = await sell({ terminalSn: attended, notifyUrl })
    await fails(merchant.abort({ originalTransactionId: opened }, { fault: 'lost-answer' }))
    await sandbox.webhooks.delivered()
    expect(await found('answer-lost')).toEqual(['handled'])
    const paid = { transactionId: await learn(sell({ notifyUrl })) }
    const tip = { originalTransactionId: paid.transactionId, tipAmount: 200 }
    await fails(merchant.tipAdjust({ ...tip, transactionRequestId: newId() }, { fault: 'lost-answer' }))
    expect((await found('answer-lost'))[0]).toBe('gap')
    await merchant.query(paid)
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test('the end of one session is lost, another session is ended, and then the first one again', async () => {
    const [one, other] = [await openSession(), await openSession()]
    const end = ({ sessionId }: typeof one, options: CallOptions = {}) =>
      merchant.expireSession({ sessionId }, options)
    await fails(end(one, { fault: 'http-503=1' }))
    await end(other)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await end(one)
    expect(await found('error-503')).toEqual(['handled'])
  })

  test('a lost answer is followed by another payment', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    await fails(sell(order, { fault: 'lost-answer' }))
    await learn(sell(order))
    expect(await found('answer-lost')).toEqual([
      'gap',
      expect.stringContaining('your code sent a new transactionRequestId'),
    ])
  })

  test.each([
    ['a look-up that calls it open'],
    ['a void that is refused'],
    ['the same again, refused as known'],
  ])('a lost answer is followed by %s, and by another payment', async (how) => {
    const order = { referenceOrderId: newId('ORDER'), transactionRequestId: newId() }
    const original = { originalTransactionRequestId: order.transactionRequestId }
    await fails(sell({ ...order, terminalSn: attended }, { fault: 'lost-answer' }))
    if (how.includes('open')) await merchant.query({ transactionRequestId: order.transactionRequestId })
    if (how.includes('void')) await fails(merchant.void(original))
    if (how.includes('known')) await fails(sell({ ...order, terminalSn: attended }))
    await learn(sell({ referenceOrderId: order.referenceOrderId }))
    expect(await found('answer-lost')).toEqual([
      'gap',
      expect.stringContaining('your code sent a new transactionRequestId'),
    ])
  })

  test('a lost answer is followed by its notification that it was declined, and by another payment', async () => {
    const receiver = await openReceiver()
    const order = { referenceOrderId: newId('ORDER'), notifyUrl: receiver.url }
    await fails(sell(order, { fault: 'lost-answer', outcome: 'insufficient-funds' }))
    await expect.poll(() => sandbox.payments.list({ status: 'declined' })).toHaveLength(1)
    await sandbox.webhooks.delivered()
    await learn(sell(order))
    expect(await found('answer-lost')).toEqual(['handled'])
    const handler = await openReceiver(async ({ body }, response) => {
      if (body.includes('"transactionStatus":"F"')) await sell(atOnce)
      response.end()
    })
    const atOnce = { referenceOrderId: newId('ORDER'), notifyUrl: handler.url }
    await fails(sell(atOnce, { fault: 'lost-answer', outcome: 'insufficient-funds' }))
    await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(2)
    await sandbox.webhooks.delivered()
    expect(await found('answer-lost')).toEqual(['handled'])
    const next = { ...order, referenceOrderId: newId('ORDER') }
    await fails(sell(next, { fault: 'lost-answer', outcome: 'late-approval' })) // its end comes later
    await learn(sell({ ...next, terminalSn: 'TBX-TIP20-001' }))
    expect((await found('answer-lost'))[0]).toBe('gap')
  })

  test('a void whose answer is lost is shown by the record of its payment', async () => {
    const transactionId = await learn(sell())
    await fails(merchant.void({ originalTransactionId: transactionId }, { fault: 'lost-answer' }))
    await expect.poll(() => sandbox.payments.list({ type: 'void', status: 'approved' })).toHaveLength(1)
    await merchant.query({ transactionId })
    expect(await found('void-approved')).toEqual(['handled'])
  })

  test('a lost sale is taken back by a void, whose result is learned: so it was approved', async () => {
    const transactionRequestId = newId()
    await fails(sell({ transactionRequestId }, { fault: 'lost-answer' }))
    await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
    await learn(merchant.void({ originalTransactionRequestId: transactionRequestId }))
    expect(await found('sale-approved')).toEqual(['handled'])
  })

  test('what was paid twice was given back', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const late = await sell({ ...order, terminalSn: 'TBX-LATE-001' })
    const second = await learn(sell(order))
    await learn(refund(second, 1000))
    await sandbox.clock.advance('2m')
    await learn(late)
    expect((await found('sale-approved'))[0]).toBe('handled')
  })

  test('after 429 the customer leaves: nothing was carried out', async () => {
    await fails(sell({}, { fault: 'http-429=1' }))
    expect(await found('rate-limited')).toEqual(['handled'])
  })

  test('two merchants have the same order ids', async () => {
    const other = await sandbox.newMerchant()
    const order = { ...anySale(), transactionRequestId: newId() }
    await fails(merchant.sale(order, { fault: 'lost-answer' }))
    const theirs = clientOf({ ...sandbox, ...other, terminalSn: other.terminals[0] ?? '' })
    const { transactionId } = await theirs.sale({ ...order, transactionRequestId: newId() })
    await expect.poll(async () => (await theirs.query({ transactionId })).transactionStatus).toBe('S')
    await merchant.query({ transactionRequestId: order.transactionRequestId })
    expect(await found('answer-lost')).toEqual(['handled'])
    expect(await found('sale-approved')).toEqual(['handled'])
  })

  test('a lost answer is followed by nothing', async () => {
    await fails(sell({}, { fault: 'lost-request' }))
    expect(await found('request-lost')).toEqual(['gap', expect.stringContaining('neither queried')])
  })

  test.each([
    ['rate-limited', 'http-429=5', 5],
    ['error-503', 'http-503', 1],
  ] as const)('%s: Retry-After is not waited for', async (name, fault, seconds) => {
    await sellWith(fault, false)
    expect(await found(name)).toEqual(['gap', `your code did not wait the ${seconds} s of Retry-After`])
  })

  test.each([
    ['rate-limited', 'http-429=1', 0, 2, 'gap'],
    ['rate-limited', 'http-429=1', 0, 1, 'handled'],
    ['rate-limited', 'http-429=1', 1_000, 2, 'handled'],
    ['error-503', 'http-503=1', 0, 2, 'gap'],
    ['error-503', 'http-503=1', 1_000, 2, 'handled'],
  ] as const)('%s: a look-up gets %s, and comes again after %i ms, %i times', async (...given) => {
    const [name, fault, wait, times, state] = given
    const [one, other] = [await learn(sell()), await learn(sell())]
    for (const _ of Array(times).keys()) {
      await fails(merchant.query({ transactionId: one }, { fault }))
      await merchant.query({ transactionId: other }) // another question
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
    await merchant.query({ transactionId: one })
    expect((await found(name))[0]).toBe(state)
  })

  test.each(['http-502', 'http-504'] as const)(
    'a gateway answers with %s, and nobody asks',
    async (fault) => {
      await fails(sell({}, { fault }))
      expect(await found('error-500')).toEqual(['gap', expect.stringContaining('neither queried')])
    },
  )

  test('a settlement fails, and the batches are only looked at', async () => {
    await learn(sell())
    await fails(merchant.batchClose({}, { fault: 'settlement-failed' }))
    await merchant.batchQuery({})
    expect((await found('settlement-failed'))[0]).toBe('gap')
    await merchant.batchClose({ terminalSn: sandbox.terminalSn })
    expect(await found('settlement-failed')).toEqual(['handled'])
  })

  test.each([
    ['taken again meanwhile', 400, 'gap'],
    ['followed by one of another part', 300, 'handled'],
  ])('a refund is approved a minute late, and %s', async (_, amount, state) => {
    const payment = await learn(sell())
    const late = await refund(payment, 400, { outcome: 'late-approval' })
    await sandbox.clock.advance('1s')
    const other = await refund(payment, amount)
    await sandbox.clock.advance('61s')
    for (const each of [late, other]) await learn(each)
    expect((await found('late-approval'))[0]).toBe(state)
  })

  test('an unknown payment is asked for again and again: it may still arrive', async () => {
    const lost = { transactionRequestId: newId() }
    await fails(sell(lost, { fault: 'lost-request' }))
    for (const _ of [1, 2, 3])
      for (const named of [lost, { transactionId: '1' }]) await fails(merchant.query(named))
    expect(await found('unknown-transaction')).toEqual(['handled'])
  })

  test('an unknown payment is refunded again and again', async () => {
    await fails(refund('1', 400))
    expect(await found('unknown-transaction')).toEqual(['handled'])
    await fails(refund('1', 400))
    expect((await found('unknown-transaction'))[0]).toBe('gap')
  })

  test('the question what became of a request has no answer', async () => {
    const transactionRequestId = newId()
    await fails(sell({ transactionRequestId }, { fault: 'lost-request' }))
    await fails(merchant.query({ transactionRequestId }, { fault: 'http-503' }))
    expect(await found('request-lost')).toEqual(['gap', expect.stringContaining('neither queried')])
    expect(await found('error-503')).toEqual(['handled']) // nobody asked again too soon
  })

  test('a payment that failed is refunded, named by its transactionRequestId', async () => {
    const id = newId()
    await learn(sell({ transactionRequestId: id }, { outcome: 'expired-card' }))
    await fails(merchant.refund({ originalTransactionRequestId: id, amount: 1 }))
    expect(await found('expired-card')).toEqual(['gap', expect.stringContaining('not approved: refund')])
  })

  test.each([['with its id'], ['with a new id']])('a refused request is sent again %s', async (how) => {
    const request = { referenceOrderId: newId('ORDER'), amount: 0 }
    const id = newId()
    for (const _ of [1, 2])
      await fails(sell({ ...request, transactionRequestId: how === 'with its id' ? id : newId() }))
    const gap = ['gap', 'your code sent the same request again unchanged']
    expect(await found('wrong-parameter')).toEqual(gap)
  })

  test.each(['refunded', 'of a closed batch'])('the tip of a payment %s is adjusted', async (which) => {
    const originalTransactionId = await learn(sell())
    if (which === 'refunded') await learn(refund(originalTransactionId, 1000))
    else await merchant.batchClose({})
    await fails(merchant.tipAdjust({ originalTransactionId, tipAmount: 200 }))
    await fails(merchant.tipAdjust({ originalTransactionId, tipAmount: 100 }))
    expect(await found('tip-adjusted')).toEqual(['unmet'])
    await fails(merchant.tipAdjust({ originalTransactionId, tipAmount: 200 }))
    const gap = 'your code sent the same request again unchanged'
    expect(await found('tip-adjusted')).toEqual(['gap', gap])
    expect((await found('batch-closed'))[0]).toBe(which === 'refunded' ? 'unmet' : 'handled')
  })

  test('a busy terminal may be tried three times, and not more often', async () => {
    const order = { ...anySale(), terminalSn: 'TBX-BUSY-001' }
    for (const _ of [1, 2, 3]) await fails(sell(order))
    expect(await found('terminal-busy')).toEqual(['handled'])
    await fails(sell(order))
    expect(await found('terminal-busy')).toEqual([
      'gap',
      'your code tried the busy terminal again and again without a pause',
    ])
  })

  test('a batch is closed twice with nothing to close, and again after a payment', async () => {
    await fails(merchant.batchClose({}))
    await learn(sell())
    await learn(merchant.batchClose({}).then(() => sell()))
    expect(await found('batch-empty')).toEqual(['handled'])
    await merchant.batchClose({})
    for (const _ of [1, 2]) await fails(merchant.batchClose({}))
    expect((await found('batch-empty'))[0]).toBe('gap')
  })

  test('a batch with nothing to close is closed each night', async () => {
    await fails(merchant.batchClose({}))
    await sandbox.clock.advance('1d')
    await fails(merchant.batchClose({}))
    expect(await found('batch-empty')).toEqual(['handled'])
  })

  test('a used id: the same payment was known, is asked for by its other id, or is another purchase', async () => {
    const order = { ...anySale(), transactionRequestId: newId() }
    const { transactionId } = await merchant.sale(order)
    await fails(merchant.sale(order))
    expect((await found('transaction-request-id-reused'))[0]).toBe('gap')
    await learn({ transactionId })
    expect(await found('transaction-request-id-reused')).toEqual(['handled'])
    await fails(merchant.sale({ ...order, referenceOrderId: newId('ORDER') }))
    await merchant.query({ transactionRequestId: order.transactionRequestId })
    expect((await found('transaction-request-id-reused'))[0]).toBe('gap')
  })

  test('a look-up with a wrong key is followed by any request with the right one', async () => {
    const headers = { Authorization: 'Bearer tbx_sandbox_0000000000000000' }
    await fails(merchant.query({ transactionId: '1' }, { headers }))
    await learn(sell())
    expect(await found('key-unknown')).toEqual(['handled'])
  })

  test.each<[SituationName, CallOptions]>([
    ['key-unknown', { headers: { Authorization: 'Bearer tbx_sandbox_0000000000000000' } }],
    ['clock-wrong', { headers: { 'X-Timestamp': '1000000000000' } }],
  ])('%s: another customer who buys later is no correction', async (name, options) => {
    await fails(sell({}, options))
    await learn(sell())
    expect(await found(name)).toEqual(['gap', expect.stringContaining('neither corrected')])
  })

  test('an abort without an id is refused for its time, and another customer buys', async () => {
    const { transactionId: originalTransactionId } = await sell({ terminalSn: attended })
    await fails(merchant.abort({ originalTransactionId }, { headers: { 'X-Timestamp': '1000000000000' } }))
    await learn(sell())
    expect((await found('clock-wrong'))[0]).toBe('gap')
  })

  test('a look-up with a wrong key is sent again with the right one, and answered as before it', async () => {
    const transactionId = await learn(sell())
    const headers = { Authorization: 'Bearer tbx_sandbox_0000000000000000' }
    await fails(merchant.query({ transactionId }, { headers }))
    await merchant.query({ transactionId })
    expect(await found('key-unknown')).toEqual(['handled'])
  })

  test('a sale in chunks is refused for its key, and sent again with the right one', async () => {
    const { url, apiKey, appId, merchantId, terminalSn } = sandbox
    const members = { appId, merchantId, terminalSn, transactionRequestId: newId(), ...anySale() }
    const send = async (key: string) => {
      const request = http.request(`${url}/v1/semi-integration/transaction/sale`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'X-Timestamp': String(Date.now()),
          'X-Client-Request-Id': randomUUID(),
          'Content-Type': 'application/json',
          'Transfer-Encoding': 'chunked',
        },
      })
      request.end(JSON.stringify(members))
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
      return ((await json(answer)) as { code: string }).code
    }
    expect(await send('tbx_sandbox_0000000000000000')).toBe('SBX_KEY_UNKNOWN')
    expect(await send(apiKey)).toBe('0')
    expect(await found('key-unknown')).toEqual(['handled'])
  })

  test.each([
    [401, 200, 'gap'],
    [500, 401, 'handled'],
  ])('an endpoint answers a forgery with %i, and its repeat with %i', async (first, later, state) => {
    let forged = 0
    const receiver = await openReceiver(async ({ headers, body }, response) => {
      const { valid } = await sandbox.webhooks.verify(headers, body)
      if (!valid) forged += 1
      response.writeHead(valid ? 200 : forged > 1 ? later : first).end()
    })
    await sellNotifying(receiver)
    await sellNotifying(receiver, 'bad-signature')
    expect((await found('webhook-forged'))[0]).toBe(state)
  })

  test.each([
    ['webhook-forged', 'bad-signature', 503, 'unmet'],
    ['webhook-forged', 'bad-signature', 500, 'gap'],
    ['webhook-stale', 'stale', 503, 'unmet'],
    ['webhook-stale', 'stale', 500, 'gap'],
    ['webhook-stale', 'stale', 200, 'handled'],
  ] as const)('%s: %s is answered with %s, and its genuine repeat with 200', async (...given) => {
    const [name, fault, status, state] = given
    let tries = 0
    const receiver = await openReceiver((_, response) => {
      tries += 1
      response.writeHead(tries === 1 ? status : 200).end()
    })
    await sandbox.faults.add(fault) // once
    await sellNotifying(receiver)
    expect((await found(name))[0]).toBe(state)
  })

  test.each([
    ['webhook-forged', 'bad-signature', 401],
    ['webhook-forged', 'bad-signature', 404],
    ['webhook-stale', 'stale', 400],
  ] as const)('%s with %s at an endpoint that answers %i to everything proves nothing', async (...given) => {
    const [name, fault, status] = given
    await sellNotifying(await openReceiver(status), fault)
    expect(await found(name)).toEqual(['unmet'])
  })

  test.each([
    [409, 'handled'],
    [410, 'gap'],
    [500, 'gap'],
  ])('a notification was acknowledged, and its copy is answered with %i', async (status, state) => {
    let copies = 0
    const receiver = await openReceiver(
      (_, response) => void response.writeHead(copies++ === 0 ? 200 : status).end(),
    )
    await learn(Promise.resolve({ transactionId: await sellNotifying(receiver, 'duplicate') }))
    expect((await found('webhook-twice'))[0]).toBe(state)
  })

  test.each([
    [409, 'handled'],
    [500, 'gap'],
  ])('a notification was acknowledged, and its repeat is answered with %i', async (status, state) => {
    let tries = 0
    const receiver = await openReceiver((_, response) => {
      tries += 1
      response.writeHead(tries === 1 ? 200 : status).end()
    })
    await sellNotifying(receiver)
    const [{ id = '' } = {}] = await sandbox.webhooks.list()
    await sandbox.webhooks.resend(id)
    await expect.poll(() => tries).toBeGreaterThan(1)
    await sandbox.clock.advance('10s') // all attempts are made
    await sandbox.webhooks.delivered().catch(() => undefined)
    expect((await found('webhook-resent'))[0]).toBe(state)
    expect(await found('sale-approved')).toEqual(['handled'])
  })

  test('an answer is slow, and the client waits for it', async () => {
    await learn(sell({}, { fault: 'latency=50' }))
    expect(await found('answer-late')).toEqual(['unmet'])
  })

  test('a client gives up a late answer that tells the end, and asks, which has no answer', async () => {
    const transactionRequestId = newId()
    const holding = { fault: 'latency=600', timeout: 100 } as const
    await fails(sell({ transactionRequestId }, { fault: 'lost-answer' }))
    await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
    await fails(merchant.query({ transactionRequestId }, holding))
    await fails(merchant.query({ transactionRequestId }, { fault: 'lost-answer' }))
    expect((await found('look-up-lost'))[0]).toBe('gap')
    await merchant.query({ transactionRequestId })
    expect((await found('look-up-lost'))[0]).toBe('handled')
  })

  test('a client gives up an answer that has not left when the report is made', async () => {
    const cloud = { originalTransactionId: await learn(sell()), amount: 300, pushToTerminal: false }
    await sandbox.faults.add('latency=5s', { operation: 'refund' })
    const sent = fetch(`${sandbox.url}/v1/semi-integration/transaction/refund`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${sandbox.apiKey}`,
        'X-Timestamp': String(Date.now()),
        'X-Client-Request-Id': randomUUID(),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ ...cloud, transactionRequestId: newId() }),
      signal: AbortSignal.timeout(100), // it closes only its own side of the connection
    })
    await expect(sent).rejects.toThrow('timeout')
    await expect.poll(() => found('answer-late'), { timeout: 1_000 }).toEqual(['gap', expect.any(String)])
    expect(await found('refund-in-part')).toEqual(['gap', expect.stringContaining('did not get the result')])
  })

  test('a client gives up a late answer, which leaves before the client does anything else', async () => {
    const original = await learn(sell())
    const isOver = () => sandbox.requests.list().then((all) => all.length)
    const cloud = { originalTransactionId: original, amount: 300, pushToTerminal: false }
    await fails(merchant.refund(cloud, { fault: 'latency=300', timeout: 100 }))
    const requests = await isOver()
    await new Promise((resolve) => setTimeout(resolve, 400)) // the answer has left
    await learn(merchant.refund(cloud))
    expect(await isOver()).toBeGreaterThan(requests)
    expect((await found('answer-late'))[0]).toBe('gap')
    expect((await found('refund-in-part'))[0]).toBe('gap')
  })

  test('what was refused as a repeat is charged with a new id: no correction of what was approved', async () => {
    const order = { referenceOrderId: newId('ORDER'), transactionRequestId: newId() }
    const { transactionId } = await sell(order)
    await sandbox.payments.waitFor(transactionId)
    await fails(sell(order))
    await learn(sell({ ...order, transactionRequestId: newId() }))
    expect((await found('transaction-request-id-reused'))[0]).toBe('gap')
    await merchant.query({ transactionRequestId: order.transactionRequestId })
    expect((await found('transaction-request-id-reused'))[0]).toBe('handled')
  })

  test.each([
    ['webhook-twice', 'duplicate', 'bad-signature'],
    ['webhook-twice', 'duplicate', 'stale'],
    ['webhook-other-json', 'other-json', 'bad-signature'],
  ] as const)(
    '%s: a checking endpoint refuses what another fault made a forgery',
    async (name, kind, other) => {
      await sandbox.faults.add(other)
      await sellAtChecking(kind)
      expect((await found(name))[0]).toBe('handled')
    },
  )

  test.each([
    ['an endpoint fails at', 'duplicate', 500, 'handled'],
    ['an endpoint fails at', 'delay=1s', 500, 'handled'],
    ['an endpoint refuses', 'bad-signature', 401, 'unmet'],
    ['no endpoint gets', 'drop', 200, 'unmet'],
  ] as const)('%s a notification with the fault %s: %i', async (_, fault, status, state) => {
    let tries = 0
    const receiver = await openReceiver((__, response) => {
      tries += 1
      response.writeHead(tries === 1 ? status : 200).end()
    })
    await sandbox.faults.add(fault) // once: the repeat is sound
    await learn({ transactionId: await sellNotifying(receiver) })
    expect(await found('webhook-retried')).toEqual([state])
  })

  test('the record of a payment shows its refund', async () => {
    const original = await learn(sell())
    const cloud = { originalTransactionId: original, amount: 1000, pushToTerminal: false }
    await fails(merchant.refund(cloud, { fault: 'lost-answer' }))
    expect((await found('refund-approved'))[0]).toBe('gap')
    await merchant.query({ transactionId: original })
    expect((await found('refund-approved'))[0]).toBe('handled')
  })

  test('the same order is paid again with another id while the answer is late', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    await fails(sell(order, { fault: 'latency=600', timeout: 100 }))
    await learn(sell(order))
    await expect
      .poll(() => found('answer-late'))
      .toEqual(['gap', expect.stringContaining('your code sent a new transactionRequestId')])
  })

  test('an order is paid again before the code was told that its first payment has ended', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const first = await sell(order)
    await sandbox.payments.waitFor(first.transactionId)
    const second = await sell(order)
    for (const each of [first, second]) await learn(each)
    expect(await found('sale-approved')).toEqual([
      'gap',
      ...[1, 2].map(() => expect.stringContaining('paid twice')),
    ])
  })

  test.each([['asks first'], ['begins the other part first']])(
    'a bill has two parts, the answer of one is lost, and the code %s',
    async (how) => {
      const order = { referenceOrderId: newId('ORDER') }
      const lost = { ...order, amount: 700, transactionRequestId: newId() }
      await fails(sell(lost, { fault: 'lost-answer' }))
      const ask = () => merchant.query({ transactionRequestId: lost.transactionRequestId })
      await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
      if (how === 'asks first') await ask()
      await learn(sell({ ...order, amount: 300 }))
      await ask()
      expect(await found('answer-lost')).toEqual(['handled'])
      expect(await found('sale-approved')).toEqual(['handled'])
    },
  )

  test.each([
    ['the other part of the bill', { amount: 300 }, {}, 'handled'],
    ['the next customer, without orders', {}, { referenceOrderId: null }, 'handled'],
    ['the same again', {}, {}, 'gap'],
  ])('a lost answer is followed by its notification of success, and by %s', async (_, more, every, state) => {
    const receiver = await openReceiver()
    const order = { referenceOrderId: newId('ORDER'), notifyUrl: receiver.url, ...every } as object
    await fails(sell(order, { fault: 'lost-answer' }))
    await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
    await sandbox.webhooks.delivered()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await learn(sell({ ...order, ...more }))
    expect((await found('answer-lost'))[0]).toBe(state)
  })

  test.each([
    ['refund', 'approved', 'of the next night', '1d'],
    ['incrementalAuth', 'approved', 'of the next night', '1d'],
    ['refund', 'declined', 'once its notification told that it was declined', '1s'],
  ] as const)('a lost answer to %s, %s, is followed by another one %s', async (method, status, _, later) => {
    const receiver = await openReceiver()
    const payment = await (method === 'refund' ? learn(sell()) : authorise())
    const members = { originalTransactionId: payment, amount: 400, notifyUrl: receiver.url }
    const outcome = status === 'declined' ? { outcome: 'do-not-honor' as const } : {}
    await fails(merchant[method](members, { fault: 'lost-answer', ...outcome }))
    const type = method === 'refund' ? method : 'incremental-auth'
    await expect.poll(() => sandbox.payments.list({ type, status })).toHaveLength(1)
    await sandbox.webhooks.delivered()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await sandbox.clock.advance(later)
    await learn(merchant[method](members))
    expect(await found('answer-lost')).toEqual(['handled'])
  })

  test('a refusal whose answer is lost is asked for again with its id', async () => {
    const payment = await learn(sell())
    const tooMuch = { originalTransactionId: payment, amount: 9_900, transactionRequestId: newId() }
    await fails(merchant.refund(tooMuch, { fault: 'lost-answer' }))
    await fails(merchant.refund(tooMuch))
    expect(await found('answer-lost')).toEqual(['handled'])
    expect(await found('refund-too-much')).toEqual(['handled'])
  })

  test('a close whose answer is lost is sent again with its id', async () => {
    await learn(sell())
    const close = { transactionRequestId: newId() }
    await fails(merchant.batchClose(close, { fault: 'lost-answer' }))
    await fails(merchant.batchClose(close))
    expect(await found('transaction-request-id-reused')).toEqual(['handled'])
  })

  test('a busy terminal is tried again after a pause each time', async () => {
    const order = { ...anySale(), terminalSn: 'TBX-BUSY-001' }
    for (const _ of Array(6).keys()) {
      await fails(sell(order))
      await sandbox.clock.advance('1s')
    }
    expect(await found('terminal-busy')).toEqual(['handled'])
  })

  test('a signature over the body as it was written again refuses the first attempt alone', async () => {
    let tries = 0
    const receiver = await openReceiver((_, response) => {
      tries += 1
      response.writeHead(tries === 1 ? 401 : 200).end()
    })
    await sandbox.faults.add('other-json')
    const { transactionId } = await sell({ notifyUrl: receiver.url })
    await sandbox.payments.waitFor(transactionId)
    await sandbox.webhooks.delivered()
    expect(await found('webhook-other-json')).toEqual(['gap', expect.stringContaining('with 200: 401')])
  })

  test('after 503 the code asks at once, and sends the request again later', async () => {
    const transactionRequestId = newId()
    await fails(sell({ transactionRequestId }, { fault: 'http-503' }))
    await fails(merchant.query({ transactionRequestId }))
    expect(await found('error-503')).toEqual(['handled'])
    await sell({ transactionRequestId })
    expect((await found('error-503'))[0]).toBe('gap')
  })

  test('only a page that is paid after a declined card has been tried again', async () => {
    const left = await openSession()
    await sandbox.checkout(left.sessionId).pay('visa-declined' as never)
    await sandbox.clock.advance('31m')
    const paid = await openSession()
    await sandbox.checkout(paid.sessionId).pay()
    await expect.poll(() => sandbox.payments.list({ status: 'approved' })).toHaveLength(1)
    const [{ transactionId = '' } = {}] = await sandbox.payments.list({ status: 'approved' })
    await learn({ transactionId })
    const back = { originalTransactionId: transactionId, amount: 1000, priceCurrency: 'USD' }
    await learn(merchant.onlineRefund(back, { outcome: 'do-not-honor' }))
    expect(await found('refund-declined')).toEqual(['handled'])
    expect(await found('online-try-declined')).toEqual(['unmet'])
  })

  test('a shopper who leaves the hosted page cancels at no terminal', async () => {
    const { sessionId } = await openSession()
    await sandbox.checkout(sessionId).cancel()
    expect(await found('cancelled-at-terminal')).toEqual(['unmet'])
  })

  test('an order is paid again at the same terminal, of another amount, before its first payment is final', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const late = await sell(order, { outcome: 'late-approval' })
    await sandbox.clock.advance('1s')
    const second = await sell({ ...order, amount: 1100 })
    await sandbox.clock.advance('61s')
    for (const each of [late, second]) await learn(each)
    expect((await found('sale-approved'))[0]).toBe('gap')
  })

  test('a bill is split between two terminals at the same time', async () => {
    const order = { referenceOrderId: newId('ORDER') }
    const late = await sell({ ...order, amount: 700 }, { outcome: 'late-approval' })
    await sandbox.clock.advance('1s')
    await learn(sell({ ...order, amount: 300, terminalSn: 'TBX-TIP20-001' }))
    await sandbox.clock.advance('61s')
    await learn(late)
    expect(await found('sale-approved')).toEqual(['handled'])
  })

  test('a look-up has no answer, and nobody asks again', async () => {
    const { transactionId } = await sell()
    await sandbox.payments.waitFor(transactionId)
    await fails(merchant.query({ transactionId }, { fault: 'lost-answer' }))
    expect(await found('look-up-lost')).toEqual(['gap', expect.stringContaining('did not get the result')])
  })

  test.each([
    ['webhook-before-answer', 'after-webhook'],
    ['end-before-answer', 'after-end'],
  ] as const)('%s: the answer is all that the client ever hears', async (name, fault) => {
    await sell({}, { fault })
    expect(await found(name)).toEqual(['gap', expect.stringContaining('did not get the result')])
  })

  test('a forgery is acknowledged and ignored, because the client asks', async () => {
    await learn({ transactionId: await sellNotifying(await openReceiver(200), 'bad-signature') })
    expect((await found('webhook-forged'))[0]).toBe('handled')
  })

  test.each([
    ['webhook-forged', 'bad-signature', 200, 'did not check the signature'],
    ['webhook-forged', 'bad-signature', 500, 'must refuse it with a status such as 401'],
    ['webhook-stale', 'stale', 500, 'must refuse it, or acknowledge it with 200; it answered 500'],
    ['webhook-other-json', 'other-json', 401, 'did not acknowledge it with 200: 401'],
    ['webhook-lost', 'drop', 200, 'did not get the result'],
    ['webhook-twice', 'duplicate', 409, 'did not acknowledge it with 200: 409'],
    ['webhook-retried', undefined, 500, 'did not get the result'],
  ] as const)('%s with %s at an endpoint that answers %i', async (name, fault, status, gap) => {
    await sellNotifying(await openReceiver(status), fault)
    expect(await found(name)).toEqual(['gap', expect.stringContaining(gap)])
  })

  test('an id that is no text names no payment', async () => {
    const id = { toString: null }
    await expect(sell({ transactionRequestId: id as never })).rejects.toThrow(/transactionRequestId/)
    expect((await reportOf()).situations).toHaveLength(seenSituations.length)
  })

  test('an import that is refused ends nothing', async () => {
    const opened = await sell({}, { outcome: 'insufficient-funds' })
    const body = await (await fetch(`${sandbox.url}/_sandbox/export`)).text()
    const refused = await fetch(`${sandbox.url}/_sandbox/import`, { method: 'POST', body })
    expect((await refused.json()).code).toBe('SBX_NOT_EMPTY')
    await learn(opened)
    expect(await found('insufficient-funds')).toEqual(['handled'])
  })

  test('requests that were forgotten before they were judged are told', async () => {
    await learn(sell())
    for (const _ of Array(1_000).keys()) await fails(merchant.query({ transactionRequestId: newId() }))
    expect((await reportOf()).unjudged).toBeGreaterThan(0)
    await sandbox.reset()
    const { unjudged } = await reportOf()
    expect(unjudged).toBeGreaterThan(0)
    await sandbox.reset()
    expect((await reportOf()).unjudged).toBe(unjudged)
  })

  test('what a reset forgets was judged before', async () => {
    await learn(sell())
    await sandbox.reset({ everything: true })
    expect(await found('sale-approved')).toEqual(['handled'])
    const { transactionId } = await sell()
    await sandbox.payments.waitFor(transactionId)
    await sandbox.reset()
    expect((await found('sale-approved'))[0]).toBe('gap')
  })
})
