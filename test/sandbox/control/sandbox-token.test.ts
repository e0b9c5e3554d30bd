import { describe, expect, test } from 'vitest'
import { controls } from '../../../src/contract/control/controls/controls.ts'
import { operations } from '../../../src/contract/operations.ts'
import { TokenNeeded } from '../../../src/server/listening.ts'
import { startSandbox } from '../../../src/server/server.ts'
import { appOf } from '../../support/service/app.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { apiHeaders, apiKey, openService, sale, temporaryFolder } from '../../support/service/service.ts'

const token = 'a-token-of-the-test-0001'
const other = 'a-token-of-the-test-0002'
const here = { remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 8080 }
const afar = { remoteAddress: '192.0.2.9', localAddress: '192.0.2.1', localPort: 8080 }

/** A sandbox with a token, bound to all addresses, and a way to ask it from this machine or another one. */
async function guarded(own: string | null = token) {
  const reports: string[] = []
  const service = await openService({ token: own, report: (line) => reports.push(line) })
  const app = appOf(service.sandbox, '127.0.0.1', true)
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    { from = afar, method = 'GET', body }: { from?: typeof afar; method?: string; body?: string } = {},
  ) => {
    const host = `${from.localAddress}:${from.localPort}`
    const all = { host, ...Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v])) }
    const request = new Request(`http://${host}${path}`, { method, headers: all, ...(body && { body }) })
    const incoming = { socket: from, headers: all, rawHeaders: Object.entries(all).flat() }
    const response = await app.fetch(request, { incoming } as never)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ...service, ask, reports }
}

const cookieOf = (headers: Headers) => headers.get('Set-Cookie')?.split(';')[0] ?? ''

describe('assumption sandbox-token: the control interface', () => {
  test('every request needs the token, from this and from other machines', async () => {
    const { ask } = await guarded()
    for (const from of [afar, here])
      for (const { method, path } of Object.values(controls)) {
        const { status, text } = await ask(path, {}, { from, method })
        expect([path, status, JSON.parse(text).code]).toEqual([path, 401, 'SBX_TOKEN'])
        expect(text).not.toContain(apiKey)
      }
  })

  test.each([
    ['X-Sandbox-Token', { 'X-Sandbox-Token': token }],
    ['Authorization: Bearer', { Authorization: `Bearer ${token}` }],
  ])('the token is accepted as %s, from this and from other machines', async (_, headers) => {
    const { ask } = await guarded()
    for (const from of [afar, here]) {
      const { status, text } = await ask(controls.connection.path, headers, { from })
      expect([status, JSON.parse(text).data.apiKey]).toEqual([200, apiKey])
    }
  })

  test.each([
    { 'X-Sandbox-Token': other },
    { 'X-Sandbox-Token': '' },
    { 'X-Sandbox-Token': token.slice(0, -1) },
    { 'X-Sandbox-Token': `${token}0` },
    { 'X-Sandbox-Token': token.toUpperCase() },
    { Authorization: token },
    { Authorization: `Bearer ${apiKey}` },
    { Cookie: `tillbox_token_9999=${token}` },
  ])('a request with %j is refused', async (headers) => {
    const { ask } = await guarded()
    expect((await ask(controls.health.path, headers as Record<string, string>)).status).toBe(401)
  })

  test('the token is not accepted in a URL', async () => {
    const { ask } = await guarded()
    expect((await ask(`${controls.health.path}?token=${token}`)).status).toBe(401)
  })

  test('Host and Origin are checked even with the token', async () => {
    const { ask } = await guarded()
    const own = { 'X-Sandbox-Token': token }
    for (const wrong of [{ Host: 'evil.example' }, { Origin: 'http://evil.example' }]) {
      const { status, text } = await ask(controls.connection.path, { ...own, ...wrong })
      expect([status, JSON.parse(text).code]).toEqual([403, 'SBX_HOST'])
    }
  })

  test('a sandbox without a token refuses other machines, and answers this one', async () => {
    const { ask } = await guarded(null)
    expect((await ask(controls.health.path)).status).toBe(403)
    expect((await ask(controls.health.path, {}, { from: here })).status).toBe(200)
    expect((await ask(`${controls.health.path}?token=x`, {}, { from: here })).text).toContain('C17')
  })
})

