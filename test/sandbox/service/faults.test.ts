import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newId } from '../../support/service/new-id.ts'
import {
  crashCopy,
  following,
  openService,
  openSold,
  type Service,
  sale,
} from '../../support/service/service.ts'
import { paidOnline } from '../../support/service/shop.ts'

const add = async ({ control }: Service, members: object) => {
  const { code, data } = await control('POST', 'faults', members)
  expect(code).toBe('0')
  return data
}
const list = async ({ control }: Service) => (await control('GET', 'faults')).data.faults

/** True when the request met the fault http-500. */
const isHit = async (service: Service, name: Parameters<Service['call']>[0], members: object) =>
  (await service.call(name, members)).status === 500

describe('faults in the control interface', () => {
  test('faults are added, listed and removed, and one without times, share, until or always applies once', async () => {
    const service = await openService()
    expect(await list(service)).toEqual([])
    const none = { operation: null, terminalSn: null, merchantId: null, amount: null }
    expect(await add(service, { kind: 'lost-answer' })).toEqual({
      ...{ id: 'f1', kind: 'lost-answer', state: 'on', ...none },
      ...{ times: 1, share: null, seed: 1, from: null, until: null, used: 0 },
    })
    const until = '2100-01-01T00:00:00.000Z'
    const timesOf = async (more: object) => (await add(service, { kind: 'empty', ...more })).times
    expect(await timesOf({ share: 0.5 })).toBeNull()
    expect(await timesOf({ until })).toBeNull()
    expect(await timesOf({ always: true })).toBeNull()
    expect(await timesOf({ share: 0.5, times: 2 })).toBe(2)
    expect(await timesOf({ from: '2020-01-01T00:00:00Z' })).toBe(1)
    expect((await list(service))[2]).toMatchObject({ id: 'f3', until })
    const left = (await service.control('DELETE', 'faults/f3')).data.faults
    expect(left.map(({ id }: { id: string }) => id)).toEqual(['f1', 'f2', 'f4', 'f5', 'f6'])
    expect(await service.control('DELETE', 'faults/f3')).toMatchObject({ code: 'SBX_FAULT_NONE' })
    expect((await service.control('DELETE', 'faults')).data).toEqual({ faults: [] })
  })

  const day2to1 = { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }
  test.each([
    [{ kind: 'lost-anser' }, 'kind', 'is not a fault: did you mean lost-answer?'],
    [{ kind: 'empty', times: 2, always: true }, 'always', 'cannot be combined with times'],
    [{ ...day2to1, kind: 'empty' }, 'until', 'must be later than from'],
    [{ kind: 'settlement-failed', operation: 'sale' }, 'operation', 'must be batch-close'],
    [{ kind: 'reorder=3', times: 1 }, 'times', 'is not for reorder, which applies until cleared'],
    [{ kind: 'reorder=3', share: 0.5 }, 'share', 'is not for reorder'],
    [{ kind: 'outcome' }, 'kind', 'needs a value: write it as outcome=do-not-honor'],
    [{ kind: 'outcome=do-not-honour' }, 'outcome', 'There is no outcome do-not-honour'],
    [{ kind: 'outcome=do-not-honor', operation: 'abort' }, 'operation', 'must be sale, auth'],
    [{ kind: 'drop', operation: 'query' }, 'operation', 'must be sale, auth'],
    [{ kind: 'empty', share: 0 }, 'share', 'must be more than 0'],
    [{ kind: 'empty', seed: 7 }, 'seed', 'empty draws nothing'],
    [{ kind: 'latency=2s', seed: 7 }, 'seed', 'latency=2s draws nothing'],
    [{ kind: 'empty', until: '2020-01-01T00:00:00Z' }, 'until', 'is over: the sandbox clock says'],
    [{ kind: 'empty', operation: 'void', amount: 100 }, 'amount', 'is not for void, which has none'],
    [{ kind: 'empty', operation: 'online-refund', terminalSn: 'T' }, 'terminalSn', 'has no terminal'],
  ])('%j is refused and changes nothing', async (members, field, message) => {
    const service = await openService()
    const { code, field: named, msg } = await service.control('POST', 'faults', members)
    expect([code, named]).toEqual(['C17', field])
    expect(msg).toContain(message)
    expect(await list(service)).toEqual([])
  })

  test('faults stay after a reset', async () => {
    const service = await openService()
    await add(service, { kind: 'empty' })
    await service.control('POST', 'reset')
    expect(await list(service)).toHaveLength(1)
  })
})

