import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../../src/contract/operations.ts'
import { times } from '../../../support/runner/counts.ts'
import { replaceFunctions } from '../../../support/runner/replaced-functions.ts'
import { newId } from '../../../support/service/new-id.ts'
import { newRequestIdHeader, requestIdHeader } from '../../../support/service/requests.ts'
import {
  following,
  isReplayed,
  openService,
  plainLedgersOf,
  plainStateOf,
  sale,
  secondKey,
  transactionsIn,
  WallClock,
} from '../../../support/service/service.ts'
import { openSession, payloadOf, sessionViewOf, walletSale } from '../../../support/service/shop.ts'

const minute = 60_000

describe('a repeated X-Client-Request-Id', () => {
  test('api limit-duplicates: a repeated X-Client-Request-Id is refused for 10 minutes with the id of its transaction, and a refusal does not lengthen that', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const headers = newRequestIdHeader()
    const first = await service.call('sale', sale(1000), headers)
    const before = plainLedgersOf(service.sandbox)
    for (const passed of [9 * minute, minute]) {
      wall.pass(passed)
      const again = await service.call('sale', sale(1000), headers)
      expect([again.status, again.code, again.field]).toEqual([409, 'SBX_DUP_REQUEST', requestIdHeader])
      expect(again.detail).toContain(first.data.transactionId)
      expect(plainLedgersOf(service.sandbox)).toEqual(before)
    }
    const codeAfter = async (passed: number) => {
      wall.pass(passed)
      return (await service.call('sale', sale(1), headers)).code
    }
    expect([await codeAfter(1), await codeAfter(10 * minute)]).toEqual(['0', 'SBX_DUP_REQUEST'])
  })

  test('api limit-duplicates: the window of an X-Client-Request-Id runs on the wall clock, not the sandbox clock', async () => {
    const { call, control } = await openService()
    const headers = newRequestIdHeader()
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    await control('POST', 'clock', { action: 'advance', milliseconds: 60 * minute })
    expect((await call('sale', sale(1), headers)).code).toBe('SBX_DUP_REQUEST')
  })

  test('api authentication-3: an X-Client-Request-Id counts only for its own application, and for every operation', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    const second = { ...headers, Authorization: `Bearer ${secondKey}` }
    const { code, data } = await call('sale', sale(1000), headers)
    expect(code).toBe('0')
    expect((await call('sale', sale(1), second)).code).toBe('0')
    expect((await call('sale', sale(1), second)).code).toBe('SBX_DUP_REQUEST')
    const members = { originalTransactionId: data.transactionId, tipAmount: 5 }
    expect((await call('tip-adjust', members, headers)).code).toBe('SBX_DUP_REQUEST')
    for (let round = 0; round < 2; round++)
      expect((await call('query', { transactionId: data.transactionId }, headers)).code).toBe('0')
  })

  test('api authentication-3: a GET neither uses up its X-Client-Request-Id nor minds a repeated one', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    expect((await call('query', { transactionId: '1' }, headers)).code).toBe('SBX_TXN_UNKNOWN')
    expect((await call('sale', sale(1), headers)).code).toBe('0')
  })
})

test('two merchants may use the same transactionRequestId', async () => {
  const { call } = await openService()
  const request = sale(1)
  expect((await call('sale', request)).code).toBe('0')
  expect((await call('sale', request, { Authorization: `Bearer ${secondKey}` })).code).toBe('0')
})

const open = (options: object = {}) => openService({ duplicates: 'replay', ...options })

