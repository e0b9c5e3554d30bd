import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Operation, operationNames, operations } from '../../src/contract/operations.ts'
import { controls } from '../../src/contract/sandbox/controls/controls.ts'
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { Random, seedFromEnvironment } from '../support/load/random.ts'
import { FuzzRequests } from '../support/openapi/fuzz-requests.ts'
import { times } from '../support/runner/counts.ts'
import { appOf } from '../support/service/app.ts'
import { newId } from '../support/service/new-id.ts'
import { apiHeaders, apiKey } from '../support/service/service.ts'

// TILLBOX_SEED  the seed of a run before: the requests are the same

/** One sandbox for all of it: what one strange request leaves behind must not break the next. */
const opened: { folder: string; sandbox?: Sandbox; app?: ReturnType<typeof appOf> } = { folder: '' }

const reported: string[] = []

/** The wall clock stands, so that nothing happens but what is asked for. */
const now = Date.UTC(2026, 10, 20, 12)

beforeAll(async () => {
  opened.folder = mkdtempSync(join(tmpdir(), 'tillbox-fuzz-'))
  const report = (message: string) => reported.push(message)
  opened.sandbox = await openSandbox({ state: opened.folder, report, wall: () => now })
  opened.app = appOf(opened.sandbox)
  last = stored()
})

afterAll(async () => {
  await opened.sandbox?.close()
  rmSync(opened.folder, { recursive: true, force: true })
})

/** What a request is answered; a page and a file count as an answer without a name. */
async function send(
  { method, path }: { method: string; path: string },
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = apiHeaders(apiKey, now),
) {
  const response = await opened.app?.request(path, { method, headers, ...(method !== 'GET' && { body }) })
  if (response === undefined) throw new Error('there is no app')
  const text = await response.text()
  const isEnvelope = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, ...(isEnvelope ? JSON.parse(text) : { code: '0', traceId: '' }) }
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

/** Paths of operations of which a request was accepted, to show that they were not all refused for one reason. */
const accepted = new Set<string>()

/** Never a 5xx; a refusal, or a look-up, changes nothing; a refusal names the field and the reason. Returns the data. */
async function check(
  answering: ReturnType<typeof send>,
  { reads = false, path = '' } = {},
): Promise<{ readonly transactionId?: string; readonly sessionId?: string } | undefined> {
  const { status, code, msg, traceId, data, field, detail } = await answering
  expect(reported).toEqual([])
  expect(status).toBeLessThan(500)
  expect(code).toEqual(expect.any(String))
  expect(traceId).toEqual(expect.any(String))
  const before = last
  last = stored()
  if (code !== '0' || reads) expect(last === before).toBe(true)
  if (code === '0') {
    accepted.add(path)
    return data
  }
  expect(data).toBeUndefined()
  expect(msg).toEqual(expect.any(String))
  expect(typeof field === 'string' && field !== '').toBe(true)
  const named = typeof detail === 'string' && detail !== ''
  expect(named || msg.includes(field)).toBe(true)
  return undefined
}

/** Every request with a body: the operations, and look-ups that take POST too. */
const posts = operationNames
  .map((name): Operation => operations[name])
  .filter(({ method, otherMethod }) => method === 'POST' || otherMethod === 'POST')
  .map(({ method, path }) => ({ method: 'POST', path, reads: method === 'GET' }))

describe('arbitrary requests: a refusal changes nothing and names field and reason', () => {
  test('requests of operations, of the control interface and of pages with odd things in them get no 5xx', async () => {
    const seed = seedFromEnvironment()
    const make = new FuzzRequests(new Random(seed), { poolSize: 400, now: () => now })
    const needed = (['sale', 'auth', 'create-session', 'direct-payment', 'batch-close'] as const).map(
      (name) => operations[name].path,
    )
    const isComplete = () => needed.every((path) => accepted.has(path))
    const looksUp = (method: string, path: string) =>
      operationNames.some((name) => operations[name].path === path) && method === 'GET'
    for (let round = 0; round === 0 || (round < 100 && !isComplete()); round++)
      for (let count = 0; count < times(40, 1_500); count++)
        for (const request of [make.operation(), make.operation(), make.control(), make.page()]) {
          const { method, target, headers, body } = request
          const [path = ''] = target.split('?')
          const data = await check(send({ method, path: target }, body, headers), {
            path,
            reads: looksUp(method, path),
          }).catch((error: Error) => {
            throw new Error(`TILLBOX_SEED=${seed}: ${method} ${target} ${body.slice(0, 500)}`, {
              cause: error,
            })
          })
          const id = data?.transactionId ?? data?.sessionId
          if (typeof id === 'string') make.ids.push(id)
        }
    expect([...accepted]).toEqual(expect.arrayContaining(needed))
  })

  test('any bytes as a body get no 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), fc.uint8Array({ maxLength: 300 }), async (row, bytes) => {
        await check(send(row, new Uint8Array(bytes)), row)
      }),
      { numRuns: times(15, 200) },
    )
  })

  test('any path and method get no 5xx', async () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.stringMatching(/^\/[%._~a-z0-9/-]{0,40}$/),
      fc.constantFrom(...operationNames).map((name) => `${operations[name].path}/..%2f`),
      fc.constantFrom('//', '/v1/%', '/_sandbox/terminals/%00/queue', '/_sandbox/transactions/__proto__'),
    )
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
    await fc.assert(
      fc.asyncProperty(path, method, async (text, verb) => {
        const path = text.startsWith('/') ? text : `/${text}`
        await check(send({ method: verb, path }, '{}'), { reads: true })
      }),
      { numRuns: times(20, 300) },
    )
  })
})

describe('bodies made to break a parser', () => {
  const deep = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
  const bodies: [string, string][] = [
    ['20,000 lists', deep(20_000, '[', ']')],
    ['50,000 objects', deep(50_000, '{"a":', '}').replace('}', '1}')],
    ['50,000 lists as amount', `{"amount":${deep(50_000, '[', ']')}}`],
    [
      '20,000 objects as tipConfig',
      `{"tipConfig":${`${'{"suggestions":'.repeat(20_000)}1${'}'.repeat(20_000)}`}}`,
    ],
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
    await check(send(operations.sale, body))
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
