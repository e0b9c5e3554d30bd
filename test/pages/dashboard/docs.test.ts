import { describe, expect, test } from 'vitest'
import { openapiDocument } from '../../../src/openapi/document.ts'
import { openDashboard, typedIn, visibleText } from '../../support/pages/dashboard.ts'
import { apiKey, sale, secondKey } from '../../support/service/service.ts'
import { openServer } from '../../support/service/shared-server.ts'

const { paths = {}, webhooks = {} } = openapiDocument()
const ids = [...Object.values(paths), ...Object.values(webhooks)].flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

describe('the pages of the API', () => {
  test('the index lists every operation and webhook, each with its own page', async () => {
    const { get } = await openDashboard()
    const { status, text } = await get('/docs')
    expect([status, text]).toEqual([200, expect.stringContaining('<a href="/docs" aria-current="page">')])
    const linked = new Set([...text.matchAll(/href="\/docs\/([^"/]+)"/g)].map(([, id = '']) => id))
    expect([...linked].sort()).toEqual([...ids].sort())
    for (const id of ids) {
      const page = await get(`/docs/${id}`)
      expect(page.status, id).toBe(200)
      expect(page.text, id).not.toMatch(/undefined|\[object|NaN/)
    }
  })

  test('the page of an operation shows its members with limits and meaning, its answers and its errors', async () => {
    const { read } = await openDashboard()
    const words = await read('/docs/refund')
    expect(words).toContain('POST /v1/semi-integration/transaction/refund')
    expect(words).toContain('transactionRequestId string required')
    expect(words).toContain('Idempotency id, new for every transaction')
    expect(words).toContain('amount.orderAmount')
    expect(words).toContain('0 to 1,000,000,000,000')
    expect(words).toContain('data.transactionStatus')
    expect(words).toContain('SBX_OVER_REFUND')
    expect(words).toContain('SBX_AUTH_MISSING')
  })

  test('the curl example never has an API key that was rotated away', async () => {
    const { get, control, sandbox } = await openDashboard()
    const { appId } = sandbox.directory.defaultApplication
    await control('POST', 'keys/regenerate', { appId })
    const { text, words } = await get('/docs/sale')
    expect(text).not.toContain(apiKey)
    expect(words).toContain('Authorization: Bearer ${TILLBOX_API_KEY:?')
  })

  test('the page of an operation shows its example as a command and as curl for this sandbox', async () => {
    const { get, url, read } = await openDashboard()
    const words = await read('/docs/sale')
    expect(words).toContain('tillbox sale --amount 42.50 --price-currency USD')
    expect(words).toContain(`${url}/v1/semi-integration/transaction/sale`)
    expect(words).toContain(`\${TILLBOX_API_KEY:-${apiKey}}`)
    const typed = await get(
      `/docs/sale?${new URLSearchParams({ body: '{"amount":777,"priceCurrency":"EUR"}' })}`,
    )
    expect(visibleText(typed.text)).toContain('tillbox sale --amount 7.77 --price-currency EUR')
  })

  test('the page of a control operation has an example without a key and with names filled in', async () => {
    const { url, read } = await openDashboard()
    const words = await read('/docs/present-card')
    expect(words).toContain(`${url}/_sandbox/terminals/TBX-ATTENDED-001/present`)
    expect(words).not.toContain('TILLBOX_API_KEY')
  })

  test('the page of a webhook lists its headers and its body', async () => {
    const { read } = await openDashboard()
    const words = await read('/docs/terminal-event')
    for (const each of ['X-Signature', 'eventType', 'ORDER_RECEIVED', 'POST to your server'])
      expect(words).toContain(each)
  })

  test('the page of a webhook shows the latest one, of whatever merchant, or says what sends one', async () => {
    const { get, sell, call, read } = await openDashboard()
    expect(await read('/docs/payment-result')).toContain('A payment with a notifyUrl sends')
    const notifyUrl = 'http://127.0.0.1:9/hook'
    const second = { appId: 'tbxapp0000000002', merchantId: 'M2000000001', terminalSn: 'TBX-OTHER-001' }
    await call('sale', sale(1000, { ...second, notifyUrl }), { Authorization: `Bearer ${secondKey}` })
    const latest = await sell(2000, { notifyUrl })
    const { text, words } = await get('/docs/payment-result')
    expect(words).toContain(`"transactionId" : "${latest}"`)
    expect(text).toMatch(/<a href="\/webhooks\/[\da-f-]{36}">How it was delivered/)
    expect(await read('/docs/terminal-event')).toContain('terminalEventNotifyUrl sends')
  })

  test('an unknown operation is answered with 404 and a page that says so', async () => {
    const { get } = await openDashboard()
    const { status, text, words } = await get('/docs/nothing')
    expect([status, words]).toEqual([404, expect.stringContaining('The sandbox has no operation nothing')])
    expect(text).toContain('href="/docs"')
  })
})

describe('the example of an operation', () => {
  /** The body that the form of a page has. */
  const bodyIn = (html: string) => typedIn(html, 'example-body')

  test('is sent as it stands, twice, and the answer leads to the payment and to the logged request', async () => {
    const { get, post, sandbox } = await openDashboard()
    let page = await get('/docs/sale')
    for (const count of [1, 2]) {
      page = await post('/docs/sale', { body: bodyIn(page.text) })
      const id = /href="\/transactions\/(\d+)"/.exec(page.text)?.[1]
      const traceId = /href="\/requests\/([\da-f-]{36})"/.exec(page.text)?.[1]
      expect(sandbox.statistics.current.transactions.map(({ transaction }) => transaction.id)).toContain(id)
      expect(sandbox.statistics.current.transactions).toHaveLength(count)
      expect((await get(`/requests/${traceId}`)).text).toContain('tillbox-docs')
      expect(visibleText(page.text)).toMatch(/Answer 200 [\d.]+ ms Payment Logged request/)
    }
  })

  test('acts on a payment that this sandbox has', async () => {
    const { get, post, sell, sandbox } = await openDashboard()
    const id = await sell(4250)
    const { text } = await get('/docs/refund')
    expect(bodyIn(text)).toContain(`"originalTransactionId": "${id}"`)
    await post('/docs/refund', { body: bodyIn(text) })
    expect(sandbox.statistics.current.transactions).toHaveLength(2)
  })

  test('names what this sandbox has: a webhook, an open checkout page, a receipt, a pairing code', async () => {
    const dashboard = await openDashboard()
    const paid = await dashboard.sell(1000, { notifyUrl: 'http://127.0.0.1:9/' })
    const ended = await dashboard.call('create-session', sale(1000))
    const open = await dashboard.call('create-session', sale(1000))
    const waits = await dashboard.call('sale', sale(1000, { terminalSn: 'TBX-OFFLINE-001' }))
    await dashboard.control('POST', `sessions/${ended.sessionId}/cancel`)
    await dashboard.control('POST', 'terminals/TBX-SLOW-001/unpair')
    const sent = async (name: string) => {
      const { text } = await dashboard.get(`/docs/${name}`)
      const [, id = ''] = /name="path.id" value="([^"]*)"/.exec(text) ?? []
      return (await dashboard.post(`/docs/${name}`, { 'path.id': id, body: bodyIn(text) })).words
    }
    expect(await sent('webhook')).toContain(`"transactionId" : "${paid}"`)
    expect(bodyIn((await dashboard.get('/docs/abort')).text)).toContain(waits.transactionId)
    expect(await sent('abort')).toMatch(/Answer 200 [\d.]+ ms/)
    expect(await sent('receipt')).toMatch(/Answer 200 [\d.]+ ms/)
    expect(await sent('pay-session')).toContain(`"sessionId" : "${open.sessionId}"`)
    expect(await sent('pair-terminal')).toContain('"terminalSn" : "TBX-SLOW-001"')
  })

  test('of a look-up has its parameters as fields, and those of the path are filled in', async () => {
    const { post } = await openDashboard()
    const shown = await post('/docs/screen', { 'path.sn': 'TBX-AUTO-001' })
    expect(visibleText(shown.text)).toContain('TBX-AUTO-001')
    const none = await post('/docs/transactions', { 'query.limit': 'none' })
    expect(visibleText(none.text)).toMatch(/Answer 200 · C17/)
  })

  test('is refused in the words of the service, and what was typed stays', async () => {
    const { post } = await openDashboard()
    const { text, status } = await post('/docs/sale', { body: '{"amount": nothing' })
    expect(status).toBe(200)
    expect(visibleText(text)).toContain('SBX_BAD_JSON')
    expect(bodyIn(text)).toBe('{"amount": nothing')
  })

  test('with members of any kind gets the answer of the service', async () => {
    const { post } = await openDashboard()
    const odd = '{"appId":{"toString":null},"transactionId":{"toString":null}}'
    for (const name of ['sale', 'query', 'refund']) {
      const { status, words } = await post(`/docs/${name}`, { body: odd })
      expect([name, status, words]).toEqual([name, 200, expect.stringMatching(/Answer 200 · C17/)])
    }
  })

  test('with card data is not sent, and not shown again', async () => {
    const { post, sandbox } = await openDashboard()
    const { text } = await post('/docs/sale', { body: '{"description":"4111111111111111"}' })
    expect(text).not.toContain('4111111111111111')
    expect(text).toContain('role="alert"')
    expect(sandbox.log.list().filter(({ operation }) => operation === 'sale')).toEqual([])
  })

  test('meets an injected fault as a client does, and the page answers all the same', async () => {
    const { get, post, control, sandbox } = await openDashboard()
    await control('POST', 'faults', { kind: 'lost-answer', times: 1 })
    const { words } = await post('/docs/sale', { body: bodyIn((await get('/docs/sale')).text) })
    expect(words).toContain('The connection closed without an answer')
    expect(sandbox.statistics.current.transactions).toHaveLength(1)
  })

  test('may do no more than its sender: a viewer sends none, and a stream is not sent', async () => {
    const server = await openServer()
    const viewer = await server.make('board', 'viewer')
    const form = (path: string, token: string) =>
      server.app.request(path, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
          'X-Sandbox-Token': token,
        },
        body: '',
      })
    expect((await form('/docs/reset', viewer)).status).toBe(403)
    const member = await server.make('ci', 'space', 'default')
    expect(visibleText(await (await form('/docs/tokens', member)).text())).toContain('SBX_SCOPE')
    const { text } = await (await openDashboard()).post('/docs/events')
    expect(visibleText(text)).toContain('A page cannot send it')
  })
})

