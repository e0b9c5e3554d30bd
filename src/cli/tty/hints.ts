import { displayWidth } from '../../text/display-width.ts'
import { type AttendState, chosenCard, receiptId } from './attend-state.ts'
import type { Line, Span } from './styled-line.ts'

/** A key, and what it does. */
type Hint = readonly [key: string, what: string]

/** The keys that mean something now. */
export function hints(state: AttendState): Hint[] {
  const { view, linked, held, receipt } = state
  const quit: Hint = ['q', 'quit']
  if (receipt !== null) return [['tab', 'other copy'], ['↑↓', 'scroll'], ['esc', 'back'], quit]
  if (!linked) return [quit]
  const cancel: Hint[] = view.acts.includes('cancel')
    ? [['c', view.screen === 'signature' ? 'leave out' : 'cancel']]
    : []
  if (held) return [['…', 'another payment: keys wait'], ...cancel, quit]
  return [
    ...ownHints(state),
    ...cancel,
    ['o', view.online ? 'offline' : 'online'],
    ...(receiptId(state) === undefined || view.acts.length > 0 ? [] : [['r', 'receipt'] as const]),
    quit,
  ]
}

function ownHints(state: AttendState): Hint[] {
  const { acts } = state.view
  if (acts.includes('present')) return cardHints(state)
  if (acts.includes('tip'))
    return state.tipText === null
      ? [
          ['↑↓', 'tip'],
          ['⏎', 'choose'],
        ]
      : [
          ['0-9 .', 'amount'],
          ['⏎', 'give'],
          ['esc', 'back'],
        ]
  if (acts.includes('pin'))
    return [
      ['0-9', 'PIN'],
      ['⏎', 'enter'],
      ['⌫', 'correct'],
    ]
  return acts.includes('sign') ? [['⏎', 'sign']] : []
}

const letters = { tap: 't', insert: 'i', swipe: 's', key: '⏎', scan: '⏎' } as const
const words = { tap: 'tap', insert: 'insert', swipe: 'swipe', key: 'key in', scan: 'scan' } as const

const cardHints = (state: AttendState): Hint[] => [
  ...(chosenCard(state)?.entries ?? []).map((entry): Hint => [letters[entry], words[entry]]),
  ['↑↓', 'card'],
  ['←→', 'answer'],
]

/** The keys in as few lines as they take. */
export function hintLines(all: readonly Hint[], columns: number): Line[] {
  const lines: Span[][] = []
  let left = 0
  for (const [key, what] of all) {
    const width = displayWidth(`${key} ${what}`)
    const row = lines.at(-1)
    if (row === undefined || left < width + 3) {
      lines.push([
        [key, 'link'],
        [` ${what}`, 'faint'],
      ])
      left = columns - width
    } else {
      row.push(['   '], [key, 'link'], [` ${what}`, 'faint'])
      left -= width + 3
    }
  }
  return lines
}
