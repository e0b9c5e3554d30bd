import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { control } from '../../../src/client/client.ts'
import { createSandbox } from '../../../src/library/create-sandbox.ts'
import { isObject } from '../../../src/shared/is-object.ts'
import { readArchive } from '../../../src/testing/drift/archive.ts'
import { differences } from '../../../src/testing/drift/compare.ts'
import { drift, driftOptions } from '../../../src/testing/drift/drift.ts'
import { findingsIn } from '../../../src/testing/drift/findings.ts'
import type { TestSandbox } from '../../../src/testing/helpers/test-sandbox.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { times } from '../../support/runner/counts.ts'
import { sale } from '../../support/service/service.ts'
import { openChangingProxy, type PassingAnswer } from './changing-proxy.ts'
import {
  archiveText,
  compareDay,
  type Entry,
  placesIn,
  recordDay,
  recordDayAt,
  recorderOf,
} from './recording.ts'

type Change = (answer: PassingAnswer) => unknown

/** Changes what a path leads to, `data.amount`: its owner, and its name there. */
const changed =
  (path: string, change: (owner: AnyJson, name: string) => void): Change =>
  ({ body }) => {
    const names = path.split('.')
    const last = names.pop() as string
    change(
      names.reduce((each, name) => each[name], body),
      last,
    )
  }
const set = (path: string, value: unknown) =>
  changed(path, (owner, name) => Object.assign(owner, { [name]: value })) // JSON leaves undefined out
const renamed = (path: string, to: string) =>
  changed(path, (owner, name) => Object.assign(owner, { [to]: owner[name], [name]: undefined }))
const header =
  (name: string, value: string): Change =>
  ({ headers }) =>
    Object.assign(headers, { [name]: value })

