import type { Page } from 'playwright-core'
import { openTerminalPage, type TerminalPage } from '../pages/terminal-page.ts'
import { openWindow, type WindowOptions } from './browser.ts'

/** What people do at the terminal in the browser, and what they see. */

/** The page of a terminal, and a window that shows its terminal. */
export type Stand = Awaited<ReturnType<typeof standAt>>

/** Opens the page of a terminal in a window; the window is waited for until it is live. */
export async function standAt(options: Omit<WindowOptions, 'origin'> = {}) {
  const terminalPage = await openTerminalPage()
  const window = await openWindow({ origin: terminalPage.url, ...options })
  await visitTerminal(window.page, terminalPage, options.javaScriptEnabled !== false)
  return { terminalPage, ...window }
}

/** Goes to the terminal's page. */
export async function visitTerminal(page: Page, terminalPage: TerminalPage, live = true): Promise<void> {
  const streaming = live ? page.waitForResponse((response) => response.url().endsWith('/live')) : undefined
  await page.goto(terminalPage.page)
  await streaming
}

/** Waits until the terminal shows that screen. */
export const showsScreen = (page: Page, screen: string): Promise<void> =>
  page.locator(`[data-screen=${screen}]`).waitFor()

/** Presents a card by its name in the fixtures; the fold it lies in is opened first. */
export async function present(page: Page, card: string, way: string): Promise<void> {
  const button = page.locator(`button[name=card][value="${card} ${way}"]`)
  await button.waitFor({ state: 'attached' })
  const fold = page.locator('details:not([open])', { has: button })
  if ((await fold.count()) > 0) await fold.locator('summary').click()
  await button.click()
}

/** Presses keys of the device: digits, `enter`, `clear`, `up`, `down`. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.locator(`[data-key="${key}"]`).click()
}

export const pressCancel = (page: Page): Promise<void> => page.getByRole('button', { name: 'Cancel' }).click()

/** Heading on the display. */
export const displays = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('[data-screen]').getByRole('heading', { name: text }).waitFor()
