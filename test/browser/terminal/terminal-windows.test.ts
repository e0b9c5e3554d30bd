import { expect, test } from 'vitest'
import { inBrowser } from '../../support/browser/browser.ts'
import {
  displays,
  present,
  pressCancel,
  pressKeys,
  showsScreen,
  standAt,
  visitTerminal,
} from '../../support/browser/cashier.ts'
import { sideBySide } from '../../support/runner/side-by-side.ts'

inBrowser('two windows on one terminal', () => {
  test('each window shows what the other does, and what is typed in one stays there', async () => {
    const { page, tab, terminalPage } = await standAt()
    const other = await tab()
    await visitTerminal(other, terminalPage)
    await terminalPage.sell()
    await Promise.all([showsScreen(page, 'present-card'), showsScreen(other, 'present-card')])
    await present(page, 'visa-chip-pin', 'insert')
    await Promise.all([showsScreen(page, 'pin'), showsScreen(other, 'pin')])
    await pressKeys(other, '1', '2')
    await terminalPage.act('queue', { outcome: 'lost-card', times: 2 })
    await other.getByText('lost-card × 2').waitFor()
    await terminalPage.sell()
    await other.getByText('1 in line').waitFor()
    expect(await other.locator('.pin-typed').count()).toBe(2)
    expect(await page.locator('.pin-typed').count()).toBe(0)
    await pressKeys(other, '3', '4', 'enter')
    for (const each of [page, other])
      await each
        .locator('.before')
        .getByText(/^Before: Declined/)
        .waitFor()
  })

  test('an outdated window is refused with a message, then shows the current screen', async () => {
    const { page, terminalPage } = await standAt({ expected: [/present: Failed .* status of 409/, /htmx:/] })
    const id = await terminalPage.sell()
    await showsScreen(page, 'present-card')
    await page.locator('.card-picker [name=transactionId]').evaluate((input: HTMLInputElement) => {
      input.value = '1000000000000000' // as a window would whose stream is slow
    })
    await present(page, 'visa-contactless', 'tap')
    await page.getByRole('alert').getByText('You now see its current screen.').waitFor()
    expect(await terminalPage.story(id)).not.toContain('card-presented')
    await page.reload()
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

/** What the console says when nobody answers. */
const connectionErrors = [/ERR_/, /htmx:/, /\[object Event\]/]

inBrowser('a sandbox that stops or restarts', () => {
  const waiting = sideBySide()

  waiting('a window finds a sandbox that was restarted, and shows the screen as it was', async () => {
    const { page, terminalPage } = await standAt({ expected: connectionErrors })
    const id = await terminalPage.sell()
    await present(page, 'visa-chip-pin', 'insert')
    await showsScreen(page, 'pin')
    const dead = page.getByText('The sandbox does not answer')
    expect(await dead.isVisible()).toBe(false)
    await terminalPage.restart()
    await terminalPage.act('queue', { outcome: 'approve', times: 2 })
    await page.getByText('approve × 2').waitFor() // it is live again
    await dead.waitFor({ state: 'hidden' })
    await showsScreen(page, 'pin')
    await pressKeys(page, '1', '2', '3', '4', 'enter')
    await displays(page, 'Approved')
    expect((await terminalPage.story(id)).filter((what) => what === 'approved')).toHaveLength(1)
  })

  waiting('a window says that the sandbox does not answer, until it answers again', async () => {
    const { page, terminalPage } = await standAt({ expected: connectionErrors, alone: true })
    await terminalPage.sell()
    await showsScreen(page, 'present-card')
    await page.route('**/*', (route) => route.abort())
    await terminalPage.restart() // ends the stream, which says until then that the sandbox lives
    const dead = page.getByText('The sandbox does not answer')
    await dead.waitFor()
    await present(page, 'visa-contactless', 'tap')
    await page.getByText('No sandbox').waitFor()
    expect(await page.getByText('Present card').isVisible()).toBe(false)
    await page.unroute('**/*')
    await dead.waitFor({ state: 'hidden' })
    await page.getByText('No sandbox').waitFor({ state: 'hidden' })
    await present(page, 'visa-contactless', 'tap')
    await displays(page, 'Approved')
  })

  test('the window says when the sandbox refuses an act, with a page or anything else', async () => {
    const { page, terminalPage } = await standAt({ expected: [/Failed to load .* status of/, /htmx:/] })
    await terminalPage.sell()
    await showsScreen(page, 'present-card')
    for (const [status, contentType, body, words] of [
      [503, 'text/html', '<p class="result-text">The disk is full.</p>', 'disk is full'],
      [418, 'application/json', '{}', 'answered with status 418'],
    ] as const) {
      await page.route('**/cancel', (route) => route.fulfill({ status, contentType, body }))
      await pressCancel(page)
      await page.getByRole('alert').getByText(words).waitFor()
      await page.unroute('**/cancel')
    }
    await pressCancel(page)
    await displays(page, 'Closed')
    await page.getByRole('alert').waitFor({ state: 'hidden' }) // the stream may come before the answer
  })

  test('the window says that its terminal is gone until the terminal exists again', async () => {
    const { page, terminalPage } = await standAt()
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE', mode: 'attended' })
    await page.goto(`${terminalPage.url}/terminal/MINE`)
    await showsScreen(page, 'idle')
    await terminalPage.replaceState()
    await displays(page, 'Terminal MINE no longer exists')
    await page
      .getByText(/^Terminal MINE no longer exists$/)
      .first()
      .waitFor()
    expect(await page.getByRole('switch').count()).toBe(0)
    await terminalPage.control('POST', 'terminals', { terminalSn: 'MINE', mode: 'attended' })
    await showsScreen(page, 'idle')
    await page.getByRole('switch', { name: 'Online' }).waitFor()
  })

  // every page has one of the two frames
  for (const path of ['/terminal/TBX-ATTENDED-001', '/transactions/:id'])
    waiting(`the page ${path} says that the sandbox does not answer, until it answers again`, async () => {
      const { page, terminalPage } = await standAt({ expected: connectionErrors })
      const id = await terminalPage.sell()
      const streaming = page.waitForResponse((response) => response.url().includes('/live'))
      await page.goto(terminalPage.url + path.replace(':id', id))
      await streaming
      await page.route('**/live*', (route) => route.abort())
      await terminalPage.restart()
      const dead = page.getByText('The sandbox does not answer')
      await dead.waitFor()
      await page.unroute('**/live*')
      await dead.waitFor({ state: 'hidden' })
    })
})
