import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'

/** Half as long as that of the package. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** A small telephone, upright. */
export const narrowWindow = { width: 360, height: 640 }

const wide = { width: 1280, height: 720 }

/**
 * What axe finds in a wide window: every rule in light colours, and the contrast again in dark ones. The window must bypass the policy
 * of the page, which lets no foreign script in.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.setViewportSize(wide)
  await page.evaluate(axeSource)
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' }) // colours are as they will be, at once
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations, passes } = await page.evaluate(
      // The pages load nothing from elsewhere that axe would have to fetch first.
      (rules) =>
        (window as unknown as { axe: typeof axe }).axe.run({
          preload: false,
          resultTypes: ['violations'],
          ...(rules && { runOnly: rules }),
        }),
      colorScheme === 'dark' ? ['color-contrast'] : null,
    )
    found.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      ),
    )
    if (!passes.some(({ id }) => id === 'color-contrast'))
      found.push(`${colorScheme}: no contrast was measured`)
  }
  return found
}

/** Where the elements of a selector are. */
export const boxesOf = (within: Page | Locator, selector: string): Promise<DOMRect[]> =>
  within
    .locator(selector)
    .evaluateAll((elements) => elements.map((each) => each.getBoundingClientRect().toJSON()))

/** How wide the content of a page is: wider than its window, where something reaches out of it. */
export const contentWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth)

/** Elements that reach out of a window of that width, or hold more than they show. `scrolling`: selector of those that may. */
export const overflowing = (page: Page, scrolling: string): Promise<string[]> =>
  page.evaluate(
    ([width, exempt]) =>
      [document.documentElement, ...document.querySelectorAll('body *')]
        .filter((element) => element.checkVisibility() && element.closest(exempt) === null)
        .filter(
          (element) => element.getBoundingClientRect().right > width + 0.5 || element.scrollWidth > width + 1,
        )
        .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    [narrowWindow.width, `.sr-only, svg, ${scrolling}`] as const,
  )

/** Controls that cannot be pressed near their corner, though they are scrolled to: something lies over them. */
export const coveredControls = (page: Page, controls: string): Promise<string[]> =>
  page.locator(controls).evaluateAll((elements) =>
    elements
      .filter((element) => {
        element.scrollIntoView({ block: 'center', behavior: 'instant' })
        const { left, top } = element.getBoundingClientRect()
        return !element.contains(document.elementFromPoint(left + 8, top + 8))
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )

/** Words, dates and ids that a line break parts. */
export const brokenWords = (page: Page, within: string) =>
  page.locator(within).evaluateAll((elements) => {
    const texts = elements.flatMap((element) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
      const found: Text[] = []
      while (walker.nextNode())
        if (walker.currentNode.parentElement?.checkVisibility()) found.push(walker.currentNode as Text)
      return found
    })
    return texts.flatMap((text) =>
      [...text.data.matchAll(/\d{4}-\d\d-\d\d|[^\s-]+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 ? [word] : []
      }),
    )
  })

/** Elements that reach out of the card in which they stand. What scrolls may, and a cell cuts what it holds. */
export const outOfTheirCard = (page: Page): Promise<string[]> =>
  page.locator('main .panel :visible').evaluateAll((elements) =>
    elements
      .filter((element) => {
        const card = element.closest('.beside, .panel:not(.beside *)')?.getBoundingClientRect()
        const { left, right, width } = element.getBoundingClientRect()
        const isFree = element.closest(
          '.sr-only, svg, .popover, .tabs, .body-text, .every-width, .dense :is(td, th)',
        )
        return card && width > 0 && isFree === null && (right > card.right + 1 || left < card.left - 1)
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )
