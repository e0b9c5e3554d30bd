import { describe, expect, test } from 'vitest'
import { withBasePath } from '../../src/pages/serving/base-path.ts'
import { sandboxConnection } from '../../src/sandbox/views/views.ts'
import type { PlainAnswer } from '../support/network/exchange.ts'
import { followStream, openDashboard, refundRequest } from '../support/pages/dashboard.ts'
import { attributesOf, hiddenFields, hrefsIn, pageOf } from '../support/pages/page.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import {
  spacePath as basePath,
  openSpaceDashboard,
  type SpaceDashboard,
} from '../support/pages/space-dashboard.ts'
import { sale } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** An attribute whose value begins with a slash, but for the base path of scripts, and pages of the server: `/./tokens`. */
interface Found {
  readonly name: string
  readonly path: string
}

const pathsIn = (page: Document): Found[] =>
  [...page.querySelectorAll('*')]
    .flatMap((element) => [...element.attributes])
    .filter(({ name, value }) => name !== 'data-base' && /^\/(?!\.)/.test(value))
    .map(({ name, value }) => ({ name, path: value }))

const isOutside = ({ path }: Found): boolean => !path.startsWith(`${basePath}/`)

/** A space in which every page has something to show. */
async function openBusySpace(): Promise<SpaceDashboard & { readonly checkout: string }> {
  const receiver = await openReceiver()
  const space = await openSpaceDashboard({ notifyUrl: receiver.url })
  const id = await space.sell(2000)
  await space.call('refund', refundRequest(id, 500))
  await space.sell(9734)
  await space.sell(3000, { terminalSn: 'TBX-ATTENDED-001' })
  await space.control('POST', 'faults', { kind: 'http-503', times: 1, operation: 'abort' })
  await space.control('POST', 'snapshots', { name: 'first' })
  await space.control('POST', 'terminals/TBX-AUTO-001/outcomes', { outcome: 'approved', times: 2 })
  await space.get('/_sandbox/nothing')
  await receiver.got(1)
  const { checkoutUrl } = await space.call('create-session', sale(500))
  return { ...space, checkout: new URL(checkoutUrl).pathname }
}

/** The same for links that differ in what their parameters are alone. */
const shapeOf = (path: string): string => path.replace(/=[^&]*/g, '')

/** Everything that pages lead to, from some of them on: each kind of link is asked for once, each form is noted. */
async function crawl({ origin }: SpaceDashboard, begin: readonly string[]) {
  const [seen, posts, streams] = [new Set(begin), new Set<string>(), new Set<string>()]
  const shapes = new Set<string>()
  const outside: object[] = []
  const failed: object[] = []
  for (const target of seen) {
    if (shapes.has(shapeOf(target)) && !begin.includes(target)) continue
    shapes.add(shapeOf(target))
    const { status, headers, page } = await fetchPlain(`${origin}${target}`)
    if (status >= 400) failed.push({ target, status })
    if (!String(headers['content-type']).startsWith('text/html')) continue
    const found = pathsIn(page)
    outside.push(...found.filter(isOutside).map((each) => ({ target, ...each })))
    for (const { name, path } of found) {
      if (name === 'sse-connect') streams.add(path)
      else if (/^(href|src|hx-get)$/.test(name)) seen.add(path.replace(/#.*/, ''))
      else if (/^(formaction|hx-post)$/.test(name)) posts.add(path)
    }
    for (const path of attributesOf(page, 'form[method=post]', 'action')) posts.add(path)
    for (const path of attributesOf(page, 'form[action]:not([method=post])', 'action')) seen.add(path)
  }
  return { seen, posts, streams, outside, failed }
}

describe('assumption spaces', () => {
  test('every link, asset, form and stream of a space is below its base path, and answers', async () => {
    const space = await openBusySpace()
    const { seen, posts, streams, outside, failed } = await crawl(space, [
      `${basePath}/`,
      space.checkout,
      `${basePath}/palette?q=`,
      `${basePath}/palette?q=${encodeURIComponent('>')}`,
    ])
    expect(outside).toEqual([])
    expect(failed).toEqual([])
    expect(space.strays).toEqual([])
    for (const part of ['transactions/', 'webhooks/', 'requests', 'terminal/', 'docs/', '_assets/style.css'])
      expect([...seen].some((path) => path.startsWith(`${basePath}/${part}`))).toBe(true)
    expect(posts.size).toBeGreaterThan(15)
    for (const path of streams) {
      const { until } = await followStream(`${space.origin}${path}`)
      const push = await until(() => true)
      expect(pathsIn(pageOf(push)).filter(isOutside)).toEqual([])
    }
    expect(streams.size).toBeGreaterThan(5)
    // A form that lacks its fields is refused; it is not missing. Those that replace the state come last.
    const last = /reset|restore|delete/
    for (const path of [...posts].sort((one, other) => Number(last.test(one)) - Number(last.test(other)))) {
      const { status, headers, page } = await fetchPlain(`${space.origin}${path}`, {
        method: 'POST',
        body: {},
        headers: { Origin: space.origin },
      })
      expect([path, status]).not.toEqual([path, 404])
      expect([path, status]).not.toEqual([path, 403])
      if (headers.location !== undefined) expect(headers.location).toMatch(/^\/s\/ci-1\//)
      expect(pathsIn(page).filter(isOutside)).toEqual([])
    }
    expect(space.strays).toEqual([])
  })

  test('a stream keeps the base path in what it pushes later', async () => {
    const { url, sell } = await openSpaceDashboard()
    const { until } = await followStream(`${url}/live`)
    await until(() => true)
    const id = await sell(1000)
    const listed = pageOf(await until((push) => push.includes(`row-${id}`)))
    expect(hrefsIn(listed)).toContain(`${basePath}/transactions/${id}`)
    const terminal = await followStream(`${url}/terminal/TBX-ATTENDED-001/live`)
    await terminal.until(() => true)
    await sell(1000, { terminalSn: 'TBX-ATTENDED-001' })
    const cards = pageOf(await terminal.until((push) => push.includes('/present')))
    expect(attributesOf(cards, '[hx-post]', 'hx-post')).toContain(
      `${basePath}/terminal/TBX-ATTENDED-001/present`,
    )
  })

  test('a form leads back to the page of the space on which it was sent', async () => {
    const { url, post } = await openSpaceDashboard()
    const at = (path: string) => ({ Referer: `${url}${path}` })
    const fault = { kind: 'http-503' }
    expect(locationOf(await post('/faults', fault, at('/batches?before=2')))).toMatch(
      /^\/s\/ci-1\/batches\?before=2&notice=/,
    )
    expect(locationOf(await post('/faults', fault))).toMatch(/^\/s\/ci-1\/faults\?notice=/)
    expect(locationOf(await post('/faults', fault, { Referer: url }))).toMatch(/^\/s\/ci-1\/\?notice=/)
    const elsewhere = { Referer: `${new URL(url).origin}/s/ci-10/batches` }
    expect(locationOf(await post('/faults', fault, elsewhere))).toMatch(/^\/s\/ci-1\/faults\?notice=/)
    const set = '/terminal/TBX-ATTENDED-001/set'
    expect(
      locationOf(await post(set, { online: 'false' }, at('/terminal/TBX-ATTENDED-001?view=device'))),
    ).toBe('/s/ci-1/terminal/TBX-ATTENDED-001?view=device')
    expect(locationOf(await post(set, { online: 'true' }, at('/terminal/TBX-ATTENDED-001')))).toBe(
      '/s/ci-1/terminal/TBX-ATTENDED-001',
    )
  })

  test('the token moves from the URL into a cookie of the server', async () => {
    const token = 'a-token-of-the-test-0001'
    const { get } = await openSpaceDashboard({ token })
    const redirect = await get(`/batches?token=${token}&after=1`)
    expect(locationOf(redirect)).toBe('/s/ci-1/batches?after=1')
    expect(redirect.headers['set-cookie']?.[0]).toMatch(/^tillbox_token_\d+=.*; Path=\/;/)
    expect((await get('/', { Accept: 'text/html' })).status).toBe(401)
    expect((await get('/_assets/style.css')).status).toBe(200)
  })

  test('other sites, links to streams and unknown paths are refused as in the first space', async () => {
    const { get, post, origin } = await openSpaceDashboard()
    expect((await post('/clock', { order: '1h' }, { Origin: 'http://evil.example' })).status).toBe(403)
    const link = {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': 'document',
    }
    expect((await get('/', link)).status).toBe(200)
    expect((await get('/live', link)).status).toBe(403)
    const missing = await get('/nothing', { Accept: 'text/html' })
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=UTF-8'])
    expect(pathsIn(missing.page).filter(isOutside)).toEqual([])
    for (const path of ['/v1/nothing', '/_sandbox/nothing'])
      expect(JSON.parse((await get(path, { Accept: 'text/html' })).text)).toMatchObject({
        code: 'SBX_NO_PATH',
      })
    const page = await get('/batches')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(attributesOf(page.page, '[aria-current=page]', 'href')).toEqual([`${basePath}/batches`])
    expect(origin).not.toContain(basePath)
  })

  test('URLs that are given to clients begin with the URL of the space', async () => {
    const { url, call, get, sandbox, read } = await openSpaceDashboard()
    expect(await read('/')).toContain(`Your client calls ${url}`)
    const { checkoutUrl, sessionId } = await call('create-session', sale(500))
    expect(checkoutUrl).toBe(`${url}/checkout/${sessionId}`)
    const data = async (path: string) => JSON.parse((await get(path)).text).data
    expect((await data('/_sandbox/sessions')).sessions[0].checkoutUrl).toBe(checkoutUrl)
    expect(await data('/_sandbox/connection')).toMatchObject({ url, publicUrl: null })
    expect(sandboxConnection(sandbox, url)).toMatchObject({ url, port: Number(new URL(url).port) })
    expect(JSON.parse((await get('/_sandbox/openapi.json')).text).servers[0].url).toBe(url)
    expect(await read('/batches')).toContain(`--base-url ${url}`)
  })

  test('URLs that are given to clients begin with the public URL if there is one', async () => {
    const publicUrl = 'https://pay.team.test'
    const token = 'a-token-of-the-test-0001'
    const { call, get } = await openSpaceDashboard({ publicUrl, token })
    const { checkoutUrl } = await call('create-session', sale(500))
    expect(checkoutUrl).toMatch(/^https:\/\/pay\.team\.test\/s\/ci-1\/checkout\/cs_/)
    const { text } = await get('/_sandbox/connection', { 'X-Sandbox-Token': token })
    expect(JSON.parse(text).data.publicUrl).toBe(`${publicUrl}${basePath}`)
  })

  test('the request log has the URL of the space, and copies for the shell name it', async () => {
    const { url, post, get, sell, sandbox } = await openSpaceDashboard()
    await sell(1000)
    const { transactionRequestId = '' } = hiddenFields((await get('/payments/new')).page)
    const form = { amount: '12.00', priceCurrency: 'USD', terminalSn: 'TBX-AUTO-001', operation: 'sale' }
    const paid = await post('/payments/new', { ...form, transactionRequestId })
    expect(locationOf(paid)).toMatch(/^\/s\/ci-1\/transactions\/\d+\?notice=/)
    const sales = sandbox.log.list().filter(({ operation }) => operation === 'sale')
    expect(sales).toHaveLength(2)
    for (const { traceId } of sales) {
      const story = JSON.parse((await get(`/_sandbox/requests/${traceId}`)).text).data
      expect(story.path).toBe('/v1/semi-integration/transaction/sale')
      expect(story.url).toBe(`${url}${story.path}`)
      expect(story.curl).toContain(story.url)
      expect(story.command).toContain(`--base-url ${url}`)
    }
  })

  test('the hosted page reloads itself at its URL in the space', async () => {
    const { url, call, get } = await openSpaceDashboard()
    const { checkoutUrl } = await call('create-session', sale(500))
    const page = await get(checkoutUrl.slice(url.length))
    expect(page.headers.refresh).toMatch(/^\d+; url=\/s\/ci-1\/checkout\/cs_/)
  })

  test('a page names its space in its masthead and title, unless it is the first space', async () => {
    const { url, get } = await openSpaceDashboard()
    const { page, text, headers } = await get('/batches')
    expect(page.title).toBe('Batches · ci-1 · tillbox')
    expect(page.documentElement.getAttribute('data-base')).toBe(basePath)
    const chip = page.querySelector('[title^="Space ci-1"]')
    expect(chip?.getAttribute('href')).toBe('/./spaces')
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    const head = await fetchPlain(`${url}/batches`, { method: 'HEAD' })
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, headers['content-type'], ''])
    expect((await get('/terminal/TBX-AUTO-001')).page.title).toMatch(/^TBX-AUTO-001 – .+ · ci-1 · tillbox$/)
    const first = (await (await openDashboard()).get('/batches')).page
    expect(first.documentElement.getAttributeNames()).toEqual(['lang'])
    expect(first.title).toBe('Batches – tillbox sandbox')
    expect(first.querySelector('[title^="Space "]')).toBeNull()
  })

  test('only paths in attributes of tags get the base path', () => {
    const html = '<html lang="en"><a href="/x">say href=&quot;/y&quot; /z</a><p title="/t" data-copy="/c">'
    expect(withBasePath(html, basePath)).toBe(
      '<html data-base="/s/ci-1" lang="en"><a href="/s/ci-1/x">say href=&quot;/y&quot; /z</a><p title="/t" data-copy="/c">',
    )
    expect(withBasePath('<a href="https://shop.test/a">', basePath)).toBe('<a href="https://shop.test/a">')
    expect(withBasePath(html, '')).toBe(html)
  })
})

const locationOf = ({ status, headers }: PlainAnswer): string | undefined => {
  expect(status).toBe(303)
  return headers.location
}
