import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import { pinLength, testPin } from '../../contract/sandbox/pin.ts'
import { readAmount } from '../../contract/written-amount.ts'
import {
  type AttendState,
  canSell,
  cardIndex,
  chosenCard,
  receiptId,
  saleCurrency,
  shownTransactionId,
} from './attend-state.ts'
import { receiptLines } from './draw-device.ts'
import type { Key } from './key-input.ts'

/** What a key makes the command do. */
export type KeyAction =
  | {
      readonly do: 'control'
      readonly name: AnsweredControl
      readonly members: Readonly<Record<string, unknown>>
    }
  | { readonly do: 'sell'; readonly amount: number; readonly currency: string }
  | { readonly do: 'print'; readonly transactionId: string }
  | { readonly do: 'leave' }

/** What a key changes, and what it does. */
export interface KeyResult {
  readonly state: AttendState
  readonly act?: KeyAction
}

/** What a key does; nothing where it means nothing. `page` is how many lines of a receipt can be seen. */
export function press(before: AttendState, key: Key, page: number): KeyResult {
  const state = before.notice === null ? before : { ...before, notice: null }
  if (key === 'q' || key === 'ctrl-c') return { state, act: { do: 'leave' } }
  if (state.receipt !== null) return { state: scrollReceipt(state, key, page) }
  if (!state.linked || (state.held && key !== 'c')) return { state }
  if (state.saleText !== null) return typeSale(state, key)
  const { acts } = state.view
  const typed =
    (acts.includes('present') && pressCard(state, key)) ||
    (acts.includes('tip') && pressTip(state, key)) ||
    (acts.includes('pin') && pressPin(state, key)) ||
    (acts.includes('sign') && key === 'return' && doing(state, 'sign'))
  return typed || pressAnywhere(state, key)
}

function pressAnywhere(state: AttendState, key: Key): KeyResult {
  const { view } = state
  const transactionId = receiptId(state)
  if (key === 'c' && view.acts.includes('cancel')) return doing(state, 'cancel-at-terminal')
  if (key === 'o')
    return { state, act: { do: 'control', name: 'set-terminal', members: { online: !view.online } } }
  if (key === 'n' && canSell(view)) return { state: { ...state, saleText: '' } }
  if (key === 'r' && transactionId !== undefined) return { state, act: { do: 'print', transactionId } }
  return { state }
}

/** An act at the terminal, for the transaction that is seen and no other. */
function doing(state: AttendState, name: AnsweredControl, members: object = {}): KeyResult {
  return {
    state,
    act: { do: 'control', name, members: { ...members, transactionId: shownTransactionId(state.view) } },
  }
}

const entries = { t: 'tap', i: 'insert', s: 'swipe' } as const

function pressCard(state: AttendState, key: Key): KeyResult | false {
  const { cards } = state.view
  const to = (index: number, jump = ''): KeyResult => {
    const { name = null } = cards[Math.max(0, Math.min(index, cards.length - 1))] ?? {}
    return { state: { ...state, jump, card: name } }
  }
  const answer = (step: number): KeyResult => ({
    state: {
      ...state,
      jump: '',
      answer: (state.answer + step + state.answers.length) % state.answers.length,
    },
  })
  if (key in steps) return to(cardIndex(state) + (steps[key] ?? 0))
  if (key === 'left' || key === 'right') return answer(key === 'left' ? -1 : 1)
  if (/^\d$/.test(key)) {
    const jump = [state.jump + key, key].find((each) => Number(each) >= 1 && Number(each) <= cards.length)
    return jump === undefined ? { state } : to(Number(jump) - 1, jump)
  }
  const card = chosenCard(state)
  const entry = key === 'return' ? card?.entries[0] : entries[key as keyof typeof entries]
  if (card === undefined || entry === undefined) return false
  if (!card.entries.includes(entry)) return noticed(state, `${card.name}: no ${entry} here`)
  const outcome = state.answers[state.answer]
  return doing(state, 'present-card', { card: card.name, entry, ...(outcome && { outcome }) })
}

const steps: Readonly<Record<Key, number>> = {
  up: -1,
  down: 1,
  pageup: -5,
  pagedown: 5,
  home: -1000,
  end: 1000,
}

