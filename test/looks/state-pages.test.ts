import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desk, inBrowser, openWindow, openWindowAt, phone, tablet } from '../support/browser/browser.ts'
import { type Dashboard, openDashboard } from '../support/pages/dashboard.ts'
import { newId } from '../support/service/new-id.ts'
import { axeFindings, boxesOf, brokenWords, contentWidth, narrowWindow } from './looks.ts'

/** A snapshot of long amounts, after which a batch was closed, a payment declined, and a fault injected. */
async function openCompared(): Promise<Dashboard> {
  const dashboard = await openDashboard()
  for (const amount of [1000, 2000, 123_456_789_000]) await dashboard.sell(amount)
  await dashboard.post('/snapshots', { name: 'opening' })
  await dashboard.call('batch-close', { terminalSn: 'TBX-AUTO-001', transactionRequestId: newId() })
  await dashboard.sell(98_23)
  await dashboard.sell(123_456_789_000, { priceCurrency: 'KWD' })
  await dashboard.control('POST', 'faults', { kind: 'latency=500-3000' })
  return dashboard
}

/** Cells that hold more than they show; a day reaches over its row. */
const cutCells = (page: Page) =>
  page
    .locator('main :is(td, th:not([scope=rowgroup])):visible')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
    )

inBrowser('the comparison of snapshots', () => {
  test('its tables have the same columns, rows of 32 pixels whose texts stand on one line, and a heading in sight', async () => {
    const dashboard = await openCompared()
    const { page } = await openWindowAt(`${dashboard.url}/snapshots?compare=opening#differences-title`, {
      viewport: { ...desk, height: 300 },
      bypassCSP: true,
    })
    const columns = await page
      .locator('.panel-differences thead tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => Math.round(cell.getBoundingClientRect().left))),
      )
    expect(columns.length).toBeGreaterThan(2)
    expect(new Set(columns.map(String)).size).toBe(1)
    const rows = page.locator('.panel-differences tbody tr')
    for (const { height } of await boxesOf(page, '.panel-differences tbody tr'))
      expect(Math.round(height)).toBeOneOf([32, 33])
    const baselines = await rows.evaluateAll((all) =>
      all.map((row) => {
        const tops = [...row.querySelectorAll('.state, .code, td:last-child')].flatMap((element) => {
          const mark = document.createElement('span') // an empty inline block stands on the baseline
          mark.style.display = 'inline-block'
          element.append(mark)
          const { bottom, height } = mark.getBoundingClientRect()
          mark.remove()
          return height === 0 && element.checkVisibility() ? [bottom] : []
        })
        return Math.max(...tops) - Math.min(...tops)
      }),
    )
    expect(Math.max(...baselines)).toBeLessThan(1)
    const [[masthead], [card]] = [await boxesOf(page, '.masthead'), await boxesOf(page, '.panel-differences')]
    const gap = (card?.top ?? 0) - (masthead?.bottom ?? 0)
    expect(gap).toBeGreaterThan(0)
    expect(gap).toBeLessThan(60)
    expect(await axeFindings(page)).toEqual([])
  })

  test('on a phone it breaks no word and cuts no cell', async () => {
    const dashboard = await openCompared()
    const { page } = await openWindowAt(`${dashboard.url}/snapshots?compare=opening`, { viewport: phone })
    expect(await brokenWords(page, '.panel-differences table')).toEqual([])
    expect(await cutCells(page)).toEqual([])
    const cells = await boxesOf(page, '.panel-differences tbody :is(th, td.wraps)')
    expect(new Set(cells.map(({ left }) => left)).size).toBe(1) // what changed begins below its name
    expect(await contentWidth(page)).toBe(390)
  })
})

