import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, tablet } from '../support/browser/browser.ts'
import {
  displays,
  present,
  pressCancel,
  type Stand,
  showsScreen,
  standAt,
} from '../support/browser/cashier.ts'
import { terminalSn } from '../support/pages/terminal-page.ts'
import { axeFindings, boxesOf, coveredControls, narrowWindow, overflowing } from './looks.ts'

/** Movement is not what is looked at here; one of the ways is a refusal. */
const options = { reducedMotion: 'reduce', expected: [/present: Failed .* status of 409/, /htmx:/] } as const

const [amount, tipConfig] = [1000, { onScreenTip: true }]

/** A sale for which a card is presented, up to the screen that comes then. */
const presented =
  (card: string, way: string, screen: string, total = amount, more: object = {}) =>
  async ({ page, terminalPage }: Stand) => {
    await terminalPage.sell(total, more)
    await present(page, card, way)
    await showsScreen(page, screen)
  }

/** A sale that waits for its card. */
async function waiting({ page, terminalPage }: Stand): Promise<void> {
  await terminalPage.sell(amount, { description: 'W'.repeat(60) })
  await showsScreen(page, 'present-card')
}

/** Every way that ends on a screen of its own, from a window at an idle terminal. */
const waysToEnd: Readonly<Record<string, (stand: Stand) => Promise<unknown>>> = {
  idle: ({ page }) => showsScreen(page, 'idle'),
  'present-card': async (stand) => {
    await waiting(stand)
    await stand.page.locator('.card-picker summary').click()
  },
  'insert-card': presented('visa-contactless', 'tap', 'insert-card', 30_000),
  tip: presented('amex-chip', 'insert', 'tip', 999_999_00, { tipConfig }),
  pin: async (stand) => {
    await presented('visa-chip-pin', 'insert', 'pin')(stand)
    await stand.terminalPage.act('pin', { correct: false })
    await stand.page.getByText('2 tries left').waitFor()
  },
  processing: async (stand) => {
    await stand.terminalPage.sell()
    await stand.terminalPage.act('queue', { outcome: 'late-approval' })
    await stand.terminalPage.act('queue', { outcome: 'lost-card', times: 2 })
    await presented('visa-contactless', 'tap', 'processing')(stand)
  },
  signature: presented('mastercard-chip-signature', 'insert', 'signature'),
  approved: async (stand) => {
    await presented('visa-contactless', 'tap', 'result')(stand)
    await displays(stand.page, 'Approved')
  },
  declined: async (stand) => {
    await presented('visa-declined', 'tap', 'result')(stand)
    await displays(stand.page, 'Declined')
  },
  cancelled: async (stand) => {
    await waiting(stand)
    await pressCancel(stand.page)
    await displays(stand.page, 'Closed')
  },
  offline: async (stand) => {
    await stand.terminalPage.sell()
    await stand.page.getByRole('switch', { name: 'Online' }).click()
    await showsScreen(stand.page, 'offline')
  },
  'a refusal': async (stand) => {
    await waiting(stand)
    await stand.page.locator('.card-picker [name=transactionId]').evaluate((input: HTMLInputElement) => {
      input.value = '7'
    })
    await present(stand.page, 'visa-contactless', 'tap')
    await stand.page.getByRole('alert').getByText('This window was out of date').waitFor()
  },
}

