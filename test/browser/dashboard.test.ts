import { expect, test } from 'vitest'
import { inBrowser, openWindow, openWindowAt, setHidden } from '../support/browser/browser.ts'
import { openDashboard, refundRequest } from '../support/pages/dashboard.ts'
import { sideBySide } from '../support/runner/side-by-side.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'
import { copiesOf, mayCopy } from './clipboard.ts'

inBrowser('the dashboard', () => {
  const waiting = sideBySide()

  waiting('the open dashboard shows new payments and keeps focus, folds and typed text', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url)
    await page.getByText('No payments yet').waitFor()
    const first = await dashboard.sell(1000)
    await page.locator(`#row-${first}`).waitFor()
    await page.locator('.sums', { hasText: '$10.00' }).waitFor()
    await page.locator('[data-announce]', { hasText: '1 transaction' }).waitFor({ state: 'attached' })
    await page.locator('#filter-q').fill('visa')
    await page.waitForURL(/q=visa/)
    const fold = page.locator('.range .fold')
    await fold.locator('summary').click()
    await page.locator(`#row-${first}`).focus()
    const second = await dashboard.sell(2000)
    await page.locator(`#row-${second}`).waitFor()
    await page.locator('.sums', { hasText: '$30.00' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`row-${first}`)
    expect(await fold.getAttribute('open')).not.toBeNull()
    expect(await page.locator('#filter-q').inputValue()).toBe('visa')
  })

  waiting('new rows are tinted, and wait behind a button for a reader who scrolled', async () => {
    const dashboard = await openDashboard()
    await dashboard.sellMany(25)
    const { page } = await openWindowAt(dashboard.url)
    const first = await dashboard.sell(1000)
    await page.locator(`tr.row-new #row-${first}`).waitFor()
    await page.evaluate(() => document.querySelector('#list tr:nth-child(12)')?.scrollIntoView())
    const second = await dashboard.sell(2000)
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await page.locator(`#row-${second}`).count()).toBe(0)
    await page.getByRole('button', { name: '1 new' }).click()
    await page.locator(`#row-${second}`).waitFor()
    expect(await page.getByRole('button', { name: '1 new' }).count()).toBe(0)
  })

  waiting('new rows that waited behind their button leave what was chosen and shown as it was', async () => {
    const receiver = await openReceiver()
    const dashboard = await openDashboard({ notifyUrl: receiver.url })
    await dashboard.sellMany(25)
    await receiver.got(25)
    const { page } = await openWindowAt(`${dashboard.url}/webhooks`, {
      viewport: { width: 1280, height: 500 },
    })
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/ })
      .nth(2)
      .check()
    await page.locator('tbody th a').nth(3).press('Enter')
    await page.locator('#beside h1').waitFor()
    const shown = await page.locator('tbody a[aria-current]').getAttribute('id')
    await page.locator('#list').evaluate((list) => {
      list.scrollTop = 200
    })
    await dashboard.sell(2000)
    await page.getByRole('button', { name: '1 new' }).press('Enter')
    await page.locator('tbody th a:focus').waitFor()
    expect(await page.getByRole('checkbox', { name: /^Select (?!all)/, checked: true }).count()).toBe(1)
    expect(await page.locator('tbody a[aria-current]').getAttribute('id')).toBe(shown)
  })

  test('a list stays where it was scrolled to when its rows are pushed, also in WebKit, which forgets it', async () => {
    const dashboard = await openDashboard()
    const late = await dashboard.sell(1000, { terminalSn: 'TBX-LATE-001' })
    await dashboard.sellMany(20)
    const { page } = await openWindowAt(`${dashboard.url}/?open=${late}`, {
      viewport: { width: 1280, height: 500 },
    })
    const list = page.locator('#list')
    await page.locator('#beside h1').waitFor()
    await list.evaluate((element) => {
      element.scrollTop = 200
      element.removeChild = (child) => {
        Node.prototype.removeChild.call(element, child)
        element.scrollTop = 0
        return child
      }
    })
    await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    await page.locator('tr', { has: page.locator(`#row-${late}`), hasText: 'Approved' }).waitFor()
    expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBe(200)
  })

  test('an empty filter stays out of the address, and after a form the keyboard is at the content', async () => {
    const dashboard = await openDashboard()
    await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    await page.locator('[name=q]').fill('nothing')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${dashboard.url}/?q=nothing`)
    await page.goto(`${dashboard.url}/faults`)
    await page.getByRole('radio', { name: 'latency' }).check()
    await page.getByRole('textbox', { name: 'Delay' }).fill('soon')
    await page.keyboard.press('Enter')
    await page.locator('[name=latency-0]:focus').fill('2s')
    await page.keyboard.press('Enter')
    await page.locator('[data-toast]', { hasText: 'Injected latency=2s, once.' }).waitFor()
    await page.locator('main:focus').waitFor()
    await page.locator('body > header summary').click()
    await page.locator('body > header [name=time]').fill('soon')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/clock')
    expect(await page.locator('main [name=time]:focus').inputValue()).toBe('soon')
    await page.goto(`${dashboard.url}/batches`)
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Skip to the content' }).press('Enter')
    await page.locator('main:focus').waitFor()
  })

  test('the focus stays on a link without an id while its part of the page is pushed', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url)
    const link = page.getByRole('link', { name: /^\d+ terminals$/ })
    await link.focus()
    await page.evaluate(() => document.querySelector('#fleet')?.append(document.createElement('hr')))
    await dashboard.sell(1000)
    await page.locator('#fleet hr').waitFor({ state: 'detached' })
    await link.and(page.locator(':focus')).waitFor()
  })

  test('a bar of a chart is read with the arrow keys, and leads to its transactions', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    await dashboard.sell(1000)
    await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 600_000 })
    await dashboard.sell(2000)
    const { page } = await openWindowAt(`${dashboard.url}/?since=1h`)
    await page.locator('[data-bars] a[tabindex="0"]').focus()
    for (let bar = 0; bar < 5; bar++) await page.keyboard.press('ArrowLeft')
    const tip = page.locator('[data-bars] a:focus .bar-tip')
    expect(await tip.textContent()).toMatch(/Approved 1$/)
    expect(await tip.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
    await page.keyboard.press('Enter')
    await page.waitForURL(/until=/)
    expect(await page.locator('tbody [id^=row-]').count()).toBe(1)
  })

  waiting(
    'the page of a transaction follows it to its refund, and leaves the focus where it was',
    async () => {
      const dashboard = await openDashboard()
      const id = await dashboard.sell(1000, { terminalSn: 'TBX-LATE-001' })
      const { page } = await openWindowAt(`${dashboard.url}/transactions/${id}`)
      await page.locator('.record-state', { hasText: 'Waiting for host' }).waitFor()
      await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 61_000 })
      await page.locator('.record-state', { hasText: 'Approved' }).waitFor()
      await page.locator('body > header summary', { hasText: '+1 min 1 s' }).waitFor()
      await page.getByRole('link', { name: 'Receipt' }).focus()
      await dashboard.call('refund', refundRequest(id, 400))
      await page.locator('dl > div', { hasText: 'Left to refund$6.00' }).waitFor()
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Receipt')
    },
  )

  test('a chosen filter narrows the list at once, and its pages lead on', async () => {
    const dashboard = await openDashboard()
    await dashboard.sellMany(25)
    const bad = await dashboard.sell(9734)
    const { page } = await openWindowAt(dashboard.url)
    await page.locator('select[name=status]').selectOption('declined')
    await page.waitForURL(/status=declined/)
    await page.locator(`#row-${bad}`).waitFor()
    expect(await page.locator('tbody [id^=row-]').count()).toBe(1)
    expect(await page.locator('body > [data-announce]').textContent()).toBe('1 of 26')
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Newest' }).waitFor()
    expect(await page.locator('tbody [id^=row-]').count()).toBe(1)
  })

  test('the dashboard can be used with the keyboard alone', async () => {
    const dashboard = await openDashboard()
    const id = await dashboard.sell(1000)
    const { page } = await openWindowAt(dashboard.url)
    const press = async (fits: string) => {
      for (let times = 0; times < 60; times++) {
        await page.keyboard.press('Tab')
        const [ringed, there] = await page.evaluate((selector) => {
          const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement as Element)
          return [
            outlineStyle !== 'none' && outlineWidth !== '0px',
            document.activeElement?.matches(selector),
          ]
        }, fits)
        expect(ringed).toBe(true)
        if (there) return
      }
      throw new Error(`Tab never leads to ${fits}`)
    }
    await press('[name=q]')
    await page.keyboard.insertText(id)
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=\d+/)
    await page.locator(`#row-${id}:focus`).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/open=\d+$/)
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.waitForURL(/\/batches$/)
    await press('a[href^="/batches/close?"]')
    await page.keyboard.press('Enter')
    await page.locator('dialog [data-close]:focus').waitFor() // what keeps everything
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('No batch is open').waitFor()
  })

  test('a command is copied, and its button says so for a while', async () => {
    const { url } = await openDashboard()
    const { page } = await openWindow({ origin: url, alone: true, ...mayCopy })
    const copies = await copiesOf(page)
    await page.clock.install({ time: 0 })
    await page.goto(`${url}/?q=nothing`)
    await page.clock.pauseAt(3_600_000)
    const button = page.locator('[data-copy^="tillbox sale --amount 10.00"]')
    const label = await button.innerHTML()
    await button.click()
    await expect.poll(copies).toEqual([`tillbox sale --amount 10.00 --base-url ${url}`])
    expect(await button.innerHTML()).toBe('Copied')
    expect(await page.locator('body > [data-announce]').textContent()).toBe('Copied')
    await page.clock.fastForward(3_000)
    expect(await button.innerHTML()).toBe(label)
  })

  test('where a browser has no clipboard, the button says what to do instead', async () => {
    const { url } = await openDashboard()
    const { page } = await openWindow({ origin: url })
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.goto(url)
    await page.locator('[data-copy^="tillbox sale --amount 10.00"]').click()
    await page.getByRole('button', { name: 'Select it and copy' }).waitFor()
  })

  waiting('the dashboard goes on by itself after its stream was closed', async () => {
    const dashboard = await openDashboard()
    const { page } = await openWindowAt(dashboard.url, { expected: [/shared-[\w-]+\.js: \[object Event\]/] })
    await page.getByText('No payments yet').waitFor()
    await expect.poll(() => dashboard.sandbox.streams.size).toBe(1)
    for (const stream of dashboard.sandbox.streams) stream.abort()
    const id = await dashboard.sell(1000)
    await page.locator(`#row-${id}`).waitFor()
  })

  test('a drag over the hours of a chart filters by their time, and a press on a bar still opens it', async () => {
    const dashboard = await openDashboard()
    await dashboard.control('POST', 'clock', { action: 'freeze' })
    await dashboard.control('POST', 'clock', { action: 'set', time: '2026-11-20T12:00:00Z' })
    const early = await dashboard.sell(1000)
    await dashboard.control('POST', 'clock', { action: 'advance', milliseconds: 40 * 60_000 })
    const late = await dashboard.sell(2000)
    const { page } = await openWindowAt(`${dashboard.url}/?since=1h&type=SALE`)
    const drag = async (from: number, to: number) => {
      const box = await page.locator('[data-bars]').boundingBox()
      const { x, y, width, height } = box as NonNullable<typeof box>
      await page.mouse.move(x + from * width, y + height / 2)
      await page.mouse.down()
      await page.mouse.move(x + ((from + to) / 2) * width, y + height / 2)
      await page.mouse.move(x + to * width, y + height / 2)
    }
    await drag(0.995, 0.5) // the later bars of the hour that ends at 12:42
    await page.locator('.brushed').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.brushed').count()).toBe(0)
    await page.mouse.up()
    await drag(0.995, 0.51)
    await page.mouse.up()
    await page.waitForURL(/until=/)
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      type: 'SALE',
      since: '2026-11-20T12:12',
      until: '2026-11-20T12:42',
    })
    await page.locator(`#row-${late}`).waitFor()
    expect(await page.locator(`#row-${early}`).count()).toBe(0)
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.locator(`#row-${early}`).waitFor()
    await page.goto(`${dashboard.url}/?since=1h`)
    await page.locator('[data-bars] a', { hasText: '2026-11-20 12:00' }).click()
    await page.waitForURL(/since=2026-11-20T12%3A00/)
    await page.locator(`#row-${early}`).waitFor()
  })

  waiting(
    'a hidden window closes its stream, counts in its title, and catches up when it is visible',
    async () => {
      const dashboard = await openDashboard()
      const { page } = await openWindowAt(dashboard.url)
      await expect.poll(() => dashboard.sandbox.streams.size).toBe(1)
      const marked = page.waitForResponse(/unread/)
      await setHidden(page, true)
      await marked
      await expect.poll(() => dashboard.sandbox.streams.size).toBe(0)
      const [, id] = await dashboard.sellMany(2)
      await expect.poll(() => page.title()).toBe('(2) Transactions – tillbox sandbox')
      expect(await page.locator(`#row-${id}`).count()).toBe(0)
      await setHidden(page, false)
      expect(await page.title()).toBe('Transactions – tillbox sandbox')
      await page.locator(`#row-${id}`).waitFor()
    },
  )
})
