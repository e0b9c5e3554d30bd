import { expect, test } from 'vitest'
import { resultTime } from '../../../src/contract/control/screens.ts'
import { inBrowser } from '../../support/browser/browser.ts'
import { displays, present, pressCancel, showsScreen, standAt } from '../../support/browser/cashier.ts'
import { tipConfig } from '../../support/pages/terminal-page.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'

const plain = { javaScriptEnabled: false }

inBrowser('without scripts', () => {
  const waiting = sideBySide()

  waiting(
    'a window finds a payment by itself, and takes a card, an own tip, a wrong and a right PIN',
    async () => {
      const { page, terminalPage } = await standAt(plain)
      await page.locator('.card-hint code').first().waitFor()
      await page.getByText('Type an amount').waitFor({ state: 'hidden' }) // there are no keys for it
      const id = await terminalPage.sell(1000, { tipConfig })
      await present(page, 'visa-chip-pin', 'insert')
      await showsScreen(page, 'tip')
      await page.getByLabel('Other amount').fill('2.50')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Wrong PIN' }).click()
      await page.getByText('2 tries left').waitFor()
      await page.getByRole('button', { name: 'Correct PIN' }).click()
      await displays(page, 'Approved')
      await page.locator('.copy-of-customer').getByText('12.50').waitFor()
      expect((await terminalPage.control('GET', `transactions/${id}`)).record.tipAmount).toBe(250)
      for (const key of ['1', 'enter', 'clear']) // a page that was just loaded has its text before its styles
        await page.locator(`[data-key="${key}"]`).waitFor({ state: 'hidden' })
    },
  )

  waiting('a person chooses the outcome, and the window waits for a late one', async () => {
    const { page, terminalPage } = await standAt(plain)
    await terminalPage.sell()
    await page.reload()
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
    await terminalPage.advance(resultTime)
    const id = await terminalPage.sell()
    await page.reload()
    await showsScreen(page, 'present-card')
    await page.getByLabel('Next outcome').selectOption('late-approval')
    await present(page, 'visa-contactless', 'tap')
    await showsScreen(page, 'processing')
    await terminalPage.advance(60_000)
    await displays(page, 'Approved')
    expect(await terminalPage.story(id)).toContain('approved')
  })

  test('a person signs, cancels and switches the terminal off without scripts', async () => {
    const { page, terminalPage } = await standAt(plain)
    const signed = await terminalPage.sell()
    await page.reload()
    await present(page, 'mastercard-chip-signature', 'insert')
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await displays(page, 'Approved')
    expect((await terminalPage.story(signed)).slice(-2)).toEqual(['signed', 'approved'])
    await terminalPage.advance(resultTime)
    await terminalPage.sell()
    await page.reload()
    await showsScreen(page, 'present-card')
    await pressCancel(page)
    await displays(page, 'Closed')
    await page.getByRole('switch', { name: 'Online' }).click()
    await displays(page, 'No connection')
  })
})
