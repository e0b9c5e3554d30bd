import type { Page } from 'playwright-core'

/** Options of a window whose pages may copy. */
export const mayCopy = { permissions: ['clipboard-write'] }

/**
 * Returns a function that reads the text a page copied last. The page keeps it, once the browser has taken it: the
 * clipboard belongs to all windows of the browser, and other files copy at the same time. Call this before the page opens.
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
