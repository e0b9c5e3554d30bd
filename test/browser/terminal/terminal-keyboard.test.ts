import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from '../../support/browser/browser.ts'
import { displays, showsScreen, standAt, visitTerminal } from '../../support/browser/cashier.ts'
import { tipConfig } from '../../support/pages/terminal-page.ts'

/** Presses keys one after the other. */
async function keys(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name)
}

const focusedCard = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLButtonElement ? document.activeElement.value : '',
  )

/** True when what has the focus is drawn with an outline. */
const isRinged = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle !== 'none')

const waitForAnnouncement = (page: Page, text: RegExp) =>
  page.locator('[data-announce]').filter({ hasText: text }).waitFor({ state: 'attached' })

inBrowser('with the keyboard alone', () => {
  test('the screens for card, tip, PIN and result are read out', async () => {
    const { page, terminalPage } = await standAt()
    await waitForAnnouncement(page, /^Tillbox Coffee: ready$/)
    const id = await terminalPage.sell(1000, { tipConfig })
    await waitForAnnouncement(page, /^\$10\.00\. Present a card$/)
    await keys(page, 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft')
    expect(await focusedCard(page)).toBe('visa-chip-pin insert')
    expect(await isRinged(page)).toBe(true)
    await keys(page, 'Enter')
    await waitForAnnouncement(page, /Choose a tip/)
    await keys(page, 'ArrowDown', 'ArrowDown')
    expect(await isRinged(page)).toBe(true)
    await keys(page, 'Enter')
    await waitForAnnouncement(page, /^\$11\.80\. Enter the PIN, then press Enter\. Tries left: 3$/)
    await keys(page, '1', '2', '3', '3')
    await waitForAnnouncement(page, /^4 digits$/)
    await keys(page, 'Backspace', '4', 'Enter')
    await waitForAnnouncement(page, /^Approved, \$11\.80$/)
    expect((await terminalPage.control('GET', `transactions/${id}`)).record.tipAmount).toBe(180)
  })

  test('a viewer sees no keys of the terminal, and presses none', async () => {
    const { page, terminalPage } = await standAt()
    await page.route(terminalPage.page, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('<html ', '<html data-viewer ') })
    })
    await visitTerminal(page, terminalPage)
    await terminalPage.sell(1000)
    await showsScreen(page, 'present-card')
    for (const part of ['.keypad', '.terminal-settings', '.fragment-cards button'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false])
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.method()))
    await keys(page, 'Escape', 'Enter', '1')
    await page.evaluate(() => fetch('/'))
    expect(sent).toEqual(['GET'])
  })

  test('the result of the payment before is read out and shown until the next one has its card', async () => {
    const { page, terminalPage } = await standAt()
    await terminalPage.sell(2200)
    await terminalPage.sell(500, { tipConfig })
    await terminalPage.act('present', { card: 'visa-declined' })
    await waitForAnnouncement(
      page,
      /^Before: Declined, \$22\.00, 005 Do not honor\. \$5\.00\. Present a card$/,
    )
    const before = page.locator('.display').getByText('Before: Declined, $22.00, 005 Do not honor')
    await before.waitFor()
    await terminalPage.advance(60_000) // however long it takes
    await page.reload()
    await before.waitFor()
    await terminalPage.act('present', { card: 'amex-chip' })
    await showsScreen(page, 'tip')
    expect(await before.count()).toBe(0)
    await terminalPage.act('tip', { tipAmount: 0 })
    await displays(page, 'Approved')
    await terminalPage.advance(60_000)
    await showsScreen(page, 'idle')
    await terminalPage.sell(700)
    await waitForAnnouncement(page, /^\$7\.00\. Present a card$/) // the result before was seen
  })

  test('an own tip is typed on the digits', async () => {
    const { page, terminalPage } = await standAt()
    const id = await terminalPage.sell(1000, { tipConfig })
    await terminalPage.act('present', { card: 'amex-chip' })
    await showsScreen(page, 'tip')
    await keys(page, '1', '2', '0', 'Enter')
    await displays(page, 'Approved')
    expect((await terminalPage.control('GET', `transactions/${id}`)).record.tipAmount).toBe(120)
  })

  test('Escape cancels, and Enter signs', async () => {
    const { page, terminalPage } = await standAt()
    await terminalPage.sell()
    await showsScreen(page, 'present-card')
    await keys(page, 'Escape')
    await waitForAnnouncement(page, /^Closed/)
    const id = await terminalPage.sell()
    await terminalPage.act('present', { card: 'mastercard-chip-signature' })
    await waitForAnnouncement(page, /approved\. Sign/)
    await keys(page, 'Enter')
    await displays(page, 'Approved')
    expect((await terminalPage.story(id)).slice(-2)).toEqual(['signed', 'approved'])
  })

  test('the digits on the screen can be reached and pressed too', async () => {
    const { page, terminalPage } = await standAt()
    await terminalPage.sell()
    await terminalPage.act('present', { card: 'visa-chip-pin' })
    await showsScreen(page, 'pin')
    for (const key of ['1', '2', '3', '4', 'enter']) {
      await page.locator(`[data-key="${key}"]`).focus()
      await keys(page, 'Space')
    }
    await displays(page, 'Approved')
  })
})
