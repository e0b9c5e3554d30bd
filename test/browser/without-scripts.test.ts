import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import {
  chooseTestCard,
  fieldError,
  pasteCard,
  payButton,
  payWith,
  sees,
} from '../support/browser/shopper.ts'
import { expectNoTrace, openShop } from '../support/pages/shop-front.ts'

const real = '4485275742308327'

async function openPlain() {
  const shop = await openShop()
  const session = await shop.open()
  const window = await openWindow({ origin: shop.url, javaScriptEnabled: false })
  await window.page.goto(session.checkoutUrl)
  return { shop, ...session, ...window }
}

inBrowser('without scripts', () => {
  test('a chosen card pays, after one that is declined', async () => {
    const { page, shop, sessionId } = await openPlain()
    await payWith(page, 'visa-stolen')
    await page.getByText('2 tries are left').waitFor()
    await payWith(page, 'unionpay-chip-pin')
    await sees(page, 'Payment received')
    expect(await shop.session(sessionId)).toMatchObject({ state: 'paid', tries: 1 })
  })

  test('a typed card pays, however its number is grouped', async () => {
    const { page, shop, sessionId } = await openPlain()
    await pasteCard(page, { number: '4111-1111 1111-1111', expiry: '1299' })
    await payButton(page).click()
    await sees(page, 'Payment received')
    await page.getByText('Visa ending in 1111').waitFor()
    await expectNoTrace(shop, '4111111111111111')
    expect((await shop.session(sessionId)).state).toBe('paid')
  })

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

  test('the service asks which card is meant if one is chosen after another was typed', async () => {
    const { page, shop, sessionId } = await openPlain()
    await pasteCard(page)
    await chooseTestCard(page, 'mastercard-contactless')
    await payButton(page).click()
    await page.getByRole('alert').filter({ hasText: 'Choose the card you want to pay with.' }).waitFor()
    expect((await shop.session(sessionId)).tries).toBe(0)
    await payButton(page).click()
    await sees(page, 'Payment received')
    await page.getByText('Mastercard ending in 4444').waitFor()
  })

  test('a number of a real card is refused, not shown again and kept nowhere', async () => {
    const { page, shop, sessionId } = await openPlain()
    await pasteCard(page, { number: real, holder: real })
    await payButton(page).click()
    await fieldError(page, 'number')
      .filter({ hasText: /not a test card/ })
      .waitFor()
    expect((await page.content()).replace(/\s/g, '')).not.toContain(real)
    expect(await shop.session(sessionId)).toMatchObject({ state: 'open', tries: 0 })
    await expectNoTrace(shop, real)
  })

  test('a shopper cancels without scripts', async () => {
    const { page, shop, sessionId } = await openPlain()
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await sees(page, 'Payment cancelled')
    expect((await shop.session(sessionId)).state).toBe('cancelled')
  })
})
