import { describe, expect, test } from 'vitest'
import { openDashboard, refundRequest } from '../../support/pages/dashboard.ts'
import {
  allByRole,
  attributesOf,
  byRole,
  hiddenFields,
  hrefsIn,
  linkTo,
  namesOf,
} from '../../support/pages/page.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { pythonSdkHeader } from '../../support/service/requests.ts'
import { apiHeaders, sale } from '../../support/service/service.ts'

/** A dashboard where requests are also refused; answers their trace ids. */
async function openRefusing() {
  const dashboard = await openDashboard()
  const { directory } = dashboard.sandbox
  const key = directory.currentKey(directory.applications[0] as never) ?? ''
  const refuse = async (members: object, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
    const { text } = await fetchPlain(`${dashboard.url}/v1/semi-integration/transaction/sale`, {
      method: 'POST',
      headers: { ...apiHeaders(key), ...headers },
      body: JSON.stringify(members),
    })
    return JSON.parse(text).traceId
  }
  return { ...dashboard, key, refuse }
}

describe('the list of requests', () => {
  test('requests are listed newest first, each with its answer and its transaction', async () => {
    const { get, sell, refuse, read } = await openRefusing()
    expect(await read('/requests')).toContain('No requests of the payment API yet')
    const id = await sell(1000)
    const refused = await refuse(sale(-5))
    const { status, page, listed, words } = await get('/requests')
    expect(status).toBe(200)
    expect(listed[0]).toBe(refused)
    expect(words).toMatch(/sale (C17 amount: must be at least 0) \1 .*sale Accepted /)
    expect(attributesOf(page, 'td[title], a[title], tr [title]', 'title')).toContainEqual(
      expect.stringMatching(/^POST \/v1\/\S+\/sale$/),
    )
    expect(words).toMatch(/Times are of the wall clock, \w+/)
    expect(linkTo(page, id)).toBe(`/transactions/${id}`)
    expect(attributesOf(page, '[aria-current=page]', 'href')).toEqual(['/requests'])
  })

  test('equal look-ups in succession share one row with their count, and a page that says so', async () => {
    const { get, sell, key, read } = await openRefusing()
    const id = await sell(1000)
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const headers = apiHeaders(key)
      ids.push(JSON.parse((await get(`/v1/transaction/query?transactionId=${id}`, headers)).text).traceId)
    }
    const { listed, page } = await get('/requests')
    expect(listed[0]).toBe(ids[0])
    expect(listed).toHaveLength(2)
    expect(namesOf(page, 'row')[2]).toMatch(/query ×3 /)
    expect((await get(`/transactions/${id}`)).words).toContain('Timeline Requests 4 Webhooks') // the sale, too
    expect(await read(`/requests/${ids[2]}`)).toMatch(/Repeated 2 times more, until \d{4}-/)
    expect((await get(`/requests?q=${ids[1]}`)).listed).toEqual([ids[0]])
  })

  test('requests of the control interface and of pages are hidden unless they are asked for or searched', async () => {
    const { get, sell, control, post, read } = await openDashboard()
    await control('POST', 'clock', { action: 'freeze' })
    expect(await read('/requests')).toContain('No requests of the payment API yet')
    await sell(1000)
    await post('/faults/clear')
    await post('/faults', { kind: 'nothing' }) // which is refused
    await get('/v1/nowhere', pythonSdkHeader)
    const { listed, words } = await get('/requests')
    expect(listed).toHaveLength(2)
    expect(words).toContain('GET /v1/nowhere')
    expect(words).toContain(pythonSdkHeader['User-Agent'])
    expect(words).toContain('Payment API 2 Refused 1 Everything 5')
    const everything = await get('/requests?show=all')
    expect(everything.listed).toHaveLength(5)
    expect(hiddenFields(byRole(everything.page, 'main'))).toMatchObject({ show: 'all' })
    expect((await get('/requests?q=_sandbox/clock')).listed).toHaveLength(1)
  })

  test('rows lead to their pages, and an address can name the one beside the list', async () => {
    const { get, refuse } = await openRefusing()
    const refused = await refuse(sale(-5))
    const { page } = await get('/requests?status=refused')
    expect(page.querySelector(`#row-${refused}`)?.getAttribute('href')).toBe(`/requests/${refused}`)
    expect(allByRole(page, 'complementary')).toEqual([]) // it is hidden
    const opened = await get(`/requests?status=refused&open=${refused}`)
    expect(opened.listed).toEqual([refused])
    const beside = byRole(opened.page, 'complementary')
    expect(beside.getAttribute('data-records')).toBe('requests')
    expect(linkTo(beside, 'Open as a page')).toBe(`/requests/${refused}`)
  })

  test('requests about a session have its transaction, in the list and in the filter', async () => {
    const { get, call, read } = await openDashboard()
    const { sessionId } = await call('create-session', sale(500))
    const { page } = await get('/requests?operation=create-session')
    const id = linkTo(page, /^\d{16}$/).replace('/transactions/', '')
    expect(await read(`/transactions/${id}`)).toContain('online')
    await call('expire-session', { sessionId })
    expect((await get(`/requests?transactionId=${id}`)).listed).toHaveLength(2)
  })

  test('requests are filtered by status, operation, text and transaction', async () => {
    const { get, sell, call, refuse, read } = await openRefusing()
    const [first, second] = [await sell(1000, { referenceOrderId: 'ORDER-first' }), await sell(2000)]
    await call('refund', refundRequest(first, 400))
    const refused = await refuse(sale(1000), { 'X-Timestamp': '1' })
    const rows = async (query: string) => (await get(`/requests?${query}`)).listed
    expect(await rows('status=refused')).toEqual([refused])
    expect(await rows('status=accepted')).toHaveLength(3)
    expect(await rows('operation=refund')).toHaveLength(1)
    expect(await rows('q=order-FIRST')).toHaveLength(2) // the refund is answered with it, too
    expect(await rows(`q=${refused}`)).toEqual([refused])
    expect(await rows('q=sbx_TIME_format')).toEqual([refused])
    expect(await rows(`transactionId=${first}`)).toHaveLength(2)
    expect(await rows(`transactionId=${second}`)).toHaveLength(1)
    expect(await read('/requests?q=nowhere')).toContain('No request matches')
  })

  test('requests are paged by numbers that do not shift when more requests come', async () => {
    const { get, sell, sellMany, read } = await openDashboard()
    await sellMany(30)
    const first = await get('/requests?status=accepted')
    const older = linkTo(first.page, 'Older')
    expect(older).toContain('status=accepted')
    await sell(5)
    const second = await get(older)
    expect([first.listed.length, second.listed.length]).toEqual([25, 5])
    expect(new Set([...first.listed, ...second.listed]).size).toBe(30)
    expect(namesOf(second.page, 'link')).toContain('Newest')
    expect(namesOf(second.page, 'link')).not.toContain('Older')
    expect(await read('/requests?before=0')).toContain('The log does not keep older requests')
  })

  test('the page of a request and that of its transaction fold away which rules decided', async () => {
    const { get, sell, refuse, read } = await openRefusing()
    const id = await sell(9823)
    const [accepted = ''] = (await get('/requests')).listed
    const refused = await refuse(sale(-5))
    expect(await read(`/requests/${refused}`)).toMatch(
      /Why: sale was refused with C17, after 13 checks passed\. .*✗ Each field has its form amount: must be at least 0/,
    )
    for (const path of [`/requests/${accepted}`, `/transactions/${id}`])
      expect(await read(path)).toMatch(
        /Why\b.*→ The outcome is do-not-honor, which its amount triggers 005 .*Public trigger-amounts: .*triggerAmounts: false/,
      )
  })

  test('a request of a page was not checked for its headers', async () => {
    const { get, post, sell, read } = await openDashboard()
    const id = await sell(1000)
    const path = `/transactions/${id}/refund`
    const refund = async (amount: string) => post(path, { ...hiddenFields((await get(path)).page), amount })
    await refund('99.00')
    const [refused = ''] = (await get('/requests?operation=refund')).listed
    expect(await read(`/requests/${refused}`)).toMatch(
      /Why: refund was refused with SBX_OVER_REFUND, after \d+ checks passed\. ✓ It holds no card data/,
    )
    await refund('4.00')
    const [accepted = ''] = (await get('/requests?operation=refund&status=accepted')).listed
    expect(await read(`/requests/${accepted}`)).toMatch(
      /Why: refund was accepted: \d+ checks passed\. ✓ It holds no card data/,
    )
  })

  test('page views are not logged, nor pages that are not found, but forms are', async () => {
    const { get, post, sell, sandbox } = await openDashboard()
    const id = await sell(1000)
    const seen = sandbox.log.total
    for (const path of ['/', '/requests', `/transactions/${id}`, '/terminals', '/terminal/TBX-AUTO-001'])
      expect((await get(path)).status).toBe(200)
    expect(sandbox.log.total).toBe(seen)
    await get('/transactions/1')
    await post('/batches/close', {})
    expect(sandbox.log.list(seen).map(({ path }) => path)).toEqual(['/batches/close'])
  })

  test('a search does not find keys or card numbers', async () => {
    const { get, sell, key, refuse } = await openRefusing()
    await sell(1000, { attach: key })
    await refuse(sale(1, { attach: '4485275742308327' }))
    for (const text of [key.slice(0, 20), key.slice(-20)])
      expect((await get(`/requests?q=${text}`)).listed).toEqual([])
    const { status, text } = await get('/requests?q=4485275742308327')
    expect(status).toBe(400)
    expect(text).not.toContain('4485275742308327')
    expect((await get('/requests')).text).not.toContain('4485275742308327')
  })
})