/** What a service may change some day: a title, which answer, how, and where it is reported. */
const changes: readonly [title: string, label: string, change: Change, ...where: string[]][] = [
  ['a member is gone', 'sale', set('data.transactionStatus', undefined), 'data.transactionStatus'],
  ['the id is gone', 'refund', set('data.transactionId', undefined), 'data.transactionId'],
  ['the message of a look-up is another', 'merchant', set('msg', 'OK'), 'msg'],
  ['a member of the record is gone', 'query', set('data.rrn', undefined), 'data.rrn'],
  ['a member is null', 'query', set('data.authCode', null), 'data.authCode'],
  ['a member is new', 'query', set('data.loyaltyPoints', 7), 'data.loyaltyPoints'],
  ['an object is gone', 'query', set('data.amount', undefined), 'data.amount'],
  [
    'a member of an object is gone',
    'query',
    set('data.amount.tipAmount', undefined),
    'data.amount.tipAmount',
  ],
  [
    'a member is renamed',
    'query',
    renamed('data.terminalSn', 'terminal'),
    'data.terminalSn',
    'data.terminal',
  ],
  [
    'a nested one is renamed',
    'query',
    renamed('data.amount.transAmount', 'total'),
    'data.amount.transAmount',
    'data.amount.total',
  ],
  ['a number is a text', 'query', set('data.orderAmount', '1000'), 'data.orderAmount'],
  ['a text is a number', 'query', set('data.stan', 17), 'data.stan'],
  ['the batch number is a text', 'query', set('data.batchNo', '1'), 'data.batchNo'],
  ['a list is an object', 'batches', set('data.batchList', {}), 'data.batchList'],
  ['a text is a list', 'query', set('data.maskedPan', ['411111******1111']), 'data.maskedPan'],
  ['the code is a number', 'sale', set('code', 0), 'code'],
  ['the code of a refusal', 'refused', set('code', 'B042'), 'code'],
  ['the code of a wrong field', 'wrong', set('code', 'C99'), 'code'],
  ['the message of a refusal', 'refused', set('msg', 'Too much'), 'msg'],
  [
    'the message of an approval',
    'query',
    set('data.transactionResultMsg', 'OK!'),
    'data.transactionResultMsg',
  ],
  [
    'the result code of a decline',
    'declined-query',
    set('data.transactionResultCode', '05X'),
    'data.transactionResultCode',
  ],
  ['a refusal has data', 'refused', set('data', { left: 7 }), 'data'],
  ['the first status', 'sale', set('data.transactionStatus', 'P'), 'data.transactionStatus'],
  ['a status is a word', 'sale', set('data.transactionStatus', 'INITIAL'), 'data.transactionStatus'],
  ['a payment fails', 'query', set('data.transactionStatus', 'F'), 'data.transactionStatus'],
  ['a decline is a success', 'declined-query', set('data.transactionStatus', 'S'), 'data.transactionStatus'],
  ['a type', 'refund-query', set('data.transactionType', 'RETURN'), 'data.transactionType'],
  ['a capture keeps its type', 'capture-query', set('data.transactionType', 'SALE'), 'data.transactionType'],
  ['an amount', 'query', set('data.tipAmount', 0), 'data.tipAmount'],
  ['a sign', 'refund-query', set('data.orderAmount', -400), 'data.orderAmount'],
  ['the sign of a total', 'close', set('data.netAmount', -1), 'data.netAmount'],
  ['the tip of a capture', 'tip', set('data.tipAmount', 51), 'data.tipAmount'],
  ['the currency', 'query', set('data.priceCurrency', 'usd'), 'data.priceCurrency'],
  ['a time has an offset', 'query', set('data.createTime', '2026-11-20T18:02:19+00:00'), 'data.createTime'],
  ['a time has no T', 'query', set('data.completeTime', '2026-11-20 18:02:19'), 'data.completeTime'],
  ['a number is shorter', 'query', set('data.voucherNo', '17'), 'data.voucherNo'],
  ['an id has another form', 'capture-query', set('data.transactionId', 'TX-9-0001'), 'data.transactionId'],
  [
    'a follow-up names another original',
    'refund',
    (answer) => set('data.originalTransactionId', answer.body.data.transactionId)(answer),
    'data.originalTransactionId',
  ],
  [
    'the HTTP status of a refusal',
    'refused',
    (answer) => {
      answer.status = 422
    },
    'HTTP status',
  ],
  [
    'the HTTP status of a header',
    'no-timestamp',
    (answer) => {
      answer.status = 401
    },
  ],
  [
    'a duplicate is answered as the first time',
    'duplicate',
    (answer) => {
      answer.body = { ...answer.body, code: '0', msg: 'success' }
    },
    'code',
  ],
  [
    'a limit is higher',
    'refused',
    (answer) => {
      answer.body = { ...answer.body, code: '0', msg: 'success', data: { transactionStatus: 'I' } }
    },
    'code',
  ],
  [
    'a limit is lower',
    'tip',
    (answer) => {
      answer.body = { code: 'B051', msg: 'Too large a tip', traceId: 'x' }
    },
    'code',
  ],
  [
    'a refusal has a code and an HTTP status of its own',
    'refused',
    (answer) => {
      answer.status = 409
      Object.assign(answer.body, { code: 'B042', msg: 'Too much' })
    },
    'code',
    'HTTP status',
  ],
  ['the type of the content', 'sale', header('content-type', 'text/plain'), 'header content-type'],
  ['a charset', 'query', header('content-type', 'application/json;charset=utf-8'), 'header content-type'],
  ['a header that asks to wait', 'refused', header('retry-after', '5'), 'header retry-after'],
  [
    'no JSON',
    'expire',
    (answer) => {
      answer.body = '<html>'
    },
    '',
  ],
]