inBrowser('questions', () => {
  test.each([desk, phone])(
    'as a drawer and as a page they are one card, whose red button is filled and not the first',
    async (viewport) => {
      const dashboard = await openCompared()
      const { page } = await openWindow({ origin: dashboard.url, viewport })
      const card = async (keep = '.question a:focus') => {
        await page.locator(keep, { hasText: 'Keep' }).waitFor()
        const box = await page.locator('.question').boundingBox()
        const [button, ink] = await page
          .locator('.question [type=submit]')
          .evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(element).color])
        expect(button).not.toBe('rgba(0, 0, 0, 0)')
        return { width: box?.width, left: box?.x, button, ink }
      }
      await page.goto(`${dashboard.url}/snapshots`)
      await page.getByRole('link', { name: 'Delete… opening' }).click()
      await page.getByRole('dialog').getByText('It has 3 transactions').waitFor()
      const drawer = await card()
      await page.goto(`${dashboard.url}/snapshots/opening/delete`)
      expect(await card()).toEqual(drawer)
      await page.goto(`${dashboard.url}/batches/close`)
      const { button, ...place } = await card('.question a') // Enter closes: no key more
      expect(place).toEqual({ width: drawer.width, left: drawer.left, ink: expect.any(String) })
      expect(button).not.toBe(drawer.button) // it settles, and takes nothing away
    },
  )
})

inBrowser('the form that adds to a list', () => {
  test.each(['/snapshots', '/spaces', '/tokens'])(
    'of %s opens at its button, fits 360 pixels, covers no action, and is clean',
    async (path) => {
      const dashboard = await openCompared()
      await dashboard.post('/tokens', { name: 'ci', scope: 'viewer', space: '', life: '' })
      const { page } = await openWindowAt(`${dashboard.url}${path}`, {
        viewport: narrowWindow,
        bypassCSP: true,
      })
      await page.locator('.add > summary').click()
      await page.locator('.add [type=submit]').click({ trial: true })
      expect(await contentWidth(page)).toBeLessThanOrEqual(360)
      for (const viewport of [desk, tablet]) {
        await page.setViewportSize(viewport)
        await page.reload()
        const button = page.locator('.add > summary')
        const before = await button.boundingBox()
        await button.click()
        expect((await button.boundingBox())?.x).toBe(before?.x)
        await page.locator('.add input').first().locator(':scope:focus').waitFor()
        for (const action of await page.locator('.table-box tbody .row-actions > :first-child').all())
          await action.click({ trial: true, timeout: 2_000 })
      }
      expect(await axeFindings(page)).toEqual([])
    },
  )

  test.each(['/snapshots', '/spaces', '/tokens', '/faults'])(
    'the texts of the list %s stand 8 pixels from the lines of their rows, and numbers apart from what follows',
    async (path) => {
      const dashboard = await openCompared()
      await dashboard.post('/tokens', { name: 'ci', scope: 'viewer', space: '', life: '7' })
      const { page } = await openWindowAt(`${dashboard.url}${path}`, { viewport: phone })
      const above = await page.locator('tbody tr').evaluateAll((rows) =>
        rows.map((row) => {
          const range = document.createRange()
          range.selectNodeContents(row.querySelector('th') ?? row)
          return range.getBoundingClientRect().top - row.getBoundingClientRect().top
        }),
      )
      expect(above.length).toBeGreaterThan(0)
      expect(Math.min(...above)).toBeGreaterThanOrEqual(8)
      await page.setViewportSize(desk)
      const apart = await page
        .locator('tbody .figure:has(+ :not(.figure))')
        .evaluateAll((cells) =>
          cells.map((cell) => getComputedStyle(cell.nextElementSibling ?? cell).paddingInlineStart),
        )
      expect(new Set(apart).size).toBe(path === '/snapshots' || path === '/spaces' ? 1 : 0)
      for (const padding of apart) expect(Number.parseFloat(padding)).toBeGreaterThanOrEqual(24)
    },
  )

  test('the rows of a list are 40 pixels high, and its actions stand on one line', async () => {
    const dashboard = await openCompared()
    await dashboard.post('/snapshots', { name: 'w'.repeat(64) })
    const { page } = await openWindow({ origin: dashboard.url, viewport: desk })
    const shape = () =>
      page.locator('tbody tr').evaluateAll((rows) =>
        rows.map((row) => ({
          height: Math.round(row.getBoundingClientRect().height),
          lines: new Set(
            [...row.querySelectorAll('.row-actions :is(a, button)')].map((one) => {
              const { top, height } = one.getBoundingClientRect()
              return Math.round((top + height / 2) / 4)
            }),
          ).size,
        })),
      )
    await page.goto(`${dashboard.url}/snapshots`)
    for (const row of await shape()) expect(row).toEqual({ height: expect.closeTo(40, -1), lines: 1 })
    await page.setViewportSize(phone)
    for (const { height, lines } of await shape()) expect([height < 120, lines]).toEqual([true, 1])
    expect(await contentWidth(page)).toBe(390)
  })
})

