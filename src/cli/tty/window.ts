import { fitText } from '../../text/display-width.ts'
import { clean } from '../output/clean.ts'
import type { AttendState } from './attend-state.ts'
import { device, deviceRows, previousTransaction, resultLine } from './draw-device.ts'
import { hintLines, hints } from './hints.ts'
import { sidePanel } from './side-panel.ts'
import { clipLine, fill, type Line, line } from './styled-line.ts'

/** Columns and rows of a window. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** Columns of the terminal and of what lies beside it, where both just have room, and at most. */
const [deviceColumns, handColumns, gap] = [40, 38, 2]
const both = deviceColumns + gap + handColumns
const [mostColumns, mostRows] = [72, 24]

/** How large the terminal is, and what lies beside it: two fifths each of what a window has beyond the least of both. */
function windowLayout({ columns, rows }: Size) {
  const grown = (narrow: number) => Math.min(mostColumns, narrow + Math.floor(((columns - both) * 2) / 5))
  const [wide, hand] = [grown(deviceColumns), grown(handColumns)]
  const taller = Math.max(0, Math.floor((rows - 24) / 2))
  return { wide, hand, width: wide + gap + hand, high: Math.min(mostRows, deviceRows + taller) }
}

const contentWidth = (size: Size): number => (size.columns >= both ? windowLayout(size).width : size.columns)

/** What to do about a window in which nothing can be shown. */
const tooSmall = ({ columns, rows }: Size): Line[] =>
  fitText(
    `The window is too small: ${columns} × ${rows}. Make it at least ${least.columns} × ${least.rows}; q quits.`,
    columns,
  ).map((text) => line(text, 'open'))

const least: Size = { columns: 30, rows: 16 }

/** The whole window: as many lines as it has rows, each as long as it has columns. */
export function drawWindow(state: AttendState, size: Size): Line[] {
  const { columns, rows } = size
  if (columns < least.columns || rows < least.rows) return whole(tooSmall(size), [], size)
  const width = contentWidth(size)
  const foot = footer(state, width)
  const room = rows - foot.length
  const body = columns >= both ? beside(state, room, size) : below(state, width, room)
  const left = Math.floor((columns - width) / 2)
  const moved = (row: Line): Line => [[' '.repeat(left)], ...fill(row, width)]
  return whole(body.map(moved), foot.map(moved), size)
}

/** Lines of a receipt that can be seen at once. */
export const receiptPageRows = (state: AttendState, size: Size): number =>
  size.rows - footer(state, contentWidth(size)).length - (size.columns >= both ? 1 : 0)

/** Body at the top, foot at the bottom, and nothing outside. */
function whole(body: readonly Line[], foot: readonly Line[], { columns, rows }: Size): Line[] {
  const room = Math.max(0, rows - foot.length)
  const filled = Array.from({ length: room }, (_, row) => body[row] ?? [])
  return [...filled, ...foot].slice(0, rows).map((row) => fill(row, columns))
}

/** The terminal, its payment below, and the cards at its right. */
function beside(state: AttendState, rows: number, size: Size): Line[] {
  const { wide, high, hand } = windowLayout(size)
  const left = [...terminal(state, wide, high), [], ...facts(state)]
  const right = sidePanel(state, hand, rows - 1)
  return Array.from({ length: rows }, (_, row) => [
    ...fill(left[row] ?? [], wide + gap),
    ...(right[row - 1] ?? []), // the hand begins at the merchant's name
  ])
}

/** The terminal, and the hand under it; a receipt takes the place of both. */
function below(state: AttendState, columns: number, rows: number): Line[] {
  if (state.receipt !== null) return sidePanel(state, columns, rows)
  const height = Math.max(8, Math.min(deviceRows, rows - 9))
  return [...terminal(state, columns, height), ...sidePanel(state, columns, rows - height)]
}

const terminal = ({ view, pin, linked }: AttendState, columns: number, rows: number): Line[] =>
  device(view, columns, { pinLength: pin.length, stale: !linked }, rows)

function facts({ view }: AttendState): Line[] {
  const { screen, transaction, queue } = view
  const row = (name: string, value: string | null | undefined): Line[] =>
    value ? [[['  '], [name.padEnd(13), 'faint'], [clean(value)]]] : []
  return [
    ...row('transaction', screen === 'result' ? null : transaction?.transactionId),
    ...row('order', transaction?.referenceOrderId),
    ...row('queued', queue.map(({ outcome, times }) => `${outcome} × ${times}`).join(', ')),
  ]
}

/** What went wrong, how the payment before ended, and the keys. */
function footer(state: AttendState, columns: number): Line[] {
  const notice = state.linked ? state.notice : 'The sandbox is gone; waiting for it'
  const texts = notice === null ? [] : fitText(`! ${notice}`, columns).slice(0, 2)
  const lines = texts.map((text) => line(text, 'bad'))
  const ended = previousTransaction(state.view)
  if (ended !== null) lines.push(clipLine([['before: ', 'faint'], ...resultLine(ended)], columns))
  return [...(lines.length === 0 ? [[]] : lines), ...hintLines(hints(state), columns)]
}