describe('a service that changed', () => {
  let service: TestSandbox
  let proxy: Awaited<ReturnType<typeof openChangingProxy>>
  beforeAll(async () => {
    service = await createSandbox({ ...driftOptions, terminals: 'open' })
    proxy = await openChangingProxy(service.url)
  })
  afterAll(async () => {
    proxy.close()
    await service.close()
  })

  /** A day at the service, which answers one request otherwise. */
  async function changedDay(label: string, change: Change): Promise<Entry[]> {
    proxy.change = (each, answer) => void (each === label && change(answer))
    const { apiKey, appId, merchantId } = service
    return recordDayAt({ url: proxy.url, apiKey, appId, merchantId })
  }

  test.each(changes)(
    '%s: it is reported at its place, and nothing else is',
    async (_, label, change, ...where) => {
      const day = await changedDay(label, change)
      expect(placesIn(day, await compareDay(day)).sort()).toEqual(
        where.map((each) => `${label} ${each}`).sort(),
      )
    },
  )

  test('at least 38 of 40 changes are found', () => {
    expect(changes.filter(([, , , ...where]) => where.length > 0).length).toBeGreaterThan(38)
  })

  test('a difference names the claim that it contradicts and how to follow it, and no key', async () => {
    const compared = await compareDay(await changedDay('query', set('data.batchNo', '1')))
    const [difference] = compared.flatMap(({ differences }) => differences)
    expect(difference).toMatchObject({ sandbox: '1', service: '"1"', claim: 'record' })
    expect(JSON.stringify(compared)).not.toMatch(/tbx_sandbox_/)
  })

  test('what was under way, is asked again, or acts on what was not recorded is left out with its reason', async () => {
    const day = await changedDay('declined-query', set('data.transactionStatus', 'P'))
    const part = day.filter(({ label }) => label !== 'sale')
    const compared = await compareDay(part)
    const leftOut = Object.fromEntries(compared.map((each, index) => [part[index]?.label, each.leftOut]))
    expect(leftOut).toMatchObject({
      duplicate: 'it may repeat what was not recorded',
      query: 'it acts on what was not recorded',
      refund: 'it acts on what was not recorded',
      'declined-query': 'a payment that was under way',
      auth: null,
    })
  })
})

test('a merchant that only its key tells apart is left out; a key that replaces the first one is not', async () => {
  await using service = await createSandbox({ ...driftOptions, terminals: 'open' })
  const { entries, call } = recorderOf(service)
  const withKey = (key: string) => ({ Authorization: `Bearer ${key}` })
  const other = withKey((await service.newMerchant()).apiKey)
  await call('own', 'sale', sale(1000))
  await call('other', 'sale', sale(700), other)
  await call('other', 'batch-query', {}, other)
  await call('own', 'batch-query', {})
  const leftOut = 'another merchant'
  const compared = await compareDay(entries)
  expect(compared).toMatchObject([{ leftOut: null }, { leftOut }, { leftOut }, { leftOut: null }])
  expect(placesIn(entries, compared)).toEqual([])
  const { apiKey } = await control({ baseUrl: service.url }, 'regenerate-key', {})
  await call('replaced', 'sale', sale(500), withKey(apiKey))
  expect((await compareDay(entries)).at(-1)).toMatchObject({ leftOut: null, differences: [] })
})

test('runs with other ids, times and clocks differ in nothing', async () => {
  await using service = await createSandbox({ ...driftOptions, terminals: 'open' })
  for (let count = 0; count < times(10, 100); count++) {
    const day = await recordDayAt(service, count % 2 === 0 ? 'shop/1.0' : 'SunbayNexusSDK-Node.js/1.0.17')
    expect(placesIn(day, await compareDay(day))).toEqual([])
    await service.clock.advance(`${1 + count * 7}h`)
  }
})

/** Every place in an answer, but in entries of lists beyond the first: `data.amount.tipAmount`. */
const placesOf = (value: unknown, at = ''): string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, each]) => {
        const place = at === '' ? name : `${at}.${name}`
        return [place, ...placesOf(each, place)]
      })
    : []

/** What becomes of a member, and what else is reported then. */
const mutations = {
  gone: (path: string) => [set(path, undefined), path],
  null: (path: string) => [set(path, null), path],
  list: (path: string) => [
    changed(path, (owner, name) => Object.assign(owner, { [name]: Array.isArray(owner[name]) ? {} : [1] })),
    path,
  ],
  true: (path: string) => [set(path, true), path],
  new: (path: string) => [set(`${path}Also`, 1), `${path}Also`],
  renamed: (path: string) => [renamed(path, 'another'), path, path.replace(/\w+$/, 'another')],
} as const satisfies Record<string, (path: string) => readonly [Change, ...string[]]>

