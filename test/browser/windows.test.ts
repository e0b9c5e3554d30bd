import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, openWindow, openWindowAt } from '../support/browser/browser.ts'
import { chooseTestCard, openCheckout, payButton, payWith, sees } from '../support/browser/shopper.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { openMerchantSite, openShop, type Shop } from '../support/pages/shop-front.ts'

const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel payment' }).click()

/** Cards that reached the host, and how often it approved. */
async function chargesOf(shop: Shop, sessionId: string): Promise<{ cards: number; approvals: number }> {
  const story = await shop.story(sessionId)
  const count = (what: string) => story.filter((moment) => moment === what).length
  return { cards: count('card-presented'), approvals: count('approved') }
}

/** One session in two tabs. */
async function openTwice() {
  const { page: left, ...checkout } = await openCheckout()
  const right = await checkout.tab()
  await right.goto(checkout.checkoutUrl)
  return { ...checkout, left, right }
}

inBrowser('two tabs', () => {
  test('two tabs that pay at once make one payment, and both show it', async () => {
    const { shop, sessionId, left, right, requests } = await openTwice()
    await Promise.all([
      chooseTestCard(left, 'visa-contactless'),
      chooseTestCard(right, 'mastercard-contactless'),
    ])
    await Promise.all([payButton(left).click(), payButton(right).click()])
    await Promise.all([sees(left, 'Payment received'), sees(right, 'Payment received')])
    expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(2)
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 1, approvals: 1 })
    const slips = [left, right].map((page) => page.locator('main').textContent())
    expect(new Set(await Promise.all(slips)).size).toBe(1)
  })

  test('when one tab pays and the other cancels at once, both show the same result', async () => {
    const { shop, sessionId, left, right } = await openTwice()
    await chooseTestCard(left, 'visa-contactless')
    await Promise.all([payButton(left).click(), cancel(right)])
    await expect.poll(async () => (await shop.session(sessionId)).state).toMatch(/paid|cancelled/) // a form asks before it is sent
    const { state } = await shop.session(sessionId)
    const heading = state === 'paid' ? 'Payment received' : 'Payment cancelled'
    await Promise.all([sees(left, heading), sees(right, heading)])
    expect((await shop.session(sessionId)).state).toBe(state)
  })
})

inBrowser('a payment that is made is not made again', () => {
  test('a double click uses one try of a declined card, and pays once with a good one', async () => {
    const { page, requests, shop, sessionId } = await openCheckout()
    await chooseTestCard(page, 'visa-declined')
    await payButton(page).dblclick()
    await page.getByText('2 tries are left').waitFor()
    expect(await shop.session(sessionId)).toMatchObject({ state: 'open', tries: 1 })
    await chooseTestCard(page, 'visa-contactless')
    await payButton(page).dblclick()
    await sees(page, 'Payment received')
    expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(2)
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 2, approvals: 1 })
  })

  test('reloading, and going back from the merchant or further, shows that the session is paid', async () => {
    const { returnUrl } = await openMerchantSite()
    const { page, requests, shop, sessionId } = await openCheckout({ merchantReturnUrl: returnUrl })
    await payWith(page, 'visa-declined')
    await page.getByText('2 tries are left').waitFor()
    await payWith(page, 'visa-contactless')
    await sees(page, 'Payment received')
    await page.reload()
    await sees(page, 'Payment received')
    await page.getByRole('link', { name: /^Return to / }).click()
    await sees(page, 'Back at the shop')
    for (let back = 0; back < 2; back++) {
      await page.goBack()
      await sees(page, 'Payment received')
    }
    expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(2)
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 2, approvals: 1 })
  })
})

/** What a browser does that shows a page again as it kept it. */
const showKept = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))

inBrowser('a page that the browser kept', () => {
  test('a payment page shows that the session is paid', async () => {
    const { page, checkoutUrl, tab } = await openCheckout()
    const other = await tab()
    await other.goto(checkoutUrl)
    await payWith(other, 'visa-contactless')
    await sees(other, 'Payment received')
    await showKept(page)
    await sees(page, 'Payment received')
  })

  test('the form of a payment makes another one', async () => {
    const { url } = await openDashboard()
    const { page } = await openWindowAt(`${url}/payments/new`)
    const id = page.locator('main [name=transactionRequestId]')
    const before = await id.inputValue()
    await showKept(page)
    await expect.poll(() => id.inputValue()).not.toBe(before)
  })
})

inBrowser('a page of another site', () => {
  test('a page of another site cannot pay in the name of its visitor', async () => {
    const shop = await openShop()
    const { returnUrl } = await openMerchantSite()
    const { checkoutUrl, sessionId } = await shop.open()
    const { page } = await openWindow({ origin: shop.url, expected: [/pay: Failed .* status of 403/] })
    await page.goto(returnUrl)
    await page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      form.append(
        Object.assign(document.createElement('input'), { name: 'choice', value: 'visa-contactless' }),
      )
      document.body.append(form)
      form.submit()
    }, `${checkoutUrl}/pay`)
    await sees(page, 'That did not work')
    expect(await shop.session(sessionId)).toMatchObject({ state: 'open', tries: 0 })
  })

  test('a page of another site cannot show the payment page in a frame', async () => {
    const shop = await openShop()
    const { returnUrl } = await openMerchantSite()
    const { checkoutUrl } = await shop.open()
    const { page } = await openWindow({
      origin: shop.url,
      expected: [/frame-ancestors|X-Frame-Options|status of 403/i],
    })
    await page.goto(returnUrl)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }))
    }, checkoutUrl)
    await refused
    for (const frame of page.frames()) expect(await frame.locator('.card-form').count()).toBe(0)
  })
})
