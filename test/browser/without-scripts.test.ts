import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { fieldError, pasteCard, payButton, sees } from '../support/browser/shopper.ts'
import { openShop } from '../support/pages/shop-front.ts'

async function openPlain() {
  const shop = await openShop()
  const session = await shop.open()
  const window = await openWindow({ origin: shop.url, javaScriptEnabled: false })
  await window.page.goto(session.checkoutUrl)
  return { shop, ...session, ...window }
}

inBrowser('without scripts', () => {
  test('the service says beside each field what is wrong, and keeps what is not a secret', async () => {
    const { page, shop, sessionId } = await openPlain()
    await pasteCard(page, { number: '4111111111111112', expiry: '01/20', securityCode: '1', holder: 'Ada' })
    await payButton(page).click()
    await page.getByRole('alert').filter({ hasText: '3 things to correct' }).waitFor()
    for (const [field, problem] of [
      ['number', /check digit/],
      ['expiry', /has passed/],
      ['securityCode', /3 digits, this one has 1/],
    ] as const) {
      expect(await fieldError(page, field).textContent()).toMatch(problem)
      expect(await page.locator(`#${field}`).getAttribute('aria-invalid')).toBe('true')
    }
    const typedIn = (field: string) => page.locator(`#${field}`).inputValue()
    expect(await Promise.all(['number', 'expiry', 'securityCode', 'holder'].map(typedIn))).toEqual([
      '',
      '01/20',
      '',
      'Ada',
    ])
    expect((await shop.session(sessionId)).tries).toBe(0)
    await page.getByRole('link', { name: /check digit/ }).click()
    await page.keyboard.insertText('4111111111111111')
    await page.locator('#expiry').fill('12/99')
    await page.locator('#securityCode').fill('123')
    await payButton(page).click()
    await sees(page, 'Payment received')
  })
})
