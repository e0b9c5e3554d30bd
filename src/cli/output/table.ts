import { displayWidth, minWidth, widestOf, wrapText } from '../../text/display-width.ts'
import type { Theme } from './theme.ts'

/** A name and its value; without a value it is not shown. */
export type NamedValue = readonly [name: string, value: string | null | undefined]

/** Names and values in two columns; rows without a value are left out. */
export function pairs(theme: Theme, rows: readonly NamedValue[]): string {
  const shown = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  const names = widestOf(shown.map(([name]) => name))
  const room = theme.width - margin - names - gap
  return drawn(shown.map(([name, value]) => [theme.faint(name), fitting(notedBelow(value, room), room)]))
}

/** A value and its note, separated by at least two spaces; the note gets its own line if both do not fit. */
const notedBelow = (text: string, room: number): string =>
  text.includes('\n') || displayWidth(text) <= room ? text : text.replace(/ {2,}/, '\n')

/** Columns with a heading; `numbers` are aligned to the right. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  theme: Theme,
  numbers: readonly string[] = [],
): string {
  const others = head
    .slice(0, -1)
    .map((title, index) => widestOf([title, ...rows.map((row) => row[index] ?? '')]))
  const left = others.reduce((room, width) => room - width - gap, theme.width - margin)
  const cells = rows.map((row) => [...row.slice(0, -1), fitting(row.at(-1) ?? '', left)])
  const isNumber = head.map((title) => numbers.includes(title))
  return drawn([head.map((title) => theme.faint(title)), ...cells], isNumber)
}

/** A column: its heading, and its cell for each row. `isNumber`: it lines up at the right. */
export interface Column<T> {
  readonly head: string
  readonly cell: (row: T) => string
  readonly isNumber?: boolean
  /** Left out of a window that is too narrow, the greatest first; without it, always shown. */
  readonly yields?: number
  /** Shorter content when the columns do not fit into the window, and the shortest before a cut column is left out. */
  readonly brief?: (row: T) => string
  readonly briefest?: (row: T) => string
  /** The cell cut to `columns`, at least `leastCut`, before the column is left out. One column has it. */
  readonly cut?: (row: T, columns: number) => string
}

/** A cell that is cut to fewer columns says too little. */
const leastCut = 10

/** The rows as a table as wide as the window; without a window, with every column in full. */
export function fittingTable<T>(rows: readonly T[], all: readonly Column<T>[], theme: Theme): string {
  const ranks = all.flatMap(({ yields }) => yields ?? []).sort((one, other) => one - other)
  const upTo = (most: number) => all.filter(({ yields = 0 }) => yields <= most)
  const cutAt = all.find(({ cut }) => cut !== undefined)?.yields
  const tried = [...ranks.toReversed(), 0].flatMap((most) => {
    const kept = upTo(most)
    const cut = most === cutAt ? [kept.map(inBrief), kept.map(inBriefest)] : []
    return [kept, kept.map(inBrief), ...cut.map((each) => cutToFit(each, rows, theme))]
  })
  const shown = tried.find((each) => widthOf(each, rows) <= theme.width) ?? tried.at(-1) ?? []
  const numbers = shown.filter(({ isNumber }) => isNumber).map(({ head }) => head)
  return columns(
    shown.map(({ head }) => head),
    rows.map((row) => shown.map(({ cell }) => cell(row))),
    theme,
    numbers,
  )
}

const inBrief = <T>(column: Column<T>): Column<T> => ({ ...column, cell: column.brief ?? column.cell })
const inBriefest = <T>(column: Column<T>): Column<T> => ({
  ...inBrief(column),
  ...(column.briefest && { cell: column.briefest }),
})

/** The columns, of which the one that can be cut gets the room that the others leave. */
function cutToFit<T>(all: readonly Column<T>[], rows: readonly T[], theme: Theme): Column<T>[] {
  const others = all.filter(({ cut }) => cut === undefined)
  const room = Math.max(theme.width - widthOf(others, rows) - gap, leastCut)
  return all.map((column) => {
    const { cut } = column
    return cut === undefined ? column : { ...column, cell: (row: T) => cut(row, room) }
  })
}

const widthOf = <T>(all: readonly Column<T>[], rows: readonly T[]): number =>
  all.reduce((sum, { head, cell }) => sum + widestOf([head, ...rows.map(cell)]) + gap, margin - gap)

/** Rows that are shown at most: more are for programs. */
export const mostRows = 10_000

/** The rows as lines, in columns that are as wide as their widest cell. `isNumber`: the columns that line up at the right. */
function drawn(rows: readonly (readonly string[])[], isNumber: readonly boolean[] = []): string {
  const shown = rows.slice(0, mostRows + 1).map((row) => row.map((cell) => cell.split('\n')))
  const widths = (rows[0] ?? []).map((_, column) => widestOf(shown.flatMap((row) => row[column] ?? [])))
  const lines = shown.flatMap((row) =>
    Array.from({ length: Math.max(...row.map(({ length }) => length)) }, (_, index) => {
      const cells = row.map((cell, column) => {
        const text = cell[index] ?? ''
        const rest = ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(text)))
        return isNumber[column] ? rest + text : text + rest
      })
      return `${' '.repeat(margin)}${cells.join(' '.repeat(gap))}`.trimEnd()
    }),
  )
  const left = rows.length - shown.length
  return [...lines, ...(left > 0 ? [`  … and ${left} more; --json prints all`] : [])].join('\n')
}

/** Before a table, and between its columns. */
const [margin, gap] = [2, 2]

/** A cell of the last column, broken where the terminal ends. */
const fitting = (text: string, width: number): string => wrapText(text, Math.max(width, minWidth)).join('\n')