test('whatever member of each answer changes, it is reported there, and nothing else is', async () => {
  const day = await recordDay()
  const anyMutation = fc.constantFrom(...Object.keys(mutations)) as fc.Arbitrary<keyof typeof mutations>
  const each = { minLength: day.length, maxLength: day.length }
  const isChanged = async (members: readonly number[], kinds: readonly (keyof typeof mutations)[]) => {
    const expected: string[] = []
    const changedDay = day.map(({ label, har: recorded }, index) => {
      const har = structuredClone(recorded)
      const body = JSON.parse(har.response.content.text)
      // without its id, what acts on it is left out
      const places = placesOf(body).filter((place) => !/^data$|Id$/.test(place))
      const place = places[(members[index] ?? 0) % places.length] as string
      const [change, ...where] = mutations[kinds[index] ?? 'gone'](place)
      change({ status: 200, headers: {}, body })
      const text = JSON.stringify(body)
      if (text !== har.response.content.text) expected.push(...where.map((each) => `${label} ${each}`))
      har.response.content.text = text
      return { label, har }
    })
    expect(placesIn(changedDay, await compareDay(changedDay)).sort()).toEqual(expected.sort())
  }
  await fc.assert(fc.asyncProperty(fc.array(fc.nat(), each), fc.array(anyMutation, each), isChanged), {
    numRuns: times(5, 200),
  })
})

test('an archive may hold other requests, and base64; another file is none', async () => {
  const day = await recordDay()
  const [first] = day
  const har = structuredClone(first?.har)
  har.response.content.encoding = 'base64'
  har.response.content.text = Buffer.from(har.response.content.text).toString('base64')
  const other = { ...har, request: { ...har.request, url: 'https://open.example/favicon.ico' } }
  const text = archiveText([
    { label: 'sale', har },
    { label: 'other', har: other },
  ])
  const { exchanges } = readArchive(text) ?? {}
  expect(exchanges).toHaveLength(1)
  expect(exchanges?.[0]?.answer.body).toMatchObject({ code: '0' })
  const broken = JSON.stringify({ log: { entries: [{}, { startedDateTime: 'yesterday' }, har] } })
  expect(readArchive(broken)).toMatchObject({ exchanges: [{ operation: 'sale' }], unreadable: 2 })
  for (const none of ['', '{}', '{"log":{}}', 'no JSON']) expect(readArchive(none)).toBeUndefined()
})