test('a crash keeps every fault, and its count soon after a use', async () => {
  const service = await openService()
  await add(service, { kind: 'http-500', times: 1 })
  const first = await openService({ state: crashCopy(service.folder) })
  expect(await list(first)).toMatchObject([{ kind: 'http-500', used: 0 }])
  expect(await isHit(service, 'sale', sale(1000))).toBe(true)
  const killed = async () => list(await openService({ state: crashCopy(service.folder) }))
  await expect.poll(killed).toMatchObject([{ kind: 'http-500', used: 1, state: 'used-up' }])
})

describe('the requests that a fault hits', () => {
  test('a fault for an amount hits an integer amount and an amount object', async () => {
    const service = await openService()
    await add(service, { kind: 'http-500', amount: 1234, always: true })
    expect(await isHit(service, 'sale', sale(1000))).toBe(false)
    expect(await isHit(service, 'sale', sale(1234))).toBe(true)
    const { priceCurrency, ...more } = sale(0) as { priceCurrency: string }
    const amount = { orderAmount: 1234, priceCurrency }
    expect(await isHit(service, 'sale', { ...more, amount })).toBe(true)
  })

  test('a fault for a terminal hits requests that name it, default to it or act on its transactions', async () => {
    const { data, ...service } = await openSold()
    const { transactionId } = data
    await add(service, { kind: 'http-500', terminalSn: 'TBX-AUTO-001', always: true })
    const id = { transactionRequestId: newId() }
    expect(await isHit(service, 'sale', sale(1000))).toBe(true)
    expect(await isHit(service, 'sale', sale(1000, { terminalSn: 'TBX-TIP20-001' }))).toBe(false)
    expect(await isHit(service, 'abort', { originalTransactionId: transactionId, ...id })).toBe(true)
    expect(await isHit(service, 'query', { transactionId })).toBe(true)
    expect(await isHit(service, 'query', { transactionRequestId: data.transactionRequestId })).toBe(true)
    expect(await isHit(service, 'query', { transactionId: '1' })).toBe(false)
    expect(await isHit(service, 'merchant-query', {})).toBe(false)
  })

  test('the fault in the header wins over the listed faults and does not use them up', async () => {
    const service = await openService()
    await add(service, { kind: 'http-500' })
    expect((await service.call('sale', sale(1000), { 'X-Sandbox-Fault': 'http-418' })).status).toBe(418)
    expect((await list(service))[0].used).toBe(0)
  })
})