describe('duplicates: replay', () => {
  test('api limit-duplicates: the X-Client-Request-Id of a replay by transactionRequestId is used for 10 minutes: another request with it is refused with the id of the transaction', async () => {
    const wall = new WallClock()
    const { call, sandbox } = await open({ wall: wall.read })
    const [request, header] = [sale(1000), newRequestIdHeader()]
    const { data } = await call('sale', request)
    const again = await call('sale', request, header)
    expect([isReplayed(again), again.data]).toEqual([true, data])
    const before = plainStateOf(sandbox)
    for (const passed of [0, 10 * minute]) {
      wall.pass(passed)
      const other = await call('sale', sale(1000), header)
      expect([other.code, other.field]).toEqual(['SBX_DUP_OTHER', 'X-Client-Request-Id'])
      expect(other.detail).toContain(data.transactionId)
      expect(plainStateOf(sandbox)).toEqual(before)
    }
    wall.pass(1)
    expect((await call('sale', sale(1000), header)).code).toBe('0')
  })

  test('a repeated request is answered as the first time after its terminal was removed; another one is refused', async () => {
    const { call, control } = await open()
    await control('POST', 'terminals', { terminalSn: 'GONE-1' })
    const [request, header] = [sale(1000, { terminalSn: 'GONE-1' }), newRequestIdHeader()]
    const first = await call('sale', request, header)
    const { transactionId } = first.data
    await call('void', { ...following(transactionId), terminalSn: 'GONE-1' })
    await call('batch-close', { transactionRequestId: newId() })
    expect((await control('DELETE', 'terminals/GONE-1')).code).toBe('0')
    for (const again of [await call('sale', request, header), await call('sale', request)])
      expect([isReplayed(again), again.data]).toEqual([true, first.data])
    expect((await call('sale', sale(1000, { terminalSn: 'GONE-1' }))).code).toBe('SBX_UNREGISTERED')
  })

  test('two requests with the same members are equal, however the members are written', async () => {
    const service = await open()
    const members = { ...sale(1000), amount: { orderAmount: 1000, priceCurrency: 'USD', tipAmount: 50 } }
    const first = await service.call('sale', members)
    const [id, order] = Object.values(members).map((each) => JSON.stringify(each))
    const headers = { 'Content-Type': 'application/json' }
    const head = `"transactionRequestId":${id},"referenceOrderId":${order},"priceCurrency":"USD"`
    for (const body of [
      `{${head},"amount":{"tipAmount":50,"priceCurrency":"USD","orderAmount":1000}}`,
      `{\n  "amount": {"orderAmount": 1e3, "tipAmount": 50.0, "priceCurrency": "\\u0055SD"},\t${head}}`,
      `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":50,"taxAmount":null},"description":""}`,
      `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":50},"colour":"red"}`,
    ]) {
      const again = await service.send('POST', operations.sale.path, { headers, body })
      expect([again.code, again.data]).toEqual(['0', first.data])
      expect(isReplayed(again)).toBe(true)
    }
    const body = `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":51}}`
    const refused = await service.send('POST', operations.sale.path, { headers, body })
    expect(refused.code).toBe('SBX_DUP_OTHER')
    expect(transactionsIn(service.sandbox)).toHaveLength(1)
  })

  test('api limit-duplicates: after 10 minutes a repeated transactionRequestId still gets the first answer', async () => {
    const wall = new WallClock()
    const { call } = await open({ wall: wall.read })
    const headers = newRequestIdHeader()
    const request = sale(1000)
    await call('sale', request, headers)
    wall.pass(10 * minute)
    expect(isReplayed(await call('sale', request, headers))).toBe(true)
    expect((await call('sale', sale(2), headers)).code).toBe('SBX_DUP_OTHER')
  })
})

test('api refund-2: only one of 50 full refunds at the same moment is accepted', async () => {
  const service = await openService()
  for (let round = 0; round < times(3, 20); round++) {
    const { data } = await service.call('sale', sale(1000))
    const refund = () => service.call('refund', following(data.transactionId, { amount: 1000 }))
    const answers = await Promise.all(Array.from({ length: 50 }, refund))
    expect(answers.filter(({ code }) => code === '0')).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'SBX_REFUNDED')).toHaveLength(49)
  }
})

