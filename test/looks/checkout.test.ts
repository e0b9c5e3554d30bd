import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desk, inBrowser, phone, tablet } from '../support/browser/browser.ts'
import {
  chooseTestCard,
  openCheckout,
  payButton,
  payWith,
  sees,
  seesForm,
  typeCard,
} from '../support/browser/shopper.ts'
import { minute, type Shop } from '../support/pages/shop-front.ts'
import { axeFindings, contentWidth, coveredControls, narrowWindow, overflowing } from './looks.ts'

const order = {
  amount: 12_050,
  taxAmount: 950,
  description: 'Autumn order',
  collectBillingAddress: true,
  merchantReturnUrl: 'http://127.0.0.1:9/thanks',
  productList: ['Beans', 'Filters', 'A kettle', 'A mill', 'A cup', 'Its saucer', 'W'.repeat(60)].map(
    (name, index) => ({ name, amount: index < 6 ? 1000 : 6050, num: 1 }),
  ),
}

interface Visit {
  readonly page: Page
  readonly shop: Shop
}

/** Every page there is, and how to come there. */
const states: readonly [string, (visit: Visit) => Promise<unknown>][] = [
  ['the form', ({ page }) => seesForm(page)],
  [
    'the form with everything unfolded and typed',
    async ({ page }) => {
      await typeCard(page)
      for (const summary of await page.locator('summary').all()) await summary.click()
    },
  ],
  [
    'errors that the page found',
    async ({ page }) => {
      await chooseTestCard(page, 'typed')
      await payButton(page).click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  ],
  [
    'errors that the service found',
    async ({ page }) => {
      await chooseTestCard(page, 'typed')
      await page.locator('.card-form').evaluate((form: HTMLFormElement) => form.submit())
      await page.getByText('3 things to correct').waitFor()
    },
  ],
  [
    'a decline',
    async ({ page }) => {
      await payWith(page, 'visa-declined')
      await page.getByText('2 tries are left').waitFor()
    },
  ],
  [
    'waiting for the bank',
    async ({ page, shop }) => {
      const { checkoutUrl } = await shop.open(order, { 'X-Sandbox-Outcome': 'late-approval' })
      await page.goto(checkoutUrl)
      await payWith(page, 'visa-contactless')
      await sees(page, 'Asking the bank')
    },
  ],
  [
    'paid',
    async ({ page }) => {
      await payWith(page, 'visa-contactless')
      await sees(page, 'Payment received')
    },
  ],
  [
    'declined for good',
    async ({ page }) => {
      for (const next of ['2 tries are left', 'One try is left', 'No more tries are left']) {
        await payWith(page, 'visa-declined')
        await page.getByText(next).waitFor()
      }
    },
  ],
  [
    'cancelled',
    async ({ page }) => {
      await page.getByRole('button', { name: 'Cancel payment' }).click()
      await sees(page, 'Payment cancelled')
    },
  ],
  [
    'no payment',
    async ({ page, shop }) => {
      await page.goto(`${shop.url}/checkout/cs_unknown`)
      await sees(page, 'There is no payment here')
    },
  ],
  [
    'expired',
    async ({ page, shop }) => {
      await shop.advance(30 * minute)
      await page.reload()
      await sees(page, 'This payment has expired')
    },
  ],
]

inBrowser('every page', () => {
  test.each(states)(
    'the checkout page (%s) fits 360 pixels, is reachable in full, and passes axe in light and dark',
    async (_, reach) => {
      const { page, shop } = await openCheckout(
        { ...order, description: 'W'.repeat(120) },
        { expected: [/cs_unknown: Failed .* status of 404/], viewport: narrowWindow, bypassCSP: true },
      )
      await reach({ page, shop })
      await page.waitForLoadState() // a page that was just posted to has its text before its styles
      expect(await overflowing(page, 'none')).toEqual([])
      expect(await contentWidth(page)).toBeLessThanOrEqual(360)
      expect(
        await coveredControls(page, 'button:visible, a:visible, summary:visible, input:visible'),
      ).toEqual([])
      expect(await axeFindings(page)).toEqual([])
    },
  )

  test('after a refusal cards and Pay are in sight on a phone and a tablet, and close below the message at a desk', async () => {
    const { page } = await openCheckout({ amount: 5900, description: 'Two nights' }, { viewport: phone })
    await payWith(page, 'visa-declined')
    await page.getByText('2 tries are left').waitFor()
    for (const viewport of [phone, tablet]) {
      await page.setViewportSize(viewport)
      const card = await page.locator('.tile').first().boundingBox()
      const bar = await page.locator('.pay-bar').boundingBox()
      expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThan(bar?.y ?? 0)
      const end = (bar?.y ?? 0) + (bar?.height ?? 0)
      expect(end).toBeLessThanOrEqual(viewport.height)
      const cancel = await page.getByRole('button', { name: 'Cancel payment' }).boundingBox()
      expect(cancel?.y).toBeGreaterThanOrEqual(end)
    }
    await page.setViewportSize(desk)
    const notice = await page.locator('.alerts .notice').boundingBox()
    const wallet = await page.locator('.wallet-button').first().boundingBox()
    expect((wallet?.y ?? 0) - (notice?.y ?? 0) - (notice?.height ?? 0)).toBeLessThanOrEqual(24)
  })

  test('the letters on the mark of a card are white, without an outline', async () => {
    const { page } = await openCheckout(order)
    const paints = await page.locator('.card-mark text').evaluateAll((texts) =>
      texts.map((text) => {
        const { fill, stroke } = getComputedStyle(text)
        return `${fill} ${stroke}`
      }),
    )
    expect([...new Set(paints)]).toEqual(['rgb(255, 255, 255) none'])
  })
})