/** Positions: the suggestions, no tip, another amount. */
function pressTip(state: AttendState, key: Key): KeyResult | false {
  const { tips } = state.view
  if (state.tipText !== null)
    return (
      typeAmount(state, 'tipText', state.view.transaction?.currency ?? '', key, (tipAmount) =>
        doing(state, 'choose-tip', { tipAmount }),
      ) || pressAnywhere(state, key)
    )
  const choose = (index: number): KeyResult => {
    if (index === tips.length + 1) return { state: { ...state, tip: index, tipText: '' } }
    return doing(state, 'choose-tip', { tipAmount: tips[index]?.tipAmount ?? 0 })
  }
  if (key in steps) return { state: { ...state, tip: nextTip(state, steps[key] ?? 0) } }
  if (key === 'return' && state.tip < 0)
    return noticed(state, 'No tip is marked yet: choose with the arrows, or by its number')
  if (key === 'return') return choose(state.tip)
  if (key === '0') return choose(tips.length)
  if (key === 'a') return choose(tips.length + 1)
  return /^\d$/.test(key) && Number(key) <= tips.length && choose(Number(key) - 1)
}

/** From no mark, down goes to the first and up to no tip: as on the page. */
const nextTip = ({ tip, view: { tips } }: AttendState, by: number): number =>
  tip < 0 && by === -1 ? tips.length : Math.max(0, Math.min(tip + by, tips.length + 1))

/** The longest amount that can be typed, in signs. */
const longestAmount = 15

/** An amount as it is typed, in a member of the state; `enter`: what is done with it. False for a key that is not of an amount. */
function typeAmount(
  state: AttendState,
  member: 'tipText' | 'saleText',
  currency: string,
  key: Key,
  enter: (amount: number) => KeyResult,
): KeyResult | false {
  const typed = state[member] ?? ''
  const write = (text: string | null): KeyResult => ({ state: { ...state, [member]: text } })
  if (/^[\d.,]$/.test(key)) return write((typed + key).slice(0, longestAmount))
  if (key === 'backspace') return write(typed.slice(0, -1))
  if (key === 'escape') return write(null)
  if (key !== 'return') return false
  const amount = readAmount(typed, currency, 'major')
  if (typeof amount === 'number') return enter(amount)
  const { wrong, remedy } = amount
  return noticed(state, typed === '' ? remedy : `${typed} ${wrong}. ${remedy}`)
}

const noticed = (state: AttendState, notice: string): KeyResult => ({ state: { ...state, notice } })

/** The amount of a new sale. Other keys do nothing meanwhile. */
function typeSale(state: AttendState, key: Key): KeyResult {
  const currency = saleCurrency(state.view)
  const sell = (amount: number): KeyResult =>
    amount === 0
      ? noticed(state, 'A sale is of more than nothing')
      : { state: { ...state, saleText: null }, act: { do: 'sell', amount, currency } }
  return typeAmount(state, 'saleText', currency, key, sell) || { state }
}

/** Only whether the PIN was right is sent to the sandbox. assumption: attended-terminal */
function pressPin(state: AttendState, key: Key): KeyResult | false {
  const { least, most } = pinLength
  const write = (pin: string): KeyResult => ({ state: { ...state, pin } })
  if (/^\d$/.test(key)) return write((state.pin + key).slice(0, most))
  if (key === 'backspace') return write(state.pin.slice(0, -1))
  if (key !== 'return') return false
  if (state.pin.length < least)
    return noticed(state, `A PIN has ${least} to ${most} digits, then the return key`)
  return doing({ ...state, pin: '' }, 'enter-pin', { correct: state.pin === testPin })
}

/** Scrolls the receipt on the screen, shows its other copy, or closes it. */
function scrollReceipt(state: AttendState, key: Key, page: number): AttendState {
  const { receipt } = state
  if (receipt === null || key === 'escape' || key === 'r' || key === 'return')
    return { ...state, receipt: null }
  const other = receipt.copy === 'merchant' ? 'customer' : 'merchant'
  if (key === 'tab') return { ...state, receipt: { ...receipt, top: 0, copy: other } }
  const last = Math.max(0, receiptLines(receipt.receipt[receipt.copy]).length - page)
  const top = Math.max(0, Math.min(receipt.top + (steps[key] ?? 0), last))
  return { ...state, receipt: { ...receipt, top } }
}
