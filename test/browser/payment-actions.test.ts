import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'

inBrowser('actions on payments', () => {
  test('a sale is refunded part by part to zero, by the keyboard alone', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/transactions/${id}`)
    for (const [left, amount, notice] of [
      ['10.00', '4', '$6.00 left to refund'],
      ['6.00', '6.00', 'refunded in full'],
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
      await page.getByText(notice).waitFor()
    }
    await page.locator('#do-refund').waitFor({ state: 'detached' })
  })

  test('a drawer closes with Escape and Cancel, and gives the focus back', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/transactions/${id}`)
    const close = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('dialog').getByRole('link', { name: 'Cancel' }).click(),
    ]
    for (const act of close) {
      await page.locator('#do-void').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Void' }).waitFor()
      await act()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('do-void')
    }
  })

  test('a refusal keeps what was typed', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url, expected: [/422/] })
    await page.goto(`${dashboard.url}/transactions/${id}`)
    await page.getByRole('link', { name: 'Refund' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('10.01')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('Refund amount exceeds original transaction amount').waitFor()
    expect(await page.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('10.01')
    await page.getByRole('textbox', { name: 'Amount' }).fill('10.00')
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('refunded in full').waitFor()
  })

  test('the command beneath a form follows what is typed and chosen', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/payments/new`)
    await page.getByRole('textbox', { name: 'Amount' }).fill('1200')
    await page.getByLabel('Currency').fill('JPY')
    await page.getByText('Auth', { exact: true }).click()
    await page.getByText(/tillbox auth --amount 1200 --price-currency JPY/).waitFor()
    expect(await page.locator('.field-unit').first().textContent()).toBe('JPY')
  })

  test('a button that is pressed twice moves money once', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/transactions/${id}`)
    await page.getByRole('link', { name: 'Refund' }).click()
    await page.getByRole('textbox', { name: 'Amount' }).fill('4.00')
    await page.getByRole('button', { name: 'Refund' }).dblclick()
    await page.getByText('$6.00 left to refund', { exact: true }).waitFor()
    const [ledger] = dashboard.sandbox.engine.state.ledgers.values()
    expect(ledger?.transactions.size).toBe(2)
  })

  test('a sale begins beside its terminal, whose keys are left alone meanwhile', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/terminal/TBX-ATTENDED-001`)
    await page.getByRole('link', { name: 'New sale at TBX-ATTENDED-001' }).click()
    await page.getByRole('dialog').getByLabel('Amount').fill('7')
    await page.keyboard.press('Enter')
    await page.locator('[data-screen=present-card]').waitFor()
    await page.waitForLoadState()
    await page.getByRole('link', { name: 'New sale at TBX-ATTENDED-001' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('[data-screen=present-card]').waitFor()
  })
})