test('two equal requests of which the first cannot be stored: no answer names its transaction', async () => {
  const { call, sandbox } = await openService()
  replaceFunctions(fs, () => ({
    fdatasync: (_: number, done: (error: Error) => void) => setTimeout(() => done(new Error('EIO')), 20),
  }))
  const [headers, members] = [newRequestIdHeader(), sale(1000)]
  const answers = await Promise.all([call('sale', members, headers), call('sale', members, headers)])
  expect(answers.map(({ code }) => code)).toEqual(['SBX_STORE_FAIL', 'SBX_STORE_FAIL'])
  expect(sandbox.engine.state.requests.size).toBe(0)
})

test('api ids-4: the retry of a refund without reference is a duplicate, although its order was paid meanwhile', async () => {
  const { call } = await openService({ strict: true })
  const [referenceOrderId, transactionRequestId] = [newId('ORDER'), newId()]
  const refund = { transactionRequestId, referenceOrderId, amount: 1000, priceCurrency: 'USD' }
  expect((await call('refund', refund)).code).toBe('0')
  expect((await call('sale', sale(1000, { referenceOrderId }))).code).toBe('0')
  expect((await call('refund', refund)).code).toBe('SBX_DUP_TXN_ID')
})

describe('expire-session', () => {
  test('the transactionRequestId of expire-session names a session and is not used up', async () => {
    for (const duplicates of ['reject', 'replay'] as const) {
      const service = await openService({ duplicates })
      const { transactionRequestId, sessionId } = await openSession(service)
      const { code, data } = await service.call('expire-session', { transactionRequestId })
      expect([code, data]).toEqual(['0', expect.objectContaining({ sessionId, transactionRequestId })])
      const again = await service.call('expire-session', { transactionRequestId })
      expect([again.code, isReplayed(again)]).toEqual(['SBX_SESSION_OVER', false])
      const free = newId()
      const unknown = await service.call('expire-session', { transactionRequestId: free })
      expect(unknown.code).toBe('SBX_SESSION_NONE')
      expect((await service.call('sale', sale(1, { transactionRequestId: free }))).code).toBe('0')
    }
  })

  test.each([true, false])(
    'a repeated refusal by a rule has the header of a replay with extras alone: %s',
    async (extras) => {
      const { call } = await open({ extras })
      const headers = newRequestIdHeader()
      const request = { ...following('1795161261276000'), amount: 100 }
      const first = await call('refund', request, headers)
      const again = await call('refund', request, headers)
      expect([again.code, isReplayed(first), isReplayed(again)]).toEqual(['SBX_TXN_UNKNOWN', false, extras])
    },
  )

  test('duplicates replay: a repeated X-Client-Request-Id gets the first answer', async () => {
    const service = await open()
    const { sessionId, transactionRequestId } = await openSession(service)
    const [named, headers] = [{ sessionId, transactionRequestId }, newRequestIdHeader()]
    const first = await service.call('expire-session', named, headers)
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    const again = await service.call('expire-session', named, headers)
    expect([isReplayed(again), again.data]).toEqual([true, first.data])
    expect((await sessionViewOf(service, sessionId)).state).toBe('expired')
  })
})

test('api ids-4: an invalid payload uses up the X-Client-Request-Id but not the transactionRequestId', async () => {
  const service = await openService()
  const [transactionRequestId, headers] = [newId(), newRequestIdHeader()]
  const payload = payloadOf('GOOGLE_PAY', 'visa-debit', Date.now() - 30 * 86_400_000)
  const refused = { transactionRequestId, cardEncryptedData: payload }
  expect((await service.call('direct-payment', walletSale(1, refused), headers)).code).toBe('SBX_WALLET')
  const good = walletSale(1, { transactionRequestId })
  expect((await service.call('direct-payment', good, headers)).code).toBe('SBX_DUP_REQUEST')
  expect((await service.call('direct-payment', good)).code).toBe('0')
})
