import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import { newId } from '../../../support/service/new-id.ts'
import { requestIdHeader } from '../../../support/service/requests.ts'
import {
  crashCopy,
  openService,
  plainLedgersOf,
  plainStateOf,
  type Service,
  sale,
  secondKey,
} from '../../../support/service/service.ts'

const json = { 'Content-Type': 'application/json' }
const pan = '4111111111111111'

/** Bodies of a sale that are refused after the headers, at every step, and with which code. */
const refused: readonly (readonly [string, string, string | Uint8Array<ArrayBuffer>])[] = [
  ['no JSON', 'SBX_BAD_JSON', '{"amount":'],
  ['an empty body', 'SBX_BAD_JSON', ''],
  ['JSON that is not an object', 'SBX_BAD_JSON', '[]'],
  ['no UTF-8', 'SBX_BAD_JSON', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['card data', 'SBX_CARD_DATA', JSON.stringify(sale(1, { attach: pan }))],
  ['no transactionRequestId', 'C17', JSON.stringify(sale(1, { transactionRequestId: undefined }))],
  ['a wrong member', 'C17', JSON.stringify(sale(1, { amount: -1 }))],
  ['an amount of nothing', 'C17', JSON.stringify(sale(0))],
  ['another merchant', 'SBX_OTHER_OWNER', JSON.stringify(sale(1, { merchantId: 'M2000000001' }))],
  ['an unknown merchant', 'SBX_UNREGISTERED', JSON.stringify(sale(1, { merchantId: 'M-NEW' }))],
  ['a busy terminal', 'SBX_TERM_BUSY', JSON.stringify(sale(1, { terminalSn: 'TBX-BUSY-001' }))],
]

const post = (service: Service, body: string | Uint8Array<ArrayBuffer>, id: string, more: object = {}) =>
  service.send('POST', operations.sale.path, { headers: { ...json, [requestIdHeader]: id, ...more }, body })

describe('assumption duplicates: the X-Client-Request-Id of a refused POST', () => {
  test.each(refused)('a POST with %s (%s) uses up its id, even over a crash', async (_, code, body) => {
    const service = await openService()
    const id = randomUUID()
    const before = plainLedgersOf(service.sandbox)
    expect((await post(service, body, id)).code).toBe(code)
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
    const crashed = await openService({ state: crashCopy(service.folder) })
    await service.close()
    for (const each of [crashed, await openService({ state: service.folder })]) {
      const again = await post(each, JSON.stringify(sale(1)), id)
      expect([again.status, again.code, again.field]).toEqual([409, 'SBX_DUP_REQUEST', requestIdHeader])
      expect(again.detail).toContain(code)
      expect((await post(each, JSON.stringify(sale(1)), randomUUID())).code).toBe('0')
    }
  })

  test.each(refused)('the same POST with %s (%s) is refused alike with replay', async (_, code, body) => {
    const service = await openService({ duplicates: 'replay' })
    const id = randomUUID()
    const { headers: _first, traceId: _of, ...first } = await post(service, body, id)
    const before = plainStateOf(service.sandbox)
    expect(first.code).toBe(code)
    expect(await post(service, body, id)).toMatchObject(first)
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('SBX_DUP_OTHER')
    expect(plainStateOf(service.sandbox)).toEqual(before)
  })

  test('a refused POST uses up its id only for its own application', async () => {
    const service = await openService()
    const id = randomUUID()
    const second = { Authorization: `Bearer ${secondKey}` }
    expect((await post(service, '{', id, second)).code).toBe('SBX_BAD_JSON')
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('0')
    expect((await post(service, JSON.stringify(sale(1)), id, second)).code).toBe('SBX_DUP_REQUEST')
  })

  test('a later refused request with the id of an accepted one does not replace it', async () => {
    const service = await openService({ duplicates: 'replay' })
    const id = randomUUID()
    const body = JSON.stringify(sale(1000))
    const first = await post(service, body, id)
    expect((await post(service, '{', id)).code).toBe('SBX_BAD_JSON')
    expect((await post(service, '{"amount":-1}', id)).code).toBe('C17')
    expect((await post(service, body, id)).data).toEqual(first.data)
  })

  test.each([
    ['Authorization', { Authorization: 'Bearer nobody' }],
    ['X-Timestamp', { 'X-Timestamp': '1' }],
    ['Content-Type', { 'Content-Type': 'text/plain' }],
    ['X-Sandbox-Outcome', { 'X-Sandbox-Outcome': 'nonsense' }],
  ])('a POST that is refused for its %s does not use up its id', async (_, header) => {
    const service = await openService()
    const id = randomUUID()
    const before = plainStateOf(service.sandbox)
    expect((await post(service, JSON.stringify(sale(1)), id, header)).code).not.toBe('0')
    expect(plainStateOf(service.sandbox)).toEqual(before)
    expect((await post(service, JSON.stringify(sale(1)), id)).code).toBe('0')
  })

  test('equal refused requests at the same moment are remembered once', async () => {
    const service = await openService()
    const id = randomUUID()
    const codes = await Promise.all([1, 2, 3].map(async () => (await post(service, '{', id)).code))
    expect(codes).toEqual(['SBX_BAD_JSON', 'SBX_BAD_JSON', 'SBX_BAD_JSON'])
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    expect([service.sandbox.engine.state.requests.size, ledger?.sequence]).toEqual([1, 1])
  })
})

describe('assumption duplicates: the transactionRequestId of an abort and a tip-adjust', () => {
  test.each(['abort', 'tip-adjust'] as const)('the id of %s is optional, checked when sent', async (name) => {
    const { call } = await openService({ strict: true })
    const terminalSn = name === 'abort' ? 'TBX-ATTENDED-001' : 'TBX-AUTO-001'
    const codeWith = async (transactionRequestId: string | null | undefined) => {
      const { transactionId } = (await call('sale', sale(1000, { terminalSn }))).data
      const tip = name === 'abort' ? {} : { tipAmount: 50 }
      return (await call(name, { originalTransactionId: transactionId, transactionRequestId, ...tip })).code
    }
    for (const none of [undefined, null, '']) expect(await codeWith(none)).toBe('0')
    expect([await codeWith('a b'), await codeWith(newId())]).toEqual(['C17', '0'])
  })

  test.each(['reject', 'replay'] as const)('with %s only a late abort uses up its id', async (duplicates) => {
    const { call } = await openService({ duplicates })
    const late = { 'X-Sandbox-Outcome': 'late-approval' }
    const { transactionId } = (await call('sale', sale(1000), late)).data
    const request = { originalTransactionId: transactionId, transactionRequestId: newId() }
    expect((await call('abort', request)).data.transactionStatus).toBe('P')
    expect((await call('abort', request)).code).toBe(duplicates === 'replay' ? '0' : 'SBX_DUP_TXN_ID')
    const none = { originalTransactionId: '1', transactionRequestId: newId() }
    expect((await call('abort', none)).code).toBe('SBX_TXN_UNKNOWN')
    expect((await call('sale', sale(1, none))).code).toBe('0')
  })
})
