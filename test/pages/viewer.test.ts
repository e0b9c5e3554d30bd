import { describe, expect, test } from 'vitest'
import { operations } from '../../src/contract/operations.ts'
import { applications } from '../../src/domain/fixtures.ts'
import { webhookSecrets } from '../../src/sandbox/webhooks/secrets.ts'
import { attributesOf, byRole, linkTo, namesOf, pageOf, wordsOf } from '../support/pages/page.ts'
import { apiHeaders, apiKey, sale } from '../support/service/service.ts'
import { openServer } from '../support/service/shared-server.ts'

type SharedServer = Awaited<ReturnType<typeof openServer>>

/** Pages of each kind that are looked at: more of one kind show nothing else. */
const mostOfKind = 2

/** The kind of a page: its path without ids, and the names of its query. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  return `${pathname.replace(/(?<=^\/docs\/).*|[^/]*\d[^/]*/g, ':id')}?${[...searchParams.keys()].sort()}`
}

/** What links, and streams, lead to. */
function addressesIn(html: string): string[] {
  const page = pageOf(html)
  return [...attributesOf(page, '[href]', 'href'), ...attributesOf(page, '[sse-connect]', 'sse-connect')]
    .map((address) => address.replace(/#.*/, ''))
    .filter((address) => /^\/(?!(_assets|_sandbox|checkout|\.)\/|audit)/.test(address))
}

/** The beginning of a stream, up to the end of its first message; of anything else all of it. */
async function beginningOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n\n')) text += decoder.decode((await reader.read()).value, { stream: true })
  await reader.cancel()
  return text
}

/** Follows every link from the home page, and from where the tokens are needed most. Returns texts by address. */
async function crawl({ app }: SharedServer, token: string | undefined): Promise<Map<string, string>> {
  const seen = new Map<string, string>()
  const kinds = new Map<string, number>()
  const waiting = [
    '/',
    '/terminals',
    '/terminal/TBX-OTHER-001',
    '/terminal/TBX-OTHER-001/live',
    '/docs',
    '/requests',
  ]
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const count = (kinds.get(kindOf(path)) ?? 0) + 1
    kinds.set(kindOf(path), count)
    if (seen.has(path) || count > mostOfKind) continue
    const headers = { Accept: 'text/html', ...(token !== undefined && { 'X-Sandbox-Token': token }) }
    const response = await app.request(path, { headers })
    const isShown = (status: number) => status < 400 || (token !== undefined && status === 403)
    expect([path, response.status]).toEqual([path, expect.toSatisfy(isShown)])
    const text = await beginningOf(response)
    seen.set(path, text)
    waiting.push(...addressesIn(text))
  }
  return seen
}

/** A server in which every kind of page has something to show. */
async function openUsed(): Promise<SharedServer> {
  const server = await openServer()
  const pay = (terminalSn: string, key: string) =>
    server.ask(operations.sale.path, {
      method: 'POST',
      headers: apiHeaders(key),
      body: sale(1000, { terminalSn, notifyUrl: 'http://127.0.0.1:9/' }),
    })
  expect((await pay('TBX-AUTO-001', apiKey)).code).toBe('0')
  expect((await pay('TBX-NONE', apiKey)).code).not.toBe('0')
  await server.ask('/_sandbox/webhook-secret/rotate', { method: 'POST', body: {} })
  await server.ask('/_sandbox/clock', { method: 'POST', body: { action: 'freeze' } }) // no retry comes between two looks
  await server.sandbox.courier.idle()
  return server
}

describe('assumption token-scopes: what a viewer is shown', () => {
  test('a viewer is shown every page and stream without a key or a secret in full', async () => {
    const server = await openUsed()
    const secrets = applications.flatMap((application) => {
      const { current, previous } = webhookSecrets(server.sandbox.settings.data, application)
      return [...application.keys.map(({ key }) => key), current, previous?.secret ?? current]
    })
    const showing = (texts: Map<string, string>) =>
      [...texts].filter(([, text]) => secrets.some((secret) => text.includes(secret))).map(([path]) => path)
    const everything = await crawl(server, undefined)
    expect(everything.size).toBeGreaterThan(60)
    expect(showing(everything).length).toBeGreaterThan(3)
    expect([...everything.keys()].filter((path) => /\/live/.test(path)).length).toBeGreaterThan(10)
    const shown = await crawl(server, await server.make('board', 'viewer'))
    expect(shown.size).toBe(everything.size)
    expect(showing(shown)).toEqual([])
    expect([...shown.values()].some((text) => text.includes('tbx_sandbox_…4d08'))).toBe(true)
    const isViewed = (text: string) => pageOf(text).documentElement.hasAttribute('data-viewer')
    for (const [path, text] of shown)
      if (text.includes('<html')) expect([path, isViewed(text)]).toEqual([path, true])
    expect([...everything.values()].some((text) => text.includes('data-viewer'))).toBe(false)
  })

  test('a page that a token does not allow says so below the masthead, with a way back', async () => {
    const server = await openServer()
    const token = await server.make('board', 'viewer')
    const { text } = await server.ask('/tokens', { token, headers: { Accept: 'text/html' } })
    const page = pageOf(text)
    expect(namesOf(page, 'heading')).toEqual(['Your token does not allow this'])
    expect(linkTo(page, 'Show the transactions')).toBe('/')
    expect(attributesOf(byRole(page, 'navigation'), '[href]', 'href')).toContain('/batches')
    expect(wordsOf(page.body)).toContain('The token board has scope viewer; this needs scope admin.')
  })

  test('a form is refused to a viewer in the same words, and a page with one says why it has none', async () => {
    const server = await openServer()
    const token = await server.make('board', 'viewer')
    const shown = async (path: string) =>
      pageOf((await server.ask(path, { token, headers: { Accept: 'text/html' } })).text)
    for (const path of ['/payments/new', '/reset']) {
      const page = await shown(path)
      expect(namesOf(page, 'heading')).toEqual(['Your token does not allow this'])
      expect(wordsOf(page.body)).toContain('The token board has scope viewer, which changes nothing.')
    }
    for (const path of ['/clock', '/faults', '/snapshots'])
      expect(wordsOf(byRole(await shown(path), 'main'))).toContain(
        'Your token may look at everything, and change nothing.',
      )
  })

  test('a token of another scope is shown pages with keys in full', async () => {
    const server = await openServer()
    const { text } = await server.ask('/payments/new', { token: await server.make('ci', 'space', 'default') })
    expect(text).toContain(apiKey)
    expect(pageOf(text).documentElement.hasAttribute('data-space')).toBe(true) // styles hide what it may not open
  })
})
