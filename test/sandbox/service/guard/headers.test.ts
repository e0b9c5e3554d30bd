import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/contract/headers.ts'
import { operations } from '../../../../src/contract/operations.ts'
import {
  answersIn,
  bytesAfter,
  goodHeaders,
  openRawSandbox,
  requestText,
} from '../../../support/service/raw.ts'
import {
  apiKey,
  lastNotes,
  openService,
  openSold,
  plainStateOf,
  type Service,
  sale,
  WallClock,
} from '../../../support/service/service.ts'

const minute = 60_000

/** The answer to a sale with these headers; a refusal must store nothing. */
async function answerTo(headers: Record<string, string | null>, wall = new WallClock()) {
  const { call, sandbox } = await openService({ wall: wall.read })
  const before = plainStateOf(sandbox)
  const answer = await call('sale', sale(1000), headers)
  if (answer.code !== '0') expect(plainStateOf(sandbox)).toEqual(before)
  return { status: answer.status, code: answer.code, field: answer.field, detail: answer.detail }
}

/** What is wrong with a header; null: it is missing. */
const wrong: readonly (readonly [field: string, value: string | null, status: number, code: string])[] = [
  ['Authorization', null, 401, 'SBX_AUTH_MISSING'],
  ['Authorization', `Bearer  ${apiKey}`, 401, 'SBX_AUTH_FORMAT'],
  ['Authorization', `Basic ${apiKey}`, 401, 'SBX_AUTH_FORMAT'],
  ['Authorization', 'Bearer tbx_sandbox_nobody', 401, 'SBX_KEY_UNKNOWN'],
  ['Authorization', `Bearer ${apiKey.toUpperCase()}`, 401, 'SBX_KEY_UNKNOWN'],
  ['Authorization', 'Bearer tbx_production_9b1d6e40c8a74f25', 401, 'SBX_KEY_ENV'],
  ['Authorization', 'Bearer tbx_sandbox_expired_0a2b4c6d8e', 401, 'SBX_KEY_EXPIRED'],
  ['X-Timestamp', null, 400, 'SBX_TIME_MISSING'],
  ['X-Timestamp', '', 400, 'SBX_TIME_FORMAT'],
  ['X-Timestamp', '179502480000', 400, 'SBX_TIME_FORMAT'],
  ['X-Client-Request-Id', null, 400, 'SBX_REQ_ID_NONE'],
  ['X-Client-Request-Id', '', 400, 'SBX_REQ_ID_FORM'],
  ['X-Client-Request-Id', 'two words', 400, 'SBX_REQ_ID_FORM'],
  ['Content-Type', null, 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'text/plain', 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'application/x-www-form-urlencoded', 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'application/vnd.api+json', 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'application/jsonp', 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'application/json; charset=latin1', 415, 'SBX_MEDIA_TYPE'],
  ['Content-Type', 'application/json; charset="utf-8', 415, 'SBX_MEDIA_TYPE'],
]

test.each(wrong)(
  'api authentication-3, authentication-7: the header %s with the value %j is refused with %i %s',
  async (field, value, status, code) =>
    expect(await answerTo({ [field]: value })).toMatchObject({ status, code, field }),
)

test('api authentication-3: a GET needs a key and an X-Client-Request-Id', async () => {
  const { call } = await openService()
  const codeWithout = async (name: string) =>
    (await call('query', { transactionId: '1' }, { [name]: null })).code
  expect(await codeWithout('Authorization')).toBe('SBX_AUTH_MISSING')
  expect(await codeWithout('X-Client-Request-Id')).toBe('SBX_REQ_ID_NONE')
})

