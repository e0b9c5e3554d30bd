import { describe, expect, test } from 'vitest'
import { newId } from '../../support/service/new-id.ts'
import { newRequestIdHeader } from '../../support/service/requests.ts'
import {
  isReplayed,
  openService,
  plainStateOf,
  type Service,
  sale,
  WallClock,
} from '../../support/service/service.ts'

const minute = 60_000
const replay = (options: object = {}) => openService({ duplicates: 'replay', ...options })

/** A sale, replayed by its transactionRequestId under another X-Client-Request-Id. */
async function replayed(service: Service) {
  const request = sale(1000)
  const first = await service.call('sale', request)
  const header = newRequestIdHeader()
  const again = await service.call('sale', request, header)
  expect(isReplayed(again)).toBe(true)
  expect(again.data).toEqual(first.data)
  return { request, header, data: first.data }
}

describe('the X-Client-Request-Id of a replay by transactionRequestId', () => {
  test('another request with the X-Client-Request-Id of a replay is refused with the id of the transaction', async () => {
    const service = await replay()
    const { header, data } = await replayed(service)
    const before = plainStateOf(service.sandbox)
    const other = await service.call('sale', sale(1000), header)
    expect([other.code, other.field]).toEqual(['SBX_DUP_OTHER', 'X-Client-Request-Id'])
    expect(other.detail).toContain(data.transactionId)
    expect(plainStateOf(service.sandbox)).toEqual(before)
  })

  test('api limit-duplicates: the X-Client-Request-Id of a replay stays used for 10 minutes', async () => {
    const wall = new WallClock()
    const service = await replay({ wall: wall.read })
    const { header } = await replayed(service)
    wall.pass(10 * minute - 1)
    expect((await service.call('sale', sale(1000), header)).code).toBe('SBX_DUP_OTHER')
    wall.pass(1)
    expect((await service.call('sale', sale(1000), header)).code).toBe('0')
  })
})

describe.each(['reject', 'replay'] as const)('duplicates: %s', (duplicates) => {
  test('a post-auth is refused while an incremental-auth of its auth is pending, and accepted afterwards', async () => {
    const service = await openService({ duplicates, wall: new WallClock().read })
    const auth = (await service.call('auth', sale(1000))).data.transactionId
    const on = { originalTransactionId: auth, pushToTerminal: false }
    const more = { ...on, transactionRequestId: newId(), amount: 500 }
    const late = { 'X-Sandbox-Outcome': 'late-approval' }
    expect((await service.call('incremental-auth', more, late)).code).toBe('0')
    const capture = { ...on, transactionRequestId: newId(), amount: 1000 }
    const header = newRequestIdHeader()
    const before = [...service.sandbox.engine.state.ledgers.values()].map(
      ({ transactions }) => transactions.size,
    )
    const refused = await service.call('post-auth', capture, header)
    expect([refused.code, refused.field]).toEqual(['SBX_NOT_ALLOWED', 'originalTransactionId'])
    expect(refused.detail).toContain(auth)
    const again = await service.call('post-auth', capture, header)
    expect(again.code).toBe(duplicates === 'replay' ? 'SBX_NOT_ALLOWED' : 'SBX_DUP_REQUEST')
    const after = [...service.sandbox.engine.state.ledgers.values()].map(
      ({ transactions }) => transactions.size,
    )
    expect(after).toEqual(before)
    await service.control('POST', 'clock', { action: 'advance', milliseconds: minute })
    const captured = await service.call('post-auth', { ...capture, amount: 1500 })
    expect([captured.code, captured.data.transactionStatus]).toEqual(['0', 'S'])
  })
})

test('a replayed refusal has the message of the first one', async () => {
  const { call } = await replay()
  const first = sale(1000)
  await call('sale', first)
  const header = newRequestIdHeader()
  const other = { ...first, amount: 2000 }
  const refused = await call('sale', other, header)
  expect(refused).toMatchObject({
    code: 'SBX_DUP_OTHER',
    msg: expect.stringContaining('transactionRequestId'),
  })
  expect((await call('sale', other, header)).msg).toBe(refused.msg)
})
