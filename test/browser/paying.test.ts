import { expect, test } from 'vitest'
import { inBrowser, openWindowAt, phone } from '../support/browser/browser.ts'
import { openCheckout, payButton, payWith, sees, typeCard } from '../support/browser/shopper.ts'
import { minute, openMerchantSite, openShop } from '../support/pages/shop-front.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'

const waiting = sideBySide()

inBrowser('a shopper', () => {
  test('a shopper keeps what was typed while the sandbox is gone, and pays when it is back', async () => {
    const { page } = await openCheckout({}, { alone: true, expected: [/ERR_/] })
    await typeCard(page)
    await page.context().setOffline(true)
    await payButton(page).click()
    await page.getByText('what you typed is still here').waitFor()
    expect(await page.locator('#expiry').inputValue()).toBe('12/99')
    await page.context().setOffline(false)
    await payButton(page).click()
    await sees(page, 'Payment received')
  })

  test('a shopper on a phone sees Pay from the first moment', async () => {
    const { page } = await openCheckout({}, { viewport: phone })
    const { y = 0, height = 0 } = (await payButton(page).boundingBox()) ?? {}
    expect(y).toBeGreaterThan(700)
    expect(y + height).toBeLessThanOrEqual(844)
  })

  test('a shopper pays with a chosen card and returns by a link that tells the merchant the result', async () => {
    const { returnUrl, visits } = await openMerchantSite()
    const order = { merchantReturnUrl: returnUrl, referenceOrderId: 'ORDER-1' }
    const { page, shop, sessionId, transactionRequestId } = await openCheckout(order)
    await payWith(page, 'mastercard-debit')
    await sees(page, 'Payment received')
    await page.getByText('You return automatically in 20 seconds.').waitFor()
    await page.getByText('Mastercard ending in 8210').waitFor()
    await page.getByRole('link', { name: /^Return to / }).click()
    await sees(page, 'Back at the shop')
    expect(visits).toHaveLength(1)
    expect(Object.fromEntries(visits[0]?.url.searchParams ?? [])).toEqual({
      cart: '7',
      status: 'S',
      transactionId: (await shop.session(sessionId)).transactionId,
      transactionRequestId,
      referenceOrderId: 'ORDER-1',
      sessionId,
    })
    expect(visits[0]?.from).toBeUndefined()
  })

  waiting(
    'a shopper who does nothing after paying is returned to the merchant, with scripts and without',
    async () => {
      const shop = await openShop()
      const { returnUrl, visits } = await openMerchantSite()
      const payAndWait = async (javaScriptEnabled: boolean) => {
        const { checkoutUrl } = await shop.open({ merchantReturnUrl: returnUrl })
        const { page } = await openWindowAt(checkoutUrl, { refreshes: true, javaScriptEnabled })
        await payWith(page, 'visa-contactless')
        await sees(page, 'Payment received')
        await sees(page, 'Back at the shop')
      }
      await Promise.all([payAndWait(true), payAndWait(false)])
      const returned = ['S', undefined]
      expect(visits.map(({ url, from }) => [url.searchParams.get('status'), from])).toEqual([
        returned,
        returned,
      ])
    },
  )
})

inBrowser('a bank that takes its time', () => {
  waiting('the page waits for the bank and shows the approval by itself', async () => {
    const shop = await openShop()
    const { checkoutUrl, sessionId } = await shop.open({}, { 'X-Sandbox-Outcome': 'late-approval' })
    const { page } = await openWindowAt(checkoutUrl, { refreshes: true })
    await payWith(page, 'visa-contactless')
    await sees(page, 'Asking the bank')
    expect((await shop.session(sessionId)).state).toBe('processing')
    await shop.advance(minute)
    await sees(page, 'Payment received')
  })
})

inBrowser('the expiry of a session', () => {
  waiting(
    'a session that expires on an open page is shown as expired, with scripts and without',
    async () => {
      const shop = await openShop()
      const { checkoutUrl } = await shop.open()
      await shop.advance(30 * minute - 2500)
      const watch = async (javaScriptEnabled: boolean) => {
        const { page } = await openWindowAt(checkoutUrl, { refreshes: true, javaScriptEnabled })
        await sees(page, 'This payment has expired')
      }
      await Promise.all([watch(true), watch(false)])
    },
  )

  waiting(
    'a session that expires on a page with an error is shown as expired without sending the form again',
    async () => {
      const { page, requests, shop, sessionId } = await openCheckout({}, { refreshes: true })
      await page.evaluate(() => {
        for (const radio of document.querySelectorAll<HTMLInputElement>('[name=choice]'))
          radio.checked = false
      })
      await shop.advance(30 * minute - 2500)
      await page.getByRole('button', { name: /^Pay / }).click()
      await sees(page, 'This payment has expired')
      expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(1)
      expect((await shop.session(sessionId)).state).toBe('expired')
    },
  )
})
