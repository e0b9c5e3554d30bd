import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { chooseTestCard, payButton, payWith, sees, seesForm } from '../support/browser/shopper.ts'
import { minute, openMerchantSite, openShop, type Shop } from '../support/pages/shop-front.ts'

const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel payment' }).click()

/** Cards that reached the host, and how often it approved. */
async function chargesOf(shop: Shop, sessionId: string): Promise<{ cards: number; approvals: number }> {
  const story = await shop.story(sessionId)
  const count = (what: string) => story.filter((moment) => moment === what).length
  return { cards: count('card-presented'), approvals: count('approved') }
}

/** One session in two tabs. */
async function openTwice(headers = {}, refreshes = false) {
  const shop = await openShop()
  const session = await shop.open({}, headers)
  const { page: left, tab, requests } = await openWindow({ origin: shop.url, refreshes })
  const right = await tab()
  await Promise.all([left.goto(session.checkoutUrl), right.goto(session.checkoutUrl)])
  return { shop, ...session, left, right, requests }
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

  test('one tab paying while the bank is asked for the other makes one payment, and both wait', async () => {
    const { shop, sessionId, left, right } = await openTwice({ 'X-Sandbox-Outcome': 'late-approval' }, true)
    await payWith(left, 'visa-contactless')
    await sees(left, 'Asking the bank')
    await payWith(right, 'mastercard-contactless')
    await sees(right, 'Asking the bank')
    await shop.advance(minute)
    await Promise.all([sees(left, 'Payment received'), sees(right, 'Payment received')])
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 1, approvals: 1 })
  })

  test('when one tab cancels, the other cannot pay any more', async () => {
    const { shop, sessionId, left, right } = await openTwice()
    await cancel(left)
    await sees(left, 'Payment cancelled')
    await payWith(right, 'visa-contactless')
    await sees(right, 'Payment cancelled')
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 0, approvals: 0 })
  })

  test('when one tab pays, the other cannot cancel any more', async () => {
    const { shop, sessionId, left, right } = await openTwice()
    await payWith(left, 'visa-contactless')
    await sees(left, 'Payment received')
    await cancel(right)
    await sees(right, 'Payment received')
    expect((await shop.session(sessionId)).state).toBe('paid')
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
  test.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('a double click pays once, %s', async (_, javaScriptEnabled) => {
    const shop = await openShop()
    const { checkoutUrl, sessionId } = await shop.open()
    const { page, requests } = await openWindow({ origin: shop.url, javaScriptEnabled })
    await page.goto(checkoutUrl)
    await payButton(page).dblclick()
    await sees(page, 'Payment received')
    if (javaScriptEnabled) expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(1)
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 1, approvals: 1 })
  })

  test('a double click on a declined card uses one try, not two', async () => {
    const shop = await openShop()
    const { checkoutUrl, sessionId } = await shop.open()
    const { page } = await openWindow({ origin: shop.url })
    await page.goto(checkoutUrl)
    await chooseTestCard(page, 'visa-declined')
    await payButton(page).dblclick()
    await page.getByText('2 tries are left').waitFor()
    expect(await shop.session(sessionId)).toMatchObject({ state: 'open', tries: 1 })
  })

  test('going back and reloading shows that the session is paid', async () => {
    const shop = await openShop()
    const { checkoutUrl, sessionId } = await shop.open()
    const { page, requests } = await openWindow({ origin: shop.url })
    await page.goto(`${shop.url}/_assets/icon.svg`)
    await page.goto(checkoutUrl)
    await payWith(page, 'visa-declined')
    await page.getByText('2 tries are left').waitFor()
    await payWith(page, 'visa-contactless')
    await sees(page, 'Payment received')
    await page.reload()
    await sees(page, 'Payment received')
    await page.goBack()
    await sees(page, 'Payment received')
    expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(2)
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 2, approvals: 1 })
  })

  test('going back from the merchant does not pay again', async () => {
    const shop = await openShop()
    const { returnUrl } = await openMerchantSite()
    const { checkoutUrl, sessionId } = await shop.open({ merchantReturnUrl: returnUrl })
    const { page } = await openWindow({ origin: shop.url })
    await page.goto(checkoutUrl)
    await payWith(page, 'visa-contactless')
    await sees(page, 'Payment received')
    await page.getByRole('link', { name: /^Return to / }).click()
    await sees(page, 'Back at the shop')
    await page.goBack()
    await sees(page, 'Payment received')
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 1, approvals: 1 })
  })

  test('a shopper goes back to the form from an error page of the service and pays', async () => {
    const shop = await openShop()
    const { checkoutUrl, sessionId } = await shop.open()
    const { page } = await openWindow({ origin: shop.url, javaScriptEnabled: false })
    await page.goto(checkoutUrl)
    await chooseTestCard(page, 'typed')
    await payButton(page).click()
    await page.getByText('3 things to correct').waitFor()
    await page.goto(page.url()) // the address line, once more
    await seesForm(page)
    expect(page.url()).toBe(checkoutUrl)
    await payWith(page, 'visa-contactless')
    await sees(page, 'Payment received')
    expect(await chargesOf(shop, sessionId)).toEqual({ cards: 1, approvals: 1 })
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
