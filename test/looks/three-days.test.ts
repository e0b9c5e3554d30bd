import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { desk, inBrowser, openWindow, openWindowAt, phone } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { following, sale } from '../support/service/service.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { manyPages } from './dashboard-looks.ts'
import { boxesOf, brokenWords, contentWidth, coveredControls, outOfTheirCard } from './looks.ts'

/** Payments of three days, with the longest names and amounts; `raised` was raised, and captured two days later. */
async function openThreeDays() {
  const receiver = await openReceiver(204)
  const dashboard = await openDashboard({ notifyUrl: receiver.url })
  const { call, control, sell } = dashboard
  const pass = (hours: number) =>
    control('POST', 'clock', { action: 'advance', milliseconds: hours * 3_600_000 })
  await control('POST', 'clock', { action: 'set', time: '2026-11-18T09:00:00Z' })
  await control('POST', 'clock', { action: 'freeze' })
  const terminalSn = 'PAX-A920PRO-2840018273645-X1'
  await control('POST', 'terminals', { terminalSn, label: 'Bar on the terrace, 2nd' })
  const inYen = { priceCurrency: 'JPY' }
  const { transactionId: raised } = await call('auth', sale(668, inYen))
  await call('incremental-auth', following(raised, { amount: 200, pushToTerminal: false }))
  for (const day of [1, 2, 3]) {
    await pass(day === 1 ? 1 : 24)
    for (const [index, amount] of [1000, 9734, 123_456_789_000].entries())
      await sell(amount, {
        terminalSn: index === 0 ? 'TBX-AUTO-001' : terminalSn,
        priceCurrency: ['USD', 'EUR', 'KWD'][index],
        referenceOrderId: `WEBSHOP-2026-0123456789-EU-0000${day}`,
        description: 'Two nights in a double room, breakfast, and parking 🍜 טייק אווי',
      })
  }
  await call('post-auth', following(raised, { amount: 868, pushToTerminal: false }))
  return { ...dashboard, raised, pass }
}

