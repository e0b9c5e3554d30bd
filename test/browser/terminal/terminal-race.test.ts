import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from '../../support/browser/browser.ts'
import { displays, standAt } from '../../support/browser/cashier.ts'
import { times } from '../../support/runner/counts.ts'

/** The button that taps a card for this transaction. */
const tapButton = (page: Page, id: string) =>
  page
    .locator('form.card-picker', { has: page.locator(`[name=transactionId][value="${id}"]`) })
    .locator('button[value="visa-contactless tap"]')

inBrowser('abort by the till and a tap in the window at the same moment', () => {
  const rounds = times(6, 100)

  test('exactly one of abort and tap wins, over many rounds, and the window shows which', async () => {
    const { page, terminalPage } = await standAt({
      reducedMotion: 'reduce',
      // What the console says of a tap that came too late.
      expected: [/present: Failed .* status of 409/, /htmx:/, /the form is not connected/],
    })
    const won = { SUCCESS: 0, CLOSED: 0 }
    let lead = 0 // milliseconds that the tap is ahead of the abort; it follows who won, so that both do
    for (let round = 0; round < rounds || (round < 100 && (won.SUCCESS === 0 || won.CLOSED === 0)); round++) {
      const id = await terminalPage.sell(1000 + round)
      const button = tapButton(page, id)
      await button.waitFor({ state: 'attached' })
      const element = await button.elementHandle() // the abort may take it away before the tap finds it
      const tapped = element?.evaluate((target) => (target as HTMLButtonElement).click())
      await pause(lead)
      const abort = terminalPage.till('abort', { originalTransactionId: id, description: 'Changed my mind' })
      const [{ code }] = await Promise.all([abort, tapped])
      await displays(page, code === '0' ? 'Closed' : 'Approved')
      const { status } = (await terminalPage.control('GET', `transactions/${id}`)) as {
        status: keyof typeof won
      }
      expect(status, `the abort was answered with ${code}`).toBe(code === '0' ? 'CLOSED' : 'SUCCESS')
      const ends = (await terminalPage.story(id)).filter((what) => /^(approved|closed|aborted)$/.test(what))
      expect(ends).toHaveLength(1)
      won[status] += 1
      lead = Math.max(0, lead + (status === 'CLOSED' ? 2 : -1))
    }
    expect(won.SUCCESS).toBeGreaterThan(0)
    expect(won.CLOSED).toBeGreaterThan(0)
  })
})
