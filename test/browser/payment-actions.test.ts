import { expect, test } from 'vitest'
import { holdRequests, inBrowser, openWindow, openWindowAt } from '../support/browser/browser.ts'
import { openDashboard, refundRequest } from '../support/pages/dashboard.ts'
import { transactionsIn } from '../support/service/service.ts'

inBrowser('actions on payments', () => {
  test('a sale is refunded part by part to zero, by the keyboard alone', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    for (const [left, amount, after] of [
      ['10.00', '4', '$6.00'],
      ['6.00', '6.00', '$0.00'],
    ] as const) {
      await page.waitForLoadState() // without the script of the page, the form has a page of its own
      await page.locator('#do-refund').focus()
      await page.keyboard.press('Enter')
      const field = page.getByRole('dialog').getByLabel('Amount')
      await field.waitFor()
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
      expect(await field.inputValue()).toBe(left)
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(amount)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.locator('dl > div', { hasText: `Left to refund${after}` }).waitFor()
    }
    await page.locator('#do-refund').waitFor({ state: 'detached' })
  })

  test('a drawer closes with Escape and with Keep it, and gives the focus back', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    const close = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('dialog').getByRole('link', { name: 'Keep it' }).click(),
    ]
    for (const act of close) {
      await page.locator('#do-void').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Void' }).waitFor()
      await act()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('do-void')
    }
  })

  test('a drawer gives the focus back to a row that is drawn anew below it', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('j')
    for (const key of ['r', 'Control+k']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await page.locator(`#row-${await dashboard.sell(1000)}`).waitFor()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`row-${id}`)
    }
  })

  test('what was typed in a drawer stays while the sandbox is gone, and is sent when it is back', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindow({ origin: dashboard.url, alone: true, expected: [/ERR_|object Event/] })
    await page.goto(`${dashboard.url}/docs`) // follows nothing that would say so, too
    await page.getByRole('link', { name: 'New payment', exact: true }).click()
    await page.locator('dialog #amount').fill('12.50')
    await page.context().setOffline(true)
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send' })
    await send.click()
    await page.getByText('The sandbox does not answer').waitFor()
    expect(await page.locator('dialog #amount').inputValue()).toBe('12.50')
    await page.context().setOffline(false)
    await send.click()
    await page.waitForURL(/transactions\/\d+/)
    expect(transactionsIn(dashboard.sandbox)).toMatchObject([{ order: 1250 }])
  })

  test('a drawer and a filter that cannot be loaded leave the page as it is, which says so until they can', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url, alone: true, expected: [/ERR_|object Event/] })
    await page.goto(dashboard.url)
    await page.context().setOffline(true)
    for (const act of [
      () => page.getByRole('link', { name: 'New payment', exact: true }).click(),
      () => page.locator('#filter-status').selectOption('declined'),
    ]) {
      await act()
      await page.getByText('The sandbox does not answer').waitFor()
      expect(page.url()).toBe(`${dashboard.url}/`)
    }
    await page.context().setOffline(false)
    await page.locator('#filter-status').selectOption('approved')
    await page.waitForURL('**/?status=approved')
    await page.getByText('The sandbox does not answer').waitFor({ state: 'hidden' })
  })

  test('a press that begins in the drawer and ends beside it keeps the drawer; one beside it closes it', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url)
    await page.getByRole('link', { name: 'New payment', exact: true }).dblclick()
    await page.locator('#amount').fill('123.45')
    expect(await page.getByRole('dialog').count()).toBe(1)
    const box = await page.locator('#amount').boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    await page.mouse.down()
    await page.mouse.move(20, 300)
    await page.mouse.up()
    expect(await page.locator('#amount').inputValue()).toBe('123.45')
    await page.mouse.click(20, 300)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a refusal keeps what was typed', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    await page.getByRole('link', { name: 'Refund' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('10.01')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.locator('#amount-error', { hasText: '10.00 USD left' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('10.01')
    await page.getByRole('textbox', { name: 'Amount' }).fill('10.00')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.locator('dl > div', { hasText: 'Left to refund$0.00' }).waitFor()
  })

  test('the command beneath a form follows what is typed and chosen', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(`${dashboard.url}/payments/new`)
    await page.getByRole('textbox', { name: 'Amount' }).fill('1200')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByText('Auth', { exact: true }).click()
    await page.getByText(/tillbox auth --amount 1200 --price-currency JPY/).waitFor()
  })

  test('an answer that arrives late does not take the command beneath a form back', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(`${dashboard.url}/payments/new`)
    const release = await holdRequests(page, /[?&]amount=1&/)
    const asked = page.waitForRequest(/[?&]amount=1&/)
    await page.locator('#amount').fill('1')
    await asked
    await page.locator('#amount').fill('12')
    await page.getByText(/tillbox sale --amount 12.00/).waitFor()
    const late = page.waitForResponse(/[?&]amount=1&/)
    release()
    await (await late).finished()
    await page.locator('#amount').fill('twelve')
    await page.locator('[data-equivalents]', { hasText: 'once every field is valid' }).waitFor()
  })

  test('a command that does not match what is typed cannot be copied', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}/refund`)
    await page.getByText('--amount 10.00').waitFor()
    const release = await holdRequests(page, /[?&]amount=4&/)
    await page.locator('#amount').fill('4')
    expect(await page.locator('[data-equivalents]').getAttribute('inert')).not.toBeNull()
    release()
    await page.getByText('--amount 4.00').waitFor()
    expect(await page.locator('[data-equivalents]').getAttribute('inert')).toBeNull()
  })

  test('an open form follows its payment, and asks for nothing that became impossible', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const refunding = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    await refunding.page.locator('#do-refund').click()
    await refunding.page.getByRole('dialog').getByText('$10.00 left to refund').waitFor()
    const voiding = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    await voiding.page.locator('#do-void').click()
    await voiding.page.getByRole('dialog').getByRole('button', { name: 'Void' }).waitFor()
    await dashboard.call('refund', refundRequest(id, 400))
    await refunding.page.getByRole('dialog').getByText('$6.00 left to refund').waitFor()
    await voiding.page.getByRole('dialog').getByText('Not possible').waitFor()
    expect(await voiding.page.getByRole('dialog').getByRole('button', { name: 'Void' }).count()).toBe(0)
    await voiding.page.getByRole('dialog').getByRole('link', { name: 'Refund' }).click()
    await voiding.page.getByRole('dialog').getByText('$6.00 left to refund').waitFor()
  })

  test('a button that is pressed twice moves money once', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
    await page.getByRole('link', { name: 'Refund' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('4.00')
    await page.getByRole('button', { name: 'Refund' }).dblclick()
    await page.locator('dl > div', { hasText: 'Left to refund$6.00' }).waitFor()
    expect(transactionsIn(dashboard.sandbox)).toHaveLength(2)
  })

  test('a sale begins beside its terminal, whose keys are left alone meanwhile', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(`${dashboard.url}/terminal/TBX-ATTENDED-001`)
    await page.getByRole('link', { name: 'New sale at TBX-ATTENDED-001' }).click()
    await page.getByRole('dialog').getByLabel('Amount').fill('7')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' }) // the old page shows the new screen, too
    await page.locator('[data-screen=present-card]').waitFor()
    await page.waitForLoadState()
    await page.getByRole('link', { name: 'New sale at TBX-ATTENDED-001' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('[data-screen=present-card]').waitFor()
  })
})
