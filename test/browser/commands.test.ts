import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

inBrowser('commands and ids', () => {
  test.each([390, 1440])(
    'at %d pixels a command is cut nowhere, and breaks within a word or id only if that is longer than a line',
    async (width) => {
      const receiver = await openReceiver()
      const notifyUrl = `${receiver.url}/${'notifications/'.repeat(6)}of-this-shop`
      const { attempted, url, sandbox, sell } = await openDashboard({ notifyUrl })
      const referenceOrderId = 'order-of-a-table-by-the-window' // nearly as long as a line of a phone
      const id = await sell(1000, {
        referenceOrderId,
        description: `half a coffee, ${'and a cake '.repeat(9)}`.trim(),
      })
      await attempted(receiver, 1)
      const [request] = sandbox.log.list()
      const [webhook] = receiver.arrivals
      const { page } = await openWindow({ origin: url, viewport: { width, height: 900 } })
      const paths = [
        `/transactions/${id}`,
        `/transactions/${id}/refund`,
        `/requests/${request?.traceId}`,
        `/webhooks/${webhook?.id}`,
        '/docs/guides/faults',
      ]
      for (const path of paths) {
        await page.goto(`${url}${path}`)
        await page.locator('main details').evaluateAll((folds) => {
          for (const fold of folds) fold.setAttribute('open', '')
        })
        await page.locator('main header input[type=checkbox]').evaluateAll((folds) => {
          for (const fold of folds) (fold as HTMLInputElement).checked = true // the facts of a record
        })
        const words = page.locator(
          ':is(.command, .body) bdi:visible, :is(.facts .code, .facts .code *):not(:has(*)):visible',
        )
        expect(await words.count(), path).toBeGreaterThan(0)
        const broken = (elements: Element[]) => {
          const range = document.createRange()
          const isBroken = (element: Element) => {
            range.selectNodeContents(element)
            const [first, ...others] = range.getClientRects()
            const line = element.parentElement?.closest('bdi, .code-line, dd') ?? element
            const { paddingInlineStart, paddingInlineEnd, fontSize } = getComputedStyle(line)
            const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
            const room = line.clientWidth - padding
            const isShort = (element.textContent ?? '').length * Number.parseFloat(fontSize) * 0.61 < room
            return isShort && others.some(({ top }) => first !== undefined && top > first.bottom - 4)
          }
          return elements.filter(isBroken).map(({ textContent }) => textContent)
        }
        expect([path, await words.evaluateAll(broken)]).toEqual([path, []])
        const cut = (all: Element[]) => all.filter((each) => each.scrollWidth > each.clientWidth).length
        expect([path, await page.locator(':is(.command code, .body-text):visible').evaluateAll(cut)]).toEqual(
          [path, 0],
        )
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(width)
      }
    },
  )
})