describe('a request', () => {
  test('a refused request shows the reason, the field, the remedy, and request and answer in full', async () => {
    const { get, refuse, key } = await openRefusing()
    const traceId = await refuse(sale(-5, { description: 'half a <b>coffee</b>' }))
    const { status, page, text, words } = await get(`/requests/${traceId}`)
    expect(status).toBe(200)
    expect(words).toMatch(/Reason .* Field amount Detail .* What to do /)
    expect(words).toMatch(
      /Request .*The same from a shell .*Answer Why it was refused .*1 header Content-Type application\/json/,
    )
    expect(words).toContain('"amount" : -5')
    expect(words).toContain(`"traceId" : "${traceId}"`)
    expect(words).toContain('half a <b>coffee</b>')
    expect(text.replaceAll(`\${TILLBOX_API_KEY:-${key}}`, '')).not.toContain(key)
    expect(words).not.toContain('It came with a key of your own')
    const copied = (button: string) => byRole(page, 'button', button).getAttribute('data-copy')
    expect(copied('Copy as curl')).toMatch(/^curl -sS http:/)
    expect(copied('Copy as tillbox command')).toMatch(/^tillbox sale /)
    expect(page.querySelector('textarea')).toBeNull()
  })

  test('a request whose headers were refused shows its body and every error', async () => {
    const { refuse, read } = await openRefusing()
    const traceId = await refuse(sale(1000), { 'X-Timestamp': 'yesterday', 'X-Client-Request-Id': 'a b' })
    const words = await read(`/requests/${traceId}`)
    expect(words).toContain('Field X-Timestamp')
    expect(words).toContain('Also wrong X-Client-Request-Id: it is not 1 to 64 printable')
    expect(words).toContain('{ "transactionRequestId" :')
  })

  test('an accepted request leads to its transaction, which leads back', async () => {
    const { get, sell, sandbox } = await openDashboard()
    const id = await sell(1000)
    const traceId = sandbox.log.list().at(-1)?.traceId
    const { page, words } = await get(`/requests/${traceId}`)
    expect(hrefsIn(page)).toContain(`/transactions/${id}`)
    expect(words).not.toContain('Why it was refused')
    const tab = hrefsIn((await get(`/transactions/${id}?tab=requests`)).page)
    const back = tab.find((href) => href.startsWith('/requests?transactionId='))
    expect((await get(String(back))).listed).toEqual([traceId])
  })

  test('a request of a page keeps nothing that was typed', async () => {
    const { get, post, sandbox } = await openDashboard()
    await post('/batches/close', { merchantId: 'typed-by-hand' })
    const { page, text, words } = await get(`/requests/${sandbox.log.list().at(-1)?.traceId}`)
    expect(text).not.toContain('typed-by-hand')
    expect(words).toContain('The log does not keep this body')
    expect(namesOf(page, 'button')).not.toContain('Copy as curl')
  })

  test.each(['x', '__proto__', '%00', 'x'.repeat(500)])(
    'the unknown request %s is answered with 404',
    async (traceId) => {
      const { get } = await openDashboard()
      const { status, page } = await get(`/requests/${traceId}`)
      expect([status, linkTo(page, /^Show/)]).toEqual([404, '/requests'])
    },
  )
})

test.each([
  ['/', '/'],
  ['/terminals', '/terminals'],
  ['/terminal/TBX-AUTO-001', '/terminals'],
])('%s has the navigation of the dashboard, in the section %s', async (path, section) => {
  const { get } = await openDashboard()
  const sections = byRole((await get(path)).page, 'navigation', 'Sandbox')
  expect(hrefsIn(sections)).toEqual(['/', '/batches', '/webhooks', '/terminals', '/requests', '/docs'])
  expect(attributesOf(sections, '[aria-current=page]', 'href')).toEqual([section])
})
