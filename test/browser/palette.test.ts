import { expect, test } from 'vitest'
import { inBrowser, openWindowAt } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'

inBrowser('with the keyboard alone', () => {
  test('the palette finds an order, changes the clock, and closes', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000, { referenceOrderId: 'ORDER-4711' })
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('4711')
    await page.getByRole('option', { name: /ORDER-4711/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/transactions/${id}`)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('freeze')
    await page.getByRole('option', { name: 'Freeze the clock', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: 'stands at' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/transactions/${id}`)
    await page.waitForLoadState() // keys are heard from then on
    await page.keyboard.press('Control+k')
    await page.locator('.palette[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.palette[open]').waitFor({ state: 'detached' })
  })

  test('Enter does nothing while the options for what is typed are loading', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('Control+k')
    await page.locator('.palette [aria-selected=true]').waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/palette\?/, (route) => held.then(() => route.continue()))
    await page.keyboard.type('freeze')
    await page.keyboard.press('Enter')
    expect(await page.locator('.palette [aria-selected=true]').count()).toBe(0)
    release()
    await page.getByRole('option', { name: 'Freeze the clock', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: 'stands at' }).waitFor()
  })

  test('the palette says why a text was refused, and that the sandbox does not answer only where that is so', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url, { expected: [/ 4\d\d |ERR_FAILED/] })
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('4485275742308327')
    await page.locator('.palette-list', { hasText: 'card' }).waitFor()
    await page.route(/\/palette\?/, (route) => route.abort())
    await page.keyboard.type('1')
    await page.getByText('The sandbox does not answer.').waitFor()
  })

  test('j, k and Enter open a row, g with a letter opens a page, / searches, and text fields keep every key', async () => {
    const dashboard = await openDashboard()
    const [first, second] = await dashboard.sellMany(2)
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('j')
    await page.locator(`#row-${second}:focus`).waitFor()
    await page.keyboard.press('j')
    await page.locator(`#row-${first}:focus`).waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/?open=${second}`)
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL(`${dashboard.url}/`)
    await page.keyboard.press('/')
    await page.keyboard.type('gtjk?/')
    expect(await page.locator('#filter-q').inputValue()).toBe('gtjk?/')
    expect(await page.locator('.palette[open]').count()).toBe(0)
  })

  test('the key ? opens the sheet of keys over the page, and Escape leads back to where the focus was', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('j')
    await page.locator(`#row-${id}:focus`).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('A list (this page)').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.keyboard.press('Escape')
    await page.locator(`#row-${id}:focus`).waitFor()
  })

  test('the palette has what the page can do, and opens its forms as drawers over it', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: 'Refund', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Amount').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('pay 12.50')
    await page.getByRole('option', { name: 'New payment of 12.50', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.drawer #amount').waitFor()
    expect(await page.locator('.drawer #amount').inputValue()).toBe('12.50')
    expect(new URL(page.url()).pathname).toBe(`/transactions/${id}`)
  })

  test('n, an amount and Enter pay; g b, c and Enter close all batches', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('n')
    await page.locator('.drawer #amount:focus').waitFor()
    await page.keyboard.type('12.50')
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: '$12.50: approved' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.waitForURL('**/batches')
    await page.keyboard.press('c')
    await page.locator('.drawer [type=submit]:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: 'closed and settled' }).waitFor()
  })

  test('the docs are searched while one types, and an example is edited and sent without a new page', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(`${dashboard.url}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('take a payment')
    await page.locator('.docs-found a').first().getByText('Take a payment on a terminal').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#row-0:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/sale')
    await page
      .locator('#example-body')
      .fill('{"amount": 777, "priceCurrency": "EUR", "transactionRequestId": "t-1"}')
    await page.locator('[data-equivalents]', { hasText: '--amount 7.77' }).waitFor()
    await page.locator('#example-body').press('Control+Enter')
    await page.getByRole('link', { name: 'Payment', exact: true }).click()
    await page.locator('.record-title', { hasText: '€7.77' }).waitFor()
  })

  test('Escape closes a menu of the masthead without cancelling the payment at the terminal', async () => {
    const dashboard = await openDashboard()
    const { transactionId } = await dashboard.call('sale', {
      amount: 1000,
      priceCurrency: 'USD',
      referenceOrderId: 'ORDER-1',
      transactionRequestId: 'at-the-till',
      terminalSn: 'TBX-ATTENDED-001',
    })
    const { page } = await openWindowAt(`${dashboard.url}/terminal/TBX-ATTENDED-001`)
    await page.locator('.menu-clock > summary').press('Enter')
    await page.locator('.menu-clock[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.menu-clock[open]').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.locator('.palette[open]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.palette[open]').waitFor({ state: 'detached' })
    expect(
      dashboard.sandbox.engine.state.ledgers.values().next().value?.transactions.get(transactionId)?.status,
    ).not.toBe('CLOSED')
  })
})