describe('Authorization', () => {
  test.each(['bearer', 'BEARER'])('assumption header-forms: %s is noted, refused by strict', async (word) => {
    const { call, sandbox } = await openService()
    expect((await call('sale', sale(1), { Authorization: `${word} ${apiKey}` })).code).toBe('0')
    expect(lastNotes(sandbox)).toBe('Authorization: does not write Bearer as the specification does')
    const { call: strict } = await openService({ strict: true })
    const refused = await strict('sale', sale(1), { Authorization: `${word} ${apiKey}` })
    expect([refused.status, refused.code, refused.field]).toEqual([401, 'SBX_AUTH_FORMAT', 'Authorization'])
  })

  test('api authentication-5: the old key is valid for the grace period and then expires', async () => {
    const wall = new WallClock()
    const { call, control } = await openService({ wall: wall.read })
    const { data } = await control('POST', 'keys/regenerate', { graceMs: 60_000 })
    expect(data.apiKey).not.toBe(apiKey)
    const withKey = async (key: string) =>
      (await call('sale', sale(1000), { Authorization: `Bearer ${key}` })).code
    wall.pass(59_999)
    expect([await withKey(apiKey), await withKey(data.apiKey)]).toEqual(['0', '0'])
    wall.pass(1)
    expect([await withKey(apiKey), await withKey(data.apiKey)]).toEqual(['SBX_KEY_EXPIRED', '0'])
  })

  test('api authentication-5: a second regeneration does not lengthen the life of the first key', async () => {
    const wall = new WallClock()
    const { call, control } = await openService({ wall: wall.read })
    for (const graceMs of [1000, 100_000]) await control('POST', 'keys/regenerate', { graceMs })
    wall.pass(1000)
    expect((await call('sale', sale(1))).code).toBe('SBX_KEY_EXPIRED')
  })

  test('assumption keys: the last ten expired keys are known as expired, and older ones are forgotten', async () => {
    const { call, control } = await openService()
    const order = { graceMs: 0, appId: 'tbxapp0000000001' }
    const keys: string[] = []
    for (let count = 0; count < 12; count += 1)
      keys.push((await control('POST', 'keys/regenerate', order)).data.apiKey)
    const codeOf = async (key: string) =>
      (await call('sale', sale(1), { Authorization: `Bearer ${key}` })).code
    const codes = await Promise.all(keys.map(codeOf))
    expect(codes).toEqual(['SBX_KEY_UNKNOWN', ...Array(10).fill('SBX_KEY_EXPIRED'), '0'])
  })

  test('api authentication-4: a key given at the start replaces the fixture key until it is regenerated, and again at the next start', async () => {
    const service = await openService({ apiKey: 'mine' })
    const codeWith = async ({ call }: Service, key: string) =>
      (await call('sale', sale(1), { Authorization: `Bearer ${key}` })).code
    const keyOf = async ({ control }: Service) => (await control('GET', 'connection')).data.apiKey
    expect([await keyOf(service), await codeWith(service, 'mine')]).toEqual(['mine', '0'])
    expect(await codeWith(service, apiKey)).toBe('SBX_KEY_UNKNOWN')
    const order = { graceMs: 0, appId: 'tbxapp0000000001' } // the key of these requests is unknown now
    const { apiKey: other } = (await service.control('POST', 'keys/regenerate', order)).data
    expect([await keyOf(service), await codeWith(service, other)]).toEqual([other, '0'])
    expect(await codeWith(service, 'mine')).toBe('SBX_KEY_EXPIRED')
    await service.close()
    const again = await openService({ state: service.folder, apiKey: 'mine' })
    expect([await keyOf(again), await codeWith(again, 'mine')]).toEqual(['mine', '0'])
  })
})

describe('IP allow-list', () => {
  test('api authentication-6: a change of the allow-list takes effect at once', async () => {
    const { call, control } = await openService()
    const codeNow = async () => (await call('sale', sale(1000))).code
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7', '2001:db8::7'] })
    const refused = await call('sale', sale(1000))
    expect([refused.status, refused.code]).toEqual([403, 'SBX_IP_BLOCKED'])
    expect(refused.detail).toContain('127.0.0.1')
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7', '127.0.0.1'] })
    expect(await codeNow()).toBe('0')
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7'] })
    expect(await codeNow()).toBe('SBX_IP_BLOCKED')
    await control('PUT', 'allow-list', { addresses: [] })
    expect(await codeNow()).toBe('0')
  })

  test('api authentication-6: the allow-list belongs to one application', async () => {
    const { call, control } = await openService()
    await control('PUT', 'allow-list', { addresses: ['203.0.113.7'] })
    expect((await control('GET', 'allow-list')).data.addresses).toEqual(['203.0.113.7'])
    expect((await call('sale', sale(1))).code).toBe('SBX_IP_BLOCKED')
    const other = { Authorization: 'Bearer tbx_sandbox_second_7e5d3b1f90' }
    expect((await call('sale', sale(1), other)).code).toBe('0')
  })

  test('api authentication-6: a text that is not an IP address is refused and changes nothing', async () => {
    const { control } = await openService()
    const answer = await control('PUT', 'allow-list', { addresses: ['somewhere'] })
    expect([answer.code, answer.field]).toEqual(['C17', 'addresses.0'])
    expect((await control('GET', 'allow-list')).data.addresses).toEqual([])
  })
})

