import { expect } from 'vitest'
import { openWindow } from '../support/browser/browser.ts'
import { type Dashboard, openDashboard, refundRequest } from '../support/pages/dashboard.ts'
import { hrefsIn } from '../support/pages/page.ts'
import { fetchPlain } from '../support/pages/shop-front.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { axeFindings, contentWidth, coveredControls, narrowWindow, overflowing } from './looks.ts'

/** A refused view and a page of nothing are no accident. */
const expected = [/Failed to load .* status of 4(22|04|09)/]

/** A dashboard with `count` sales of all kinds. */
export async function openBusy(count: number): Promise<Dashboard> {
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
    await dashboard.call('refund', refundRequest(paid, 1200))
    await fetchPlain(`${dashboard.url}/v1/semi-integration/${'W'.repeat(200)}?${'w'.repeat(200)}`) // refused
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

/** For a test that looks at a dozen pages in each theme, on a machine that is busy: milliseconds until it fails. */
export const manyPages = 400_000

/** Pages that show what is stored. */
export const lists = [
  '/',
  '/batches',
  '/webhooks',
  '/terminals',
  '/requests',
  '/faults',
  '/coverage',
  '/audit',
  '/snapshots',
]

/** Pages that are the same whatever is stored. */
export const fixedPages = ['/docs', '/docs/guides/api', '/payments/new']

/** What stands for nothing. */
export const emptyPages = [
  '/?status=PAID&from=x',
  '/?q=nothing',
  '/requests?status=half&q=nothing',
  '/requests/1',
  '/transactions/1',
]

/** A page of each kind for what there is, by a link to it. */
export async function recordPages({ get }: Dashboard): Promise<string[]> {
  const first = async (path: string, pattern: RegExp) =>
    hrefsIn((await get(path)).page).find((href) => pattern.test(href))
  const found = [
    await first('/?type=SALE&status=approved', /^\/transactions\/\d+$/),
    await first('/webhooks', /^\/webhooks\/[\da-f-]{36}$/),
    await first('/batches', /^\/batches\/close\?/),
    await first('/requests?status=accepted', /^\/requests\/[\da-f-]{36}$/),
    await first('/requests?status=refused', /^\/requests\/[\da-f-]{36}$/),
  ].map(String)
  expect(found).not.toContain('undefined')
  return [...found, ...['receipt', 'refund', 'resend'].map((part) => `${found[0]}/${part}`)]
}

/** Each page fits a small telephone, all on it can be reached, and axe finds nothing in light or dark. */
export async function expectGoodLooks(dashboard: Dashboard, pages: readonly string[]): Promise<void> {
  const { page } = await openWindow({ origin: new URL(dashboard.url).origin, expected, bypassCSP: true })
  for (const path of pages) {
    await page.setViewportSize(narrowWindow)
    await page.goto(`${dashboard.url}${path}`)
    expect([
      path,
      await overflowing(page, '.table, .sections, .fleet-strip, .tabs, .menu > summary'),
    ]).toEqual([path, []])
    expect(await contentWidth(page)).toBeLessThanOrEqual(360)
    // Bars of a chart are narrower than the distance from the corner that is pressed.
    const covered = await coveredControls(
      page,
      'main :is(button, a:not([data-bars] a), select, input):visible',
    )
    expect([path, covered]).toEqual([path, []])
    await page.locator('main details').evaluateAll((folds) => {
      for (const fold of folds) (fold as HTMLDetailsElement).open = true
    })
    expect([path, await axeFindings(page)]).toEqual([path, []])
  }
}
