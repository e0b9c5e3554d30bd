import { stripVTControlCharacters } from 'node:util'
import type { TableConstructorOptions } from 'cli-table3'
import Table from 'cli-table3'
import { clipMiddle, displayWidth, maxWidth, minWidth, wrapText } from '../../shared/text/display-width.ts'
import { theme } from './theme.ts'

const edges = ['top', 'bottom'].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
const inner = ['left', 'mid', 'right'].flatMap((side) => [side, `${side}-mid`])

/** No lines; two spaces between columns. */
const none = { ...Object.fromEntries([...edges, ...inner].map((name) => [name, ''])), middle: '  ' }

const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }

/** A name and its value; without a value it is not shown. */
export type NamedValue = readonly [name: string, value: string | null | undefined]

/** Names and values in two columns; rows without a value are left out. */
export function pairs(rows: readonly NamedValue[], look = theme): string {
  const shown = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  const names = maxWidth(shown.map(([name]) => name))
  const room = look.width - margin - names - gap
  return drawn(
    shown.map(([name, value]) => [look.faint(name), wrapText(value, Math.max(room, minWidth)).join('\n')]),
  )
}

/** Columns with a heading, as wide as the window; `numbers` are aligned to the right, and stay whole. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly string[] = [],
  look = theme,
  leasts: readonly (number | undefined)[] = [],
): string {
  const texts = (rows[0] ?? head).map((_, at) => [head[at] ?? '', ...rows.map((row) => row[at] ?? '')])
  const room = look.width - margin - gap * (texts.length - 1)
  const wholes = texts.map(maxWidth)
  const isWide = wholes.reduce((sum, width) => sum + width, 0) > room
  const places = () => texts.map((each, at) => placeOf(each, numbers.includes(head[at] ?? ''), leasts[at]))
  const widths = isWide ? fittingWidths(places(), room) : wholes
  const cells = rows.map((row) => row.map((cell, at) => fitting(cell, widths[at] ?? 0)))
  const colAligns = texts.map((_, at) => (numbers.includes(head[at] ?? '') ? 'right' : 'left'))
  return drawn(cells, { colAligns, head: head.map((title) => look.faint(title)) })
}

/** A column: its heading, and its cell for each row. `isNumber`: it lines up at the right. */
export interface Column<T> {
  readonly head: string
  readonly cell: (row: T) => string
  readonly isNumber?: boolean
  /** Left out of a window that is too narrow, the greatest first; without it, always shown. */
  readonly yields?: number
  /** Shorter content when the columns do not fit. */
  readonly brief?: (row: T) => string
  /**
   * Columns of the window that are enough for it before it is left out, or, if it is always shown, before any
   * other is: it is wrapped at spaces, and a longer word is cut in its middle.
   */
  readonly least?: number
}

/** The rows as a table as wide as the window; without a window, with every column in full. */
export function fittingTable<T>(rows: readonly T[], all: readonly Column<T>[], look = theme): string {
  const ranks = all.flatMap(({ yields }) => yields ?? []).sort((one, other) => one - other)
  const [lowest = 0] = ranks
  const tried = [...ranks.toReversed(), 0].flatMap((most) => {
    const kept = all.filter(({ yields = 0 }) => yields <= most)
    const gives = ({ yields = Math.min(lowest, most) }: Column<T>) => yields === most
    const narrow = kept.map((each) => (gives(each) ? inBrief(each) : whole(inBrief(each))))
    return [kept.map(whole), kept.map(inBrief).map(whole), narrow]
  })
  const shown = tried.find((each) => leastWidth(each, rows) <= look.width) ?? tried.at(-1) ?? []
  return columns(
    shown.map(({ head }) => head),
    rows.map((row) => shown.map(({ cell }) => cell(row))),
    shown.filter(({ isNumber }) => isNumber).map(({ head }) => head),
    look,
    shown.map(({ least }) => least),
  )
}

const whole = <T>({ least: _, ...column }: Column<T>): Column<T> => column

const inBrief = <T>(column: Column<T>): Column<T> => ({ ...column, cell: column.brief ?? column.cell })

/** How wide a table is whose columns have no more than is enough for them. */
const leastWidth = <T>(all: readonly Column<T>[], rows: readonly T[]): number =>
  all.reduce((sum, { head, cell, least = Number.POSITIVE_INFINITY }) => {
    const whole = maxWidth([head, ...rows.map(cell)])
    return sum + Math.min(whole, Math.max(least, displayWidth(head))) + gap
  }, margin - gap)

/** How wide a column is: in whole, with whole words, with words cut. `gives`: it gives way before others. */
interface Place {
  readonly whole: number
  readonly words: number
  readonly cut: number
  readonly gives: boolean
}

/** A column for which nothing else is said is cut to this many columns, if it must be. */
const usualLeast = 12

function placeOf(cells: readonly string[], isNumber: boolean, least: number | undefined): Place {
  const whole = maxWidth(cells)
  const gives = least !== undefined
  if (isNumber) return { whole, words: whole, cut: whole, gives }
  const cut = Math.min(whole, Math.max(least ?? usualLeast, displayWidth(cells[0] ?? '')))
  return { whole, words: Math.max(cut, maxWidth(cells.flatMap((cell) => cell.split(/\s/)))), cut, gives }
}

/** The widths of columns: the widest give way, as far as their words stay whole, then as far as they may. */
function fittingWidths(places: readonly Place[], room: number): readonly number[] {
  const widths = places.map(({ whole }) => whole)
  let excess = widths.reduce((sum, width) => sum + width, -room)
  const narrow = (bound: (place: Place) => number) => {
    while (excess > 0) {
      const spares = places.map((place, at) => ((widths[at] ?? 0) > bound(place) ? (widths[at] ?? 0) : 0))
      const widest = Math.max(...spares)
      if (widest === 0) return
      widths[spares.indexOf(widest)] = widest - 1
      excess -= 1
    }
  }
  narrow(({ whole, words, gives }) => (gives ? words : whole))
  narrow(({ whole, cut, gives }) => (gives ? cut : whole))
  narrow(({ words, cut, gives }) => (gives ? cut : words))
  narrow(({ cut }) => cut)
  return widths
}

/** Rows that are aligned with each other: the time of cli-table3 grows with the square of their number. */
const mostAligned = 500

/** The rows as lines, in tables of `mostAligned` rows, the first with its heading. */
function drawn(rows: readonly string[][], { head, ...options }: TableConstructorOptions = {}): string {
  const tables: string[] = []
  for (let first = 0; first < Math.max(rows.length, 1); first += mostAligned) {
    const table = new Table({ ...options, ...(head && first === 0 && { head }), chars: none, style })
    table.push(...rows.slice(first, first + mostAligned))
    tables.push(indent(table.toString()))
  }
  return tables.join('\n')
}

/** Before a table, and between its columns. */
const [margin, gap] = [2, 2]

/** A cell in so many columns: broken between words; a longer word has its middle left out, and no colour. */
const fitting = (text: string, width: number): string =>
  displayWidth(text) <= width
    ? text
    : wrapText(text, width)
        .map((line) =>
          displayWidth(line) <= width ? line : clipMiddle(stripVTControlCharacters(line), width),
        )
        .join('\n')

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