describe('X-Timestamp', () => {
  const field = 'X-Timestamp'

  test('api authentication-3: a timestamp of 10 digits is refused as seconds', async () => {
    const { detail, ...refused } = await answerTo({ 'X-Timestamp': String(Math.floor(Date.now() / 1000)) })
    expect(refused).toEqual({ status: 400, code: 'SBX_TIME_FORMAT', field })
    expect(detail).toMatch(/10 digits.*seconds.*milliseconds/)
  })

  test.each([
    [-10 * minute, null],
    [-1, null],
    [0, null],
    [1, null],
    [10 * minute, null],
    [-10 * minute - 1, '10 min behind'],
    [10 * minute + 1, '10 min ahead of'],
    [60 * minute, '1 h ahead of'],
  ])('api limit-timestamp: a timestamp that deviates by %d ms: %s', async (deviation, refusal) => {
    const wall = new WallClock()
    const { detail, ...answer } = await answerTo({ 'X-Timestamp': String(wall.at + deviation) }, wall)
    if (refusal === null) expect(answer).toMatchObject({ status: 200, code: '0' })
    else expect(answer).toEqual({ status: 400, code: 'SBX_TIME_SKEW', field })
    expect(detail ?? '').toContain(refusal ?? '')
  })

  test('api limit-timestamp: a timestamp may deviate by 10 minutes from the wall clock, whatever the sandbox clock says', async () => {
    expect(limits.timestampDeviation).toBe(600_000)
    const { call, control } = await openService()
    await control('POST', 'clock', { action: 'advance', milliseconds: 86_400_000 })
    expect((await call('sale', sale(1))).code).toBe('0')
  })
})

describe('X-Client-Request-Id', () => {
  const field = 'X-Client-Request-Id'

  test.each(['CID_1795024800000_1', randomUUID().replace('-', '')])(
    'assumption request-id-form: an id that is not a UUID is accepted with a note, and refused by strict: %s',
    async (header) => {
      const headers = { 'X-Client-Request-Id': header }
      const { call, sandbox } = await openService()
      const accepted = await call('sale', sale(1), headers)
      expect(accepted).toMatchObject({ status: 200, code: '0' })
      expect(accepted.headers.get('X-Sandbox-Note')).toContain(`${field}: is not a UUID`)
      expect(lastNotes(sandbox)).toContain(`${field}: is not a UUID`)
      const strict = await openService({ strict: true })
      const refused = await strict.call('sale', sale(1), headers)
      expect(refused).toMatchObject({ status: 400, code: 'SBX_REQ_ID_FORM', field })
    },
  )

  test.each([
    ['X-Client-Request-Id', `${randomUUID()}, ${randomUUID()}`, 'SBX_REQ_ID_FORM'],
    ['X-Timestamp', `${Date.now()}, ${Date.now()}`, 'SBX_TIME_FORMAT'],
  ])('api authentication-7: %s that was sent twice is refused and says so', async (name, both, code) => {
    const refused = { status: 400, code, field: name, detail: 'it was sent 2 times' }
    expect(await answerTo({ [name]: both })).toEqual(refused)
  })

  test.each([
    ['Authorization', 401, 'SBX_AUTH_FORMAT'],
    ['X-Client-Request-Id', 400, 'SBX_REQ_ID_FORM'],
    ['X-Timestamp', 400, 'SBX_TIME_FORMAT'],
    ['Content-Type', 415, 'SBX_MEDIA_TYPE'],
  ])('assumption header-forms: two lines of %s are refused, even if equal', async (field, status, code) => {
    const { port, host } = await openRawSandbox()
    const lines = goodHeaders()
    const again = String(lines.find((line) => line.startsWith(field)))
    const head = [`POST ${operations.sale.path} HTTP/1.1`, host, 'Connection: close', ...lines]
    const body = JSON.stringify(sale(1))
    const send = (...more: readonly string[]) =>
      bytesAfter(port, requestText(...head, ...more, `Content-Length: ${body.length}`) + body)
    const [refused] = answersIn(await send(again.replace(field, field.toLowerCase())))
    expect(refused).toMatchObject({ status, envelope: { code, field, detail: 'it was sent 2 times' } })
    expect(answersIn(await send())[0]).toMatchObject({ status: 200, envelope: { code: '0' } })
  })

  async function openForIds() {
    const { call } = await openService()
    return async (id: string) => (await call('sale', sale(1), { [field]: id })).code
  }

  test('assumption request-id-form: an id that is not a UUID is compared character by character', async () => {
    const codeOf = await openForIds()
    expect(await codeOf('cid-1')).toBe('0')
    for (const other of ['CID-1', 'cid1', 'cid-1-']) expect(await codeOf(other)).toBe('0')
    expect(await codeOf('cid-1')).toBe('SBX_DUP_REQUEST')
  })

  test('api authentication-3: a UUID without dashes or in capitals is the same id', async () => {
    const [codeOf, id] = [await openForIds(), randomUUID()]
    expect(await codeOf(id)).toBe('0')
    expect(await codeOf(id.replaceAll('-', ''))).toBe('SBX_DUP_REQUEST')
    expect(await codeOf(id.toUpperCase())).toBe('SBX_DUP_REQUEST')
  })
})

