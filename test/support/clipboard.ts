import type { Page } from 'playwright-core'

/** Options of a window whose pages may copy. */
export const mayCopy = { permissions: ['clipboard-write'] }

/**
 * Returns what reads the text that a page copied last. It is noted in the page, once the browser has taken it: the
 * clipboard belongs to all windows of the browser, and other files copy at the same time. Call it before the page is opened.
 */
export async function copiesOf(page: Page): Promise<() => Promise<string | undefined>> {
  await page.addInitScript(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = async (text) => {
      await write(text)
      Object.assign(window, { copied: text })
    }
  })
  return () => page.evaluate(() => ('copied' in window ? String(window.copied) : undefined))
}