inBrowser('every screen of a terminal', () => {
  test.each(Object.entries(waysToEnd))(
    'the terminal (%s) fits 360 pixels, is reachable in full, and passes axe in light and dark',
    async (_, reach) => {
      const stand = await standAt({ ...options, viewport: narrowWindow, bypassCSP: true })
      await reach(stand)
      await fits(stand.page)
      expect(await axeFindings(stand.page)).toEqual([])
    },
  )

  test('a dot of the PIN is filled for each digit, and those that a PIN need not have are faint', async () => {
    const stand = await standAt(options)
    await presented('visa-chip-pin', 'insert', 'pin')(stand)
    await stand.page.keyboard.type('12')
    const dots = await stand.page.locator('.pin-dots i').evaluateAll((all) =>
      all.map((dot) => {
        const { width, backgroundColor, opacity } = getComputedStyle(dot)
        return [width, backgroundColor === 'rgba(0, 0, 0, 0)' ? 'empty' : 'filled', opacity]
      }),
    )
    expect(dots.slice(0, 5)).toEqual([
      ...['filled', 'filled', 'empty', 'empty'].map((state) => ['16px', state, '1']),
      ['16px', 'empty', '0.35'],
    ])
  })

  test.each([
    [1280, 800],
    [1366, 640],
    [390, 844],
  ])('a window of %i by %i shows the amount and the keys together', async (width, height) => {
    const { page, terminalPage } = await standAt({ ...options, viewport: { width, height } })
    await terminalPage.sell(2200, { terminalSn, description: 'A cake' })
    await terminalPage.sell(4250, { description: 'W'.repeat(60) })
    await present(page, 'visa-declined', 'tap')
    await page.locator('.before', { hasText: 'Before: Declined, $22.00, 005 Do not honor' }).waitFor()
    const [sum, enter] = await Promise.all(
      ['.display .sum', '.key-enter'].map((name) => page.locator(name).boundingBox()),
    )
    expect(sum?.y).toBeGreaterThan(0)
    expect((enter?.y ?? height) + (enter?.height ?? 0)).toBeLessThanOrEqual(height)
    const display = page.locator('.display')
    const hidden = () => display.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)
    await expect.poll(hidden).toBe(0) // a screen arrives from a little below
  })

  test('the device alone fits 360 pixels and passes axe', async () => {
    const { page, terminalPage } = await standAt({ ...options, bypassCSP: true, viewport: narrowWindow })
    await terminalPage.sell()
    await page.goto(`${terminalPage.page}?view=device`)
    await fits(page)
    expect(await axeFindings(page)).toEqual([])
  })
})

inBrowser('the cards beside a terminal', () => {
  test.each([1440, 820, 390])('in a window of %i they have one size, in the same columns', async (width) => {
    const { page, terminalPage } = await standAt({ ...options, viewport: { width, height: 900 } })
    await terminalPage.sell()
    await page.locator('.card-picker .fold > summary').click()
    const boxes = await boxesOf(page, '.card')
    expect(new Set(boxes.map(({ height }) => height)).size).toBe(1)
    const lefts = (row: number) => boxes.filter(({ top }) => top === row).map(({ left }) => Math.round(left))
    const [strip = [], ...rows] = [...new Set(boxes.map(({ top }) => top))].map(lefts)
    for (const row of rows) expect(row).toEqual(strip.slice(0, row.length))
    const [further] = await boxesOf(page, '.card-picker .fold .card >> nth=0')
    expect(further?.bottom).toBeLessThan(900) // what was unfolded is in sight
  })
})

inBrowser('the last payment beside a terminal', () => {
  test.each([1280, 1440, 1800])('in a window of %i the names of its lanes stand apart', async (width) => {
    const { page, terminalPage } = await standAt({ ...options, viewport: { width, height: 900 } })
    await terminalPage.sell()
    await present(page, 'visa-contactless', 'tap')
    await page.locator('.receipts').waitFor()
    const names = await boxesOf(page, '.sequence > div text')
    expect(names).toHaveLength(4)
    for (const [index, { left }] of names.slice(1).entries())
      expect(left).toBeGreaterThan((names[index]?.right ?? 0) + 4)
  })

  test('on a tablet the steps of a payment stand beside the device, and the latest ones below it, as wide as the window', async () => {
    const { page, terminalPage } = await standAt({ ...options, viewport: tablet })
    await terminalPage.sell()
    const [device] = await boxesOf(page, '.device')
    const [story] = await boxesOf(page, '.fragment-story')
    expect(story?.left).toBeGreaterThan(device?.right ?? Number.NaN)
    const [latest] = await boxesOf(page, '.fragment-latest')
    expect(latest?.top).toBeGreaterThan(device?.bottom ?? Number.NaN)
    expect(latest?.width).toBeGreaterThan(700)
  })
})

async function fits(page: Page): Promise<void> {
  expect(await overflowing(page, '.sections, .cards')).toEqual([])
  const controls = 'button:visible:enabled, a:visible:not(.skip-link), summary:visible, select:visible'
  expect(await coveredControls(page, controls)).toEqual([])
}