inBrowser('three days of payments', () => {
  test(
    'nothing leaves its card or its window, and no date, id or word is broken, at four widths',
    async () => {
      const { url, raised } = await openThreeDays()
      const { page } = await openWindow({ origin: url })
      const paths = [
        '/',
        '/?since=2026-11-19&until=2026-11-19',
        `/transactions/${raised}`,
        `/?open=${raised}`,
      ]
      for (const width of [1440, 1280, 820, 390])
        for (const path of [...paths, '/batches', '/webhooks', '/requests', '/terminals', '/clock']) {
          await page.setViewportSize({ width, height: 900 })
          await page.goto(url + path)
          if (path.includes('open=') && width > 768) await page.locator('#beside h1').waitFor()
          const wrong = {
            wide: (await contentWidth(page)) > width,
            out: await outOfTheirCard(page),
            broken: await brokenWords(page, 'main'),
          }
          expect([width, path, wrong]).toEqual([width, path, { wide: false, out: [], broken: [] }])
        }
    },
    manyPages,
  )

  test('the day stays in sight above its rows, as wide as they are', async () => {
    const { url } = await openThreeDays()
    const { page } = await openWindowAt(url, { viewport: { width: 1280, height: 400 } })
    const days = await page.locator('.day').allInnerTexts()
    expect(days.map((day) => day.trim())).toEqual(['Today, Fri 20 Nov', 'Thu 19 Nov', 'Wed 18 Nov'])
    await page.mouse.move(600, 300)
    await page.mouse.wheel(0, 480)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(400)
    const [head] = await boxesOf(page, '.panel-list thead')
    const [today] = await boxesOf(page, '.day')
    expect(Math.abs((today?.top ?? 0) - (head?.bottom ?? 0))).toBeLessThan(8)
    expect(today?.width).toBe(head?.width)
  })

  test('beside a record the figures take one line, the filters stay, and a record is awaited in sight', async () => {
    const { url, raised } = await openThreeDays()
    const { page } = await openWindowAt(`${url}/?open=${raised}`, { viewport: desk })
    await page.locator('#beside h1').waitFor()
    expect((await page.locator('.beside').boundingBox())?.y).toBeLessThan(200)
    for (const filter of ['status', 'type', 'terminal', 'from'])
      expect(await page.locator(`#filter-${filter}`).isVisible(), filter).toBe(true)
    expect(await coveredControls(page, '.panel-list :is(select, input, a[href]):visible')).toEqual([])
    await page.locator('.row-link').first().click()
    const empty = await page
      .locator('#beside')
      .evaluate((beside) => [beside.childElementCount, beside.clientHeight])
    expect(empty[0] === 0 ? empty[1] : 300).toBeGreaterThanOrEqual(300)
  })

  test('reasons to decline, paths of requests and terminals of batches are whole, also beside a record and on a phone', async () => {
    const { url, raised } = await openThreeDays()
    const { page } = await openWindow({ origin: url, expected: [/status of 404/] })
    for (const [width, path, cells] of [
      [1440, `/?open=${raised}`, 'td:has(.tone-fail)'],
      [820, '/', 'td:has(.tone-fail)'],
      [1440, '/requests', 'th, th *'],
      [1440, '/requests?open=1', 'th, th *'],
      [820, '/requests', 'th, th *'],
      [820, '/webhooks', '[scope=row], [scope=row] *, td:has(.state)'],
      [820, '/batches', 'th, th *'],
      [820, '/terminals', 'th, th *, td'],
      [390, '/batches', 'th, th .code *'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(url + path)
      const shown = page.locator(`.dense tbody :is(${cells}):visible`)
      expect(await shown.count()).toBeGreaterThan(2)
      const cut = await shown.evaluateAll((all) =>
        all.flatMap((each) =>
          each.clientWidth > 0 && each.scrollWidth > each.clientWidth ? [each.outerHTML] : [],
        ),
      )
      expect([path, cut]).toEqual([path, []])
    }
  })

  test('filters end where their table does, and beside a record every list has one width', async () => {
    const { url, raised } = await openThreeDays()
    const { page } = await openWindow({ origin: url, viewport: desk, expected: [/status of 404/] })
    for (const path of ['/', '/webhooks', '/requests', '/terminals']) {
      await page.goto(url + path)
      const [line] = await boxesOf(page, '.list-line :is(select, input, summary):visible >> nth=-1')
      const [table] = await boxesOf(page, '.panel-list .dense')
      expect(Math.abs((table?.right ?? 0) - (line?.right ?? 0)), path).toBeLessThan(8)
    }
    const widths = []
    for (const path of [`/?open=${raised}`, '/webhooks?open=1', '/requests?open=1']) {
      await page.goto(url + path)
      await page.locator('.beside:not([hidden])').waitFor()
      widths.push((await boxesOf(page, '.panel-list'))[0]?.width)
    }
    expect(new Set(widths).size).toBe(1)
  })

  test('open and closed batches stand in one grid, with the points of amounts and tips below each other', async () => {
    const { url, sell, control, call } = await openThreeDays()
    const merchant = { merchantId: 'M1000000001' }
    await sell(2500, { terminalSn: 'TBX-TIP20-001' })
    await call('batch-close', { ...merchant, transactionRequestId: 'close', terminalSn: 'TBX-TIP20-001' })
    await sell(123_400, { terminalSn: 'TBX-TIP20-001' })
    await control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    const { page } = await openWindow({ origin: url })
    for (const width of [1440, 1024, 820]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${url}/batches`)
      const heads = (part: string) =>
        page
          .locator(`${part} thead tr > :visible`)
          .evaluateAll((cells) => cells.map((cell) => Math.round(cell.getBoundingClientRect().left)))
      const open = await heads('.panel-open-batches')
      expect(open.length).toBeGreaterThan(4)
      expect([width, open]).toEqual([width, await heads('#list')])
      const points = await page.locator('.sum [class^="decimals-"]:visible').evaluateAll((sums) =>
        sums.flatMap((sum) => {
          const text = sum.lastChild as Text
          const at = text.data.lastIndexOf('.')
          const range = new Range()
          range.setStart(text, Math.max(at, 0))
          range.setEnd(text, Math.max(at, 0) + 1)
          return at < 0 ? [] : [range.getBoundingClientRect().left]
        }),
      )
      expect(points.length).toBeGreaterThan(3)
      expect([width, Math.max(...points) - Math.min(...points) < 0.5]).toEqual([width, true])
    }
  })

  test('the endpoint of a webhook is told from others by its end', async () => {
    const { url } = await openThreeDays()
    const { page } = await openWindowAt(`${url}/webhooks`, { viewport: desk })
    const ends = await page
      .locator('#list tbody td.code:visible')
      .evaluateAll((cells) => cells.map((cell) => cell.scrollWidth <= cell.clientWidth))
    expect(ends).not.toContain(false)
    expect(ends.length).toBeGreaterThan(2)
  })

  test('an authorisation has its own amount as its list does, the total it was raised to, and what was captured', async () => {
    const { read, raised } = await openThreeDays()
    expect(await read(`/transactions/${raised}`)).toMatch(
      /Auth ¥668 .*Authorised in all ¥868 .*Order ¥668 Raised by ¥200 Total ¥868 Captured ¥868 /,
    )
  })

  test('one tooltip of the chart is shown, whatever has the focus', async () => {
    const { url } = await openThreeDays()
    const { page } = await openWindowAt(url, { viewport: desk })
    await page.locator('[data-bars] a[tabindex="0"]').focus()
    await page.locator('[data-bars] li').first().hover()
    const shown = await page
      .locator('.bar-tip')
      .evaluateAll((tips) => tips.filter((tip) => getComputedStyle(tip).opacity === '1').length)
    expect(shown).toBe(1)
  })

  test('new payments are announced within the window, and the head of the list stays', async () => {
    const { url, sell } = await openThreeDays()
    for (let count = 0; count < 25; count++) await sell(1000 + count)
    const { page } = await openWindowAt(url, { viewport: { width: 1440, height: 700 } })
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 500)
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
    await sell(777)
    const button = page.getByRole('button', { name: '1 new' })
    await button.waitFor()
    expect((await button.boundingBox())?.y).toBeGreaterThan(0)
    const [head] = await boxesOf(page, '.panel-list thead')
    expect(head?.top).toBeGreaterThanOrEqual(48)
  })

  test('on a phone links are as large as a finger, and the clock is moved above its events', async () => {
    const { url } = await openThreeDays()
    const { page } = await openWindowAt(`${url}/batches`, { viewport: phone })
    await page.locator('.menu > summary').click()
    const links = await boxesOf(page, '.menu-links a, a[id^="close-"]:not(#close-all)')
    expect(links.length).toBeGreaterThan(6)
    for (const { left, right, top, bottom } of links)
      expect(Math.min(right - left, bottom - top)).toBeGreaterThanOrEqual(44)
    const [audit, reset] = await boxesOf(page, '.menu-links a:nth-last-child(-n + 2)')
    expect(reset?.top).toBeGreaterThanOrEqual(audit?.bottom ?? Number.NaN)
    await page.goto(`${url}/clock`)
    const [[move], [due]] = [await boxesOf(page, '.panel-move'), await boxesOf(page, '.panel-due')]
    expect(move?.bottom).toBeLessThan(due?.top ?? 0)
  })

  test.each([desk, phone])(
    'what waits comes first for the keyboard, before four terminals at most',
    async (viewport) => {
      const { url, sell } = await openThreeDays()
      await sell(1800, { terminalSn: 'TBX-ATTENDED-001' })
      const { page } = await openWindowAt(url, { viewport })
      expect(await focusable(page, '.fleet-strip')).toHaveLength(5)
      expect((await focusable(page, '.fleet-strip'))[1]).toMatch(/^TBX-ATTENDED-001/)
    },
  )
})

const focusable = (page: Page, within: string) => page.locator(`${within} a`).allTextContents()
