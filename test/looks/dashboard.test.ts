import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser.ts'
import { type Dashboard, openDashboard, refundOf } from '../support/dashboard.ts'
import { axeFindings, narrow, overflowing, unreachable } from '../support/looks.ts'
import { ask } from '../support/shop-front.ts'
import { openReceiver } from '../support/webhook-receiver.ts'

/** A refused view and a page of nothing are no accident. */
const expected = [/Failed to load .* status of 4(22|04|09)/]

/** A dashboard with so many sales of all kinds. */
async function openBusy(count: number): Promise<Dashboard> {
  const receiver = count === 0 ? null : await openReceiver()
  const dashboard = await openDashboard({ notifyUrl: receiver?.url ?? null })
  const amounts = [1000, 2450, 9734, 123_456_789, 990]
  const terminals = ['TBX-AUTO-001', 'TBX-TIP20-001', 'TBX-CANCEL-001', 'TBX-LATE-001']
  let last = ''
  for (let index = 0; index < count; index++)
    last = await dashboard.sell(amounts[index % 5] as number, {
      terminalSn: terminals[index % 4],
      description: 'W'.repeat(120),
      referenceOrderId: `ORDER-${'W'.repeat(20)}-${index}`,
    })
  if (last !== '') {
    const paid = await dashboard.sell(5000)
    await dashboard.call('refund', refundOf(paid, 1200))
    await ask(`${dashboard.url}/v1/semi-integration/${'W'.repeat(200)}?${'w'.repeat(200)}`) // refused
    await receiver?.got(1)
    await dashboard.control('POST', 'faults', {
      kind: 'http-503=86400',
      terminalSn: 'W'.repeat(64),
      times: 9,
    })
    await dashboard.control('POST', 'faults', {
      kind: 'latency=500-3000',
      share: 0.2,
      until: '2100-01-01T00:00:00Z',
    })
  }
  return dashboard
}

/** The lists, and what stands for nothing. */
const lists = [
  '/start',
  '/',
  '/batches',
  '/webhooks',
  '/terminals',
  '/requests',
  '/faults',
  '/docs',
  '/docs/refund',
  '/docs/terminal-event',
  '/payments/new',
]
const nothing = [
  '/?status=PAID&from=x',
  '/?q=nothing',
  '/requests?status=half&q=nothing',
  '/requests/1',
  '/transactions/1',
]

