import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser } from '../support/browser/browser.ts'
import {
  chooseTestCard,
  fieldError,
  focused,
  goodCard,
  openCheckout,
  pasteCard,
  payButton,
  sees,
  typeCard,
} from '../support/browser/shopper.ts'
import { expectNoTrace } from '../support/pages/shop-front.ts'

/** Passes every check a number can pass by itself, and is not a test card. */
const real = '4485275742308327'

const posts = (requests: readonly Request[]) => requests.filter((request) => request.method() === 'POST')

inBrowser('a number that is typed', () => {
  test('a typed number is grouped, its network recognised, and the caret stays behind a digit in the middle', async () => {
    const { page } = await openCheckout()
    await chooseTestCard(page, 'typed')
    const input = page.locator('#number')
    const shown = () => page.locator('.recognised .card-mark:visible').evaluateAll(codesOf)
    for (const [number, grouped, code, name] of [
      ['4111111111111111', '4111 1111 1111 1111', 'VISA', 'Visa'],
      ['5555555555554444', '5555 5555 5555 4444', 'MASTERCARD', 'Mastercard'],
      ['378282246310005', '3782 822463 10005', 'AMEX', 'Amex'],
      ['30569309025904', '3056 930902 5904', 'DINERS', 'Diners Club'],
      ['6200000000000005', '6200 0000 0000 0005', 'UNIONPAY', 'UnionPay'],
    ] as const) {
      expect(await shown()).toEqual([])
      await input.pressSequentially(number.slice(0, 4))
      expect(await shown()).toEqual([code])
      expect(await page.locator('[data-network-name]').textContent()).toBe(name)
      await input.pressSequentially(number.slice(4))
      expect(await input.inputValue()).toBe(grouped)
      await input.fill('')
    }
    expect(await shown()).toEqual([])
    await input.pressSequentially('411111111111111')
    await input.press('Home')
    for (let step = 0; step < 5; step++) await input.press('ArrowRight')
    await input.press('9')
    await input.press('8')
    expect(await input.inputValue()).toBe('4111 9811 1111 1111 1')
    expect(await input.evaluate((element: HTMLInputElement) => element.selectionStart)).toBe(7)
  })

  test('a valid number pays, and reaches the service in the body alone', async () => {
    const { page, requests, shop, sessionId, checkoutUrl } = await openCheckout()
    await typeCard(page, { number: '3782 8224 6310 005', securityCode: '1234', holder: 'Ada Lovelace' })
    await payButton(page).click()
    await sees(page, 'Payment received')
    await page.getByText('Amex ending in 0005').waitFor()
    expect((await shop.session(sessionId)).state).toBe('paid')
    expect(posts(requests).map((request) => request.url())).toEqual([`${checkoutUrl}/pay`])
    const { origin } = new URL(checkoutUrl)
    for (const request of requests)
      expect(request.url().replace(checkoutUrl, '').replace(origin, '')).not.toMatch(/3782|1234|Ada/)
    await expectNoTrace(shop, '378282246310005')
  })

  test('a typed number is not sent when a test card is chosen after all', async () => {
    const { page, requests } = await openCheckout()
    await typeCard(page, { number: real })
    await chooseTestCard(page, 'visa-debit')
    await payButton(page).click()
    await sees(page, 'Payment received')
    expect(posts(requests).map((request) => request.postData())).toEqual(['choice=visa-debit'])
  })
})

inBrowser('what is wrong with a typed card', () => {
  const problems = [
    ['number', { number: '4111111111111112' }, /check digit is wrong/],
    ['number', { number: real }, /not a test card/],
    ['expiry', { expiry: '01/20' }, /has passed/],
    ['securityCode', { number: '378282246310005', securityCode: '123' }, /Amex security codes have 4 digits/],
    ['holder', { holder: real }, /looks like a card number/],
  ] as const

  test('an error is shown beside its field once that is left, before anything is sent', async () => {
    const { page, requests } = await openCheckout()
    await chooseTestCard(page, 'typed')
    await page.locator('#number').pressSequentially('4111')
    expect(await fieldError(page, 'number').textContent()).toBe('')
    await page.keyboard.press('Tab')
    await fieldError(page, 'number')
      .filter({ hasText: /this one has 4/ })
      .waitFor()
    await page.keyboard.press('Tab')
    expect(await fieldError(page, 'expiry').textContent()).toBe('')
    for (const [field, card, problem] of problems) {
      await pasteCard(page, card)
      await payButton(page).click()
      const error = fieldError(page, field)
      await error.filter({ hasText: problem }).waitFor()
      expect(await focused(page), JSON.stringify(card)).toBe(field)
      expect(await page.locator('[aria-invalid=true]').count(), JSON.stringify(card)).toBe(1)
      expect(await page.locator(`#${field}`).getAttribute('aria-describedby')).toContain(`${field}-error`)
    }
    expect(posts(requests)).toEqual([])
  })

  test('the first of several errors has the focus, and each goes once its field is right', async () => {
    const { page, requests } = await openCheckout()
    await chooseTestCard(page, 'typed')
    await payButton(page).click()
    for (const field of ['number', 'expiry', 'securityCode'])
      await fieldError(page, field).filter({ hasText: /./ }).waitFor()
    expect(await focused(page)).toBe('number')
    expect(await page.locator('[data-announce]').textContent()).toBe('3 things to correct')
    for (const field of ['number', 'expiry', 'securityCode'] as const) {
      await page.locator(`#${field}`).pressSequentially(goodCard[field])
      expect(await fieldError(page, field).textContent()).toBe('')
      expect(await page.locator(`#${field}`).getAttribute('aria-invalid')).toBeNull()
    }
    expect(posts(requests)).toEqual([])
    await payButton(page).click()
    await sees(page, 'Payment received')
  })
})

inBrowser('a number of a real card', () => {
  test('a real card number is never sent, whatever is tried on the page', async () => {
    const { page, requests, shop, sessionId } = await openCheckout()
    await typeCard(page, { number: real })
    await payButton(page).click()
    await page.locator('#number').press('Enter')
    await page.locator('#holder').press('Enter')
    await fieldError(page, 'number')
      .filter({ hasText: /not a test card/ })
      .waitFor()
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await sees(page, 'Payment cancelled')
    for (const request of requests)
      expect(
        decodeURIComponent(`${request.url()} ${request.postData() ?? ''}`).replace(/[\s+]/g, ''),
      ).not.toContain(real)
    expect((await shop.session(sessionId)).state).toBe('cancelled')
    await expectNoTrace(shop, real)
  })
})

const codesOf = (marks: Element[]) => marks.map((mark) => mark.parentElement?.dataset.network)
