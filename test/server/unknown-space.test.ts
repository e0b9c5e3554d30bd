import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { openNode, openTwo } from '../support/cluster/cluster-node.ts'
import { sharedCluster, skipsPostgres } from '../support/cluster/postgres.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { bytesAfter, openRawSandbox } from '../support/service/raw.ts'
import { apiHeaders, sale } from '../support/service/service.ts'

const token = 'a-token-of-the-test-0001'
const asAdmin = { 'X-Sandbox-Token': token }
const page = { Accept: 'text/html' }
const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }
const json = { 'Content-Type': 'application/json' }

type Options = NonNullable<Parameters<typeof fetchPlain>[1]>

/** What a caller without a token may try. */
const asked: readonly (readonly [path: string, options?: Options])[] = [
  ['/'],
  ['/', { headers: page }],
  ['/', { headers: { ...page, Cookie: 'tillbox_token_1=x' } }],
  ['/?token=wrong-token-0000000001'],
  ['/?token=wrong-token-0000000001', { headers: page }],
  ['/requests', { headers: { 'X-Sandbox-Token': 'wrong' } }],
  ['/requests', { method: 'POST', headers: page, body: { a: 'b' } }],
  ['/_sandbox/state'],
  ['/_sandbox/state', { method: 'HEAD' }],
  ['/_sandbox/reset', { method: 'POST', headers: json, body: '{}' }],
  ['/_sandbox/health'],
  ['/_sandbox/tokens'],
  ['/mcp', { method: 'POST', headers: json, body: '{}' }],
  ['/nowhere'],
  ['/nowhere', { headers: page }],
  ['/_assets/style.css'],
  ['/_assets/nothing.css', { headers: page }],
  ['/checkout/cs_1'],
  ['/checkout/cs_1', { headers: page }],
  ['/checkout/cs_1', { headers: { Origin: 'http://elsewhere.example' } }],
  ['/checkout/cs_1/pay'],
  ['/checkout/cs_1/pay', { method: 'POST', headers: form, body: { card: 'visa' } }],
  ['/checkout/cs_1/cancel', { method: 'POST', headers: form, body: {} }],
  ['/checkout/cs_1/cancel', { method: 'POST', headers: json, body: '{}' }],
  ['/checkout/cs_1/other', { headers: page }],
  ['/checkout/cs_1/other', { method: 'DELETE' }],
  ['/v1/nowhere', { headers: page }],
  [operations.query.path],
  [operations.query.path, { method: 'PUT' }],
  [operations.query.path, { headers: { Authorization: 'Basic x' } }],
  [operations.query.path, { headers: apiHeaders('sk_wrong') }],
  [operations.sale.path, { method: 'POST', headers: apiHeaders('sk_wrong'), body: '{"amount":1}' }],
  [
    operations.sale.path,
    {
      method: 'POST',
      headers: { Authorization: 'Bearer x', 'X-Timestamp': '1', 'X-Sandbox-Outcome': 'no-such' },
      body: '',
    },
  ],
  [operations.sale.path, { headers: { 'User-Agent': 'tillbox-webhook/1', 'X-Signature': 'x' } }],
]

async function createSpace(url: string): Promise<void> {
  const headers = { ...asAdmin, ...json }
  const made = await fetchPlain(`${url}/_sandbox/spaces`, {
    method: 'POST',
    headers,
    body: '{"name":"ci-1"}',
  })
  expect(made.status).toBe(200)
}

async function tellsNoSpace(url: string): Promise<void> {
  const answerOf = async (space: string, ...[path, options]: (typeof asked)[number]) => {
    const { status, text, headers } = await fetchPlain(`${url}/s/${space}${path}`, options)
    const hidden = (told: string) => told.replaceAll(space, '<space>').replace(/"traceId":"[^"]*"/, '')
    const { date: _, ...told } = headers
    return [path, options, status, hidden(text), JSON.parse(hidden(JSON.stringify(told)))]
  }
  for (const each of asked) expect(await answerOf('no-1', ...each)).toEqual(await answerOf('ci-1', ...each))
}

