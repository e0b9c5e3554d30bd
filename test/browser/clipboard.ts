import type { Page } from 'playwright-core'

/** Options of a window whose pages may copy. */
export const mayCopy = { permissions: ['clipboard-write'] }

/**
 * Returns a function that reads the texts a page has copied. The page keeps them, once the browser has taken them: the
 * clipboard belongs to all windows of the browser, and other files copy at the same time. Call this before the page opens.
 */
export async function copiesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const copies: string[] = []
    Object.assign(window, { copies })
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = async (text) => {
      await write(text)
      copies.push(text)
    }
  })
  return () => page.evaluate(() => (window as unknown as { copies: string[] }).copies)
}
