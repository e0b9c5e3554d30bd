import { describe, expect, test } from 'vitest'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  lastNotes,
  openService,
  openSold,
  plainLedgersOf,
  type Service,
  sale,
} from '../../support/service/service.ts'

/** The stored record of an accepted sale. */
async function recordOf(service: Service, request: object, name: OperationName = 'sale') {
  const answer = await service.call(name, request)
  expect([answer.code, answer.detail]).toEqual(['0', undefined])
  return (await service.call('query', { transactionId: answer.data.transactionId })).data
}

/** The refusal of a request; nothing may change by it. */
async function refusalOf(service: Service, request: object, name: OperationName = 'sale') {
  const before = plainLedgersOf(service.sandbox)
  const { status, code, field, detail } = await service.call(name, request)
  expect(code).not.toBe('0')
  expect(plainLedgersOf(service.sandbox)).toEqual(before)
  return { status, code, field, detail }
}

test('api record: attach and description are returned unchanged', async () => {
  const texts = { attach: '{"Ω":"\\n\u0000\u2028 \ud83d\ude00 \ud800"}', description: ' é\t"quoted" \u202e ' }
  const record = await recordOf(await openService(), sale(1, texts))
  expect({ attach: record.attach, description: record.description }).toEqual(texts)
})

test.each<[string, OperationName]>([
  ['1.4', 'incremental-auth'],
  ['1.5', 'post-auth'],
  ['1.7', 'void'],
  ['1.8', 'abort'],
  ['1.9', 'tip-adjust'],
])('api ids-2: referenceOrderId must not be sent on %s %s', async (number, name) => {
  expect(operations[name].number).toBe(number)
  const service = await openService()
  const { data } = await service.call('auth', sale(1000))
  const request = {
    originalTransactionId: data.transactionId,
    referenceOrderId: 'ORDER-77',
    ...(name !== 'abort' && name !== 'tip-adjust' && { transactionRequestId: newId() }),
  }
  const refused = await refusalOf(service, request, name)
  expect(refused).toMatchObject({ status: 200, code: 'C17', field: 'referenceOrderId' })
  expect(refused.detail).toContain('originalTransactionId')
})

test('an unknown member is noted beside a refusal, too: it may be the one that is missing', async () => {
  const { call } = await openService()
  const refused = await call('void', { transactionRequestId: newId(), originalTransactionID: '1' })
  expect(refused.msg).toContain('is required, or originalTransactionRequestId')
  expect(refused.headers.get('X-Sandbox-Note')).toBe(
    'originalTransactionID: is an unknown field; did you mean originalTransactionId?',
  )
})

test('unknown members of a GET are noted too', async () => {
  const { call, sandbox, data } = await openSold(sale(1))
  expect((await call('query', { transactionId: data.transactionId, transactonId: '1' })).code).toBe('0')
  expect(lastNotes(sandbox)).toMatch(/transactonId: .*did you mean transactionId\?/)
})