async function tellsHolders(url: string): Promise<void> {
  for (const path of ['/_sandbox/state', '/nowhere', '/_sandbox/spaces']) {
    const typo = await fetchPlain(`${url}/s/no-1${path}`, { headers: asAdmin })
    expect(typo.status).toBe(404)
    expect(JSON.parse(typo.text)).toMatchObject({ code: 'SBX_SPACE_NONE', msg: 'There is no space no-1' })
  }
  const shown = await fetchPlain(`${url}/s/no-1/requests`, { headers: { ...asAdmin, ...page } })
  expect([shown.status, shown.text]).toEqual([404, expect.stringContaining('There is no space no-1')])
}

/** Nothing of another space is shown or changed, and no request log has the requests. */
async function touchesNothing(url: string): Promise<void> {
  const ask = async (path: string, options: Options = {}) => {
    const { text } = await fetchPlain(url + path, { ...options, headers: { ...asAdmin, ...options.headers } })
    return JSON.parse(text).data
  }
  const { apiKey } = await ask('/_sandbox/connection')
  const post = (path: string, members: object) =>
    ask(path, { method: 'POST', headers: apiHeaders(apiKey), body: JSON.stringify(members) })
  const { sessionId } = await post('/v1/checkout/create-session', sale(1000))
  const logOf = async () => [await ask('/_sandbox/requests'), await ask('/s/ci-1/_sandbox/requests')]
  const before = await logOf()
  const at = `${url}/s/no-1`
  const looked = await fetchPlain(`${at}/checkout/${sessionId}`, { headers: page })
  expect([looked.status, looked.text]).toEqual([404, expect.stringContaining('There is no payment here')])
  for (const step of ['pay', 'cancel'])
    await fetchPlain(`${at}/checkout/${sessionId}/${step}`, { method: 'POST', headers: form, body: {} })
  const body = JSON.stringify(sale(100))
  const sold = await fetchPlain(at + operations.sale.path, {
    method: 'POST',
    headers: apiHeaders(apiKey),
    body,
  })
  expect(JSON.parse(sold.text)).toMatchObject({ code: 'SBX_KEY_UNKNOWN' })
  await fetchPlain(`${at}/_sandbox/reset`, { method: 'POST', headers: { ...json, ...asAdmin }, body: '{}' })
  expect(await logOf()).toEqual(before)
  expect(await ask(`/_sandbox/sessions/${sessionId}`)).toMatchObject({ state: 'open' })
}

describe('assumption spaces: where a token is required, a space that does not exist is answered like one that does', () => {
  const checks = { tellsNoSpace, tellsHolders, touchesNothing }
  for (const [name, check] of Object.entries(checks)) {
    test(`from a server: ${name}`, async () => {
      const { connection } = await openRawSandbox({ token })
      await createSpace(connection.url)
      await check(connection.url)
    })

    test.skipIf(skipsPostgres())(`from a node of a database: ${name}`, async () => {
      const { url } = await openNode((await sharedCluster()).url(), { token })
      await createSpace(url)
      await check(url)
    })
  }

  test.skipIf(skipsPostgres())('from a node without a space in its memory', async () => {
    const [first, second] = await openTwo((await sharedCluster()).url(), { token })
    await createSpace(first.url)
    await fetchPlain(`${first.url}/s/ci-1/_sandbox/state`, { headers: asAdmin })
    for (const check of Object.values(checks)) await check(second.url)
  })
})

test('assumption spaces: a name in the path is no HTML', async () => {
  const { connection, port } = await openRawSandbox({ token })
  const text = await bytesAfter(
    port,
    `GET /s/a"b/ HTTP/1.1\r\nHost: ${new URL(connection.url).host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
  )
  expect(text).toContain('401')
  expect(text).not.toContain('a"b')
})
