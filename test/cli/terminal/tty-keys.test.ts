import { describe, expect, test } from 'vitest'
import {
  type AttendState,
  initialState,
  loseSandbox,
  releaseKeys,
  showView,
} from '../../../src/cli/tty/attend-state.ts'
import { type KeyAction, press } from '../../../src/cli/tty/key-presses.ts'
import { pinLength } from '../../../src/contract/sandbox/pin.ts'
import type { ScreenView } from '../../../src/contract/sandbox/screens.ts'
import { cards, outcomes } from '../../../src/fixtures.ts'
import { everyScreen, receiptTexts } from '../../support/service/screens.ts'

const views = await everyScreen()
const names = outcomes.map(({ name }) => name)
const view = (name: string) => views[name] as ScreenView
const at = (name: string): AttendState => initialState(view(name), names)

/** Types keys one after the other: the last act, and how things are then. */
function type(state: AttendState, ...keys: string[]): { state: AttendState; act?: KeyAction } {
  let last: { state: AttendState; act?: KeyAction } = { state }
  for (const key of keys) last = press(last.state, key, 20)
  return last
}

/** A result whose receipt is open. */
const withReceipt = (copy: 'merchant' | 'customer'): AttendState => ({
  ...at('result'),
  receipt: { receipt: receiptTexts, copy, top: 0 },
})

/** An act at the transaction that is shown. */
const doing = (screen: string, name: string, members: object = {}) => ({
  do: 'control',
  name,
  members: { ...members, transactionId: views[screen]?.transaction?.transactionId },
})

test.each([
  [['t'], { card: 'visa-contactless', entry: 'tap' }],
  [['i'], { card: 'visa-contactless', entry: 'insert' }],
  [['down', 'return'], { card: 'visa-chip-pin', entry: 'insert' }],
  [['5', 'return'], { card: 'mastercard-chip-signature', entry: 'insert' }],
  [['1', '2', 'return'], { card: 'visa-manual', entry: 'key' }],
  [['2', '1', 'return'], { card: 'alipay-qr', entry: 'scan' }],
  [['9', '9', 't'], { card: 'jcb-contactless', entry: 'tap' }],
  [['up', 't'], { card: 'visa-contactless', entry: 'tap' }],
  [['end', 'up', 'return'], { card: 'wechat-qr', entry: 'scan' }],
  [['right', 'right', 't'], { card: 'visa-contactless', entry: 'tap', outcome: names[1] }],
  [['left', 't'], { card: 'visa-contactless', entry: 'tap', outcome: names.at(-1) }],
])('the keys %j present a card', (keys, members) => {
  expect(type(at('present-card'), ...keys).act).toEqual(doing('present-card', 'present-card', members))
})

test('every card can be reached by its number; an entry that it does not have is reported until the next key', () => {
  for (const [index, { name: card }] of cards.entries())
    expect(type(at('present-card'), ...String(index + 1), 'return').act).toMatchObject({ members: { card } })
  const { state, act } = type(at('insert-card'), 't')
  expect([act, state.notice]).toEqual([undefined, 'visa-contactless: no tap here'])
  expect(type(state, 'down').state.notice).toBeNull()
})

test.each([
  [['down', 'return'], 100],
  [['return', '1'], 100],
  [['2'], 250],
  [['down', 'down', 'return'], 250],
  [['0'], 0],
  [['a', '1', '2', '5', 'return'], 12_500],
  [['a', '1', '2', '.', '5', '0', 'return'], 1250],
  [['a', '1', ',', '5', '0', 'return'], 150],
  [['a', '9', 'escape', '1'], 100],
])('the keys %j give a tip of %i', (keys, tipAmount) => {
  expect(type(at('tip'), ...keys).act).toEqual(doing('tip', 'choose-tip', { tipAmount }))
})

