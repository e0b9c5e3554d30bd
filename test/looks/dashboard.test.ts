import { expect, test } from 'vitest'
import { desk, inBrowser, openWindow, openWindowAt, phone, tablet } from '../support/browser/browser.ts'
import { openDashboard, refundRequest } from '../support/pages/dashboard.ts'
import { openSpaceDashboard } from '../support/pages/space-dashboard.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { expectGoodLooks, lists, manyPages, openBusy, recordPages } from './dashboard-looks.ts'
import { axeFindings, boxesOf, brokenWords, contentWidth, coveredControls, narrowWindow } from './looks.ts'

inBrowser('the dashboard, as it looks', () => {
  test.each([
    { count: 12, pagesOf: recordPages },
    { count: 30, pagesOf: () => lists }, // a page of each is full, and others follow
  ])(
    'every page of $count sales fits 360 pixels, is reachable in full, and passes axe in light and dark',
    async ({ count, pagesOf }) => {
      const dashboard = await openBusy(count)
      await expectGoodLooks(dashboard, await pagesOf(dashboard))
    },
    manyPages,
  )

  test('pages of a space with a long name fit 360 pixels, too', async () => {
    const space = await openSpaceDashboard({ basePath: `/s/${'w'.repeat(48)}` })
    await space.sell(1000)
    await expectGoodLooks(space, ['/', '/batches'])
  })

  test.each([
    ['.view-menu', 'button'],
    ['.range .fold', 'button'],
  ])(
    'the menu %s fits a window of 360 pixels, and closes by Escape and by a press beside it',
    async (menu, part) => {
      const dashboard = await openBusy(1)
      const { page } = await openWindowAt(`${dashboard.url}/?since=24h`, { viewport: narrowWindow })
      const open = async () => {
        await page.locator(`${menu} > summary`).click()
        await page.locator(`${menu}[open] ${part}`).first().waitFor()
      }
      const closed = () => page.locator(`${menu}:not([open])`).waitFor()
      await open()
      expect(await contentWidth(page)).toBeLessThanOrEqual(360)
      const inside = await page.locator(`${menu} ${part}`).first().boundingBox()
      expect(inside?.width).toBeGreaterThan(inside?.height ?? 0) // its words stand in one line
      await page.keyboard.press('Escape')
      await closed()
      await page.locator(`${menu} > summary:focus`).waitFor()
      await open()
      await page.locator('.sums').click()
      await closed()
    },
  )

  test.each([
    ['.menu', 390, true],
    ['.menu', 600, true],
    ['.menu', 768, false],
    ['.view-menu', 1280, false],
  ])(
    'the menu %s opens within a window of %d pixels, scripts: %s',
    async (menu, width, javaScriptEnabled) => {
      const dashboard = await openBusy(1)
      const viewport = { width, height: 800 }
      const { page } = await openWindowAt(`${dashboard.url}/?status=approved`, {
        viewport,
        javaScriptEnabled,
      })
      await page.locator(`${menu} > summary`).click()
      const [box] = await boxesOf(page, `${menu} > .popover`)
      expect(box?.left).toBeGreaterThanOrEqual(0)
      expect(box?.right).toBeLessThanOrEqual(width)
      expect(await brokenWords(page, `${menu} :is(label, button)`)).toEqual([])
    },
  )

  test.each([
    ['/', 15, 1440, 900],
    ['/?chart=none', 20, 1440, 900],
    ['/webhooks', 16, 1440, 900],
    ['/requests', 16, 1440, 900],
    ['/', 6, 390, 844],
  ] as const)(
    'of the list %s at least %d rows are in sight in a window of %d × %d',
    async (path, least, width, height) => {
      const dashboard = await openBusy(24)
      const { page } = await openWindowAt(`${dashboard.url}${path}`, { viewport: { width, height } })
      const inSight = (rows: Element[]) =>
        rows.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length
      expect(await page.locator('tbody tr').evaluateAll(inSight)).toBeGreaterThanOrEqual(least)
    },
  )

  test('a long amount is whole, widens no column, and fits a phone', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url, viewport: desk })
    const widths = async () => {
      await page.goto(`${dashboard.url}/`)
      return (await boxesOf(page, '.panel-list thead th:visible')).map(({ left }) => left)
    }
    const before = await widths()
    await dashboard.sell(999_999_999_999, { priceCurrency: 'KWD' })
    expect(await widths()).toEqual(before)
    for (const path of ['/', '/webhooks', '/batches', '/requests']) {
      for (const width of [1440, 1280, 820]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${dashboard.url}${path}`)
        const isWhole = (cells: Element[]) => cells.every((cell) => cell.scrollWidth <= cell.clientWidth)
        const amounts = page.locator('tbody .sum:visible')
        expect(await amounts.evaluateAll(isWhole), `${path} at ${width}`).toBe(true)
      }
      await page.setViewportSize(phone)
      await page.goto(`${dashboard.url}${path}`)
      expect(await contentWidth(page), path).toBeLessThanOrEqual(390)
    }
  })

  test('nothing lies over what can be pressed on the home page, however wide its window is', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [1440, 1280, 1024, 820]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(dashboard.url)
      const controls = 'main :is(button, summary, a:not([data-bars] a), select, input):visible'
      expect([width, await coveredControls(page, controls)]).toEqual([width, []])
    }
  })

  test('why a payment was declined has room, however wide the window is', async () => {
    const dashboard = await openBusy(0)
    await dashboard.sell(9734)
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [1440, 1280, 1200, 1100, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${dashboard.url}/`)
      const reason = page.getByRole('cell', { name: '051 Insufficient funds' })
      expect((await reason.boundingBox())?.width, `at ${width}`).toBeGreaterThan(110)
    }
  })

  test('nothing lies over an action in a row, or cuts it', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [1440, 820]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${dashboard.url}/batches`)
      const actions = await page.locator('tbody td:has([data-drawer])').evaluateAll((cells) =>
        cells.map((cell) => {
          const { content } = getComputedStyle(cell.querySelector('[data-drawer]') ?? cell, '::after')
          return cell.scrollWidth <= cell.clientWidth && !content.includes('›')
        }),
      )
      expect([width, ...new Set(actions)]).toEqual([width, true])
    }
  })

  test('on a phone what can be done with a record is above its facts, ids take a line, and tabs fade where there are more', async () => {
    const dashboard = await openBusy(0)
    const id = await dashboard.sell(1000, { referenceOrderId: 'W'.repeat(32) })
    const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}?tab=webhooks`, {
      viewport: phone,
    })
    const [facts, actions] = await boxesOf(page, '.facts, .record-actions')
    expect(actions?.top).toBeLessThan(facts?.top ?? 0)
    for (const { height } of await boxesOf(page, '.facts .code')) expect(height).toBeLessThan(24)
    const fades = () =>
      page.locator('.tabs').evaluate((tabs) => {
        const style = getComputedStyle(tabs)
        return ['--fade-start', '--fade-end'].map((name) => style.getPropertyValue(name) !== '0px')
      })
    expect(await fades()).toEqual([true, true]) // the chosen one is in the middle
    await page.locator('.tabs').evaluate((tabs) => tabs.scrollTo(0, 0))
    await expect.poll(fades).toEqual([false, true])
    await page.setViewportSize(desk)
    await expect.poll(fades).toEqual([false, false])
  })

  test('a request and its answer, side by side, begin on one line', async () => {
    const dashboard = await openBusy(0)
    const paid = await dashboard.sell(5000)
    await dashboard.call('refund', refundRequest(paid, 9900)).catch(() => 'refused')
    const { page } = await openWindowAt(`${dashboard.url}/requests?status=refused`)
    const path = await page.locator('tbody th a').first().getAttribute('href')
    await page.goto(new URL(path ?? '', page.url()).href)
    const [request, answer] = await boxesOf(page, '.wb-columns > *')
    expect(answer?.left).toBeGreaterThan(request?.right ?? Number.NaN)
    expect(answer?.top).toBe(request?.top)
    expect(answer?.bottom).not.toBe(request?.bottom)
  })

  test('what is hidden takes no room, whatever class says how it is shown', async () => {
    const { url } = await openBusy(0)
    const { page } = await openWindowAt(url)
    const hidden = page.locator('[hidden]')
    expect(await hidden.count()).toBeGreaterThan(0)
    expect(await hidden.locator('visible=true').count()).toBe(0)
  })

  test('a refused payment keeps its form in the column beside the commands', async () => {
    const { url } = await openBusy(0)
    const { page } = await openWindowAt(`${url}/payments/new`, { viewport: desk })
    const before = await boxesOf(page, '.action-panel, .action-panel form')
    await page.locator('#amount').fill('10.505')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#amount[aria-invalid=true]').waitFor()
    const after = await boxesOf(page, '.action-panel, .action-panel form')
    expect(after.map(({ left, right }) => [left, right])).toEqual(
      before.map(({ left, right }) => [left, right]),
    )
    await page.getByText('appear here once every field is valid').waitFor()
  })

  test('at every width a search has room, no choice is cut, and on a phone the filters end where it does', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [1440, 1024, 820, 390])
      for (const path of ['/', '/webhooks', '/requests', '/terminals']) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(`${dashboard.url}${path}`)
        if (width === 390) await page.getByText('Filter', { exact: true }).click()
        const cut = await page.locator('.filter select').evaluateAll((selects) => {
          const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
          return (selects as HTMLSelectElement[])
            .filter((select) => {
              const { font, paddingLeft, paddingRight } = getComputedStyle(select)
              pen.font = font
              const text = pen.measureText(select.selectedOptions[0]?.text ?? '').width
              return (
                text > select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
              )
            })
            .map(({ outerHTML }) => outerHTML.slice(0, 200))
        })
        expect([width, path, cut]).toEqual([width, path, []])
        if (path === '/terminals') continue
        const [[search], [list]] = [await boxesOf(page, '#filter-q'), await boxesOf(page, '#list')]
        const filters = await boxesOf(page, '.filter')
        expect(search?.width).toBeGreaterThan(width === 390 ? 240 : 200)
        expect(list?.top).toBeGreaterThanOrEqual(Math.max(...filters.map(({ bottom }) => bottom)))
        const end = Math.round(Math.max(...filters.map(({ right }) => right)))
        if (width === 390) expect([path, end]).toEqual([path, Math.round(search?.right ?? 0)])
      }
  })

  test('on a phone filters fold away until one is set, with scripts or without', async () => {
    const dashboard = await openBusy(4)
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openWindowAt(dashboard.url, { viewport: phone, javaScriptEnabled })
      const status = page.locator('#filter-status')
      await status.waitFor({ state: 'hidden' })
      await page.getByText('Filter', { exact: true }).click()
      await status.selectOption('approved')
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.waitForURL(/status=approved/)
      await page.getByText('Filter: approved').waitFor()
      await status.waitFor()
      await page.setViewportSize(tablet)
      await page.getByRole('link', { name: 'Clear' }).click()
      await page.getByText('Filter', { exact: true }).waitFor({ state: 'hidden' })
      await status.waitFor()
    }
  })

  test('a phone shows the first payment without scrolling, and of a filtered list no chart', async () => {
    const dashboard = await openBusy(12)
    const { page } = await openWindowAt(`${dashboard.url}/?since=24h`, {
      viewport: phone,
    })
    expect((await page.locator('.panel-list tbody tr').first().boundingBox())?.y).toBeLessThanOrEqual(450)
    const tick = page.locator('svg text:visible').first()
    expect((await tick.boundingBox())?.x).toBeGreaterThan(28) // it does not reach out of its card
    await page.goto(`${dashboard.url}/?status=approved`)
    expect((await page.locator('.panel-list tbody tr').first().boundingBox())?.y).toBeLessThanOrEqual(400)
    await page.locator('.overview').waitFor({ state: 'hidden' })
  })

  test('on a phone amounts end where their total does, whatever the currency, and no cell lies on another', async () => {
    const dashboard = await openBusy(12)
    const { page } = await openWindow({ origin: dashboard.url, viewport: phone })
    await dashboard.sell(5000, { priceCurrency: 'JPY' })
    await page.goto(`${dashboard.url}/batches`)
    const sums = await boxesOf(page, '.panel-open-batches [class^="decimals-"]:visible')
    expect(sums.length).toBeGreaterThan(2)
    const closes = await boxesOf(page, '.closes a')
    expect(new Set(sums.map(({ right }) => right)).size).toBe(1)
    expect(new Set(closes.map(({ left }) => left)).size).toBe(1)
    expect(closes.every(({ top, bottom }) => bottom - top >= 44)).toBe(true)
    const names = await page.locator('.panel-open-batches tbody th .under').allInnerTexts()
    expect(names.every((name) => /^batch \d+ · payments: \d+(\s+tip\s\S+)?$/.test(name))).toBe(true)
    await page.goto(`${dashboard.url}/webhooks`)
    const cells = await boxesOf(page.locator('tbody tr').first(), '.pick, th, .state, .when')
    for (const [index, one] of cells.entries())
      for (const other of cells.slice(index + 1))
        expect(
          one.right <= other.left ||
            other.right <= one.left ||
            one.bottom <= other.top ||
            other.bottom <= one.top,
        ).toBe(true)
  })

  test('on a tablet a decline has its reason beside its status, a terminal says its state, and one endpoint is not repeated', async () => {
    const dashboard = await openBusy(12)
    await dashboard.sell(9734)
    await dashboard.sell(1800, { terminalSn: 'TBX-ATTENDED-001' })
    const { page } = await openWindowAt(`${dashboard.url}/`, { viewport: tablet })
    const shown = async (selector: string) => (await page.locator(selector).allInnerTexts())[0]
    const row = '.panel-list tbody tr:not(.day)'
    expect(await shown(`${row}:has(.tone-fail)`)).toMatch(
      /^Declined\s051 .+\s+\$97\.34\s+Sale\s+TBX-AUTO-001\s/,
    )
    expect(await shown(row)).toMatch(/^Waiting for card\s.+\sTBX-ATTENDED-001\s/s)
    expect(await shown('.mini')).toMatch(/^TBX-ATTENDED-001\s+Present card$/)
    const presented = { card: 'visa-chip-pin', entry: 'insert' }
    await dashboard.control('POST', 'terminals/TBX-ATTENDED-001/present', presented)
    await page.locator(row).filter({ hasText: 'Waiting for PIN' }).waitFor()
    expect(await shown(row)).toMatch(/^Waiting for PIN\s.+\sTBX-ATTENDED-001\s/s)
    await page.goto(`${dashboard.url}/webhooks`)
    expect(await shown(row)).not.toContain('127.0.0.1')
    expect((await boxesOf(page, row))[0]?.height).toBeLessThan(34)
    await dashboard.sell(1000, { notifyUrl: 'http://127.0.0.1:9/hook' })
    await page.reload()
    expect(await shown(row)).toContain('127.0.0.1:9/hook')
  })

  test('on a phone the amounts of terminals end where their states do', async () => {
    const dashboard = await openBusy(0)
    await dashboard.sell(1800, { terminalSn: 'TBX-ATTENDED-001' })
    const { page } = await openWindowAt(`${dashboard.url}/terminals`, { viewport: phone })
    const row = page.locator('tbody tr', { hasText: '$18.00' })
    const [[state], [amount]] = [await boxesOf(row, '.state'), await boxesOf(row, '.when')]
    expect(amount?.right).toBe(state?.right)
    expect(amount?.top).toBeGreaterThanOrEqual(state?.bottom ?? Number.NaN)
  })

  test('on a tablet a webhook that is tried again has one line, with the time of its next attempt', async () => {
    const receiver = await openReceiver(503)
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    await dashboard.sell(1000)
    await receiver.got(1)
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`, { viewport: tablet })
    const row = page.locator('tbody tr', { hasText: /Retrying, 1 of \d+ 503,\snext\s/ })
    await row.waitFor()
    expect((await row.boundingBox())?.height).toBeLessThan(34)
  })

  test('on a phone a box stands in the middle of its row, and what releases beside why', async () => {
    const dashboard = await openBusy(4)
    await dashboard.post('/webhooks/hold', { what: 'all' })
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`, { viewport: phone })
    const [[row], [box]] = [
      await boxesOf(page, 'tbody tr:not(.day)'),
      await boxesOf(page, 'tbody .pick input'),
    ]
    const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2
    expect(Math.abs(middle(row as DOMRect) - middle(box as DOMRect))).toBeLessThan(2)
    const [[day], [all]] = [await boxesOf(page, 'tbody .day >> nth=0'), await boxesOf(page, '#pick-all')]
    expect(Math.abs(middle(day as DOMRect) - middle(all as DOMRect))).toBeLessThan(2) // the head takes no line
    const [[why], [release]] = [await boxesOf(page, '.hold p'), await boxesOf(page, '.hold button')]
    expect(release?.left).toBeGreaterThan(why?.right ?? 0)
  })

  test('chosen columns fit a tablet, and say a decline once', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(9734)
    const { page } = await openWindowAt(`${dashboard.url}/?columns=status,card,order,time`, {
      viewport: tablet,
    })
    const box = page.locator('.panel-list .table-box')
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    const text = (await box.locator('tbody tr').allInnerTexts()).join()
    expect(text.match(/(?<![\w-])051(?![\w-])/g)).toHaveLength(1) // an order may have these digits, too
  })

  test('on paper, which is white, a record beside its list and a body are whole, and nothing can be pressed', async () => {
    const dashboard = await openBusy(30)
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`, { viewport: desk, alone: true })
    await page.getByRole('button', { name: 'Theme' }).click({ clickCount: 2 })
    await page.locator('tbody th a').first().click()
    await page.locator('#beside textarea').first().waitFor()
    await page.emulateMedia({ media: 'print' })
    const cut = await page
      .locator(':is(.beside, .panel-list, #list, #beside textarea):visible')
      .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight + 2))
    expect(cut).toEqual([])
    for (const pressed of [
      '.fleet-strip',
      '.filter-text',
      '.controls',
      '.sections',
      '.view-menu',
      '.icon-button',
      '.action',
      '[data-copy]',
    ])
      expect(await page.locator(`${pressed}:visible`).count(), pressed).toBe(0)
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    expect(background).toBe('rgb(255, 255, 255)')
  })

  test('every list with a record beside it fits, and passes axe', async () => {
    const dashboard = await openBusy(12)
    const { page } = await openWindow({ origin: dashboard.url, bypassCSP: true })
    await page.setViewportSize({ width: 1280, height: 800 })
    for (const path of ['/', '/webhooks', '/requests']) {
      await page.goto(`${dashboard.url}${path}`)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.locator('#beside h1').waitFor()
      expect(await contentWidth(page), path).toBe(1280)
      expect([path, await axeFindings(page)]).toEqual([path, []])
    }
  })

  test('the masthead is all in sight and says all that is on, and its control passes axe', async () => {
    const space = await openSpaceDashboard({ basePath: `/s/${'w'.repeat(48)}` })
    for (const dashboard of [await openBusy(0), space]) {
      await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 2_160_060_000 })
      await dashboard.control('POST', 'clock', { action: 'speed', speed: 600 })
      for (const kind of ['http-503', 'lost-answer'])
        await dashboard.control('POST', 'faults', { kind, operation: 'incremental-auth', always: true })
      await dashboard.control('POST', 'terminals/TBX-AUTO-001/queue', { outcome: 'approve', times: 12 })
      const { page } = await openWindow({ origin: new URL(dashboard.url).origin, bypassCSP: true })
      for (const width of [1440, 1280, 1180, 1120, 820, 768, 600, 390, 320]) {
        await page.setViewportSize({ width, height: 844 })
        await page.goto(`${dashboard.url}/docs`)
        const cut = (element: Element) => element.scrollWidth - element.clientWidth
        expect([width, await page.locator('html').evaluate(cut)]).toEqual([width, 0])
        if (width >= 390) expect([width, await page.locator('.sections').evaluate(cut)]).toEqual([width, 0])
        const [button] = await boxesOf(page, '.menu-head')
        const parts = (await boxesOf(page, '.menu-on')).filter(({ top }) => top < (button?.bottom ?? 0))
        if (width >= 390) expect([width, parts.length]).toEqual([width, 3])
        const blank = (button?.right ?? 0) - Math.max(...parts.map(({ right }) => right))
        if (width >= 390) expect([width, blank > 3 && blank < 9]).toEqual([width, true])
        await page.locator('body > header summary').click()
        expect([width, await page.locator('html').evaluate(cut)]).toEqual([width, 0])
        if ([1440, 390].includes(width)) expect([width, await axeFindings(page)]).toEqual([width, []])
      }
    }
  })

  test('on a phone all controls of the masthead stay on one line', async () => {
    const dashboard = await openBusy(0)
    const { page } = await openWindow({ origin: dashboard.url })
    for (const width of [320, 360, 375, 390, 430]) {
      await page.setViewportSize({ width, height: 640 })
      await page.goto(`${dashboard.url}/docs`)
      const boxes = await page
        .locator('.masthead :is(.menu-head, .new-payment-link, .palette-open, .theme-switch)')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()))
      expect([width, new Set(boxes.map(({ top }) => Math.round(top))).size]).toEqual([width, 1])
      expect(Math.min(...boxes.map((box) => box.width))).toBeGreaterThan(24)
      await page.locator('.menu-head svg').first().waitFor() // what is on is the sandbox's
    }
  })

  test('what lies over the page differs from the cards below it in the dark, too, and what is chosen from both', async () => {
    const dashboard = await openBusy(1)
    const { page } = await openWindowAt(dashboard.url, { colorScheme: 'dark' })
    const ground = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.keyboard.press('Control+k')
    await page.locator('.palette-option[aria-selected="true"]').waitFor()
    const grounds = ['.panel', '.popover', '.palette', '.palette-option[aria-selected="true"]'].map(ground)
    const [card, popover, palette, chosen] = await Promise.all(grounds)
    expect(popover).toBe(palette)
    expect(new Set([card, palette, chosen]).size).toBe(3)
  })

  test('on a phone an entry of the palette is one line, without keys, and a page that is missing is centred in its card', async () => {
    const dashboard = await openBusy(1)
    const { page } = await openWindowAt(dashboard.url, {
      viewport: phone,
      expected: [/status of 404/],
    })
    await page.getByRole('button', { name: 'Search and act' }).click()
    await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor()
    for (const { height } of await boxesOf(page, '.palette-option')) expect(height).toBeLessThan(50)
    for (const path of [
      '/nowhere',
      '/transactions/1',
      '/webhooks/1',
      '/requests/1',
      '/docs/guides/nothing',
    ]) {
      await page.goto(`${dashboard.url}${path}`)
      const [card, title, link] = [
        await page.locator('.missing').boundingBox(),
        await page.locator('.missing h1').boundingBox(),
        await page.locator('.missing .action').last().boundingBox(),
      ]
      const [top, bottom] = [(title?.y ?? 0) - (card?.y ?? 0), (card?.y ?? 0) + (card?.height ?? 0)]
      expect(bottom - (link?.y ?? 0) - (link?.height ?? 0)).toBeCloseTo(top, 0)
    }
  })

  test('words and ids stand in one line where there is room', async () => {
    const dashboard = await openBusy(4)
    const { page } = await openWindow({ origin: dashboard.url, viewport: { width: 1280, height: 800 } })
    const lines = (selector: string) =>
      page.locator(selector).evaluateAll((elements) => {
        const range = document.createRange()
        const linesOf = (each: Element) => {
          range.selectNodeContents(each.firstChild ?? each)
          return range.getClientRects().length
        }
        return [...new Set(elements.map(linesOf))]
      })
    await page.goto(`${dashboard.url}/requests`)
    expect(await lines('td.code a')).toEqual([1])
    expect(await page.locator('tbody th .under:visible').count()).toBe(0) // it has a column
    await page.setViewportSize(phone)
    await page.goto(`${dashboard.url}/webhooks`)
    expect(await lines('tbody th a')).toEqual([1])
  })
})
