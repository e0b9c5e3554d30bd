import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
} from '../../support/service/service.ts'

interface UnsentRequest {
  method: string
  path: string
  headers: Record<string, string | null>
  members: Record<string, unknown>
  tail: string
}

interface RequestDefect {
  readonly name: string
  readonly status: number
  readonly code: string
  apply(draft: UnsentRequest, usedId: string): void
}

/** One fault for each step, in the order of handling. */
const steps: readonly RequestDefect[] = [
  {
    name: 'path',
    status: 404,
    code: 'SBX_NO_PATH',
    apply: (draft) => {
      draft.path += 's'
    },
  },
  {
    name: 'body size',
    status: 413,
    code: 'SBX_TOO_LARGE',
    apply: ({ headers }) => {
      headers['Content-Length'] = String(1024 * 1024 + 1)
    },
  },
  {
    name: 'Authorization',
    status: 401,
    code: 'SBX_AUTH_FORMAT',
    apply: ({ headers }) => {
      headers.Authorization = `Basic${headers.Authorization?.slice(6) ?? ''}`
    },
  },
  {
    name: 'key',
    status: 401,
    code: 'SBX_KEY_UNKNOWN',
    apply: ({ headers }) => {
      headers.Authorization = `${headers.Authorization?.split(' ')[0] ?? ''} nobody`
    },
  },
  {
    name: 'IP allow-list',
    status: 403,
    code: 'SBX_IP_BLOCKED',
    apply: () => undefined,
  },
  {
    name: 'X-Timestamp',
    status: 400,
    code: 'SBX_TIME_FORMAT',
    apply: ({ headers }) => {
      headers['X-Timestamp'] = 'now'
    },
  },
  {
    name: 'X-Client-Request-Id',
    status: 400,
    code: 'SBX_REQ_ID_FORM',
    apply: ({ headers }) => {
      headers['X-Client-Request-Id'] = `${headers['X-Client-Request-Id']} 0`
    },
  },
  {
    name: 'Content-Type',
    status: 415,
    code: 'SBX_MEDIA_TYPE',
    apply: ({ headers }) => {
      headers['Content-Type'] = 'text/plain'
    },
  },
  {
    name: 'JSON',
    status: 400,
    code: 'SBX_BAD_JSON',
    apply: (draft) => {
      draft.tail = '}'
    },
  },
  {
    name: 'schema',
    status: 200,
    code: 'C17',
    apply: ({ members }) => {
      members.amount = -1
    },
  },
  {
    name: 'duplicate request id',
    status: 409,
    code: 'SBX_DUP_REQUEST',
    apply: ({ headers }, usedId) => {
      headers['X-Client-Request-Id'] = headers['X-Client-Request-Id']?.endsWith(' 0') ? `${usedId} 0` : usedId
    },
  },
  {
    name: 'business rules',
    status: 200,
    code: 'SBX_TXN_UNKNOWN',
    apply: ({ members }) => {
      members.originalTransactionId = '1234567890123456'
    },
  },
]

/** Sends a refund with these faults on a sandbox that is blocked by address when that is one of them. */
async function send(service: Service, faults: readonly RequestDefect[]) {
  const { call, control, sandbox } = service
  const usedId = randomUUID()
  const { data } = await call('sale', sale(1000), { 'X-Client-Request-Id': usedId })
  const draft: UnsentRequest = {
    method: 'POST',
    path: operations.refund.path,
    headers: {
      Authorization: `Bearer ${sandbox.directory.applications[0]?.keys[0]?.key}`,
      'X-Client-Request-Id': randomUUID().replace(/.$/, '1'),
      'Content-Type': 'application/json',
    },
    members: { transactionRequestId: newId(), amount: 1, originalTransactionId: data.transactionId },
    tail: '',
  }
  if (faults.some(({ code }) => code === 'SBX_IP_BLOCKED'))
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7'] })
  for (const fault of faults) fault.apply(draft, usedId)
  const { method, path, headers, members, tail } = draft
  return service.send(method, path, { headers, body: JSON.stringify(members) + tail })
}

describe('the order in which failures are answered', () => {
  test('a request without a fault is accepted', async () => {
    expect((await send(await openService(), [])).code).toBe('0')
  })

  for (const [index, earlier] of steps.entries()) {
    test(`a request that fails only on ${earlier.name} is answered with that failure`, async () => {
      const answer = await send(await openService(), [earlier])
      expect([answer.status, answer.code]).toEqual([earlier.status, earlier.code])
    })
    for (const later of steps.slice(index + 1))
      test(`a failure on ${earlier.name} is answered before one on ${later.name}`, async () => {
        const answer = await send(await openService(), [earlier, later])
        expect([answer.status, answer.code]).toEqual([earlier.status, earlier.code])
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

  test('a duplicate request id is refused before a terminal of another application', async () => {
    const { call } = await openService()
    const headers = { 'X-Client-Request-Id': randomUUID() }
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    const answer = await call('sale', sale(1, { terminalSn: 'TBX-OTHER-001' }), headers)
    expect([answer.status, answer.code]).toEqual([409, 'SBX_DUP_REQUEST'])
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