test('no tip is marked at first, so that Return alone takes none; the currency decides the number of decimals', async () => {
  const { state, act } = type(at('tip'), 'return')
  expect([act, state.notice]).toEqual([undefined, expect.stringContaining('No tip is marked yet')])
  const yen = initialState((await everyScreen({ priceCurrency: 'JPY' })).tip as ScreenView)
  expect(type(yen, 'a', '5', '0', 'return').act).toMatchObject({ members: { tipAmount: 50 } })
  expect(type(yen, 'a', '5', '.', '0', 'return').state.notice).toContain('JPY has none')
})

test.each([
  [['1', '2', '.', '5', '0', '1'], '12.501 has too many decimals: USD has 2'],
  [['.'], '. is not an amount. Write an amount such as 10.00'],
  [['1', '.'], '1. is not an amount'],
  [[], 'Write an amount such as 10.00'],
])('the tip %j is refused with a message, and stays typed', (typed, message) => {
  const { state, act } = type(at('tip'), 'a', ...typed, 'return')
  expect([act, state.tipText]).toEqual([undefined, typed.join('')])
  expect(state.notice).toContain(message)
})

describe('assumption attended-terminal', () => {
  test.each([
    [['1', '2', '3', '4'], true],
    [['1', '2', '3', '5'], false],
    [['1', '2', '3', '5', 'backspace', '4'], true],
  ])('of the PIN keys %j only the result is sent, and the digits are dropped', (keys, correct) => {
    const { state, act } = type(at('pin'), ...keys, 'return')
    expect(act).toEqual(doing('pin', 'enter-pin', { correct }))
    expect(state.pin).toBe('')
  })

  test('fewer than 4 PIN digits are not sent, and the terminal window takes no more than the page', () => {
    expect(type(at('pin'), ...'123456789').state.pin).toBe('123456789'.slice(0, pinLength.most))
    const { state, act } = type(at('pin'), '1', '2', 'return')
    expect([act, state.notice]).toEqual([undefined, expect.stringContaining('4 to 6 digits')])
  })
})

test.each([
  ['signature', 'return', 'sign'],
  ['signature', 'c', 'cancel-at-terminal'],
  ['present-card', 'c', 'cancel-at-terminal'],
  ['tip', 'c', 'cancel-at-terminal'],
  ['pin', 'c', 'cancel-at-terminal'],
])('on the screen %s the key %s does: %s', (screen, key, name) => {
  expect(type(at(screen), key).act).toEqual(doing(screen, name))
})

test.each([
  ['idle', 'c'],
  ['processing', 'c'],
  ['idle', 'r'],
  ['offline', 't'],
  ['idle', 'x'],
  ['tip', '7'],
])('on the screen %s the key %s does nothing', (screen, key) =>
  expect(type(at(screen), key).act).toBeUndefined(),
)

test('the key o takes the terminal offline and online', () => {
  const set = (online: boolean) => ({ do: 'control', name: 'set-terminal', members: { online } })
  expect(type(at('idle'), 'o').act).toEqual(set(false))
  expect(type(at('offline'), 'o').act).toEqual(set(true))
})

test('q and Ctrl-C quit from every screen, and without the sandbox no other key works', () => {
  for (const state of [...Object.keys(views).map(at), loseSandbox(at('tip')), withReceipt('customer')])
    for (const key of ['q', 'ctrl-c']) expect(type(state, key).act).toEqual({ do: 'leave' })
  for (const key of ['t', 'c', 'o', 'r'])
    expect(type(loseSandbox(at('present-card')), key).act).toBeUndefined()
})

test('a receipt is opened, turned over, scrolled to its end and closed', () => {
  const transactionId = views.result?.transaction?.transactionId
  expect(type(at('result'), 'r').act).toEqual({ do: 'print', transactionId })
  const open = withReceipt('merchant')
  expect(type(open, 'end').state.receipt?.top).toBe(42 - 20)
  expect(type(open, 'end', 'up').state.receipt?.top).toBe(42 - 21)
  expect(type(open, 'up').state.receipt?.top).toBe(0)
  expect(type(open, 'down', 'tab').state.receipt).toMatchObject({ copy: 'customer', top: 0 })
  for (const key of ['escape', 'r', 'return']) expect(type(open, key).state.receipt).toBeNull()
})

