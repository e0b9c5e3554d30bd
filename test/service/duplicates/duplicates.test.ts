import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type OperationName, operations } from '../../../src/contract/operations.ts'
import { times } from '../../support/runner/counts.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'
import { newId } from '../../support/service/new-id.ts'
import { newRequestIdHeader, requestIdHeader } from '../../support/service/requests.ts'
import {
  openService,
  plainLedgersOf,
  sale,
  secondKey,
  transactionsIn,
  WallClock,
} from '../../support/service/service.ts'

const minute = 60_000

describe('a repeated X-Client-Request-Id', () => {
  test('api limit-duplicates: a repeated X-Client-Request-Id is refused for 10 minutes with the id of its transaction', async () => {
    const wall = new WallClock()
    const service = await openService({ wall: wall.read })
    const headers = newRequestIdHeader()
    const first = await service.call('sale', sale(1000), headers)
    wall.pass(10 * minute - 1)
    const before = plainLedgersOf(service.sandbox)
    const again = await service.call('sale', sale(1000), headers)
    expect([again.status, again.code, again.field]).toEqual([409, 'SBX_DUP_REQUEST', requestIdHeader])
    expect(again.detail).toContain(first.data.transactionId)
    expect(plainLedgersOf(service.sandbox)).toEqual(before)
  })

  test('api limit-duplicates: an X-Client-Request-Id is accepted again after 10 minutes, and a new window begins', async () => {
    const wall = new WallClock()
    const { call } = await openService({ wall: wall.read })
    const headers = newRequestIdHeader()
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    wall.pass(10 * minute)
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    wall.pass(10 * minute - 1)
    expect((await call('sale', sale(1), headers)).code).toBe('SBX_DUP_REQUEST')
  })

  test('api limit-duplicates: a refused repetition does not lengthen the window of its X-Client-Request-Id', async () => {
    const wall = new WallClock()
    const { call } = await openService({ wall: wall.read })
    const headers = newRequestIdHeader()
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    wall.pass(9 * minute)
    expect((await call('sale', sale(1), headers)).code).toBe('SBX_DUP_REQUEST')
    wall.pass(minute)
    expect((await call('sale', sale(1), headers)).code).toBe('0')
  })

  test('api limit-duplicates: the window of an X-Client-Request-Id runs on the wall clock, not the sandbox clock', async () => {
    const { call, control } = await openService()
    const headers = newRequestIdHeader()
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    await control('POST', 'clock', { action: 'advance', milliseconds: 60 * minute })
    expect((await call('sale', sale(1), headers)).code).toBe('SBX_DUP_REQUEST')
  })

  test('api authentication-3: an X-Client-Request-Id counts only for its own application', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    const second = { ...headers, Authorization: `Bearer ${secondKey}` }
    expect((await call('sale', sale(1), headers)).code).toBe('0')
    expect((await call('sale', sale(1), second)).code).toBe('0')
    expect((await call('sale', sale(1), second)).code).toBe('SBX_DUP_REQUEST')
  })

  test('api authentication-3: another operation with the same X-Client-Request-Id is a duplicate', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    const { data } = await call('sale', sale(1000), headers)
    const members = { originalTransactionId: data.transactionId, tipAmount: 5 }
    expect((await call('tip-adjust', members, headers)).code).toBe('SBX_DUP_REQUEST')
  })

  test('api authentication-3: a GET may repeat its own X-Client-Request-Id and that of a POST', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    const { data } = await call('sale', sale(1), headers)
    for (let round = 0; round < 3; round++)
      expect((await call('query', { transactionId: data.transactionId }, headers)).code).toBe('0')
  })

  test('api authentication-3: a GET does not use up its X-Client-Request-Id', async () => {
    const { call } = await openService()
    const headers = newRequestIdHeader()
    expect((await call('query', { transactionId: '1' }, headers)).code).toBe('SBX_TXN_UNKNOWN')
    expect((await call('sale', sale(1), headers)).code).toBe('0')
  })

  test.each<[OperationName, object, string]>([
    ['refund', { originalTransactionId: '1', amount: 1 }, 'SBX_TXN_UNKNOWN'],
    ['sale', { amount: 1, priceCurrency: 'USD', terminalSn: 'TBX-BUSY-001' }, 'SBX_TERM_BUSY'],
    ['abort', { originalTransactionId: '1' }, 'SBX_TXN_UNKNOWN'],
    ['sale', { amount: 1, priceCurrency: 'USD', terminalSn: 'TBX-OTHER-001' }, 'SBX_OTHER_OWNER'],
    ['refund', { merchantId: 'M-NEW', originalTransactionId: '1', amount: 1 }, 'SBX_UNREGISTERED'],
  ])(
    'api authentication-3: a refused %s uses up its X-Client-Request-Id: %o',
    async (name, members, code) => {
      const { call } = await openService()
      const headers = newRequestIdHeader()
      const request = { ...members, ...(name !== 'abort' && { transactionRequestId: newId() }) }
      expect((await call(name, request, headers)).code).toBe(code)
      const again = await call('sale', sale(1), headers)
      expect(again.code).toBe('SBX_DUP_REQUEST')
      expect(again.detail).toContain(code)
    },
  )
})