describe('Content-Type', () => {
  test('another charset is refused by its name', async () => {
    const answer = await answerTo({ 'Content-Type': 'application/json; charset=iso-8859-1' })
    expect(answer).toMatchObject({
      code: 'SBX_MEDIA_TYPE',
      detail: 'its charset is iso-8859-1; JSON is UTF-8',
    })
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('api authentication-3: a POST is accepted with the Content-Type %s', async (header) => {
    expect(await answerTo({ 'Content-Type': header })).toMatchObject({ code: '0' })
  })

  test('api authentication-3: a GET needs no Content-Type, and the request log notes that it is missing', async () => {
    const { call, sandbox, data } = await openSold(sale(1))
    const answer = await call('query', { transactionId: data.transactionId }, { 'Content-Type': null })
    expect(answer.code).toBe('0')
    expect(lastNotes(sandbox)).toContain('Content-Type')
  })

  const withCharset = { 'Content-Type': 'application/json; charset=utf-8' }

  test('assumption header-forms: a charset is accepted with a note, and refused by strict', async () => {
    const { call, sandbox } = await openService()
    expect((await call('sale', sale(1), withCharset)).headers.get('X-Sandbox-Note')).toMatch(/C17/)
    expect(lastNotes(sandbox)).toMatch(/Content-Type: .*real service.*C17/)
    await call('sale', sale(1))
    expect(lastNotes(sandbox)).toBe('')
    const strict = await openService({ strict: true })
    expect((await strict.call('sale', sale(1), withCharset)).code).toBe('C17')
    expect((await strict.call('sale', sale(1))).code).toBe('0')
  })

  /** Codes of a query without Content-Type, with another one, with the right one, and with a charset. */
  async function codesOfQuery(options: { strict?: boolean; strictContentType?: boolean }) {
    const { call, data } = await openSold(sale(1), options)
    const codes: string[] = []
    for (const header of [null, 'text/plain', 'application/json', withCharset['Content-Type']]) {
      const headers = { 'Content-Type': header }
      codes.push((await call('query', { transactionId: data.transactionId }, headers)).code)
    }
    return codes
  }

  test('assumption header-forms: strict needs no Content-Type on a GET', async () => {
    expect(await codesOfQuery({ strict: true })).toEqual(['0', '0', '0', '0'])
  })

  test('assumption header-forms: strictContentType needs a Content-Type on a GET', async () => {
    const wrong = 'SBX_MEDIA_TYPE'
    expect(await codesOfQuery({ strictContentType: true })).toEqual([wrong, wrong, '0', '0'])
    expect(await codesOfQuery({ strictContentType: true, strict: true })).toEqual([wrong, wrong, '0', 'C17'])
  })
})
