import { displayWidth } from '../../text/display-width.ts'
import { type AttendState, canSell, chosenCard, receiptId } from './attend-state.ts'
import type { Line, Span } from './styled-line.ts'

type Hints = Readonly<Record<string, string>>

/** The keys that mean something now. */
export function hints(state: AttendState): Hints {
  const { view, linked, held, receipt } = state
  const quit = { q: 'quit' }
  if (receipt !== null) return { tab: 'other copy', '↑↓': 'scroll', esc: 'back', ...quit }
  if (!linked) return quit
  const cancel = view.acts.includes('cancel') && { c: view.screen === 'signature' ? 'leave out' : 'cancel' }
  if (held) return { '…': 'another payment: keys wait', ...cancel, ...quit }
  if (state.saleText !== null) return { '0-9 .': 'amount', '⏎': 'start the sale', esc: 'back', ...quit }
  return {
    ...(canSell(view) && { n: 'new sale' }),
    ...screenHints(state),
    ...cancel,
    o: view.online ? 'offline' : 'online',
    ...(receiptId(state) !== undefined && view.acts.length === 0 && { r: 'receipt' }),
    ...quit,
  }
}

function screenHints(state: AttendState): Hints {
  const { acts } = state.view
  if (acts.includes('present')) return cardHints(state)
  if (acts.includes('tip'))
    return state.tipText === null
      ? { '↑↓': 'tip', '⏎': 'choose' }
      : { '0-9 .': 'amount', '⏎': 'give', esc: 'back' }
  if (acts.includes('pin')) return { '0-9': 'PIN', '⏎': 'enter', '⌫': 'correct' }
  return acts.includes('sign') ? { '⏎': 'sign' } : {}
}

/** What a key does, in full, by its word at the foot of the window. Words that need no explanation are not listed. */
const inFull: Hints = {
  tap: 'tap the card',
  insert: 'insert the card',
  swipe: 'swipe the card',
  'key in': 'key in the number of the card',
  scan: 'scan the code',
  card: 'choose another card',
  answer: 'choose what the host answers',
  cancel: 'cancel on the device',
  tip: 'choose a tip',
  choose: 'give the tip that is marked',
  enter: 'enter the PIN',
  correct: 'take the last digit back',
  'new sale': 'take a payment here',
  receipt: 'look at the receipt',
  offline: 'unplug it: its payments wait',
  online: 'plug it in: it works on',
  quit: 'leave the terminal as it is',
}

/** The keys that mean something now, a line each with what it does. */
export const explainedKeys = (state: AttendState): Line[] =>
  Object.entries(hints(state)).map(
    ([key, what]): Line => [
      [key.padEnd(6), 'link'],
      [inFull[what] ?? what, 'faint'],
    ],
  )

const letters = { tap: 't', insert: 'i', swipe: 's', key: '⏎', scan: '⏎' } as const
const words = { tap: 'tap', insert: 'insert', swipe: 'swipe', key: 'key in', scan: 'scan' } as const

const cardHints = (state: AttendState): Hints => ({
  ...Object.fromEntries((chosenCard(state)?.entries ?? []).map((entry) => [letters[entry], words[entry]])),
  '↑↓': 'card',
  '←→': 'answer',
})

/** The keys in as few lines as they take. */
export function hintLines(all: Hints, columns: number): Line[] {
  const lines: Span[][] = []
  let remaining = 0
  for (const [key, what] of Object.entries(all)) {
    const hint: Span[] = [
      [key, 'link'],
      [` ${what}`, 'faint'],
    ]
    const width = displayWidth(`${key} ${what}`)
    const row = remaining < width + 3 ? undefined : lines.at(-1)
    if (row === undefined) lines.push(hint)
    else row.push(['   '], ...hint)
    remaining = row === undefined ? columns - width : remaining - width - 3
  }
  return lines
}
