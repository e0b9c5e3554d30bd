import { describe, expect, test } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { type ErrorCode, errorTable } from '../../../src/contract/errors.ts'
import { type Operation, operations } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  type Answer,
  envelopeMembers,
  following,
  openService,
  openSold,
  type Service,
  sale,
  WallClock,
} from '../../support/service/service.ts'

const rest = () => openService({ httpStatus: 'rest' })

/** How to reach business refusals, of each HTTP status with `rest`. */
const refusals: Readonly<Record<string, (service: Service) => Promise<Answer>>> = {
  C17: ({ call }) => call('sale', sale(-1)),
  SBX_CARD_DATA: ({ call }) => call('sale', sale(1, { attach: '4111111111111111' })),
  SBX_TXN_UNKNOWN: ({ call }) => call('query', { transactionId: '1' }),
  SBX_REQ_NONE: ({ control }) => control('GET', 'requests/none'),
  SBX_NOT_ALLOWED: async ({ call }) => {
    const { transactionId } = (await call('sale', sale(9823))).data
    return call('refund', following(transactionId, { amount: 1 }))
  },
  SBX_TERM_OFFLINE: ({ control }) => control('POST', 'terminals/TBX-OFFLINE-001/cancel'),
  SBX_NO_BALANCE: ({ call }) => call('refund', sale(10_000_001)),
}

describe('the envelope of an answer', () => {
  test('an accepted request is answered with code "0", msg, traceId and data', async () => {
    const { call } = await openService()
    const answer = await call('sale', sale(1000))
    expect(envelopeMembers(answer)).toEqual(['code', 'data', 'msg', 'traceId'])
    expect([answer.status, answer.code, answer.msg]).toEqual([200, '0', 'success'])
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
  })

  test('each answer has a new traceId of at most 64 characters, and the request log has it', async () => {
    const { call, control } = await openService()
    const answers = [await call('sale', sale(1)), await call('sale', sale(-1)), await call('sale', {})]
    const ids = answers.map(({ traceId }) => traceId)
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^\S{8,64}$/)
    const { requests } = (await control('GET', 'requests')).data
    expect(requests.map(({ traceId }: { traceId: string }) => traceId)).toEqual(ids)
  })

  test('api envelope: code "0" means accepted, not paid', async () => {
    const { call, code, data } = await openSold(sale(9823))
    expect(code).toBe('0')
    expect((await call('query', { transactionId: data.transactionId })).data.transactionStatus).toBe('F')
  })

  test('a refusal has field, detail and remedy, and no data', async () => {
    const { call } = await openService()
    const answer = await call('sale', sale(-1))
    expect(envelopeMembers(answer)).toEqual(['code', 'detail', 'field', 'msg', 'remedy', 'traceId'])
    expect(answer).toMatchObject({ status: 200, code: 'C17', field: 'amount' })
    expect(answer.msg).toContain(answer.detail)
    expect(answer.remedy).toBe(errorTable.C17.remedy)
  })

  test('every code is a text of at most 16 characters', () => {
    for (const code of Object.keys(errorTable)) expect(code).toMatch(/^(C17|SBX_[A-Z_]{2,12})$/)
  })
})

/** Messages that name what was not found, or is not possible, and need no detail. */
const ownMessages: Readonly<Record<string, string>> = {
  SBX_REQ_NONE: 'There is no request none',
  SBX_TERM_OFFLINE: 'TBX-OFFLINE-001 is offline',
}

describe('the business refusals', () => {
  test.each(Object.entries(refusals))('%s is answered with HTTP 200 and no data', async (code, reach) => {
    const answer = await reach(await openService())
    expect([answer.status, answer.code]).toEqual([200, code])
    expect(answer.data).toBeUndefined()
    const { message } = errorTable[code as ErrorCode]
    const named = code === 'C17' ? `${answer.field}: ${answer.detail}` : message
    expect(answer.msg).toBe(ownMessages[code] ?? named)
    expect(answer.field).toBeTruthy()
    expect(answer.detail === undefined).toBe(code in ownMessages)
    expect(answer.remedy).toMatch(/^[A-Z]/)
    expect(answer.remedy).not.toContain('<serial>')
  })

  test('with http-status rest a refusal has the HTTP status of its code: 400, 404, 409 or 422', async () => {
    const statuses = new Set<number>()
    for (const [code, reach] of Object.entries(refusals)) {
      const { status } = errorTable[code as ErrorCode]
      statuses.add(status)
      expect(await reach(await rest())).toMatchObject({ code, status })
    }
    expect([...statuses].sort()).toEqual([400, 404, 409, 422])
    expect((await (await rest()).call('sale', sale(1))).status).toBe(200)
  })
})

