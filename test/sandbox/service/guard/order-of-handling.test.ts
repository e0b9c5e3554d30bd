import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import {
  following,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
} from '../../../support/service/service.ts'

interface UnsentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>
  readonly tail: string
}

type Spoil = (draft: UnsentRequest, usedId: string) => UnsentRequest

const header =
  (name: string, change: (text: string, usedId: string) => string): Spoil =>
  (draft, usedId) => ({
    ...draft,
    headers: { ...draft.headers, [name]: change(draft.headers[name] ?? '', usedId) },
  })

const member =
  (name: string, value: unknown): Spoil =>
  (draft) => ({ ...draft, members: { ...draft.members, [name]: value } })

const requestId = 'X-Client-Request-Id'

/** One fault for each step, in the order of handling: its name, status and code, and what it does to a good request. */
const steps: readonly (readonly [name: string, status: number, code: string, spoil: Spoil])[] = [
  ['path', 404, 'SBX_NO_PATH', (draft) => ({ ...draft, path: `${draft.path}s` })],
  ['body size', 413, 'SBX_TOO_LARGE', header('Content-Length', () => String(1024 * 1024 + 1))],
  ['Authorization', 401, 'SBX_AUTH_FORMAT', header('Authorization', (text) => `Basic${text.slice(6)}`)],
  ['key', 401, 'SBX_KEY_UNKNOWN', header('Authorization', (text) => `${text.split(' ')[0]} nobody`)],
  ['IP allow-list', 403, 'SBX_IP_BLOCKED', (draft) => draft],
  ['X-Timestamp', 400, 'SBX_TIME_FORMAT', header('X-Timestamp', () => 'now')],
  [requestId, 400, 'SBX_REQ_ID_FORM', header(requestId, (id) => `${id} 0`)],
  ['Content-Type', 415, 'SBX_MEDIA_TYPE', header('Content-Type', () => 'text/plain')],
  ['JSON', 400, 'SBX_BAD_JSON', (draft) => ({ ...draft, tail: '}' })],
  ['schema', 200, 'C17', member('amount', -1)],
  [
    'duplicate request id',
    409,
    'SBX_DUP_REQUEST',
    header(requestId, (id, usedId) => (id.endsWith(' 0') ? `${usedId} 0` : usedId)),
  ],
  ['business rules', 200, 'SBX_TXN_UNKNOWN', member('originalTransactionId', '1234567890123456')],
]

/** Sends a refund with these faults on a sandbox that is blocked by address when that is one of them. */
async function send(service: Service, faults: typeof steps) {
  const { call, control, sandbox } = service
  const usedId = randomUUID()
  const { data } = await call('sale', sale(1000), { 'X-Client-Request-Id': usedId })
  const good: UnsentRequest = {
    method: 'POST',
    path: operations.refund.path,
    headers: {
      Authorization: `Bearer ${sandbox.directory.applications[0]?.keys[0]?.key}`,
      'X-Client-Request-Id': randomUUID().replace(/.$/, '1'),
      'Content-Type': 'application/json',
    },
    members: { ...following(data.transactionId, { amount: 1 }) },
    tail: '',
  }
  if (faults.some(([, , code]) => code === 'SBX_IP_BLOCKED'))
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7'] })
  const draft = faults.reduce((before, [, , , spoil]) => spoil(before, usedId), good)
  const { method, path, headers, members, tail } = draft
  return service.send(method, path, { headers, body: JSON.stringify(members) + tail })
}

describe('the order in which failures are answered', () => {
  test('a request without a fault is accepted', async () => {
    expect((await send(await openService(), [])).code).toBe('0')
  })

  for (const [index, earlier] of steps.entries()) {
    const [name, status, code] = earlier
    test(`a request that fails only on ${name} is answered with that failure`, async () => {
      expect(await send(await openService(), [earlier])).toMatchObject({ status, code })
    })
    for (const later of steps.slice(index + 1))
      test(`a failure on ${name} is answered before one on ${later[0]}`, async () => {
        expect(await send(await openService(), [earlier, later])).toMatchObject({ status, code })
      })
  }

  test('a request with every fault is refused for its path', async () => {
    expect((await send(await openService(), steps)).code).toBe('SBX_NO_PATH')
  })

  test('the method is checked before everything else in the request', async () => {
    const { send: raw } = await openService()
    const headers = { Authorization: null, 'Content-Length': '9999999' }
    const answer = await raw('PUT', operations.sale.path, { headers, body: '{' })
    expect([answer.status, answer.code]).toEqual([405, 'SBX_METHOD'])
  })

  test('an unknown key is refused as unknown, not for its environment', async () => {
    const { call } = await openService()
    const answer = await call('sale', sale(1), { Authorization: 'Bearer tbx_production_nobody' })
    expect(answer.code).toBe('SBX_KEY_UNKNOWN')
  })

  test('a duplicate request id is refused before an unregistered merchant when strict', async () => {
    const { call } = await openService({ strict: true })
    const headers = { 'X-Client-Request-Id': randomUUID() }
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    const answer = await call('sale', sale(1, { merchantId: 'M9' }), headers)
    expect([answer.status, answer.code]).toEqual([409, 'SBX_DUP_REQUEST'])
  })

  test('card data is refused before the schema is checked', async () => {
    const { call, sandbox } = await openService()
    const before = plainLedgersOf(sandbox)
    const answer = await call('sale', { amount: -1, attach: '4111111111111111' })
    expect(answer.code).toBe('SBX_CARD_DATA')
    expect(plainLedgersOf(sandbox)).toEqual(before)
  })

  test('a forbidden member is refused before any other member', async () => {
    const { call } = await openService()
    const answer = await call('void', { referenceOrderId: 'ORDER-1', transactionRequestId: 5 })
    expect([answer.code, answer.field]).toEqual(['C17', 'referenceOrderId'])
  })
})

describe('the size of a body', () => {
  const chunks = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' }
  const bodyOf = (bytes: number) => {
    const body = JSON.stringify(sale(1, { filler: '' }))
    return `${body.slice(0, -2)}${'x'.repeat(bytes - body.length)}"}`
  }

  test('a body of 1 MiB is accepted, with a Content-Length or in chunks', async () => {
    const { send: raw } = await openService()
    const announced = { 'Content-Length': '1048576', 'Content-Type': 'application/json' }
    for (const headers of [announced, chunks]) {
      const answer = await raw('POST', operations.sale.path, { headers, body: bodyOf(1_048_576) })
      expect([answer.status, answer.code]).toEqual([200, '0'])
    }
  })

  test('a body one byte larger is refused, with a Content-Length or in chunks', async () => {
    const { send: raw, sandbox } = await openService()
    const before = plainStateOf(sandbox)
    const announced = { 'Content-Length': '1048577', 'Content-Type': 'application/json' }
    for (const headers of [announced, chunks]) {
      const answer = await raw('POST', operations.sale.path, { headers, body: bodyOf(1_048_577) })
      expect([answer.status, answer.code, answer.field]).toEqual([413, 'SBX_TOO_LARGE', 'body'])
    }
    expect(plainStateOf(sandbox)).toEqual(before)
  })
})
