import { expect, test } from 'vitest'
import { inBrowser, openWindow, setHidden } from '../support/browser/browser.ts'
import { openSpaceDashboard } from '../support/pages/space-dashboard.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'

/** A space, and a window on it whose pages ask for nothing outside the space. */
async function openSpaceWindow() {
  const space = await openSpaceDashboard()
  const { page } = await openWindow({ origin: space.origin })
  return { space, page }
}

inBrowser('assumption spaces: in a space', () => {
  const waiting = sideBySide()

  waiting('the dashboard shows new payments, and one of them beside the list, with its actions', async () => {
    const { space, page } = await openSpaceWindow()
    await page.goto(`${space.url}/`)
    await page.getByRole('link', { name: 'Space ci-1' }).waitFor()
    await page.getByText('No payments yet').waitFor()
    const id = await space.sell(1000)
    await page.locator(`#row-${id}`).click()
    await page.waitForURL(`${space.url}/?open=${id}`)
    await page.locator('#do-refund').click()
    await page.locator('dialog [name=amount]').fill('4.00')
    await page.locator('dialog [type=submit]').click()
    await page.locator('[data-toast]').waitFor()
    expect(page.url()).toBe(`${space.url}/?open=${id}`)
    expect(space.strays).toEqual([])
  })

  test('palette, keys and buttons of the masthead stay within the space', async () => {
    const { space, page } = await openSpaceWindow()
    const id = await space.sell(1000)
    await page.goto(`${space.url}/batches`)
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText(id)
    await page.getByRole('dialog').locator(`[href="/s/ci-1/transactions/${id}"]`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${space.url}/transactions/${id}`)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL(`${space.url}/webhooks`)
    await page.locator('body > header summary').click()
    await page.locator('body > header [name=time]').fill('1h')
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]').waitFor()
    await page.waitForURL(`${space.url}/webhooks`)
    expect(space.strays).toEqual([])
  })

  waiting('a hidden window counts new transactions', async () => {
    const { space, page } = await openSpaceWindow()
    await page.goto(`${space.url}/`)
    const marked = page.waitForResponse(`${space.url}/unread?since=`)
    await setHidden(page, true)
    expect((await marked).status()).toBe(200)
    await space.sell(2000)
    await expect.poll(() => page.title()).toMatch(/^\(1\) Transactions · ci-1 · tillbox$/)
    expect(space.strays).toEqual([])
  })
})
