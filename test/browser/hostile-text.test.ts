import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from '../support/browser/browser.ts'
import { present, pressCancel, showsScreen, standAt } from '../support/browser/cashier.ts'
import { openCheckout, payWith, sees, seesForm } from '../support/browser/shopper.ts'
import { openMerchantSite } from '../support/pages/shop-front.ts'
import { tipConfig } from '../support/pages/terminal-page.ts'

const evil = `"'></p><script>hacked=1</script><img src=x onerror=hacked=1>`

/** Nothing of a text became a part of the page. */
async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'hacked' in window,
    images: document.images.length,
    inline: [...document.scripts].filter(({ src }) => src === '').length,
    handlers: document.querySelectorAll('[onerror], [onload], [onclick], [hx-on], [style]').length,
  }))
  expect(found).toEqual({ ran: false, images: 0, inline: 0, handlers: 0 })
}

inBrowser('script in a text', () => {
  test('script in an order stays text on every page, and the merchant gets its query back unchanged', async () => {
    const { returnUrl, visits } = await openMerchantSite()
    const query = `"'><script>hacked=1</script>`
    const { page } = await openCheckout({
      description: evil,
      productList: [
        { name: evil, amount: 400, num: 1 },
        { name: '{{hacked=1}}${hacked=1}<svg/onload=hacked=1>', amount: 300, num: 2 },
      ],
      merchantReturnUrl: `${returnUrl}&next=${query}&again=javascript:hacked=1;url=//elsewhere.example/`,
    })
    await seesForm(page)
    expect(await page.locator('.description').textContent()).toBe(evil)
    expect(await page.locator('.products li > :first-child').allTextContents()).toContain(evil)
    await expectHarmless(page)
    await payWith(page, 'visa-declined')
    await page.getByText('2 tries are left').waitFor()
    await expectHarmless(page)
    await payWith(page, 'visa-contactless')
    await sees(page, 'Payment received')
    await expectHarmless(page)
    await page.getByRole('link', { name: /^Return to / }).click()
    await sees(page, 'Back at the shop')
    const { searchParams, origin } = visits[0]?.url ?? new URL('about:blank')
    expect(origin).toBe(new URL(returnUrl).origin)
    expect(searchParams.get('next')).toBe(query)
    expect(searchParams.get('status')).toBe('S')
  })

  test('script in a text stays text on every screen of a terminal that shows it', async () => {
    const { page, terminalPage } = await standAt({ reducedMotion: 'reduce' })
    await terminalPage.sell(1000, {
      description: evil,
      tipConfig: { ...tipConfig, suggestions: [{ feeMode: 'RATE', values: [10], names: [evil] }] },
    })
    await page.getByText(evil).waitFor()
    await expectHarmless(page)
    await page.reload()
    await page.getByText(evil).waitFor()
    await expectHarmless(page)
    await present(page, 'amex-chip', 'insert')
    await showsScreen(page, 'tip')
    await expectHarmless(page)
    await pressCancel(page)
    await showsScreen(page, 'result')
    await expectHarmless(page)
  })
})
