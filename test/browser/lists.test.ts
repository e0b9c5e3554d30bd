import { expect, test } from 'vitest'
import { desk, holdRequests, inBrowser, openWindow, openWindowAt, phone } from '../support/browser/browser.ts'
import { openDashboard } from '../support/pages/dashboard.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

inBrowser('the lists', () => {
  test('a payment is found, refunded and left, the next one voided, a new one begun, by a few keys', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'set', time: '2026-11-20T09:00:00Z' }) // ids of then lack 1111
    const [next, first] = await dashboard.sellMany(2)
    await dashboard.sell(1000, { terminalSn: 'TBX-CANCEL-001' })
    const { page } = await openWindowAt(dashboard.url)
    await page.keyboard.press('/')
    await page.keyboard.type('1111')
    await page.waitForURL(`${dashboard.url}/?q=1111`)
    await expect.poll(() => page.locator('tbody [id^=row-]').count()).toBe(2)
    await page.locator('#filter-q:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator(`#row-${first}:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${dashboard.url}/?q=1111&open=${first}`)
    await page.locator('#beside #do-refund').waitFor()
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByLabel('Amount').fill('4')
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: 'Refund $4.00' }).waitFor()
    await page.locator('#beside dl > div', { hasText: 'Left to refund$6.01' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`${dashboard.url}/?q=1111`)
    await page.locator(`#row-${first}:focus`).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('v')
    await page.getByRole('dialog').getByRole('button', { name: 'Void' }).press('Enter')
    await page.waitForURL(`${dashboard.url}/?q=1111&open=${next}`)
    await page.locator('#beside .record-state', { hasText: 'Voided' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').getByRole('heading', { name: 'New payment' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('q')
    await page.locator('#beside #tab-requests[aria-current]').waitFor()
  })

  test('the record beside a list is there after a reload, follows j and k, and goes with the back button', async () => {
    const dashboard = await openDashboard()
    const [second, first] = await dashboard.sellMany(2)
    const { page } = await openWindowAt(`${dashboard.url}/`)
    await page.locator('tr', { has: page.locator(`#row-${first}`) }).click()
    const title = page.locator('#beside h1')
    await title.filter({ hasText: '$10.01' }).waitFor()
    expect(await page.title()).toBe('Transactions – tillbox sandbox')
    await page.keyboard.press('j')
    await title.filter({ hasText: '$10.00' }).waitFor()
    await page.reload()
    await title.filter({ hasText: '$10.00' }).waitFor()
    await page.locator(`#row-${second}[aria-current]`).waitFor()
    await page.goBack()
    await page.getByRole('complementary').waitFor({ state: 'hidden' })
    await page.setViewportSize({ width: 720, height: 1180 })
    await page.locator(`#row-${first}`).press('Enter')
    await page.waitForURL(`${dashboard.url}/transactions/${first}`)
  })

  test('what is typed while the list before it arrives is searched for', async () => {
    const dashboard = await openDashboard()
    const [, first] = await dashboard.sellMany(2)
    const { page } = await openWindowAt(dashboard.url)
    const release = await holdRequests(page, /[?&]q=10\.0$/)
    const asked = page.waitForRequest(/[?&]q=10\.0$/)
    await page.locator('#filter-q').fill('10.0')
    await asked
    await page.evaluate(() => {
      const field = document.querySelector<HTMLInputElement>('#filter-q')
      if (field === null) throw new Error('no field')
      field.value = '10.01'
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    release()
    await page.waitForURL(`${dashboard.url}/?q=10.01`)
    await page.locator(`#row-${first}`).waitFor()
  })

  test('the back button undoes a filter and a search, whose letters share one entry', async () => {
    const dashboard = await openDashboard()
    const [second, first] = await dashboard.sellMany(2)
    const { page } = await openWindowAt(dashboard.url)
    const rows = (...ids: (string | undefined)[]) =>
      expect
        .poll(() => page.locator('tbody [id^=row-]').evaluateAll((all) => all.map(({ id }) => id)))
        .toEqual(ids.map((id) => `row-${id}`))
    await page.locator('#filter-q').pressSequentially('10.0')
    await page.waitForURL(`${dashboard.url}/?q=10.0`)
    await page.keyboard.type('1')
    await rows(first)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('REFUND')
    await rows()
    await page.goBack()
    await page.waitForURL(`${dashboard.url}/?q=10.01`)
    await rows(first)
    expect(await page.locator('#filter-q').inputValue()).toBe('10.01')
    await page.locator('#filter-q').focus()
    await page.goBack()
    await page.waitForURL(`${dashboard.url}/`)
    await rows(first, second)
    expect(await page.locator('#filter-q').inputValue()).toBe('')
  })

  test('of the records that were shown beside a list, only the stream of the last one stays open', async () => {
    const dashboard = await openDashboard()
    const ids = await dashboard.sellMany(9)
    const { page } = await openWindowAt(`${dashboard.url}/`)
    await page.locator(`#row-${ids[8]}`).press('Enter')
    for (let amount = 1008; amount >= 1000; amount--) {
      await page.locator('#beside h1', { hasText: `$${(amount / 100).toFixed(2)}` }).waitFor()
      await page.keyboard.press('j')
    }
    await expect.poll(() => dashboard.sandbox.streams.size).toBe(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => dashboard.sandbox.streams.size).toBe(1)
  })

  test('a record that comes after it was closed is not shown, and has no stream', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/`)
    const release = await holdRequests(page, new RegExp(`/transactions/${id}$`))
    await page.locator(`#row-${id}`).press('Enter')
    await page.getByRole('complementary').waitFor()
    await page.keyboard.press('Escape')
    const answer = page.waitForResponse((response) => response.url().endsWith(id))
    release()
    await (await answer).finished()
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await page.locator('#beside').innerHTML()).toBe('')
  })

  test.each([1440, 820])(
    'beside the record of an address, in a window %d pixels wide, the list keeps its head in sight, shows its row, and ends in the window',
    async (width) => {
      const dashboard = await openDashboard()
      const ids = await dashboard.sellMany(30)
      const { page } = await openWindow({ origin: dashboard.url, viewport: { width, height: 900 } })
      const request = dashboard.sandbox.log.list()[8]?.traceId
      for (const path of [`/requests?open=${request}`, `/?open=${ids[8]}`]) {
        await page.goto(`${dashboard.url}${path}`)
        await page.locator('#beside h1').waitFor()
        const { list, row, search, pager, beside, cut } = await page.evaluate(() => {
          const box = (selector: string) => {
            const { top, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
            return { top, bottom }
          }
          const rows = [...document.querySelectorAll('#list tbody tr:not(.day)')]
          const edge = Math.max(box('#list thead').bottom, box('#list .day').bottom)
          const cut = rows
            .map((each) => each.getBoundingClientRect())
            .filter(({ top, bottom }) => top < edge - 1 && bottom > edge + 1)
          return {
            list: box('#list'),
            row: box('tr:has([aria-current])'),
            search: box('#filter-q'),
            pager: box('#list .pager'),
            beside: box('.beside'),
            cut: cut.length,
          }
        })
        expect(cut).toBe(0)
        if (width === 1440 && path.startsWith('/requests'))
          expect((await page.locator('#list .row-link').allInnerTexts())[0]).toContain('/v1/semi-integration') // it fits
        expect(search.top).toBeGreaterThan(0)
        expect(row.top).toBeGreaterThan(list.top)
        expect(row.bottom).toBeLessThan(pager.top)
        expect(Math.max(pager.bottom, beside.bottom)).toBeLessThan(900) // what goes on is in the window
        expect(await page.evaluate(() => scrollY)).toBe(0) // the row is in sight without it
      }
    },
  )

  test('the box in the head chooses every webhook of the page, and follows them', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    await dashboard.sellMany(3)
    await receiver.got(3)
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`)
    const chosen = () => page.getByRole('checkbox', { name: /^Select (?!all)/, checked: true }).count()
    await page.getByLabel('Select all').check()
    expect(await chosen()).toBe(3)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .uncheck()
    expect(await page.getByLabel('Select all').isChecked()).toBe(false)
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .first()
      .check()
    await dashboard.sell(5000)
    await expect.poll(() => page.getByRole('checkbox', { name: /^Select (?!all)/ }).count()).toBe(4)
    expect([await chosen(), await page.getByLabel('Select all').isChecked()]).toEqual([3, true])
    await page.getByLabel('Select all').uncheck()
    expect(await chosen()).toBe(0)
  })

  test('in WebKit, too, the link of a row covers that row alone, and a head that is not seen takes no room', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url, { viewport: phone })
    const position = (part: string) =>
      page.locator(`#list ${part}`).evaluate((element) => getComputedStyle(element).position)
    expect(await position('tbody tr:not(.day)')).toBe('sticky') // WebKit places nothing by a row that is relative
    expect(await position('thead')).toBe('absolute') // it has a line around a block in a table
  })

  test('on a phone the answer of a request stands above the request', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(1000)
    const { page } = await openWindowAt(
      `${dashboard.url}/requests/${dashboard.sandbox.log.list()[0]?.traceId}`,
      { viewport: phone },
    )
    const top = async (part: string) => (await page.locator(part).boundingBox())?.y ?? 0
    expect(await top('.panel-answer')).toBeLessThan(await top('.panel-request'))
  })

  test('in high-contrast colours, which have no tints, what is chosen has a line', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/?open=${id}`, { forcedColors: 'active' })
    const outline = (part: string) =>
      page.locator(part).evaluate((element) => getComputedStyle(element).outlineStyle)
    await page.locator('#beside h1').waitFor()
    expect(await outline('tr:has([aria-current])')).toBe('solid')
    expect(await outline('.sections [aria-current]')).toBe('solid')
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox', { name: 'Results' }).getByRole('option').first().waitFor()
    expect(await outline('.palette-option[aria-selected=true]')).toBe('solid')
    expect(await outline('.palette-option[aria-selected=false] >> nth=0')).toBe('none')
    await page.goto(`${dashboard.url}/payments/new`)
    expect(await outline('.operation:has(:checked)')).toBe('solid')
  })

  test('keys press nothing that is hidden from a viewer', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(`${dashboard.url}/?open=${id}`)
    await page.locator('#beside #do-refund').waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('data-viewer', ''))
    for (const key of ['r', 'n', 'Escape', 'j', 'r', 'v', 'q']) await page.keyboard.press(key)
    await page.waitForURL(/\/requests\?transactionId=/)
    expect(dashboard.sandbox.log.list().at(-1)?.operation).toBe('sale')
  })

  test('a search that is refused says why, and what is typed stays', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(`${dashboard.url}/requests`, { expected: [/status of 400/] })
    await page.locator('#filter-q').fill('4485275742308327')
    await page.getByRole('alert').filter({ hasText: 'card' }).waitFor()
    expect(await page.locator('#filter-q').inputValue()).toBe('4485275742308327')
    expect(page.url()).toBe(`${dashboard.url}/requests`)
  })

  test('r resends the marked webhook, l and h go through the pages', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    await dashboard.sellMany(26)
    await dashboard.attempted(receiver, 26)
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`)
    await page.keyboard.press('l')
    await page.waitForURL(/before=/)
    await page.keyboard.press('j')
    await page.keyboard.press('r')
    await page.locator('[data-toast]', { hasText: 'Resend of 1 webhook requested' }).waitFor()
    await receiver.got(27)
    const pressed = async () => {
      await page.keyboard.press('h') // again, when the list is just being replaced
      return page.url()
    }
    await expect.poll(pressed).toMatch(/\/webhooks$/)
  })

  test('the line of the filters does not move while values change', async () => {
    const dashboard = await openDashboard()
    await dashboard.sellMany(2)
    const { page } = await openWindowAt(`${dashboard.url}/`, {
      viewport: desk,
    })
    const places = () =>
      page
        .locator('.list-line :is(input, select, summary):visible')
        .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().left))
    const before = (await places()).slice(0, 5)
    await page.locator('#filter-status').selectOption('Approved')
    await page.waitForURL(/status=approved/)
    await page.getByRole('link', { name: 'Clear' }).waitFor()
    expect((await places()).slice(0, 5)).toEqual(before)
  })
})