describe('application, merchant and terminal', () => {
  test('an unknown terminal or merchant is refused with the nearest known one and the remedy', async () => {
    const { call } = await openService()
    const terminal = await call('sale', sale(1, { terminalSn: 'TBX-AUTO-01' }))
    expect([terminal.code, terminal.field]).toEqual(['SBX_UNREGISTERED', 'terminalSn'])
    expect(terminal.msg).toBe('Terminal TBX-AUTO-01 is not registered')
    expect(terminal.remedy).toMatch(/^Did you mean TBX-AUTO-001\? Add it: `tillbox terminal add TBX-AUTO-01 /)
    const odd = await call('sale', sale(1, { terminalSn: '1; touch x' }))
    expect(odd.remedy).toContain("tillbox terminal add '1; touch x' ")
    const merchant = await call('sale', sale(1, { merchantId: 'M100000001' }))
    expect([merchant.code, merchant.field]).toEqual(['SBX_UNREGISTERED', 'merchantId'])
    expect(merchant.remedy).toMatch(
      /^Did you mean M1000000001\? Add it: `tillbox merchant add M100000001 --application tbxapp0000000001`;/,
    )
    expect(merchant.remedy).toContain('--set terminals=open')
  })

  test('--terminals open: an unknown terminal is registered on first sight and noted in the log', async () => {
    const service = await openService({ terminals: 'open' })
    const record = await recordOf(service, sale(1, { terminalSn: 'NEW-TERMINAL' }))
    expect(record).toMatchObject({ terminalSn: 'NEW-TERMINAL', transactionStatus: 'S' })
    const { requests } = (await service.control('GET', 'requests')).data
    expect(requests[0].notes.join()).toContain('NEW-TERMINAL')
    const { terminals } = (await service.control('GET', 'terminals')).data
    const registered = terminals.filter((one: { terminalSn: string }) => one.terminalSn === 'NEW-TERMINAL')
    expect(registered).toEqual([expect.objectContaining({ merchantId: 'M1000000001', mode: 'auto' })])
    await recordOf(service, sale(1, { terminalSn: 'NEW-TERMINAL' }))
    expect((await service.control('GET', 'requests')).data.requests.at(-2).notes).toEqual([])
  })

  test('--terminals open: an unknown merchant is registered on first sight and noted in the log', async () => {
    const service = await openService({ terminals: 'open' })
    const parties = { merchantId: 'M-NEW', terminalSn: 'NEW-TERMINAL' }
    const answer = await service.call('sale', sale(1, parties))
    expect(answer.code).toBe('0')
    expect(lastNotes(service.sandbox)).toContain('M-NEW')
    const query = { transactionId: answer.data.transactionId }
    expect((await service.call('query', { ...query, merchantId: 'M-NEW' })).data.transactionStatus).toBe('S')
    const other = { ...query, merchantId: 'M1000000001' }
    expect((await service.call('query', other)).code).toBe('SBX_TXN_UNKNOWN')
  })

  test('assumption parties: a transaction request id of two merchants is ambiguous for a follow-up, and noted for a query', async () => {
    const service = await openService({ terminals: 'open' })
    const transactionRequestId = newId()
    const sell = (more: object) => service.call('sale', sale(100, { transactionRequestId, ...more }))
    const { transactionId } = (await sell({ merchantId: 'M-NEW', terminalSn: 'NEW-1' })).data
    const first = (await sell({})).data.transactionId
    const alone = { originalTransactionRequestId: transactionRequestId, pushToTerminal: false }
    const both = 'M1000000001 and M-NEW each have a transaction with this id'
    const refund = (more: object) =>
      service.call('refund', { transactionRequestId: newId(), amount: 100, ...alone, ...more })
    for (const name of ['refund', 'void', 'abort'] as const) {
      const refused = await service.call(name, { transactionRequestId: newId(), amount: 100, ...alone })
      expect(refused).toMatchObject({ code: 'C17', field: 'originalTransactionRequestId', msg: both })
    }
    expect((await service.call('query', { transactionRequestId })).data.transactionId).toBe(first)
    expect(lastNotes(service.sandbox)).toContain(`${both}; that of M1000000001 is answered`)
    for (const named of [{ merchantId: 'M-NEW' }, { originalTransactionId: first }])
      expect(await refund(named)).toMatchObject({ code: '0' })
    const { data } = await service.call('query', { transactionRequestId, merchantId: 'M-NEW' })
    expect([data.transactionId, data.refundableAmount]).toEqual([transactionId, 0])
  })

  test('an unknown application counts as that of the key and is noted in the log', async () => {
    const service = await openService()
    await recordOf(service, sale(1, { appId: 'some-app' }))
    const { requests } = (await service.control('GET', 'requests')).data
    expect(requests[0].notes.join()).toContain('some-app')
  })

  test.each([
    ['terminalSn', 'TBX-OTHER-001'],
    ['merchantId', 'M2000000001'],
    ['appId', 'tbxapp0000000002'],
  ])('another owner’s %s is refused', async (field, id) => {
    for (const service of [await openService(), await openService({ strict: true })]) {
      const refused = await refusalOf(service, sale(1, { [field]: id }))
      expect(refused).toMatchObject({ code: 'SBX_OTHER_OWNER', field })
    }
  })
})
