import { test as base, expect } from 'tillbox/playwright'
import { openShop } from './shop.js'

const test = base.extend({
  shop: [
    async ({ workerSandbox }, use) => {
      const shop = await openShop(workerSandbox)
      await use(shop)
      await shop.close()
    },
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ page, shop }) => {
  await page.goto(shop.url)
  await page.getByRole('button', { name: 'Buy a chair' }).click()
})

const order = (page) => page.getByRole('heading', { name: 'Order' })

test('a shopper pays', async ({ page, sandbox, checkoutPage }) => {
  await checkoutPage.pay()
  await expect(sandbox).toHaveDelivered({ transactionType: 'SALE', transactionStatus: 'S', amount: 2490 })
  await checkoutPage.leave()
  await expect(order(page)).toContainText('paid')
})

test('a declined card leaves the order open, and another card pays it', async ({
  page,
  sandbox,
  checkoutPage,
}) => {
  await checkoutPage.decline('visa-insufficient-funds')
  await expect(sandbox).not.toHaveDelivered({ transactionStatus: 'S' })
  await checkoutPage.pay('mastercard-debit')
  await expect(sandbox).toHaveDelivered({ transactionStatus: 'S' })
  await checkoutPage.leave()
  await expect(order(page)).toContainText('paid')
})

test('three declined cards end the payment', async ({ page, sandbox, checkoutPage }) => {
  for (const card of ['visa-declined', 'visa-expired', 'visa-lost']) await checkoutPage.decline(card)
  await expect(sandbox).toHaveDelivered({ transactionStatus: 'F' })
  await checkoutPage.leave()
  await expect(order(page)).toContainText('declined')
})

test('a shopper cancels', async ({ page, sandbox, checkoutPage }) => {
  await checkoutPage.cancel()
  await expect(sandbox).toHaveDelivered({ transactionStatus: 'C' })
  await checkoutPage.leave()
  await expect(order(page)).toContainText('cancelled')
})