inBrowser('faults, clock and audit log on a phone', () => {
  test('what is injected comes first; the button says what it injects, and stays in sight', async () => {
    const dashboard = await openCompared()
    const { page } = await openWindowAt(`${dashboard.url}/faults`, { viewport: phone })
    const [list, form] = [page.locator('.panel-faults'), page.locator('.panel-inject')]
    expect((await list.boundingBox())?.y).toBeLessThan((await form.boundingBox())?.y ?? 0)
    expect(await brokenWords(page, '.panel-faults table')).toEqual([])
    const button = form.locator('[type=submit]')
    await form.getByRole('radio', { name: 'drop' }).check()
    await form.locator('[name=times]').selectOption('10')
    expect(await button.textContent()).toBe('Inject drop 10 times')
    await form.getByRole('radio', { name: 'http-<status>' }).check()
    expect(await button.textContent()).toMatch(/^Inject http-\d{3} 10 times$/)
    await form.getByRole('radio', { name: 'reorder' }).check()
    expect(await button.textContent()).toBe('Inject reorder')
    await form.locator('[name=operation]').selectOption('sale')
    await form.locator('[name=share]').fill('20')
    expect(await button.textContent()).toBe('Inject reorder, sale, 20 %') // though the fields are out of sight
    await form.locator('[name=operation]').selectOption('')
    await form.locator('[name=share]').fill('')
    await form.getByRole('heading').scrollIntoViewIfNeeded()
    await form.evaluate((element) => element.scrollIntoView())
    const box = await button.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height)
    await button.click()
    await list.locator('tbody th', { hasText: 'reorder' }).waitFor()
    const presets = page.locator('.panel-presets')
    await presets.getByRole('button', { name: 'Start Duplicate storm' }).click()
    await presets.locator('.preset', { hasText: 'On until' }).waitFor()
    expect((await list.boundingBox())?.y).toBeLessThan((await presets.boundingBox())?.y ?? 0)
    const tops = (await boxesOf(presets, '.preset')).map(({ top }) => top)
    expect(tops[2]).toBe(Math.min(...tops)) // the third one runs
  })

  test('an event of the clock is at most 72 pixels high', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    await dashboard.sell(2550, { terminalSn: 'TBX-ATTENDED-001' })
    const { page } = await openWindowAt(`${dashboard.url}/clock`, { viewport: phone })
    await page.getByText('Now · frozen').waitFor()
    const stops = await boxesOf(page, '.rail-stop')
    expect(stops).toHaveLength(2)
    for (const { height } of stops) expect(height).toBeLessThanOrEqual(72)
    expect(await brokenWords(page, '.rail')).toEqual([])
  })

  test('the code of a situation stands below its title; on a phone its tabs are in sight, and all begins at one edge', async () => {
    const dashboard = await openCompared()
    const { page } = await openWindowAt(`${dashboard.url}/coverage`, {
      viewport: tablet,
    })
    const offsets = await page.locator('.situation .code:not(.command *)').evaluateAll((codes) =>
      codes.map((code) => {
        const [title, box] = [code.parentElement?.firstElementChild ?? code, code.getBoundingClientRect()]
        const { left, bottom } = title.getBoundingClientRect()
        return box.left === left && box.top >= bottom
      }),
    )
    expect([...new Set(offsets)]).toEqual([true])
    await page.setViewportSize(phone)
    expect(await page.locator('.tabs').evaluate((tabs) => tabs.scrollWidth - tabs.clientWidth)).toBe(0)
    const parts = await boxesOf(page, '.situation > :not(:first-child)')
    expect(new Set(parts.map(({ left }) => left)).size).toBe(1)
  })

  test('the audit log cuts nothing', async () => {
    const dashboard = await openCompared()
    await dashboard.post('/snapshots', { name: 'w'.repeat(20) })
    await dashboard.control('DELETE', `snapshots/${'w'.repeat(20)}`)
    const { page } = await openWindowAt(`${dashboard.url}/audit`, { viewport: phone })
    expect(await cutCells(page)).toEqual([])
    const answers = page.locator('tbody td > .state:visible')
    expect(await answers.count()).toBeGreaterThan(3)
    await page.setViewportSize(tablet)
    expect(await cutCells(page)).toEqual([])
    expect(await brokenWords(page, 'tbody')).toEqual([])
  })
})
