import { expect, test } from 'vitest'
import { repaint } from '../../../src/cli/tty/attend.ts'
import { type AttendState, initialState, loseSandbox } from '../../../src/cli/tty/attend-state.ts'
import { plainText } from '../../../src/cli/tty/styled-line.ts'
import { drawWindow } from '../../../src/cli/tty/window.ts'
import type { ScreenView } from '../../../src/contract/sandbox/screens.ts'
import { displayWidth } from '../../../src/text/display-width.ts'
import { everyScreen, receiptTexts } from '../../support/service/screens.ts'

const hostile = {
  description: 'Café ☕️ 漢字漢字 \u001b[2J\u202e\u0007 very long text '.repeat(3).slice(0, 128),
  referenceOrderId: 'ORDER-1',
}

const openReceipt = (top: number) => ({ receipt: receiptTexts, copy: 'merchant', top }) as const

const views = await everyScreen()
const drawn = (state: AttendState, columns = 80, rows = 24) =>
  drawWindow(state, { columns, rows }).map(plainText)
const text = (view: ScreenView | undefined, columns?: number, rows?: number) =>
  drawn(initialState(view as ScreenView), columns, rows).join('\n')

const smallAndUsual = [
  [80, 24],
  [40, 20],
] as const
const sizes = [...smallAndUsual, [120, 40], [200, 60], [79, 24], [30, 16], [10, 3], [1, 1]] as const

test.each([
  [80, 24, 40, 11],
  [120, 40, 56, 19],
  [200, 60, 72, 24],
])('in a window of %i × %i the terminal has %i columns and %i rows', (columns, rows, wide, high) => {
  const lines = drawn(initialState(views.idle as ScreenView), columns, rows)
  expect(/╭─+╮/.exec(lines[0] ?? '')?.[0]).toHaveLength(wide)
  expect(lines.findIndex((each) => each.includes('╰'))).toBe(high - 1)
})

test('a window in which nothing fits says how large it must be', () => {
  const message = text(views.idle, 29, 15).replaceAll(/\s+/g, ' ')
  expect(message).toContain('The window is too small: 29 × 15. Make it at least 30 × 16; q quits.')
})

test.each(sizes)('a screen fills each line of a window of %i × %i', async (columns, rows) => {
  const others = await everyScreen(hostile)
  for (const [name, view] of [...Object.entries(views), ...Object.entries(others)]) {
    const state = initialState(view)
    const [long, receipt] = [
      { ...state, notice: 'x '.repeat(90) },
      { ...state, receipt: openReceipt(3) },
    ]
    for (const each of [state, loseSandbox(state), long, receipt]) {
      const lines = drawn(each, columns, rows)
      expect([name, lines.length]).toEqual([name, rows])
      expect([name, lines.filter((line) => displayWidth(line) !== columns)]).toEqual([name, []])
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202e]/u)
    }
  }
})

test.each(
  Object.entries({
    idle: ['Ready', 'Waiting for the next payment', 'tillbox sale'],
    'present-card': [
      '$10.00',
      'Tap, insert, swipe, enter or scan',
      '›  1 visa-contactless',
      '1 of 21',
      't tap',
    ],
    tip: ['Add a tip?', '1 10 %', '$1.00', '2 25 %', '0 no tip', 'a another amount'],
    pin: ['$12.50', 'Enter PIN', 'VISA •••• 1881', '○ ○ ○ ○', 'The test PIN is 1234'],
    'pin-again': ['Wrong PIN, 2 tries left'],
    'insert-card': ['Over the limit for contactless', 'Insert your card', 'i insert'],
    signature: ['Please sign', '⏎ sign', 'c leave out'],
    processing: ['Please wait'],
    result: ['✓ Approved', '$12.50', '$2.50 of it tip', 'auth code', 'r receipt'],
    declined: ['✗ Declined', '051 Insufficient funds'],
    cancelled: ['■ Cancelled'],
    offline: ['○ offline', 'No connection to the host', 'o online'],
    auto: ['It acts by itself'],
  }),
)('the screen %s shows its text at 80 × 24 and at 40 × 20', (name, phrases) => {
  for (const size of smallAndUsual)
    for (const each of phrases) expect(text(views[name], ...size)).toContain(each)
})

test('keys that would do nothing are not offered, and the number of payments that wait is shown', () => {
  expect(text(views['insert-card'])).not.toContain('t tap')
  expect(text(views.processing)).not.toContain('c cancel')
  expect(text(views.idle)).not.toMatch(/c cancel|r receipt/)
  const waiting = { ...(views['present-card'] as ScreenView), waiting: 2 }
  expect(text(waiting)).toContain('2 waiting')
})

