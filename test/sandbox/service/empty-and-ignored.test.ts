import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { OperationName } from '../../../src/contract/operations.ts'
import { newId } from '../../support/service/new-id.ts'
import {
  following,
  lastNotes,
  openService,
  openSold,
  type Service,
  sale,
} from '../../support/service/service.ts'

describe('assumption field-reading: null and an empty text in an optional member', () => {
  test.each([null, ''])('%j in an optional member counts as left out, also with strict', async (empty) => {
    const request = sale(1000, { referenceOrderId: empty, tipConfig: empty })
    const { call, sandbox, code, data } = await openSold(request, { strict: true })
    expect([code, lastNotes(sandbox)]).toEqual(['0', ''])
    expect((await call('query', { transactionId: data.transactionId })).data.referenceOrderId).toBeNull()
  })

  test('an empty value in a query string counts as left out', async () => {
    const { call } = await openService({ strict: true })
    const request = sale(1000)
    const { data } = await call('sale', request)
    const { transactionRequestId = '' } = request as { transactionRequestId?: string }
    const query = { transactionId: '', transactionRequestId, merchantId: '' }
    expect((await call('query', query)).data.transactionId).toBe(data.transactionId)
    const none = await call('query', { transactionId: '', transactionRequestId: '' })
    expect([none.code, none.field]).toEqual(['C17', 'transactionId'])
    expect(none.detail).toContain('is required')
    expect((await call('batch-query', { terminalSn: '' })).data.batchList).toHaveLength(1)
  })
})

describe('assumption field-reading: members that have no effect', () => {
  /** Notes on a follow-up of a sale, or of an authorisation, with these members. */
  async function notesOn(service: Service, name: OperationName, members: object) {
    const original = name === 'post-auth' || name === 'incremental-auth' ? 'auth' : 'sale'
    const { data } = await service.call(original, sale(1000))
    const amount = name === 'void' ? {} : { amount: 10 }
    const answer = await service.call(name, following(data.transactionId, { ...amount, ...members }))
    expect(answer.code).toBe('0')
    expect(answer.headers.get('X-Sandbox-Note') ?? '').toBe(lastNotes(service.sandbox).replaceAll('\n', '; '))
    return lastNotes(service.sandbox).split('\n')
  }

  const ofTerminal = { printReceipt: 'BOTH', terminalEventNotifyUrl: 'http://127.0.0.1:9/x' }

  test('members that have no effect on a refund with reference are noted', async () => {
    const members = {
      paymentMethod: { category: 'CARD' },
      cardNetworkType: 'DEBIT',
      timeExpire: '2020-01-01T00:00:00Z',
      signatureConfig: { entryLocation: 'NONE' },
      signatureEntryLocation: 'ON_SCREEN',
    }
    const service = await openService({ strict: true })
    const notes = Object.keys(members).map((name) => `${name}: is ignored for a refund with reference`)
    expect(await notesOn(service, 'refund', members)).toEqual(notes)
    const free = { ...members, timeExpire: null, signatureEntryLocation: null, terminalSn: 'TBX-AUTO-001' }
    expect((await service.call('refund', sale(1, free))).code).toBe('0')
    expect(lastNotes(service.sandbox)).toBe('')
  })

  test.each(['incremental-auth', 'post-auth', 'refund', 'void'] as const)(
    'terminal settings of %s are noted as ignored when pushToTerminal is false',
    async (name) => {
      const service = await openService()
      const inCloud = { ...ofTerminal, pushToTerminal: false }
      const notes = Object.keys(ofTerminal).map((each) => `${each}: is ignored where pushToTerminal is false`)
      expect(await notesOn(service, name, inCloud)).toEqual(notes)
      expect(await notesOn(service, name, ofTerminal)).toEqual([''])
      expect(await notesOn(service, name, { pushToTerminal: false, printReceipt: 'NONE' })).toEqual([''])
    },
  )

  test('members of a batch close, a tip adjust and an abort that nothing keeps are noted', async () => {
    const service = await openService()
    const texts = { description: 'x', attach: 'y' }
    const urls = { notifyUrl: 'http://127.0.0.1:9/x', terminalEventNotifyUrl: 'http://127.0.0.1:9/y' }
    const { data } = await service.call('sale', sale(1000))
    const note = async (name: OperationName, members: object) =>
      (await service.call(name, members)).headers.get('X-Sandbox-Note')
    const kept = 'attach: is ignored here: the original keeps its own'
    const original = { originalTransactionId: data.transactionId }
    expect(await note('tip-adjust', { ...original, tipAmount: 5, attach: 'y' })).toBe(kept)
    const waiting = await service.call('sale', sale(1000, { terminalSn: 'TBX-OFFLINE-001' }))
    const aborted = { originalTransactionId: waiting.data.transactionId, ...texts }
    expect(await note('abort', aborted)).toContain(kept)
    const noted = await note('batch-close', { transactionRequestId: newId(), ...texts, ...urls })
    for (const name of ['attach', ...Object.keys(urls)])
      expect(noted).toContain(`${name}: is ignored for a batch close`)
  })

  const asksTip = { onScreenTip: true }

  test.each([
    ['tipConfig', { tipConfig: asksTip }],
    ['amount.tipConfig', { amount: { orderAmount: 10, priceCurrency: 'USD', tipConfig: asksTip } }],
  ])('%s is noted as ignored when pushToTerminal is false', async (member, members) => {
    const notes = await notesOn(await openService(), 'post-auth', { pushToTerminal: false, ...members })
    expect(notes).toEqual([`${member}: is ignored where pushToTerminal is false`])
  })

  test('terminalEventNotifyUrl of a hosted page is noted as ignored', async () => {
    const { call, sandbox } = await openService()
    await call('create-session', sale(1, { terminalEventNotifyUrl: 'http://127.0.0.1:9/x' }))
    expect(lastNotes(sandbox)).toBe('terminalEventNotifyUrl: is ignored for an online payment')
  })
})