describe('an archive that other tools wrote', () => {
  const startedDateTime = '2026-11-29T20:00:00.000Z'
  const key = 'live_key_0123456789'
  /** A query that the service refused, with what differs. */
  const entry = (body: unknown, request: object = {}, response: object = {}) => ({
    startedDateTime,
    request: {
      method: 'GET',
      url: 'https://open.example/v1/transaction/query?transactionId=1',
      headers: [
        { name: ':method', value: 'GET' },
        { name: 'x-remark', value: 'a\r\nb' },
        { name: 'a name', value: 'x' },
        { name: 'authorization', value: `Bearer ${key}` },
        { name: 'x-timestamp', value: String(Date.parse(startedDateTime)) },
        { name: 'x-client-request-id', value: randomUUID() },
      ],
      ...request,
    },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: JSON.stringify(body) },
      ...response,
    },
  })
  const unknown = { code: 'SBX_TXN_UNKNOWN', msg: 'There is no such transaction', traceId: 'x' }
  const compared = (...hars: object[]) => compareDay(hars.map((har) => ({ label: '', har })))
  const found = async (...hars: object[]) => (await compared(...hars)).flatMap((each) => each.differences)

  test('no report shows a key or card data', async () => {
    const said = {
      ...unknown,
      msg: `key ${key}`,
      note: '4111 1111 1111 1111',
      cvv: '123',
      4111111111111111: 1,
    }
    const shown = await found(entry(said))
    expect(shown.length).toBe(4)
    expect(JSON.stringify(shown)).not.toMatch(/0123456789|1111|123/)
  })

  test('values that differ only after their beginning differ; names of objects are members like others', async () => {
    const where = async (said: object) => (await found(entry(said))).map((each) => each.where)
    expect(await where({ ...unknown, constructor: 1 })).toEqual(['constructor'])
    const answer = (description: string) => ({ status: 200, headers: {}, body: { description } })
    const long = 'x'.repeat(100)
    const [difference] = differences('query', answer(`${long}a`), answer(`${long}b`), new Map())
    expect(difference?.where).toBe('description')
  })

  test('what was aborted or has no body is left out; entries of another form are passed over', async () => {
    const odd = [
      { ...entry(unknown), startedDateTime: 'yesterday' },
      { ...entry(unknown), request: null },
      null,
    ]
    const results = await compared(
      ...(odd as object[]),
      entry(unknown, { postData: null }),
      entry('', {}, { status: 0 }),
      entry('', {}, { content: { size: 9 } }),
    )
    expect(results.map(({ leftOut }) => leftOut)).toEqual([
      'the next one asks the same',
      'its answer was not recorded',
      'its answer was not recorded',
    ])
  })

  test('exchanges are compared in the order of their times', async () => {
    const day = await recordDay()
    const reversed = [...day].reverse()
    expect(placesIn(day, await compareDay(reversed))).toEqual([])
    expect((await compareDay(reversed)).filter(({ leftOut }) => leftOut !== null).length).toBe(0)
  })

  test('what is usually a secret is hidden, as a value and as a name of a member', () => {
    const answer = (data: object) => ({ status: 200, headers: {}, body: { code: '0', data } })
    const secrets = {
      token: 'abc',
      a: 'sk_live_1',
      b: 'Bearer x',
      c: 'eyJhbGciOi.J9',
      sk_live_2: 1,
      nextToken: 'n',
    }
    const found = differences('sale', answer(secrets), answer({}), new Map())
    expect(found.map(({ where, service }) => [where, service])).toEqual([
      ...['token', 'a', 'b', 'c'].map((name) => [`data.${name}`, '…']),
      ['data.…', '1'],
      ['data.nextToken', '"n"'],
    ])
  })

  test('a path and a method that the sandbox does not have are compared, those of other servers are not', async () => {
    const [first] = await recordDay()
    const added = { status: 200, headers: [], content: { text: '{"code":"0","data":{}}' } }
    const asked = (method: string, url: string) => ({
      label: url,
      har: { ...first?.har, request: { ...first?.har.request, method, url }, response: added },
    })
    const compared = await compareDay([
      { label: 'sale', har: first?.har },
      asked('POST', 'https://open.example/v1/transaction/print?card=4111111111111111'),
      asked('DELETE', 'https://open.example/v1/transaction/query'),
      asked('GET', 'https://open.example/v1/cards/4111111111111111'),
      asked('OPTIONS', 'https://open.example/v1/transaction/query'),
      asked('POST', 'https://other.example/v1/charges'),
    ])
    const places = findingsIn(compared).map(({ of, where, kept }) => [of, where, ...kept])
    expect(places).toEqual([
      ['POST /v1/transaction/print', 'code', 'SBX_NO_PATH', '0'],
      ['DELETE /v1/transaction/query', 'code', 'SBX_METHOD', '0'],
      ['GET /v1/cards/…', 'code', 'SBX_CARD_DATA', '0'],
    ])
  })

  test('an application whose id begins another value, and an empty merchant, replace only their own', async () => {
    const url =
      'https://open.example/v1/transaction/query?appId=shop&merchantId=&transactionRequestId=shop-17'
    await using sandbox = await createSandbox(driftOptions)
    const exchanges =
      readArchive(JSON.stringify({ log: { entries: [entry(unknown, { url })] } }))?.exchanges ?? []
    expect((await drift(exchanges, sandbox)).flatMap((each) => each.differences)).toEqual([])
    expect(JSON.stringify(await sandbox.requests.list())).toContain('transaction request id shop-17')
  })
})
