import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type ConsoleMessage,
  chromium,
  type Dialog,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core'
import { describe, expect, inject, onTestFinished } from 'vitest'
import { findChromium, noChromium, requiresBrowser } from './chromium.ts'

/** Tests in a real browser: skipped where there is none, unless it is required. */
export const inBrowser = describe.skipIf(findChromium() === undefined && !requiresBrowser())

/** Windows as people have them; the narrowest is `narrowWindow` of test/looks/looks.ts. */
export const phone = { width: 390, height: 844 }
export const tablet = { width: 820, height: 1180 }
export const desk = { width: 1440, height: 900 }

let connected: Promise<Browser> | undefined

/** The browser that all files share; the connection lasts as long as the worker. */
async function connectBrowser(): Promise<Browser> {
  const lender = inject('browserOrigin')
  if (lender === null) throw new Error(noChromium)
  const answer = await fetch(lender)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Chromium does not start: ${text}`)
  return chromium.connect(text)
}

export interface WindowOptions extends BrowserContextOptions {
  /** Origin of the sandbox, the only place that pages may load anything from. */
  readonly origin: string
  /** Pages that refresh or leave by themselves do so; otherwise the header Refresh is taken off, after a redirect too. */
  readonly refreshes?: boolean
  /** What may be on the console, beside what always may. */
  readonly expected?: readonly RegExp[]
  /** For a test that sets the clock or the network of all its pages: nobody uses its context again. */
  readonly alone?: boolean
}

/**
 * Opens a window. The test fails when a page in it asks anybody but the sandbox for anything (going to the merchant
 * aside), breaks its own policy, or complains on the console.
 */
export async function openWindow({
  origin,
  refreshes = false,
  expected = [],
  alone = false,
  ...options
}: WindowOptions) {
  const { context, giveBack } = await takeContext(options)
  /** Every request, from the first. */
  const requests: Request[] = []
  const complaints: string[] = []
  const onRequest = (request: Request) => {
    requests.push(request)
    if (!isAllowed(request, origin)) complaints.push(`a page asked for ${request.method()} ${request.url()}`)
  }
  const onConsole = (message: ConsoleMessage) => {
    const { url } = message.location()
    const entry = `console of ${url}: ${message.text()}`
    if (
      /error|warning/.test(message.type()) &&
      ![...always, ...expected].some((pattern) => pattern.test(entry))
    )
      complaints.push(entry)
  }
  const onError = (error: WebError) => complaints.push(`error in a page: ${error.error().message}`)
  const onDialog = (dialog: Dialog) => {
    complaints.push(`a page opened a dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => undefined)
  }
  context.on('request', onRequest).on('console', onConsole).on('weberror', onError).on('dialog', onDialog)
  const tabs: Tab[] = []
  onTestFinished(async () => {
    await Promise.all(tabs.map(closeTab))
    context
      .off('request', onRequest)
      .off('console', onConsole)
      .off('weberror', onError)
      .off('dialog', onDialog)
    await (alone ? context.close() : giveBack())
    expect(complaints).toEqual([])
  })
  /** One more tab of the same browser. */
  const tab = async () => {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    tabs.push({ page, session })
    if (!refreshes) await removeRefresh(session)
    return page
  }
  return { page: await tab(), requests, tab }
}

/** The same at an address: the origin of the sandbox is that of the address. */
export async function openWindowAt(address: string, options: Omit<WindowOptions, 'origin'> = {}) {
  const window = await openWindow({ origin: new URL(address).origin, ...options })
  await window.page.goto(address)
  return window
}

/** Hides a window behind others, or shows it again. */
export const setHidden = (page: Page, hidden: boolean): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, hidden)

/** Holds the requests of a page for such addresses until they are released. */
export async function holdRequests(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, (route) => held.then(() => route.continue()))
  return release
}

/** A page, and a connection to the browser that acts on it. */
interface Tab {
  readonly page: Page
  readonly session: CDPSession
}

/** Chromium drops a close that meets a navigation, and says that it was done (crbug.com/536385539): it is asked again. */
async function closeTab({ page, session }: Tab): Promise<void> {
  const again = setInterval(() => {
    session.send('Page.close').catch(() => undefined) // the page is gone
  }, 250)
  await page.close().finally(() => clearInterval(again))
}

/** Contexts that a window had and the next one with the same options takes over: a new one starts a process. */
const idle: { readonly key: string; readonly context: BrowserContext }[] = []

/** A context without a page of a test, and what gives it back when its pages are closed. */
async function takeContext(
  options: BrowserContextOptions,
): Promise<{ readonly context: BrowserContext; giveBack(): Promise<void> }> {
  const all: BrowserContextOptions = { reducedMotion: 'reduce', ...options }
  const key = JSON.stringify(all)
  const found = idle.findIndex((each) => each.key === key)
  const [taken] = found === -1 ? [] : idle.splice(found, 1)
  const context = taken?.context ?? (await newContext(all))
  const giveBack = async () => {
    await context.clearCookies()
    idle.push({ key, context })
    if (idle.length > 4) await idle.shift()?.context.close() // each has a process
  }
  return { context, giveBack }
}

async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
  connected ??= connectBrowser()
  const context = await (await connected).newContext(options)
  context.setDefaultTimeout(60_000) // for failures only: the machine may be busy
  await context.newPage() // stays empty: while it is open, the process that the pages share does not end
  return context
}

/** Takes the header Refresh off every page. A route would not see those that a redirect leads to. */
async function removeRefresh(session: CDPSession): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId, responseStatusCode, responseHeaders }) => {
    const others = responseHeaders?.filter(({ name }) => name.toLowerCase() !== 'refresh')
    const changed = responseStatusCode &&
      others && { responseCode: responseStatusCode, responseHeaders: others }
    session.send('Fetch.continueResponse', { requestId, ...changed }).catch(() => undefined) // the page is gone
  })
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Response' }] })
}

/** What Chromium notes by itself: a form that is answered with its errors, and icons that are missing. */
const always = [
  /\/favicon\.ico: Failed .* status of 404/,
  /\/pay: Failed .* status of 422/,
  /icon\.svg: Failed .* net::ERR_CONNECTION_(REFUSED|RESET)/,
]

/** Everything comes from the sandbox; only a window as a whole may go elsewhere, to the merchant. */
function isAllowed(request: Request, origin: string): boolean {
  if (new URL(request.url()).origin === origin) return true
  const { hostname } = new URL(request.url())
  return request.isNavigationRequest() && request.frame().parentFrame() === null && hostname === '127.0.0.1'
}