describe('unknown paths and methods', () => {
  test('every operation answers another method with HTTP 405 and Allow', async () => {
    const { send } = await openService()
    for (const { method, otherMethod, path } of Object.values<Operation>(operations)) {
      const taken: readonly string[] = otherMethod === undefined ? [method] : [method, otherMethod]
      for (const other of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        if (taken.includes(other)) continue
        const answer = await send(other, path)
        expect([path, answer.status, answer.code]).toEqual([path, 405, 'SBX_METHOD'])
        expect(answer.headers.get('Allow')?.split(', ')).toEqual(taken)
        expect(answer.detail).toBe(`it is ${other}; the path takes ${taken.join(' and ')}`)
        expect(answer.data).toBeUndefined()
      }
    }
  })

  test('the control interface answers another method with HTTP 405, and Allow names both methods of a path', async () => {
    const { send } = await openService()
    const answer = await send('DELETE', controls.clock.path)
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, POST'])
    const terminal = await send('GET', '/_sandbox/terminals/TBX-AUTO-001')
    expect([terminal.status, terminal.headers.get('Allow')]).toEqual([405, 'PATCH, DELETE'])
  })

  test.each([
    '/nowhere',
    '/v1',
    '/v1/',
    '/v2/transaction/query',
    `${operations.sale.path}/`,
    `${operations.sale.path}/x`,
    '/V1/transaction/query',
    '/_sandbox',
    '/_sandbox/nothing',
    '/_sandbox/openapi-json',
    '/%2e%2e/etc/passwd',
    '/%ff%fe',
    '/constructor',
    '/__proto__',
  ])('the path %s is answered with HTTP 404', async (path) => {
    const { send } = await openService()
    for (const method of ['GET', 'POST']) {
      const answer = await send(method, path)
      expect([answer.status, answer.code, answer.field]).toEqual([404, 'SBX_NO_PATH', 'path'])
      expect(answer.data).toBeUndefined()
    }
  })

  test.each([operations.sale.path, '/_sandbox/state', '/mcp'])(
    '%s with a last slash is told so',
    async (path) => {
      const { send } = await openService()
      const answer = await send('POST', `${path}/`)
      expect([answer.status, answer.detail]).toEqual([404, `it ends with a slash, and ${path} does not`])
      expect(answer.remedy).toBe('Call that path')
    },
  )

  test('api error-sbx-no-path: the 404 of a path that ends in the name of an operation names the right ones', async () => {
    const { send } = await openService()
    expect((await send('POST', '/v1/refund')).detail).toContain(operations.refund.path)
    for (const method of ['POST', 'GET']) {
      const answer = await send(method, '/api/v1/payments/refund')
      expect([answer.status, answer.code]).toEqual([404, 'SBX_NO_PATH'])
      for (const { path } of [operations.refund, operations['online-refund']])
        expect(answer.detail).toContain(path)
    }
  })
})

describe('members of the answers', () => {
  const sdk = { 'User-Agent': 'SunbayNexusSDK-Node.js/1.0.17 Node.js/v20.20.2 Linux/6.1.0' }

  test('a follow-up is answered with the ids of the original that the request named', async () => {
    const { call, data } = await openSold()
    const byId = { originalTransactionId: data.transactionId }
    const byRequest = { originalTransactionRequestId: data.transactionRequestId }
    for (const pair of [byId, byRequest, { ...byId, ...byRequest }]) {
      const request = { ...pair, transactionRequestId: newId(), amount: 1 }
      const answer = (await call('refund', request, sdk)).data
      expect(answer).toEqual({
        transactionId: expect.stringMatching(/^\d{16}$/),
        transactionRequestId: request.transactionRequestId,
        transactionStatus: 'I',
        referenceOrderId: data.referenceOrderId,
        ...pair,
      })
    }
  })

  test('pushToTerminal decides whether a refund is answered with INITIAL or with its final status', async () => {
    const { call, data } = await openSold()
    const statusOf = async (pushToTerminal?: boolean) =>
      (await call('refund', following(data.transactionId, { amount: 1, pushToTerminal }))).data
        .transactionStatus
    expect([await statusOf(), await statusOf(true), await statusOf(false)]).toEqual(['I', 'I', 'S'])
  })
})

test('api record-create-time: times in answers are local to the merchant and have no offset', async () => {
  const wall = new WallClock(Date.UTC(2026, 10, 20, 23, 59, 59, 999))
  const { call, data } = await openSold(sale(1), { wall: wall.read })
  const record = (await call('query', { transactionId: data.transactionId })).data
  expect([record.createTime, record.completeTime]).toEqual(['2026-11-20T23:59:59', '2026-11-20T23:59:59'])
})