describe('the guides', () => {
  test('every guide is a page, and every link in it leads to one', async () => {
    const { get } = await openDashboard()
    const paths = [...(await get('/docs')).text.matchAll(/href="(\/docs\/guides\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    )
    expect(new Set(paths).size).toBeGreaterThan(30)
    const pages = new Map<string, string>()
    for (const path of new Set(paths)) pages.set(path, (await get(path)).text)
    for (const [path, text] of pages) {
      expect(text.replace(/<(code|pre)[^>]*>[\s\S]*?<\/\1>/g, ''), path).not.toMatch(
        /undefined|\[object|\]\(|<!--|```|\*\*/,
      )
      for (const [, target = '', anchor] of text.matchAll(/href="(\/docs\/guides\/[^"#]+)?(?:#([^"]+))?"/g)) {
        const page = pages.get(target === '' ? path : target)
        if (anchor !== undefined && anchor !== 'main')
          expect(page, `${path} → ${target}#${anchor}`).toContain(`id="${anchor}"`)
      }
    }
  })

  test('every page is there as Markdown, too, at its address with .md, and llms.txt leads to each', async () => {
    const { get, url } = await openDashboard()
    const list = await get('/llms.txt')
    expect([list.status, list.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(list.text).toMatch(/^# tillbox\n\n> .+\n/)
    expect((await get('/docs.md')).text).toBe(list.text)
    const pages = (await get('/docs')).text.matchAll(/href="(\/docs\/(?:guides\/)?[\w-]+)"/g)
    const paths = new Set([...pages].map(([, path = '']) => path))
    const linked = [...list.text.matchAll(/\]\((http[^)]+)\)/g)].map(([, address = '']) => address)
    expect(new Set(linked)).toEqual(new Set([...paths].map((path) => `${url}${path}.md`)))
    for (const path of paths) {
      const { status, headers, text } = await get(`${path}.md`)
      expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/markdown; charset=utf-8'])
      expect(text, path).toMatch(/^# \S/)
      expect(text, path).not.toMatch(/<!--|undefined|\[object/)
      for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g))
        expect(paths, `${path} → ${target}`).toContain(`/docs/guides/${target.replace(/\.md$/, '')}`)
    }
    expect((await get('/docs/refund.md')).text).toMatch(
      /`POST \/v1\/[\s\S]+`originalTransactionId`[\s\S]+SBX_OVER_REFUND/,
    )
    expect((await get('/docs/guides/nothing.md')).status).toBe(404)
  })

  test('an unknown guide is answered with 404', async () => {
    const { get } = await openDashboard()
    expect((await get('/docs/guides/nothing')).status).toBe(404)
    expect((await get('/docs/guides/..%2Fpackage')).status).toBe(404)
  })

  test('a search finds operations by their fields and errors, and guides by their text', async () => {
    const { get, read } = await openDashboard()
    const found = async (q: string) =>
      [...(await get(`/docs?q=${q}`)).text.matchAll(/id="row-\d+"[^>]*>|href="([^"]+)" id="row/g)].map(
        ([, path]) => path,
      )
    expect(await found('SBX_OVER_REFUND')).toContain('/docs/refund')
    expect(await found('originalTransactionId')).toContain('/docs/post-auth')
    expect((await found('refubd'))[0]).toBe('/docs/refund')
    expect(await found('pipelined')).toContain('/docs/guides/faults')
    expect(await read('/docs?q=restores')).toContain('restores and deletes states.')
    expect(await read('/docs?q=zzzz')).toContain('Nothing is found')
  })
})
