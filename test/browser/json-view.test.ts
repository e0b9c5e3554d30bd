import { expect, test } from 'vitest'
import { inBrowser, openWindow } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { copiesOf, mayCopy } from './clipboard.ts'

/** The page of a request whose body has a list, and a name that is not a word. */
async function openRequest() {
  const dashboard = await openDashboard()
  const body = { data: { list: [{ id: 1 }, { id: 2 }], 'a "b"': '<img src=x>' } }
  await dashboard.control('POST', 'clock', body)
  const { page } = await openWindow({ origin: dashboard.url, ...mayCopy })
  const copies = await copiesOf(page)
  await page.goto(`${dashboard.url}/requests/${dashboard.sandbox.log.list().at(-1)?.traceId}`)
  const shown = page.locator('.body').first()
  return {
    page,
    body,
    shown,
    path: shown.locator('.body-path'),
    line: (number: number) => shown.locator(`[data-line="${number}"]`),
    /** What was copied last. */
    copied: async () => (await copies()).at(-1),
  }
}

inBrowser('JSON', () => {
  test('JSON shows the path of a line and copies it by a click on its name, folds by one on its head, and is copied whole', async () => {
    const { page, body, line, path, copied } = await openRequest()
    await line(8).locator('.json-key').click()
    await expect.poll(() => path.textContent()).toBe('data.list[1].id copied')
    expect(await page.locator('body > [data-announce]').textContent()).toBe('data.list[1].id copied')
    expect(await copied()).toBe('data.list[1].id')
    await line(11).click({ position: { x: 5, y: 5 } })
    expect(await path.textContent()).toBe('data["a \\"b\\""]')
    expect(await copied()).toBe('data.list[1].id')
    await line(2).locator('.json-key').click()
    expect(await line(3).isVisible()).toBe(true)
    await line(2).click({ position: { x: 52, y: 5 } })
    expect(await line(3).isVisible()).toBe(false)
    expect(await line(13).isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Copy Body of the request' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(JSON.parse((await copied()) ?? '')).toEqual(body)
  })

  test('the arrow keys walk through JSON, past folded parts, and Enter copies the path', async () => {
    const { page, shown, line, path, copied } = await openRequest()
    await line(3).click({ position: { x: 52, y: 5 } })
    await shown.locator('.body-text').focus()
    await page.keyboard.press('ArrowDown')
    expect(await path.textContent()).toBe('data["a \\"b\\""]')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => path.textContent()).toBe('data.list copied')
    expect(await copied()).toBe('data.list')
  })
})