test('two merchants may use the same transactionRequestId', async () => {
  const { call } = await openService()
  const request = sale(1)
  expect((await call('sale', request)).code).toBe('0')
  expect((await call('sale', request, { Authorization: `Bearer ${secondKey}` })).code).toBe('0')
})

describe('duplicates: replay', () => {
  const open = () => openService({ duplicates: 'replay' })

  test('two requests with the same members are equal, however the members are written', async () => {
    const service = await open()
    const members = { ...sale(1000), amount: { orderAmount: 1000, priceCurrency: 'USD', tipAmount: 50 } }
    const first = await service.call('sale', members)
    const [id, order] = Object.values(members).map((each) => JSON.stringify(each))
    const head = `"transactionRequestId":${id},"referenceOrderId":${order},"priceCurrency":"USD"`
    for (const body of [
      `{${head},"amount":{"tipAmount":50,"priceCurrency":"USD","orderAmount":1000}}`,
      `{\n  "amount": {"orderAmount": 1e3, "tipAmount": 50.0, "priceCurrency": "\\u0055SD"},\t${head}}`,
      `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":50,"taxAmount":null},"attach":""}`,
      `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":50},"colour":"red"}`,
    ]) {
      const headers = { 'Content-Type': 'application/json' }
      const again = await service.send('POST', operations.sale.path, { headers, body })
      expect([again.code, again.data]).toEqual(['0', first.data])
      expect(again.headers.get('X-Sandbox-Replayed')).toBe('true')
    }
    const other = `{${head},"amount":{"orderAmount":1000,"priceCurrency":"USD","tipAmount":51}}`
    const refused = await service.send('POST', operations.sale.path, {
      headers: { 'Content-Type': 'application/json' },
      body: other,
    })
    expect(refused.code).toBe('SBX_DUP_OTHER')
    expect(transactionsIn(service.sandbox)).toHaveLength(1)
  })

  test('a repeated request gets the first refusal again', async () => {
    const { call } = await open()
    const headers = newRequestIdHeader()
    const refund = { originalTransactionId: '1', transactionRequestId: newId(), amount: 1 }
    const first = await call('refund', refund, headers)
    const again = await call('refund', refund, headers)
    expect(first.code).toBe('SBX_TXN_UNKNOWN')
    expect([first, again].map(({ headers }) => headers.get('X-Sandbox-Replayed'))).toEqual([null, 'true'])
    const { code, msg, field, detail } = again
    expect({ code, msg, field, detail }).toEqual({
      code: first.code,
      msg: first.msg,
      field: first.field,
      detail: first.detail,
    })
  })

  test('api limit-duplicates: after 10 minutes a repeated transactionRequestId still gets the first answer', async () => {
    const wall = new WallClock()
    const { call } = await openService({ duplicates: 'replay', wall: wall.read })
    const headers = newRequestIdHeader()
    const request = sale(1000)
    await call('sale', request, headers)
    wall.pass(10 * minute)
    expect((await call('sale', request, headers)).headers.get('X-Sandbox-Replayed')).toBe('true')
    expect((await call('sale', sale(2), headers)).code).toBe('SBX_DUP_OTHER')
  })
})

describe('bursts of 50 equal requests at the same moment', () => {
  const size = 50
  const burst = <T>(send: () => Promise<T>) => Promise.all(Array.from({ length: size }, send))

  test('api refund-2: only one of several full refunds at the same moment is accepted', async () => {
    const service = await openService()
    for (let round = 0; round < times(3, 20); round++) {
      const { data } = await service.call('sale', sale(1000))
      const answers = await burst(() =>
        service.call('refund', {
          originalTransactionId: data.transactionId,
          transactionRequestId: newId(),
          amount: 1000,
        }),
      )
      expect(answers.filter(({ code }) => code === '0')).toHaveLength(1)
      expect(answers.filter(({ code }) => code === 'SBX_REFUNDED')).toHaveLength(size - 1)
    }
  })
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