/** A page of each kind for what there is, by a link to it. */
async function recordsOf({ get }: Dashboard): Promise<string[]> {
  const first = (text: string, pattern: RegExp) => pattern.exec(text)?.[1]?.replaceAll('&amp;', '&')
  const found = [
    first((await get('/?type=SALE&status=SUCCESS')).text, /href="(\/transactions\/\d+)"/),
    first((await get('/webhooks')).text, /href="(\/webhooks\/[\da-f-]{36})"/),
    first((await get('/batches')).text, /href="(\/batches\/close[^"]+)"/),
    first((await get('/requests?status=accepted')).text, /href="(\/requests\?[^"]*open=[^"#]+)/),
    first((await get('/requests?status=refused')).text, /href="(\/requests\?[^"]*open=[^"#]+)/),
  ]
  expect(found).not.toContain(undefined)
  return [
    ...found.map(String),
    `${found[1]}/edit`,
    ...['receipt', 'refund', 'resend'].map((part) => `${found[0]}/${part}`),
  ]
}

inBrowser('the dashboard, as it looks', () => {
  test.each([
    { count: 0, pagesOf: () => [...lists, ...nothing] },
    { count: 12, pagesOf: recordsOf },
    { count: 30, pagesOf: () => lists }, // a page of each is full, and others follow
  ])(
    'of $count sales: every page fits a window of 360 pixels, all can be reached, and axe finds nothing in light or dark',
    async ({ count, pagesOf }) => {
      const dashboard = await openBusy(count)
      const { page } = await openWindow({ origin: dashboard.url, expected, bypassCSP: true })
      for (const path of await pagesOf(dashboard)) {
        await page.setViewportSize(narrow)
        await page.goto(`${dashboard.url}${path}`)
        expect([
          path,
          await overflowing(page, 'pre, .table, .sections, .fleet-strip, .menu > summary'),
        ]).toEqual([path, []])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
        const covered = await unreachable(page, 'main :is(button, a, select, input):visible')
        expect([path, covered]).toEqual([path, []])
        await page.locator('main details').evaluateAll((folds) => {
          for (const fold of folds) (fold as HTMLDetailsElement).open = true
        })
        expect([path, await axeFindings(page)]).toEqual([path, []])
      }
    },
    240_000, // fifteen pages, each looked at in three ways
  )

  test.each(['.column-menu', '.save-view', '.filter-more'])(
    'the menu %s fits a window of 360 pixels, and closes by Escape and by a press beside it',
    async (menu) => {
      const dashboard = await openBusy(1)
      const { page } = await openWindow({ origin: dashboard.url, viewport: narrow })
      await page.goto(`${dashboard.url}/?status=approved`)
      const open = async () => {
        await page.locator(`${menu} > summary`).click()
        await page.locator(`${menu}[open] button`).waitFor()
      }
      const closed = () => page.locator(`${menu}:not([open])`).waitFor()
      await open()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
      const button = await page.locator(`${menu} button`).boundingBox()
      expect(button?.width).toBeGreaterThan(button?.height ?? 0) // its word stands in one line
      await page.keyboard.press('Escape')
      await closed()
      await page.locator(`${menu} > summary:focus`).waitFor()
      await open()
      await page.locator('.totals').click()
      await closed()
    },
  )

  test.each(['/?start=off', '/?start=off&span=hour', '/webhooks', '/requests'])(
    'sixteen rows or more of the list %s are in sight in a window of 1440 × 900',
    async (path) => {
      const dashboard = await openBusy(20)
      const { page } = await openWindow({ origin: dashboard.url, viewport: { width: 1440, height: 900 } })
      await page.goto(`${dashboard.url}${path}`)
      const inSight = (rows: Element[]) =>
        rows.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length
      expect(await page.locator('tbody tr').evaluateAll(inSight)).toBeGreaterThanOrEqual(16)
    },
  )

  test('the row of the request that is shown beside the list keeps its columns', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url, viewport: { width: 1440, height: 900 } })
    await page.goto(`${dashboard.url}/requests`)
    await page.locator('tbody th a').last().click()
    const row = page.locator('tr:has([aria-current])')
    await row.waitFor()
    const edges = (cells: Element[]) => cells.map((cell) => cell.getBoundingClientRect().left)
    const visible = ':is(th, td):visible'
    expect(await row.locator(visible).evaluateAll(edges)).toEqual(
      await page.locator(`.panel-requests thead ${visible}`).evaluateAll(edges),
    )
  })

  test('the sections of the masthead are all in sight while clock and faults are unusual', async () => {
    const dashboard = await openBusy(0)
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    for (const kind of ['http-503', 'lost-answer'])
      await dashboard.control('POST', 'faults', { kind, operation: 'incremental-auth' })
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [1440, 1280, 1120, 820, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(`${dashboard.url}/docs`)
      const cut = (element: Element) => element.scrollWidth - element.clientWidth
      expect([width, await page.locator('.sections').evaluate(cut)]).toEqual([width, 0])
      expect([width, await page.locator('html').evaluate(cut)]).toEqual([width, 0])
    }
  })

  test('words and ids stand in one line where there is room', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url, viewport: { width: 1280, height: 800 } })
    const lines = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((found) => [...new Set(found.map((each) => each.getClientRects().length))])
    await page.goto(`${dashboard.url}/requests`)
    expect(await lines('td.code a')).toEqual([1])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${dashboard.url}/webhooks`)
    expect(await lines('tbody th a')).toEqual([1])
  })
})
