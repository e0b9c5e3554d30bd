import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '../../../src/contract/operations.ts'
import type { SandboxOptions } from '../../../src/server/sandbox/options.ts'
import { newId } from '../../support/service/new-id.ts'
import { answersIn, bytesAfter, goodHeaders, openRawSandbox, requestText } from '../../support/service/raw.ts'
import {
  type Answer,
  envelopeMembers,
  following,
  lastNotes,
  openService,
  openSold,
  sale,
} from '../../support/service/service.ts'

/** A sandbox like production, with the given settings changed. */
const open = (options: Partial<SandboxOptions> = {}) => openService({ likeProduction: true, ...options })

const ownHeadersOf = ({ headers }: Answer) =>
  [...headers.keys()].filter((name) => name.startsWith('x-sandbox'))

const bare = ['code', 'msg', 'traceId']

test.each(['merchantId', 'terminalSn', 'appId'])('like-production: %s must be known', async (member) => {
  const { call } = await open()
  const answer = await call('sale', sale(1000, { [member]: 'UNKNOWN-001' }))
  expect([answer.status, answer.code]).toEqual([200, 'SBX_UNREGISTERED'])
})

describe('like-production: charset refuse', () => {
  const charsets = ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON']

  test.each(charsets)('%s is refused with C17 and Bad Request and uses up no id', async (header) => {
    const { call, sandbox } = await open()
    const id = { 'X-Client-Request-Id': randomUUID() }
    const answer = await call('sale', sale(1), { ...id, 'Content-Type': header })
    expect([answer.status, answer.code, answer.msg]).toEqual([200, 'C17', 'Bad Request'])
    expect(envelopeMembers(answer)).toEqual(bare)
    expect(lastNotes(sandbox)).toBe(`Content-Type: '${header}' is not exactly application/json`)
    expect((await call('sale', sale(1), id)).code).toBe('0')
  })

  test('a charset is refused with HTTP 400 with httpStatus rest', async () => {
    const { call } = await open({ httpStatus: 'rest' })
    const answer = await call('sale', sale(1), { 'Content-Type': charsets[0] as string })
    expect([answer.status, answer.code]).toEqual([400, 'C17'])
  })

  test('a body without Content-Type or with another media type is still refused with SBX_MEDIA_TYPE', async () => {
    const { call } = await open()
    for (const header of [null, 'text/plain'])
      expect((await call('sale', sale(1), { 'Content-Type': header })).code).toBe('SBX_MEDIA_TYPE')
  })

  test('a GET needs no Content-Type and may have one with a charset', async () => {
    const { call } = await open()
    const { data } = await call('sale', sale(1))
    for (const header of [null, charsets[0] as string]) {
      const headers = { 'Content-Type': header }
      expect((await call('query', { transactionId: data.transactionId }, headers)).code).toBe('0')
    }
  })
})