test('the chosen card and the marked tip stay in sight, with a note that there are more', () => {
  const state = initialState(views['present-card'] as ScreenView)
  const marked = (each: AttendState, columns: number, rows: number) =>
    drawn(each, columns, rows).filter((line) => line.startsWith('›'))
  for (const { name: card } of state.view.cards)
    expect(marked({ ...state, card }, 40, 20)).toEqual([expect.stringContaining(card)])
  const view = views.tip as ScreenView
  const tipping = initialState({ ...view, tips: [...view.tips, { label: '30 %', tipAmount: 300 }] })
  expect(drawn(tipping, 30, 16).join('\n')).toMatch(/Tip +1 to 4 of 5/)
  expect(drawn(tipping).join('\n')).not.toContain(' of 5')
  for (const tip of [0, 1, 2, 3, 4]) expect(marked({ ...tipping, tip }, 30, 16)).toHaveLength(1)
  expect(drawn({ ...tipping, tipText: '5' }, 30, 16).join('\n')).toContain('5▏')
})

test('only the number of digits of a PIN is shown, and a typed tip as an amount once it is complete', () => {
  const all = drawn({ ...initialState(views.pin as ScreenView), pin: '98760' }).join('\n')
  expect(all).toContain('● ● ● ● ●')
  expect(all).not.toContain('98760')
  const typing = (tipText: string) => drawn({ ...initialState(views.tip as ScreenView), tipText }).join('\n')
  expect(typing('12')).toContain('12▏ = $12.00')
  expect(typing('12.50')).toContain('12.50▏ = $12.50')
  for (const open of ['12.', '']) expect(typing(open)).toMatch(new RegExp(` ${open}▏ *$`, 'm'))
})

test('the result of the payment before is shown while another one runs, with a note that keys wait', () => {
  const { last } = views.declined as ScreenView
  const next = { ...(views['present-card'] as ScreenView), last }
  const held = { ...initialState(next), held: true }
  for (const size of smallAndUsual) {
    expect(text(next, ...size)).toContain('before: ✗ 10.00 USD 051 Insufficient')
    expect(drawn(held, ...size).join('\n')).toContain('another payment: keys wait')
  }
  expect(drawn(held).join('\n')).not.toContain('t tap')
  expect(text(views.next)).toContain('before: ■ 300.00 USD closed unpaid')
  for (const name of ['result', 'idle', 'declined', 'present-card'])
    expect(text(views[name])).not.toContain('before:')
  expect(drawn({ ...initialState(next), notice: 'no' }).join('\n')).toMatch(/! no *\n *before: ✗ 10\.00 USD/)
})

test('without the sandbox, the last screen stays and the window says that the sandbox is gone', () => {
  const lost = drawn(loseSandbox(initialState(views.tip as ScreenView))).join('\n')
  for (const each of ['no sandbox', '$10.00', 'The sandbox is gone', 'q quit']) expect(lost).toContain(each)
  expect(lost).not.toContain('c cancel')
})

test('a long receipt says that there is more', () => {
  const result = initialState(views.result as ScreenView)
  expect(drawn({ ...result, receipt: openReceipt(0) }).join('\n')).toContain('more lines')
  expect(drawn({ ...result, receipt: openReceipt(99) }).join('\n')).toContain('Merchant copy')
})

test('the first paint writes every line, a later one what changed; spaces at the end are erased, so that none is copied', () => {
  expect(repaint(['a', 'b', 'c'], ['a', 'B', 'c'])).toBe('\u001b[?2026h\u001b[2;1HB\u001b[?2026l')
  expect(repaint(['a'], ['a'])).toBe('')
  expect(repaint(undefined, ['a', 'b'])).toBe('\u001b[?2026h\u001b[2J\u001b[1;1Ha\u001b[2;1Hb\u001b[?2026l')
  expect(repaint(['a'], ['b  '])).toBe('\u001b[?2026h\u001b[1;1Hb\u001b[K\u001b[?2026l')
  expect(repaint(['a  '], ['b c'])).toBe('\u001b[?2026h\u001b[1;1Hb c\u001b[?2026l')
})

test('the keys are explained beside the terminal where there is room, and always at the foot', () => {
  const wide = text(views.idle, 120, 40)
  expect(wide).toMatch(/Keys +\n/)
  expect(wide).toMatch(/n {5}take a payment here/)
  expect(wide).toMatch(/q {5}leave the terminal as it is/)
  expect(text(views['present-card'], 120, 40)).toMatch(/←→ {4}choose what the host answers/)
  const narrow = text(views['present-card'], 80, 24)
  expect(narrow).not.toContain('Keys')
  expect(narrow).toMatch(/↑↓ card {3}←→ answer/)
  expect(narrow).toMatch(/host answers as usual +←→/)
})
