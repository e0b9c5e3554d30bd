import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { type ErrorCode, errorTable } from '../../../src/contract/errors.ts'
import { type OperationName, operationNames, operations } from '../../../src/contract/operations.ts'
import { openSandbox, type Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { assertUntilAsync, times } from '../../support/runner/counts.ts'
import { appOf } from '../../support/service/app.ts'
import { newId } from '../../support/service/new-id.ts'
import { hardNames, memberNames, oddJson } from '../../support/service/odd.ts'
import { apiHeaders, apiKey } from '../../support/service/service.ts'
import { payloadOf } from '../../support/service/shop.ts'

interface FuzzedSandbox {
  folder: string
  sandbox?: Sandbox
  app?: ReturnType<typeof appOf>
  /** A sale, an authorisation, a sale, and an online payment. */
  readonly ids: string[]
  readonly sessions: string[]
}

/** One sandbox for all of it: what one strange request leaves behind must not break the next. */
const opened: FuzzedSandbox = { folder: '', ids: [], sessions: [] }

/** The number of sessions to expire. */
const sessionCount = 30

const reported: string[] = []

/** The wall clock stands, so that nothing happens but what is asked for. */
const now = Date.UTC(2026, 10, 20, 12)

beforeAll(async () => {
  opened.folder = mkdtempSync(join(tmpdir(), 'tillbox-fuzz-'))
  const report = (message: string) => reported.push(message)
  opened.sandbox = await openSandbox({ state: opened.folder, report, wall: () => now })
  opened.app = appOf(opened.sandbox)
  for (const name of ['sale', 'auth', 'sale'] as const) {
    const request = { transactionRequestId: newId(), amount: 1000, priceCurrency: 'USD' }
    const { data } = await send(operations[name], JSON.stringify(request))
    opened.ids.push(data.transactionId)
  }
  const order = { amount: 1000, priceCurrency: 'USD' }
  const paid = { ...order, transactionRequestId: newId(), ...wallet() }
  opened.ids.push((await send(operations['direct-payment'], JSON.stringify(paid))).data.transactionId)
  for (let count = 0; count < sessionCount; count++) {
    const request = JSON.stringify({ ...order, transactionRequestId: newId() })
    opened.sessions.push((await send(operations['create-session'], request)).data.sessionId)
  }
  last = stored()
})

afterAll(async () => {
  await opened.sandbox?.close()
  rmSync(opened.folder, { recursive: true, force: true })
})

const wallet = () => ({
  paymentMethod: 'GOOGLE_PAY',
  cardEncryptedData: payloadOf('GOOGLE_PAY', 'visa-debit', now),
})

async function send({ method, path }: { method: string; path: string }, body: string) {
  const init = { method, headers: apiHeaders(apiKey, now), ...(method !== 'GET' && { body }) }
  const response = await opened.app?.request(path, init)
  if (response === undefined) throw new Error('there is no app')
  const text = await response.text()
  return { status: response.status, ...JSON.parse(text) }
}

/** Transactions, terminals, batches, closes and balances, as text. */
const stored = (): string =>
  JSON.stringify(
    [...(opened.sandbox as Sandbox).engine.state.ledgers.values()].map((ledger) => [
      [...ledger.transactions],
      [...ledger.terminals.values()],
      [...ledger.batches],
      [...ledger.closes],
      [...ledger.balances],
      [...ledger.holds],
    ]),
  )

/** What is stored since the last accepted request. */
let last = ''

/** Operations of which a request was accepted, to show that they were not all refused for one reason. */
const accepted = new Set<string>()

/** Never a 5xx; a refusal changes nothing, and names the field and the reason. */
async function check(answering: ReturnType<typeof send>, name = ''): Promise<string> {
  const { status, code, msg, traceId, data, field, detail } = await answering
  expect(reported).toEqual([])
  expect(status).toBeLessThan(500)
  expect(code).toEqual(expect.any(String))
  expect(traceId).toEqual(expect.any(String))
  const before = last
  last = stored()
  if (code !== '0') expect(last === before).toBe(true)
  if (code === '0') {
    accepted.add(name)
    return code
  }
  expect(data).toBeUndefined()
  expect(msg).toEqual(expect.any(String))
  expect(typeof field === 'string' && field !== '').toBe(true)
  const named = typeof detail === 'string' && detail !== ''
  const isOwn = msg !== errorTable[code as ErrorCode].message
  expect(named || msg.includes(field) || isOwn).toBe(true)
  return code
}

const operationName = fc.constantFrom(...operationNames)
const postName = operationName.filter((name) => operations[name].method === 'POST')

/** What the nearly right requests of each operation were answered. */
const answered = new Map<OperationName, Set<string>>()

/** A request that is right, with some members replaced by anything. */
const nearlyRight = fc
  .tuple(
    postName,
    fc.nat(sessionCount - 1),
    fc.dictionary(fc.oneof(fc.constantFrom(...memberNames), hardNames), oddJson.value, { maxKeys: 3 }),
  )
  .map(([name, session, changes]) => {
    const members: [string, string][] = [
      ['transactionRequestId', JSON.stringify(newId())],
      ['amount', '5'],
      ['priceCurrency', '"USD"'],
    ]
    const first = 'sale auth forced-auth create-session direct-payment'.split(' ')
    const index = name === 'online-refund' ? 3 : name.includes('auth') ? 1 : 0
    if (!first.includes(name)) members.push(['originalTransactionId', JSON.stringify(opened.ids[index])])
    if (name === 'tip-adjust') members.push(['tipAmount', '7'])
    if (name === 'expire-session') members.push(['sessionId', JSON.stringify(opened.sessions[session])])
    if (name === 'direct-payment')
      for (const [member, value] of Object.entries(wallet())) members.push([member, JSON.stringify(value)])
    const all = [...members.filter(([member]) => !Object.hasOwn(changes, member)), ...Object.entries(changes)]
    return { name, body: `{${all.map(([member, value]) => `${JSON.stringify(member)}:${value}`).join(',')}}` }
  })

test('requests that are right except for a few members get no 5xx; a refusal changes nothing and says why', async () => {
  const closes = () => [...(answered.get('batch-close') ?? [])]
  const codes = ['0', 'C17', 'SBX_BATCH_EMPTY']
  const needed = ['create-session', 'direct-payment', 'expire-session', 'online-refund']
  await assertUntilAsync(
    fc.asyncProperty(nearlyRight, async ({ name, body }) => {
      const code = await check(send(operations[name], body), name)
      answered.set(name, (answered.get(name) ?? new Set()).add(code))
    }),
    times(80, 1200),
    () => codes.every((code) => closes().includes(code)) && needed.every((name) => accepted.has(name)),
  )
  expect(closes()).toEqual(expect.arrayContaining(codes))
  for (const name of needed) expect(accepted).toContain(name)
})

describe('bodies made to break a parser', () => {
  const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
  const bodies: [string, string][] = [
    ['20,000 lists', deep(20_000, '[', ']')],
    ['100,000 objects', deep(100_000, '{"a":', '}').replace('}', '1}')],
    ['50,000 lists in an unknown member', `{"x":${deep(50_000, '[', ']')}}`],
    ['50,000 lists as amount', `{"amount":${deep(50_000, '[', ']')}}`],
    ['20,000 objects as tipConfig', `{"tipConfig":${'{"suggestions":'.repeat(20_000)}1${'}'.repeat(20_001)}`],
    ['50,000 lists as suggestions', `{"amount":1,"tipConfig":{"suggestions":${deep(50_000, '[', ']')}}}`],
    ['50,000 inside amount', `{"amount":{"orderAmount":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`],
    ['lists that are never closed', '['.repeat(500_000)],
    ['40,000 members', `{${Array.from({ length: 40_000 }, (_, index) => `"m${index}":${index}`).join(',')}}`],
    ['the same member 40,000 times', `{${Array.from({ length: 40_000 }, () => '"amount":1').join(',')}}`],
    ['__proto__ with members', '{"__proto__":{"amount":5,"transactionRequestId":"R","priceCurrency":"USD"}}'],
    ['constructor with a prototype', '{"constructor":{"prototype":{"amount":5}},"amount":5}'],
    ['a number of 900,000 digits', `{"amount":${'9'.repeat(900_000)}}`],
    ['a text of 900,000 letters', `{"transactionRequestId":"${'a'.repeat(900_000)}"}`],
    ['a name of 900,000 letters', `{"${'a'.repeat(900_000)}":1}`],
    ['900,000 digits in groups', `{"attach":"${'4111 '.repeat(180_000)}"}`],
    ['900,000 quotes', `{"attach":"${'\\"'.repeat(450_000)}"}`],
    ['900,000 spaces after a name', `{"pan"${' '.repeat(900_000)}`],
    ['many card names and spaces', `{"attach":"${'\\"pan\\" '.repeat(90_000)}"}`],
    ['many escapes', `{"attach":"${'\\u0041'.repeat(150_000)}"}`],
    ['many track marks', `{"attach":"${';41111111111111111111'.repeat(40_000)}"}`],
  ]

  test.each(bodies)('a hostile body gets no 5xx: %s', async (_, body) => {
    for (const name of ['sale', 'tip-adjust'] as const) await check(send(operations[name], body))
    await check(send(controls['set-clock'], body))
  })

  test('no hostile body changed Object.prototype', () => {
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>).amount).toBeUndefined()
  })
})

test('the sandbox still accepts a sale after the fuzzing, and a restart finds the same ledgers', async () => {
  await opened.app?.request('/_sandbox/clock', { method: 'POST', body: '{"action":"reset"}' })
  const request = `{"transactionRequestId":"${newId()}","amount":5,"priceCurrency":"USD"}`
  expect((await send(operations.sale, request)).code).toBe('0')
  const before = stored()
  await opened.sandbox?.close()
  opened.sandbox = await openSandbox({ state: opened.folder, wall: () => now })
  expect(stored()).toBe(before)
})