describe('like-production: no extras', () => {
  test.each([
    ['a rule', 'void', following('1234567890123456')],
    ['a field', 'sale', sale(-1)],
  ] as const)('an error of %s has code, msg and traceId; the log has the rest', async (_, name, body) => {
    const { call, sandbox } = await open()
    const answer = await call(name, body)
    expect([envelopeMembers(answer), ownHeadersOf(answer)]).toEqual([bare, []])
    const { remedy, field } = sandbox.log.list().at(-1)?.refusal ?? {}
    for (const told of [remedy, field]) expect(told).toMatch(/./)
  })

  test('an error of a header, a path or a method has only code, msg and traceId', async () => {
    const { call, send } = await open()
    expect(envelopeMembers(await call('sale', sale(1), { Authorization: null }))).toEqual(bare)
    expect(envelopeMembers(await send('POST', '/api/v1/payments/refund'))).toEqual(bare)
    expect(envelopeMembers(await send('DELETE', '/v1/transaction/query'))).toEqual(bare)
  })

  test('an error of a request that HTTP does not allow has only code, msg and traceId', async () => {
    const { port, host } = await openRawSandbox({ likeProduction: true })
    const raw = [
      requestText('nonsense'),
      requestText('GET /v1/transaction/query HTTP/1.1', host, 'Expect: a-miracle', 'Connection: close'),
      requestText('CONNECT 127.0.0.1:1 HTTP/1.1', host),
    ]
    for (const text of raw)
      expect(Object.keys(answersIn(await bytesAfter(port, text))[0]?.envelope)).toEqual(bare)
  })

  test('an error of the control interface has its remedy', async () => {
    const { control } = await open()
    expect(envelopeMembers(await control('PATCH', 'terminals/NONE', { pace: 1 }))).toContain('remedy')
  })

  test('unknown members are ignored and noted in the log, without a header', async () => {
    const { call, sandbox } = await open()
    const answer = await call('sale', sale(1000, { colour: 'red' }))
    expect(answer.code).toBe('0')
    expect(ownHeadersOf(answer)).toEqual([])
    expect(lastNotes(sandbox)).toContain('colour')
  })

  test('a replayed answer has no X-Sandbox header', async () => {
    const { call } = await open({ duplicates: 'replay' })
    const body = sale(1000)
    const first = await call('sale', body)
    const again = await call('sale', body)
    expect(again.data).toEqual(first.data)
    expect(ownHeadersOf(again)).toEqual([])
  })

  test('X-Sandbox-Outcome and X-Sandbox-Fault are ignored and noted in the log', async () => {
    const { call, sandbox } = await open()
    const headers = { 'X-Sandbox-Outcome': 'do-not-honor', 'X-Sandbox-Fault': 'http-503' }
    const { code, data } = await call('sale', sale(1000), headers)
    expect(code).toBe('0')
    for (const name of Object.keys(headers)) expect(lastNotes(sandbox)).toContain(`${name}: is ignored`)
    expect((await call('query', { transactionId: data.transactionId })).data.transactionStatus).toBe('S')
    const unknown = { 'X-Sandbox-Outcome': 'no-such', 'X-Sandbox-Fault': 'no-such' }
    expect((await call('sale', sale(1000), unknown)).code).toBe('0')
  })

  test('a query has no refundableAmount, a batch-query no terminalSn and a batch-close no batchList', async () => {
    const answers = async (options: Partial<SandboxOptions>) => {
      const { call, data } = await openSold(sale(1000), options)
      await call('sale', sale(500, { priceCurrency: 'EUR' }))
      const record = (await call('query', { transactionId: data.transactionId })).data
      const batches = (await call('batch-query', {})).data.batchList
      const closed = (await call('batch-close', { transactionRequestId: newId() })).data
      const had = [Object.hasOwn(record, 'refundableAmount'), Object.hasOwn(batches[0], 'terminalSn')]
      return [...had, Object.hasOwn(closed, 'batchList'), batches.length]
    }
    expect(await answers({})).toEqual([true, true, true, 2])
    expect(await answers({ likeProduction: true })).toEqual([false, false, false, 2])
    expect(await answers({ likeProduction: true, extras: true })).toEqual([true, true, true, 2])
  })
})

test('assumption extras: with --strict unknown members are refused too, and a charset as the real service does', async () => {
  const { call } = await open({ strict: true })
  expect((await call('sale', sale(1000, { colour: 'red' }))).code).toBe('C17')
  const charset = { 'Content-Type': 'application/json; charset=utf-8' }
  expect((await call('sale', sale(1000), charset)).msg).toBe('Bad Request')
})

test('assumption extras: over a port, ignored sandbox headers are noted in the request log', async () => {
  const { port, host } = await openRawSandbox({ likeProduction: true })
  const body = JSON.stringify(sale(1000))
  const head = [`POST ${operations.sale.path} HTTP/1.1`, host, `Content-Length: ${body.length}`]
  const asked = ['X-Sandbox-Outcome: declined', 'X-Sandbox-Fault: lost-answer', 'Connection: close']
  const text = requestText(...head, ...goodHeaders(), ...asked) + body
  const [answer] = answersIn(await bytesAfter(port, text))
  expect(answer?.envelope.code).toBe('0')
  const log = await (await fetch(`http://127.0.0.1:${port}/_sandbox/requests`)).json()
  const ignored = 'is ignored without extras; the real service knows no such header'
  const names = ['X-Sandbox-Outcome', 'X-Sandbox-Fault']
  expect(log.data.requests.at(-1).notes).toEqual(names.map((name) => `${name}: ${ignored}`))
})
