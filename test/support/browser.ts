import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { findChromium, noChromium, requiresBrowser } from './chromium.ts'

const executablePath = findChromium()

/** Tests in a real browser: skipped where there is none, unless it is required. */
export const inBrowser = describe.skipIf(executablePath === undefined && !requiresBrowser())

let launched: Promise<Browser> | undefined

/** One browser for each file of tests, started by the first test that wants it. */
async function launch(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(noChromium)
  const home = mkdtempSync(join(tmpdir(), 'tillbox-browser-'))
  removals.push(() => rmSync(home, { recursive: true, force: true }))
  return chromium.launch({
    executablePath,
    chromiumSandbox: process.getuid?.() !== 0, // as root it cannot
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
  })
}

const removals: (() => void)[] = []

afterAll(async () => {
  try {
    await (await launched?.catch(() => undefined))?.close()
  } finally {
    for (const remove of removals) remove()
  }
})

/** A window as a shopper has it. */
export interface Window {
  readonly page: Page
  /** Every request, from the first. */
  readonly requests: readonly Request[]
  /** One more tab of the same browser. */
  tab(): Promise<Page>
}

interface WindowOptions extends BrowserContextOptions {
  /** Origin of the sandbox, the only place that pages may load anything from. */
  readonly origin: string
  /** Pages stay where they are: the header Refresh is taken off. */
  readonly still?: boolean
  /** What may be on the console, beside what always may. */
  readonly expected?: readonly RegExp[]
}

/**
 * Opens a window. The test fails when a page in it asks anybody but the sandbox for anything (going to the merchant
 * aside), breaks its own policy, or complains on the console.
 */
export async function openWindow({
  origin,
  still = false,
  expected = [],
  ...options
}: WindowOptions): Promise<Window> {
  launched ??= launch()
  const context = await (await launched).newContext(options)
  context.setDefaultTimeout(20_000)
  const requests: Request[] = []
  const complaints: string[] = []
  context.on('request', (request) => {
    requests.push(request)
    if (!isAllowed(request, origin)) complaints.push(`a page asked for ${request.method()} ${request.url()}`)
  })
  await context.route('**/*', async (route) => {
    const request = route.request()
    if (!isAllowed(request, origin)) return route.abort()
    if (!still || !request.isNavigationRequest()) return route.continue()
    const response = await route.fetch({ maxRedirects: 0 })
    const { refresh, ...headers } = response.headers()
    return route.fulfill({ response, headers })
  })
  context.on('console', (message) => {
    const { url } = message.location()
    const said = `console of ${url}: ${message.text()}`
    if (
      /error|warning/.test(message.type()) &&
      ![...always, ...expected].some((pattern) => pattern.test(said))
    )
      complaints.push(said)
  })
  context.on('weberror', (error) => complaints.push(`error in a page: ${error.error().message}`))
  context.on('dialog', (dialog) => {
    complaints.push(`a page opened a dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  })
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  return { page: await context.newPage(), requests, tab: () => context.newPage() }
}

/** What Chromium notes by itself: a form that is answered with its errors, and an icon during a restart. */
const always = [/\/pay: Failed .* status of 422/, /icon\.svg: Failed .* net::ERR_CONNECTION_(REFUSED|RESET)/]

/** Everything comes from the sandbox; only a window as a whole may go elsewhere, to the merchant. */
function isAllowed(request: Request, origin: string): boolean {
  if (new URL(request.url()).origin === origin) return true
  const { hostname } = new URL(request.url())
  return request.isNavigationRequest() && request.frame().parentFrame() === null && hostname === '127.0.0.1'
}