test.each([
  ['abort', 'TBX-ATTENDED-001', {}],
  ['tip-adjust', 'TBX-AUTO-001', { tipAmount: 5 }],
] as const)(
  'api operation-1-8, operation-1-9: %s with another terminalSn than its original is refused with C17',
  async (name, terminalSn, members) => {
    const { call, data } = await openSold(sale(1000, { terminalSn }))
    const request = { originalTransactionId: data.transactionId, ...members }
    const { code, field, msg } = await call(name, { ...request, terminalSn: 'TBX-TIP20-001' })
    expect([code, field]).toEqual(['C17', 'terminalSn'])
    expect(msg).toBe(`Transaction ${data.transactionId} is on terminal ${terminalSn}`)
    expect((await call(name, { ...request, terminalSn })).code).toBe('0')
  },
)

test.each([
  ['', ''],
  [null, null],
])('assumption field-reading: an attach of %j is returned as %j', async (sent, returned) => {
  const { call } = await openService({ dialect: 'spec' })
  const { transactionId } = (await call('sale', sale(1000, { attach: sent }))).data
  expect((await call('query', { transactionId })).data.attach).toBe(returned)
})

test('assumption field-limits: attach has at most 4,096 characters and is returned unchanged', async () => {
  const { call } = await openService()
  const attach = '{"a":"é\\n"} '.repeat(400).slice(0, 4096)
  const { data } = await call('sale', sale(1, { attach }))
  expect((await call('query', { transactionId: data.transactionId })).data.attach).toBe(attach)
  const refused = await call('sale', sale(1, { attach: `${attach}x` }))
  expect([refused.code, refused.field]).toEqual(['C17', 'attach'])
})

describe('the encoding of a body', () => {
  test('U+FFFD is accepted as any other character', async () => {
    const { call, code, data } = await openSold(sale(1, { description: 'caf\uFFFD' }))
    expect(code).toBe('0')
    expect((await call('query', { transactionId: data.transactionId })).data.description).toBe('caf\uFFFD')
  })

  test.each([
    ['a byte that begins nothing', [0xff]],
    ['a sequence that is cut off', [0xc3]],
    ['an overlong form', [0xc0, 0x80]],
    ['half a surrogate', [0xed, 0xa0, 0x80]],
  ])('a body with %s is refused, and a later request is accepted', async (_, bytes) => {
    const { send, call } = await openService()
    const body = Buffer.concat([Buffer.from('{"attach":"'), Buffer.from(bytes), Buffer.from('"}')])
    const options = { headers: { 'Content-Type': 'application/json' }, body: new Uint8Array(body) }
    const { status, code, detail } = await send('POST', '/v1/semi-integration/transaction/sale', options)
    expect([status, code, detail]).toEqual([400, 'SBX_BAD_JSON', 'it is not UTF-8'])
    expect((await call('sale', sale(1, { attach: 'é' }))).code).toBe('0')
  })
})

describe('assumption body-limit: a compressed body', () => {
  const path = '/v1/semi-integration/transaction/sale'
  const headers = { 'Content-Type': 'application/json' }
  const text = JSON.stringify(sale(1))

  test.each([
    ['a compressed body', new Uint8Array(gzipSync(text))],
    ['a body that is not compressed', text],
  ])('%s with Content-Encoding is refused by the name of that header', async (_, body) => {
    const { send } = await openService()
    for (const at of [path, '/_sandbox/terminals']) {
      const answer = await send('POST', at, { headers: { ...headers, 'Content-Encoding': 'gzip' }, body })
      expect([answer.code, answer.field]).toEqual(['SBX_MEDIA_TYPE', 'Content-Encoding'])
      expect([answer.status, answer.detail]).toEqual([415, 'it is gzip'])
    }
  })

  test('without the header, the refusal says that the body is compressed; identity changes nothing', async () => {
    const { send } = await openService()
    const answer = await send('POST', path, { headers, body: new Uint8Array(gzipSync(text)) })
    expect([answer.code, answer.detail]).toEqual(['SBX_BAD_JSON', 'it is compressed'])
    const identity = { ...headers, 'Content-Encoding': 'identity' }
    expect((await send('POST', path, { headers: identity, body: text })).code).toBe('0')
  })
})

test('assumption field-reading: a field in the URL of a POST is noted, and the body counts', async () => {
  const { send, sandbox } = await openService()
  const body = JSON.stringify(sale(1000))
  const headers = { 'Content-Type': 'application/json' }
  const answer = await send('POST', '/v1/semi-integration/transaction/sale?amount=1', { headers, body })
  expect(answer.code).toBe('0')
  expect(lastNotes(sandbox)).toBe('amount: is ignored in the URL; a POST has its fields in the body')
})