test('typed digits are dropped on another screen, and the chosen card stays', () => {
  const before = { ...type(at('present-card'), '2', 'right').state }
  const tip = showView(before, view('tip'))
  expect(tip).toMatchObject({ card: 'visa-chip-pin', answer: 1, jump: '' })
  const typed = showView(type(tip, 'a', '5').state, view('pin'))
  expect(typed).toMatchObject({ tipText: null, tip: -1 })
  const inserting = showView(type(typed, '1', '2').state, view('insert-card'))
  expect(inserting).toMatchObject({ pin: '', answer: 0, card: 'visa-chip-pin' })
})

test('when another payment comes, keys wait for a moment, except cancel and quit', () => {
  const moved = showView(type(at('insert-card'), 'down').state, views.next as ScreenView)
  expect(moved.held).toBe(true)
  for (const keys of [['t'], ['return'], ['1', '2', '3', '4', 'return'], ['o'], ['r']])
    expect(type(moved, ...keys)).toEqual({ state: moved })
  expect(type(moved, 'c').act).toEqual(doing('next', 'cancel-at-terminal'))
  expect(type(moved, 'q').act).toEqual({ do: 'leave' })
  expect(type(releaseKeys(moved), '1', 't').act).toMatchObject({ name: 'present-card' })
})

test('keys are not held for the next screen of the same payment, for the first payment, or on an idle terminal', () => {
  for (const [before, after] of [
    ['present-card', 'tip'],
    ['idle', 'present-card'],
    ['pin', 'idle'],
  ] as const)
    expect(showView(at(before), views[after] as ScreenView).held).toBe(false)
  expect(loseSandbox(showView(at('insert-card'), views.next as ScreenView)).held).toBe(false)
})

test('an update of the same screen keeps what was typed, and a new payment is not hidden behind a receipt', () => {
  const before = type(at('pin'), '1', '2').state
  expect(showView(before, { ...before.view, waiting: 1 })).toMatchObject({ pin: '12' })
  const open = withReceipt('merchant')
  expect(showView(open, view('idle')).receipt).not.toBeNull()
  expect(showView(open, view('insert-card')).receipt).toBeNull()
})

test.each([
  [['1', '2', '.', '5', '0'], 1250],
  [['1', '2', 'backspace', '0', '0'], 10_000],
])('n, %o and Return start a new sale', (keys, amount) => {
  const { state, act } = type(at('idle'), 'n', ...keys, 'return')
  expect([act, state.saleText]).toEqual([{ do: 'sell', amount, currency: 'USD' }, null])
})

test('Escape starts no sale, and other keys do nothing while the amount is typed', () => {
  const { state, act } = type(at('idle'), 'n', '5', 'o', 'r')
  expect([act, state.saleText]).toEqual([undefined, '5'])
  expect(type(state, 'escape')).toMatchObject({ state: { saleText: null } })
  expect(type(state, 'q').act).toEqual({ do: 'leave' })
})

test.each([
  [[], /^Write an amount such as 10\.00$/],
  [['1', '.', '5', '5', '5'], /^1\.555 has too many decimals/],
  [['0'], /more than nothing/],
])('%o is not an amount, and stays typed beside the reason', (keys, why) => {
  const { state, act } = type(at('idle'), 'n', ...keys, 'return')
  expect([act, state.saleText]).toEqual([undefined, keys.join('')])
  expect(state.notice).toMatch(why)
})

test('no sale starts while a payment runs or the terminal is offline; a typed amount stays until a payment comes', () => {
  for (const name of ['offline', 'processing', 'present-card', 'tip', 'pin'])
    expect([name, type(at(name), 'n').state.saleText]).toEqual([name, null])
  const { state } = type(at('result'), 'n', '5')
  expect(showView(state, views.idle as ScreenView).saleText).toBe('5')
  expect(showView(state, views['present-card'] as ScreenView).saleText).toBeNull()
})
