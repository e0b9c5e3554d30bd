import { expect, test } from 'vitest'
import { holdRequests, inBrowser, openWindow, openWindowAt } from '../support/browser/browser.ts'
import { openCheckout, payWith } from '../support/browser/shopper.ts'
import { openDashboard } from '../support/pages/dashboard.ts'

inBrowser('after a form', () => {
  test.each(['r', 'a click'])('a refund by %s leaves the keyboard at the row of its payment', async (way) => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/?open=${id}`)
    await page.locator('#beside #do-refund').waitFor()
    if (way === 'r') await page.keyboard.press('r')
    else await page.locator('#do-refund').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
    await page.locator('[data-toast]').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toMatch(/^row-\d+$/)
  })

  test('a declined checkout has the keyboard at the reason', async () => {
    const { page } = await openCheckout()
    await payWith(page, 'visa-declined')
    await page.locator('main [role=alert]:focus', { hasText: 'Declined' }).waitFor()
  })

  test('the browser goes back after a refusal and a success', async () => {
    const { url } = await openDashboard()
    const { page } = await openWindow({ origin: url })
    await page.goto(`${url}/payments/new`)
    const send = async (amount: string) => {
      await page.locator('#amount').fill(amount)
      await page.locator('#priceCurrency').fill('JPY')
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await send('10.50')
    await page.locator('#amount[aria-invalid=true]:focus').waitFor()
    await page.locator('#amount-error', { hasText: 'Amount has too many decimals' }).waitFor()
    await send('1050')
    await page.waitForURL(/\/transactions\/\d+/)
    await page.goBack()
    await page.getByRole('heading', { name: 'New payment' }).waitFor()
  })

  test('a key that a payment cannot follow says why, whether it is marked or open', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(9734)
    const { page } = await openWindowAt(dashboard.url)
    for (const key of ['j', 'Enter']) {
      await page.keyboard.press(key)
      if (key === 'Enter') await page.waitForURL(`**/?open=${id}`)
      await page.keyboard.press('r')
      await page.getByRole('dialog').getByText('Not possible').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('while a page or a record is on its way, a line says so', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    const line = page.locator('html[data-loading] .animate-loading')
    const release = await holdRequests(page, /transactions\//)
    await page.locator(`#row-${id}`).click()
    await line.waitFor()
    release()
    await page.locator('#beside h1').waitFor()
    await line.waitFor({ state: 'detached' })
    await page.evaluate(() => dispatchEvent(new Event('beforeunload'))) // as when a link is followed
    await line.waitFor()
    await page.getByRole('link', { name: 'Batches' }).click()
    await page.getByRole('heading', { name: 'Batches' }).waitFor()
    expect(await line.count()).toBe(0)
  })
})