describe('pages', () => {
  const html = { Accept: 'text/html' }

  test('assumption sandbox-token: the page of another site sets no cookie by a link', async () => {
    const { ask } = await guarded()
    for (const wrong of [
      { Host: 'evil.example' },
      { Origin: 'http://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
    ]) {
      const { status, headers } = await ask(`/?token=${token}`, { ...html, ...wrong })
      expect([status, headers.get('Set-Cookie')]).toEqual([403, null])
    }
  })

  test('pages take the token once in the URL, and keep it in a cookie', async () => {
    const { ask } = await guarded()
    const { status, headers } = await ask(`/?token=${token}&tab=log`, html)
    expect([status, headers.get('Location')]).toEqual([303, '/?tab=log'])
    const cookie = headers.get('Set-Cookie') ?? ''
    for (const part of [/HttpOnly/, /SameSite=Strict/, /Path=\//]) expect(cookie).toMatch(part)
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cache-Control')).toBe('no-store')
    const own = { Cookie: cookieOf(headers) }
    expect((await ask('/', { ...html, ...own })).status).not.toBe(401)
    expect((await ask(controls.health.path, own)).status).toBe(200)
  })

  test('no URL of a page leads to another host', async () => {
    const { ask } = await guarded()
    for (const path of ['//evil.example/', '/%5Cevil.example', '///evil.example']) {
      const { status, headers } = await ask(`${path}?token=${token}`, html)
      expect([status, headers.get('Location')]).toEqual([303, expect.stringMatching(/^\/(?!\/|\\)/)])
    }
  })

  test('a wrong token is refused on a page that says what to do, even beside a valid cookie', async () => {
    const { ask } = await guarded()
    const cookie = cookieOf((await ask(`/?token=${token}`)).headers)
    for (const headers of [html, { ...html, Cookie: cookie }]) {
      const { status, text, headers: got } = await ask(`/?token=${other}`, headers)
      expect([status, got.get('Set-Cookie')]).toEqual([401, null])
      expect(text).toContain('This sandbox requires a token')
      expect(text).not.toContain(other)
      expect(got.get('Content-Security-Policy')).toContain("default-src 'none'")
    }
  })

  test('every path but those of service and checkout needs the token, even an unknown one', async () => {
    const { ask } = await guarded()
    const paths = ['/', '/terminals', '/transactions/1', '/checkout', '/_sandbox', '/_sandbox/none', '/v1x/']
    for (const path of paths) expect([path, (await ask(path, html)).status]).toEqual([path, 401])
  })

  test('the checkout page is for shoppers anywhere, and needs no token', async () => {
    const { ask, call } = await guarded()
    const { sessionId } = (await call('create-session', sale(500))).data
    const shown = await ask(`/checkout/${sessionId}`, html)
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('<form')])
    const form = { Origin: 'http://192.0.2.1:8080', 'Content-Type': 'application/x-www-form-urlencoded' }
    const redirect = await ask(`/checkout/${sessionId}/cancel`, form, { method: 'POST' })
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([303, `/checkout/${sessionId}`])
  })
})

test('the service needs its API key, and no token', async () => {
  const { ask } = await guarded()
  const headers = apiHeaders()
  const body = JSON.stringify(sale(1000))
  const paid = await ask(operations.sale.path, headers, { method: 'POST', body })
  expect([paid.status, JSON.parse(paid.text).code]).toEqual([200, '0'])
  const asToken = { ...headers, Authorization: `Bearer ${token}` }
  const wrong = await ask(operations.sale.path, asToken, { method: 'POST', body })
  expect([wrong.status, JSON.parse(wrong.text).code]).toEqual([401, 'SBX_KEY_UNKNOWN'])
})

test('the token is in no log, no report and no answer', async () => {
  const { ask, sandbox, reports } = await guarded()
  const own = { 'X-Sandbox-Token': token }
  const bearer = { Authorization: `Bearer ${token}` }
  const Referer = `http://x/?token=${token}`
  const answers = [
    await ask(`/?token=${token}`, { Cookie: `tillbox_token_8080=${token}`, Referer }),
    await ask(`${controls.health.path}?token=${token}`),
    await ask(`/_sandbox/none?token=${token}`, { ...own, Referer }),
    await ask(controls['set-clock'].path, own, { method: 'POST', body: `{"time":"${token}"}` }),
    await ask(`${operations.query.path}?token=${token}&transactionId=1`, bearer),
    await ask('/nowhere', bearer),
  ]
  const listed = await ask('/_sandbox/requests', own)
  const traceIds = sandbox.log.list().map(({ traceId }) => traceId)
  const shown = await Promise.all(traceIds.map((id) => ask(`/_sandbox/requests/${id}`, own)))
  expect(traceIds.length).toBeGreaterThan(3)
  const texts = [listed, ...shown, ...answers].map(({ text }) => text)
  expect(JSON.stringify([texts, reports])).not.toContain(token)
  const entries = sandbox.log.list().map(({ body: _, ...entry }) => entry)
  expect(JSON.stringify(entries)).not.toContain(token)
})

describe('the start of a sandbox', () => {
  test.each(['0.0.0.0', '::', '127.example', '192.0.2.1'])('without a token %s is refused', async (host) => {
    const state = temporaryFolder()
    await expect(startSandbox({ state, host })).rejects.toThrow(TokenNeeded)
    const running = await startSandbox({ state }) // and the folder is free
    await running.close()
  })

  test('a sandbox on loopback starts with or without a token', async () => {
    const { connection } = await openRawSandbox({ token })
    expect(JSON.stringify(connection)).not.toContain(token)
    const health = (headers: HeadersInit) => fetch(`${connection.url}/_sandbox/health`, { headers })
    expect((await health({})).status).toBe(401)
    expect((await health({ 'X-Sandbox-Token': token })).status).toBe(200)
  })
})