describe('an outcome as a fault', () => {
  const ofStory = async ({ control }: Service, { data }: { data: { transactionId: string } }) => {
    const { status, outcome, rule, record } = (await control('GET', `transactions/${data.transactionId}`))
      .data
    return [status, outcome, rule, record.transactionResultCode]
  }
  const declined = ['FAIL', 'do-not-honor', 'fault', '005']
  const approved = ['SUCCESS', 'approve', 'default', '000']

  test('assumption outcome-order: refunds at the terminal, in the cloud and online are declined by the next one of their kind', async () => {
    const service = await openService()
    const { transactionId } = (await service.call('sale', sale(9823 + 1))).data
    const online = await paidOnline(service)
    const refunds = [
      () => service.call('refund', following(transactionId, { amount: 100 })),
      () => service.call('refund', following(transactionId, { amount: 100, pushToTerminal: false })),
      () => service.call('online-refund', following(online)),
    ]
    for (const [index, refund] of refunds.entries()) {
      const operation = index === 2 ? 'online-refund' : 'refund'
      await add(service, { kind: 'outcome=decline', operation })
      await service.call('query', { transactionId })
      await service.call('sale', sale(100))
      expect(await ofStory(service, await refund())).toEqual(declined)
      expect(await ofStory(service, await refund())).toEqual(approved)
    }
  })

  test('without an operation it is for the next request that opens a transaction; the header wins', async () => {
    const service = await openService()
    await add(service, { kind: 'outcome=do-not-honor', always: true })
    await service.call('query', { transactionId: '1' })
    expect((await list(service))[0].used).toBe(0)
    expect(await ofStory(service, await service.call('sale', sale(100)))).toEqual(declined)
    const asked = await service.call('sale', sale(100), { 'X-Sandbox-Outcome': 'expired-card' })
    expect(await ofStory(service, asked)).toEqual(['FAIL', 'expired-card', 'header', '054'])
    const header = await service.call('sale', sale(100), { 'X-Sandbox-Fault': 'outcome=do-not-honor' })
    expect([header.code, header.detail]).toEqual([
      'SBX_FAULT',
      'the header X-Sandbox-Outcome names the outcome of a single request',
    ])
  })

  test('a refused refund does not use it up: the next refund that opens a transaction is declined', async () => {
    const { data, ...service } = await openSold()
    await add(service, { kind: 'outcome=decline', operation: 'refund' })
    const refund = (amount: number) => service.call('refund', following(data.transactionId, { amount }))
    expect((await refund(1_000_000)).code).not.toBe('0')
    expect(service.sandbox.log.list().at(-1)).toMatchObject({ fault: null })
    expect((await list(service))[0]).toMatchObject({ used: 0, state: 'on' })
    expect(await ofStory(service, await refund(100))).toEqual(declined)
    expect((await list(service))[0]).toMatchObject({ used: 1, state: 'used-up' })
    expect(service.sandbox.log.list().at(-1)).toMatchObject({ fault: 'outcome=decline' })
  })

  test('a request whose header names an outcome does not use it up', async () => {
    const service = await openService()
    await add(service, { kind: 'outcome=do-not-honor' })
    const asked = await service.call('sale', sale(100), { 'X-Sandbox-Outcome': 'expired-card' })
    expect(await ofStory(service, asked)).toEqual(['FAIL', 'expired-card', 'header', '054'])
    expect((await list(service))[0]).toMatchObject({ used: 0, state: 'on' })
    expect(await ofStory(service, await service.call('sale', sale(100)))).toEqual(declined)
  })

  test('a replay does not use it up', async () => {
    const service = await openService({ duplicates: 'replay' })
    const request = sale(100)
    await service.call('sale', request)
    await add(service, { kind: 'outcome=do-not-honor' })
    await service.call('sale', request)
    expect((await list(service))[0]).toMatchObject({ used: 0, state: 'on' })
  })

  test('a replay is answered as the first time, whatever outcome the fault has for the next one', async () => {
    const service = await openService({ duplicates: 'replay' })
    const request = sale(100)
    const first = await service.call('sale', request)
    await add(service, { kind: 'outcome=do-not-honor', always: true })
    expect((await service.call('sale', request)).data).toEqual(first.data)
  })
})

