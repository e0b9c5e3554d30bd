import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { newId } from '../support/service/new-id.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** Waits until the page says what was done. */
const waitForToast = (page: Page, text: string | RegExp) =>
  page.locator('[data-toast]', { hasText: text }).waitFor()

/** The scripts of its next pages come when they are released. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/_assets\/(?!theme)\w+\.js/, (route) => held.then(() => route.continue()))
  return release
}

/** A dashboard with one sale, whose webhook was delivered. */
async function openNotified() {
  const receiver = await openReceiver()
  const dashboard = await openDashboard({ notifyUrl: receiver.url })
  await dashboard.sell(1000)
  const [original] = await receiver.got(1)
  await dashboard.sandbox.courier.idle()
  return { receiver, dashboard, original }
}

inBrowser('each action in a browser', () => {
  test('a transaction offers increment, capture, tip, void, abort, checkout close and resend to any URL', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    const { page } = await openWindow({ origin: dashboard.url })
    const open = (id: string) => page.goto(`${dashboard.url}/transactions/${id}`)
    /** Opens the drawer of an action, fills its first field, and presses its button. */
    const act = async (label: string, fields: Readonly<Record<string, string>> = {}, button = label) => {
      await page.waitForLoadState() // without the script of the page, the form has a page of its own
      await page.locator('.transaction-actions').getByRole('link', { name: label, exact: true }).click()
      const drawer = page.getByRole('dialog')
      for (const [name, text] of Object.entries(fields))
        await drawer.getByRole('textbox', { name }).fill(text)
      await drawer.getByRole('button', { name: button, exact: true }).click()
      await drawer.waitFor({ state: 'detached' })
    }
    const begin = (amount: number) => ({
      ...{ amount, priceCurrency: 'USD', referenceOrderId: newId('ORDER'), transactionRequestId: newId() },
    })
    const auth = await dashboard.call('auth', { ...begin(1000), terminalSn: 'TBX-AUTO-001' })
    await open(auth.transactionId)
    await act('Increment', { 'Amount to add': '5.00' })
    await waitForToast(page, /15\.00|5\.00/)
    await open(auth.transactionId)
    await act('Capture')
    await waitForToast(page, /capture/i)

    const tipped = await dashboard.sell(1000)
    await open(tipped)
    await act('Adjust tip', { 'New tip': '2.00' })
    await page.getByText('$12.00').first().waitFor()
    await act('Void')
    await open(tipped)
    await page.getByText('Voided').first().waitFor()

    const waiting = await dashboard.call('sale', { ...begin(700), terminalSn: 'TBX-ATTENDED-001' })
    await open(waiting.transactionId)
    await act('Abort')
    await open(waiting.transactionId)
    await page.locator('.record-state', { hasText: 'Closed' }).waitFor()

    const session = await dashboard.call('create-session', {
      ...begin(900),
      merchantReturnUrl: 'http://127.0.0.1:9/thanks',
    })
    await dashboard.sandbox.engine.ready()
    const [ledger] = dashboard.sandbox.engine.state.ledgers.values()
    const online = [...(ledger?.transactions ?? [])].find(
      (each) => each.online?.sessionId === session.sessionId,
    )
    await open(online?.id ?? '')
    await act('Close checkout page')
    await open(online?.id ?? '')
    await page.locator('#do-expire').waitFor({ state: 'detached' })

    await dashboard.sandbox.courier.idle()
    const before = receiver.arrivals.length
    const other = await openReceiver()
    await open(tipped)
    await act('Resend notification', {}, 'Resend')
    await waitForToast(page, 'Resending the notification')
    await receiver.got(before + 1)
    await act('Resend notification', { URL: other.url }, 'Resend')
    await other.got(1)
    await dashboard.sandbox.courier.idle()
  })

  test('the masthead offers clock, faults, queued outcomes, checkpoints, and a reset that is undone', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(dashboard.url)
    /** Opens a menu of the masthead and presses one of its buttons. */
    const press = async (menu: string, button: string | RegExp) => {
      await page.locator(`.menu-${menu} > summary`).click()
      await page.locator(`.menu-${menu}`).getByRole('button', { name: button }).first().click()
    }
    await press('clock', '+1 h')
    await waitForToast(page, 'The sandbox clock runs from')
    await press('clock', 'Freeze')
    await waitForToast(page, 'The sandbox clock stands at')
    await page.locator('.menu-clock > summary', { hasText: 'frozen' }).waitFor()
    await press('clock', 'Back to real time')
    await waitForToast(page, 'back to real time')

    await press('faults', 'http-503')
    await waitForToast(page, 'Injected http-503')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitForToast(page, 'The fault is removed.')
    await press('faults', 'drop')
    await waitForToast(page, 'Injected')
    await press('faults', /^Remove/)
    await waitForToast(page, 'The fault is removed.')

    await press('outcomes', 'Queue')
    await waitForToast(page, 'Queued insufficient-funds')
    await press('outcomes', /^Clear/)
    await waitForToast(page, 'No outcome is queued')

    await page.locator('.menu-state > summary').click()
    await page.locator('.menu-state').getByText('No checkpoint is saved.').waitFor()
    await page.locator('.menu-state').getByLabel('Name of a checkpoint').fill('one-sale')
    await page.keyboard.press('Enter')
    await waitForToast(page, 'Saved one-sale with 1 transaction.')

    await page.locator('.menu-state > summary').click()
    await page.locator('.menu-state').getByRole('link', { name: 'Reset…' }).click()
    await page.locator('main').getByRole('button', { name: 'Reset' }).click()
    await waitForToast(page, 'Reset. 1 transaction kept')
    expect(await page.locator(`#row-${id}`).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator(`#row-${id}`).waitFor()
    const second = await dashboard.sell(2000)
    await page.locator(`#row-${second}`).waitFor()
    await press('state', 'Restore one-sale')
    await waitForToast(page, 'Restored one-sale')
    expect(await page.locator(`#row-${second}`).count()).toBe(0)

    await page.locator('.menu-state > summary').click()
    await page.locator('.menu-state').getByLabel('Name of a checkpoint').fill('one-sale')
    await page.keyboard.press('Enter') // a name that is taken: the menu is open, and lists it all the same
    await page.getByRole('alert').filter({ hasText: 'Checkpoint one-sale exists already' }).waitFor()
    await page.locator('.menu-state').getByRole('button', { name: 'Restore one-sale' }).waitFor()
  })

  test('a menu opened before the script of the page loads lists the checkpoints once it has loaded', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindow({ origin: dashboard.url })
    const release = await holdScripts(page)
    await page.goto(dashboard.url, { waitUntil: 'commit' })
    await page.locator('.menu-state > summary').click()
    release()
    await page.locator('.menu-state').getByText('No checkpoint is saved.').waitFor()
  })

  test('webhooks are held, released and resent: one, the chosen, a group and all that failed', async () => {
    const receiver = await openReceiver(500)
    const dashboard = await openDashboard({ notifyUrl: receiver.url, retries: [] })
    await dashboard.sellMany(3)
    await receiver.got(3)
    await dashboard.sandbox.courier.idle()
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByRole('button', { name: 'Resend all 3' }).click()
    await waitForToast(page, 'Sending 3 webhooks again.')
    await receiver.got(6)
    await page.getByRole('button', { name: /^Resend 3 that failed/ }).click()
    await waitForToast(page, 'Sending 3 webhooks again.')
    await receiver.got(9)
    receiver.answer(200)
    await page.locator('input[name=delivery]').first().check()
    await page.getByRole('button', { name: 'Resend chosen' }).click()
    await waitForToast(page, 'Sending 1 webhook again.')
    await receiver.got(10)
    await page.locator('tbody').getByText('Delivered').waitFor()

    await page.getByRole('button', { name: 'Hold webhooks' }).click()
    await page.getByText('Webhooks are held.').waitFor()
    await dashboard.sellMany(2)
    await page.getByText('Waiting for their release: 2').waitFor()
    await page.locator('input[name=delivery]').first().check()
    await page.getByRole('button', { name: 'Release chosen' }).click()
    await waitForToast(page, 'Released 1 webhook.')
    await receiver.got(11)
    await page.getByRole('button', { name: 'Release all' }).click()
    await waitForToast(page, 'Webhooks are released.')
    await receiver.got(12)

    await page.locator('tbody a.row-link').first().click()
    await page.getByRole('button', { name: 'Resend', exact: true }).first().click()
    await waitForToast(page, 'Resending the notification, with the same id.')
    await receiver.got(13)
    await page.locator('.attempt-list').getByText('Attempt 2: 200').waitFor()
    await dashboard.sandbox.courier.idle()
  })

  test('what is typed before the script of the page loads is followed once it has loaded', async () => {
    const { dashboard, original } = await openNotified()
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/webhooks/${original?.id}`)
    const edit = await page.getByRole('link', { name: 'Edit and resend' }).getAttribute('href')
    const release = await holdScripts(page)
    await page.goto(new URL(edit ?? '', page.url()).href, { waitUntil: 'commit' })
    await page.getByLabel('Body', { exact: true }).fill('{\n  "transactionStatus": "F"\n}\n')
    release()
    await page.locator('.diff-after', { hasText: '"transactionStatus": "F"' }).waitFor()
  })

  test('a webhook is edited by the keyboard, and its changes are shown while typing', async () => {
    const { receiver, dashboard, original } = await openNotified()
    const { page } = await openWindow({ origin: dashboard.url })
    await page.goto(`${dashboard.url}/webhooks/${original?.id}`)
    await page.getByRole('link', { name: 'Edit and resend' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Body', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('{\n  "transactionStatus": "F"\n}\n')
    await page.locator('.diff-after', { hasText: '"transactionStatus": "F"' }).waitFor()
    await page.locator('.diff-before', { hasText: '"transactionStatus": "S"' }).waitFor()
    expect(receiver.arrivals).toHaveLength(1)
    await page.getByLabel('URL').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Answered 200' }).waitFor()
    expect(receiver.arrivals[1]).toMatchObject({
      id: original?.id,
      body: '{\n  "transactionStatus": "F"\n}\n',
    })
    expect(await page.getByLabel('Body', { exact: true }).inputValue()).toBe(
      '{\n  "transactionStatus": "F"\n}\n',
    )
  })

  test('a webhook is edited without scripts', async () => {
    const { receiver, dashboard, original } = await openNotified()
    const { page } = await openWindow({ origin: dashboard.url, javaScriptEnabled: false })
    await page.goto(`${dashboard.url}/webhooks/${original?.id}/edit`)
    await page.getByLabel('Body', { exact: true }).fill('\n{"x":\n1}')
    await page.getByText('As typed').click()
    await page.getByRole('button', { name: 'Show changes' }).click()
    await page.getByText('The old signature does not fit this body').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('heading', { name: 'Answered 200' }).waitFor()
    expect(receiver.arrivals[1]?.body).toBe('\n{"x":\n1}')
    expect(receiver.arrivals[1]?.headers['x-signature']).toBe(original?.headers['x-signature'])
  })
})
