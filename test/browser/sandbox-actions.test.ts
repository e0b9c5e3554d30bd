import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desk, inBrowser, openWindow, openWindowAt } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

/** Waits until the page says what was done. */
const waitForToast = (page: Page, text: string | RegExp) =>
  page.locator('[data-toast]', { hasText: text }).waitFor()

/** A dashboard with one sale, whose webhook was delivered. */
async function openNotified() {
  const receiver = await openReceiver()
  const dashboard = await openDashboard({ notifyUrl: receiver.url })
  await dashboard.sell(1000)
  const [original] = await dashboard.attempted(receiver, 1)
  return { receiver, dashboard, original }
}

inBrowser('each action in a browser', () => {
  test('the masthead offers clock, faults, queued outcomes, and a reset that is undone', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    const [control, summary] = [page.locator('body > header details'), page.locator('body > header summary')]
    /** Opens the control of the sandbox and presses one of its buttons. */
    const press = async (button: string) => {
      await summary.click()
      await control.getByRole('button', { name: button }).first().click()
    }
    await summary.click()
    await control.getByText('In step with the wall clock').waitFor()
    await control.getByLabel('Advance by, or to a time').fill('2d')
    await page.keyboard.press('Enter')
    await waitForToast(page, 'The sandbox clock runs from')
    await page.locator('body > header summary', { hasText: '+2 d' }).waitFor()
    await press('Queue')
    await waitForToast(page, 'Queued insufficient-funds')
    await press('Inject')
    await waitForToast(page, 'Injected http-503')
    await press('Remove')
    await waitForToast(page, 'The fault is removed.')
    await press('Clear')
    await waitForToast(page, 'No outcome is queued')

    await summary.click()
    await control.getByRole('link', { name: 'Reset…' }).click()
    await page.locator('dialog [data-close]:focus', { hasText: 'Keep everything' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await waitForToast(page, 'Reset. 1 transaction kept')
    expect(await page.locator(`#row-${id}`).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator(`#row-${id}`).waitFor()
  })

  test('after a refused Advance the error is at its field, and Back and Forward lead to pages', async () => {
    const { url } = await openDashboard()
    const { page } = await openWindowAt(`${url}/faults`)
    const typed = page.locator('main [name=time]')
    await page.locator('body > header summary').click()
    await page.locator('body > header [name=time]').fill('99999d')
    await page.keyboard.press('Enter')
    await page.locator('main [name=time][aria-invalid]:focus').waitFor()
    expect(await typed.inputValue()).toBe('99999d')
    await page.getByText('must be at most 3660d').waitFor()
    await typed.fill('2h')
    await page.evaluate(() => Object.assign(window, { left: true }))
    await page.keyboard.press('Enter')
    await waitForToast(page, 'The sandbox clock runs from')
    await page.goBack()
    await page.waitForFunction(() => !('left' in window)) // the page is loaded again, in place of the kept one
    await page.goBack()
    expect(page.url()).toBe(`${url}/faults`)
    await page.goForward()
    await typed.waitFor()
  })

  test('a text that was made higher is sent without a word of the content security policy', async () => {
    const { dashboard, original } = await openNotified()
    const { page } = await openWindowAt(`${dashboard.url}/webhooks/${original?.id}`)
    await page.locator('#body').evaluate((body) => {
      body.style.height = '500px' // as its handle does
    })
    await page.locator('#wb-send').click()
    await page.locator('.wb-try:first-child', { hasText: 'Edited attempt 2' }).waitFor()
  })

  test('an open page whose token is revoked says that it needs one, not that the sandbox is away', async () => {
    const token = 'sandbox-token-of-this-test'
    const { url } = await openDashboard({ token })
    const tokens = (method: string, path: string, members?: object) =>
      fetch(`${url}/_sandbox/tokens${path}`, {
        method,
        headers: { 'X-Sandbox-Token': token, 'Content-Type': 'application/json' },
        ...(members && { body: JSON.stringify(members) }),
      })
    const { data } = await (await tokens('POST', '', { name: 'board', scope: 'viewer' })).json()
    const { page } = await openWindowAt(`${url}/?token=${data.token}`, {
      expected: [/status of 401/, /INCOMPLETE_CHUNKED/, /object Event/],
    })
    await page.locator('html[data-viewer]').waitFor()
    await tokens('DELETE', '/board')
    await page.getByText('This sandbox requires a token').waitFor()
  })

  test('a double click moves the clock once', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    const { page, requests } = await openWindowAt(`${dashboard.url}/clock`)
    await page.route('**/clock', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500)) // an answer that is slower than two clicks
      await route.continue()
    })
    const before = dashboard.sandbox.clock.now()
    await page.getByRole('button', { name: '+1 day' }).dblclick()
    await waitForToast(page, 'The sandbox clock stands at')
    expect(dashboard.sandbox.clock.now() - before).toBe(86_400_000)
    expect(requests.filter((request) => request.method() === 'POST')).toHaveLength(1)
  })

  test('an edited webhook is sent by Ctrl and Enter, each try comes on top, and the keyboard stays in the text', async () => {
    const { receiver, dashboard, original } = await openNotified()
    const { page } = await openWindow({ origin: dashboard.url, viewport: desk, expected: [/status of 400/] })
    const address = `${dashboard.url}/webhooks?state=delivered&open=${original?.id}`
    await page.goto(address)
    const body = page.getByLabel('Body', { exact: true })
    await body.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.insertText('{\n  "transactionStatus": "F"\n}\n')
    await page.keyboard.press('Control+Enter')
    await page.locator('.wb-try:first-child', { hasText: 'Edited attempt 2' }).waitFor()
    expect(await page.locator('body > [data-announce]').textContent()).toMatch(/^Edited attempt 2 200 /)
    await page.locator('.diff-after', { hasText: '"transactionStatus": "F"' }).waitFor()
    await page.locator('.diff-before', { hasText: '"transactionStatus": "S"' }).waitFor()
    await page.locator('#body:focus').waitFor()
    await page.keyboard.type('x')
    await page.keyboard.press('Control+Enter')
    await page.locator('.wb-try:first-child', { hasText: 'Edited attempt 3' }).waitFor()
    expect(receiver.arrivals.slice(1).map(({ body }) => body)).toEqual([
      '{\n  "transactionStatus": "F"\n}\n',
      '{\n  "transactionStatus": "F"\n}\nx',
    ])
    expect(page.url()).toBe(address)
    await body.fill('4485275742308327')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'card' }).waitFor()
    expect(await body.inputValue()).toBe('4485275742308327')
    await page.getByText('Headers and URL').click()
    await page.getByLabel('Sign again').uncheck()
    await body.fill('{ "transactionStatus": "F" }')
    await page.keyboard.press('Control+Enter')
    await page.locator('.wb-try:first-child', { hasText: 'Edited attempt 4' }).waitFor()
    expect(receiver.arrivals.at(-1)?.headers['x-signature']).toBe(original?.headers['x-signature'])
    expect(await page.getByLabel('Sign again').isChecked()).toBe(false)
    expect(await page.locator('#to').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await page.locator('[data-toast]', { hasText: 'Resend requested' }).waitFor()
    await page.waitForURL(address)
  })
})

inBrowser('the rail of the clock', () => {
  test('to drag now past an event lets it happen', async () => {
    const dashboard = await openDashboard()
    const waiting = await dashboard.sell(2550, { terminalSn: 'TBX-ATTENDED-001' })
    const { page } = await openWindowAt(`${dashboard.url}/clock`)
    const middle = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const
    }
    await page.mouse.move(...(await middle('[data-rail-now]')))
    await page.mouse.down()
    const [x, y] = await middle('[data-rail-stop] .rail-dot')
    await page.mouse.move(x, y + 8, { steps: 5 })
    await page.locator('.rail-passed').waitFor()
    await page.mouse.up()
    await waitForToast(page, 'The sandbox clock runs from')
    await page.getByText('Nothing is due.').waitFor()
    expect(await dashboard.read(`/transactions/${waiting}`)).toContain('Closed unpaid')
  })
})