describe('faults of the settlement', () => {
  const fill = async ({ call }: Service) => {
    await call('sale', sale(1000))
    await call('sale', sale(500, { cardNetworkType: 'EBT' }))
  }
  const openChannels = async ({ call }: Service): Promise<string[]> =>
    (await call('batch-query', {})).data.batchList.map((each: { channelCode: string }) => each.channelCode)

  test('settlement-failed: the close is refused with its own code, and the batches stay open', async () => {
    const service = await openService()
    await fill(service)
    await add(service, { kind: 'settlement-failed' })
    const close = { transactionRequestId: newId() }
    const id = { 'X-Client-Request-Id': crypto.randomUUID() }
    const refused = await service.call('batch-close', close, id)
    expect(refused).toMatchObject({ status: 200, code: 'SBX_SETTLE_FAIL', msg: 'The settlement failed' })
    expect(await openChannels(service)).toEqual(['SBX-CARD', 'SBX-EBT'])
    expect(service.sandbox.log.list().at(-2)).toMatchObject({ fault: 'settlement-failed' })
    // It is a refusal of a rule: the request id is used up, the transactionRequestId is not.
    expect((await service.call('batch-close', close, id)).code).toBe('SBX_DUP_REQUEST')
    expect((await service.call('batch-close', close)).code).toBe('0')
    expect(await openChannels(service)).toEqual([])
  })

  test('partial-settlement: the close closes only the first channel, and the rest can be closed later', async () => {
    const service = await openService()
    await fill(service)
    await add(service, { kind: 'partial-settlement' })
    const { data } = await service.call('batch-close', { transactionRequestId: newId() })
    expect(data).not.toHaveProperty('batchList')
    expect(data).toMatchObject({ netAmount: 1000, transactionCount: 1 })
    expect(await openChannels(service)).toEqual(['SBX-EBT'])
    const rest = await service.call('batch-close', { transactionRequestId: newId() })
    expect(rest.data).toMatchObject({ netAmount: 500 })
  })

  test('partial-settlement: a close of one channel closes it, and a close with nothing open is refused', async () => {
    const service = await openService()
    await add(service, { kind: 'partial-settlement', always: true })
    const close = (more: object = {}) =>
      service.call('batch-close', { transactionRequestId: newId(), ...more })
    expect((await close()).code).toBe('SBX_BATCH_EMPTY')
    await fill(service)
    expect((await close({ channelCode: 'SBX-EBT' })).data).toMatchObject({ netAmount: 500 })
    expect(await openChannels(service)).toEqual(['SBX-CARD'])
  })
})

describe('a fault in the header', () => {
  test('a settlement fault is refused for another operation, and no webhook fault is suggested', async () => {
    const { call } = await openService()
    const id = { 'X-Client-Request-Id': randomUUID() }
    const wrong = await call('sale', sale(1), { 'X-Sandbox-Fault': 'settlement-failed', ...id })
    expect([wrong.code, wrong.detail]).toEqual(['SBX_FAULT', 'settlement-failed is a fault of batch-close'])
    expect((await call('sale', sale(1), id)).code).toBe('0') // its request id was not used up
    const unknown = await call('sale', sale(1), { 'X-Sandbox-Fault': 'nope' })
    expect(unknown.detail).toContain('lost-answer')
    expect(unknown.detail).not.toContain('stale')
    const injected = await call('sale', sale(1), { 'X-Sandbox-Fault': 'http-500' })
    expect(injected.remedy).toBe('Leave X-Sandbox-Fault out')
    const bodiless = await call('sale', sale(1), { 'X-Sandbox-Fault': 'not-json=204' })
    expect(bodiless.code).toBe('SBX_FAULT')
  })

  test('partial-settlement in the header closes the first channel that matches the request', async () => {
    const { call } = await openService()
    await call('sale', sale(1000))
    await call('sale', sale(500, { priceCurrency: 'EUR', cardNetworkType: 'EBT' }))
    const members = { transactionRequestId: newId(), priceCurrency: 'EUR' }
    const closed = await call('batch-close', members, { 'X-Sandbox-Fault': 'partial-settlement' })
    expect(closed.data).toMatchObject({ priceCurrency: 'EUR', netAmount: 500 })
  })
})

test('a fault hits the merchant and the terminal that a request acts on, named or not', async () => {
  const service = await openService()
  const { appId } = service.sandbox.directory.defaultApplication
  expect((await service.control('POST', 'merchants', { merchantId: 'M7', appId })).code).toBe('0')
  const { data } = await service.call('sale', sale(1000, { merchantId: 'M7' }))
  const refund = () => following(data.transactionId, { amount: 100 })
  await add(service, { kind: 'http-500', operation: 'refund', merchantId: 'M1000000001' })
  expect(await isHit(service, 'refund', refund())).toBe(false)
  await add(service, { kind: 'http-500', operation: 'refund', merchantId: 'M7' })
  expect(await isHit(service, 'refund', refund())).toBe(true)
  const [terminalSn] = [...(service.sandbox.engine.state.ledgers.get('M1000000001')?.terminals.keys() ?? [])]
  await add(service, { kind: 'http-500', operation: 'refund', terminalSn })
  expect(await isHit(service, 'refund', sale(100))).toBe(true)
})
