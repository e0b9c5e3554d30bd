import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from '../support/browser/browser.ts'
import { focused, goodCard, openCheckout, sees } from '../support/browser/shopper.ts'
import { openMerchantSite } from '../support/pages/shop-front.ts'

/** Presses a key until the focus is where it should be; each place on the way shows that it has the focus. */
async function press(page: Page, key: string, target: RegExp): Promise<void> {
  for (let times = 0; times < 30; times++) {
    await page.keyboard.press(key)
    expect(await isRinged(page), `${await focused(page)} shows no focus`).toBe(true)
    if (target.test(await whereIs(page))) return
  }
  throw new Error(`${key} never leads to ${target}`)
}

/** The focus as a name: of a chosen card, of a field, or what a button says. */
const whereIs = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (element instanceof HTMLInputElement) return element.type === 'radio' ? element.value : element.id
    return element?.textContent?.trim() ?? ''
  })

/** True when an outline or a ring is drawn around what has the focus, or around the tile or box it stands in. */
const isRinged = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const element = document.activeElement
    return [element, element?.closest('.tile'), element?.closest('.field-box')].some((box) => {
      if (!box) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(box)
      return outlineStyle !== 'none' && outlineWidth !== '0px'
    })
  })

inBrowser('with the keyboard alone', () => {
  test('a card is chosen and paid with, and the shopper returns to the merchant', async () => {
    const { returnUrl, visits } = await openMerchantSite()
    const { page } = await openCheckout({ merchantReturnUrl: returnUrl })
    await press(page, 'Tab', /^visa-contactless$/)
    await press(page, 'ArrowDown', /^amex-chip$/)
    await press(page, 'Tab', /^Pay /)
    await page.keyboard.press('Enter')
    await sees(page, 'Payment received')
    await page.getByText('Amex ending in 0005').waitFor()
    await press(page, 'Tab', /^Return to /)
    await page.keyboard.press('Enter')
    await sees(page, 'Back at the shop')
    expect(visits[0]?.url.searchParams.get('status')).toBe('S')
  })

  test('a declined card is found in its fold, and another one typed', async () => {
    const { page, shop, sessionId } = await openCheckout()
    await press(page, 'Tab', /more declined cards$/)
    await page.keyboard.press('Enter')
    await press(page, 'Shift+Tab', /^visa-contactless$/)
    await press(page, 'ArrowUp', /^visa-stolen$/)
    await press(page, 'Tab', /^Pay /)
    await page.keyboard.press('Space')
    await page.locator(':focus', { hasText: '2 tries are left' }).waitFor() // Tab goes on from there
    await press(page, 'Tab', /^visa-contactless$/)
    await press(page, 'ArrowDown', /^typed$/)
    await press(page, 'Tab', /^number$/)
    for (const field of ['number', 'expiry', 'securityCode'] as const) {
      expect(await whereIs(page)).toBe(field)
      await page.keyboard.type(goodCard[field].replace('/', ''))
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await sees(page, 'Payment received')
    expect(await shop.session(sessionId)).toMatchObject({ state: 'paid', tries: 1 })
  })
})
