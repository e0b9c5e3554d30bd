import type { TableConstructorOptions } from 'cli-table3'
import Table from 'cli-table3'
import { maxWidth, minWidth, wrapText } from '../../shared/text/display-width.ts'
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
  return drawn(shown.map(([name, value]) => [look.faint(name), fitting(value, room)]))
}

/** Columns with a heading; `numbers` are aligned to the right. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: readonly string[] = [],
  look = theme,
): string {
  const others = head
    .slice(0, -1)
    .map((title, index) => maxWidth([title, ...rows.map((row) => row[index] ?? '')]))
  const lastWidth = others.reduce((room, width) => room - width - gap, look.width - margin)
  const cells = rows.map((row) => [...row.slice(0, -1), fitting(row.at(-1) ?? '', lastWidth)])
  const colAligns = head.map((title) => (numbers.includes(title) ? 'right' : 'left'))
  return drawn(cells, { colAligns, head: head.map((title) => look.faint(title)) })
}

/** A column: its heading, and its cell for each row. `isNumber`: it lines up at the right. */
export interface Column<T> {
  readonly head: string
  readonly cell: (row: T) => string
  readonly isNumber?: boolean
  /** Left out of a window that is too narrow, the greatest first; without it, always shown. */
  readonly yields?: number
  /** Shorter content when the columns do not fit, and the shortest before a cut column is left out. */
  readonly brief?: (row: T) => string
  readonly briefest?: (row: T) => string
  /** The cell cut to `columns`, at least `leastCut`, before the column is left out. One column has it. */
  readonly cut?: (row: T, columns: number) => string
}

/** A cell that is cut to fewer columns says too little. */
const leastCut = 10

/** The rows as a table as wide as the window; without a window, with every column in full. */
export function fittingTable<T>(rows: readonly T[], all: readonly Column<T>[], look = theme): string {
  const ranks = all.flatMap(({ yields }) => yields ?? []).sort((one, other) => one - other)
  const upTo = (most: number) => all.filter(({ yields = 0 }) => yields <= most)
  const cutAt = all.find(({ cut }) => cut !== undefined)?.yields
  const tried = [...ranks.toReversed(), 0].flatMap((most) => {
    const kept = upTo(most)
    const cut = most === cutAt ? [kept.map(inBrief), kept.map(inBriefest)] : []
    return [kept, kept.map(inBrief), ...cut.map((each) => cutToFit(each, rows, look.width))]
  })
  const shown = tried.find((each) => tableWidth(each, rows) <= look.width) ?? tried.at(-1) ?? []
  const numbers = shown.filter(({ isNumber }) => isNumber).map(({ head }) => head)
  return columns(
    shown.map(({ head }) => head),
    rows.map((row) => shown.map(({ cell }) => cell(row))),
    numbers,
    look,
  )
}

const inBrief = <T>(column: Column<T>): Column<T> => ({ ...column, cell: column.brief ?? column.cell })
const inBriefest = <T>(column: Column<T>): Column<T> => ({
  ...inBrief(column),
  ...(column.briefest && { cell: column.briefest }),
})

/** The columns, of which the one that can be cut gets the room that the others leave. */
function cutToFit<T>(all: readonly Column<T>[], rows: readonly T[], width: number): Column<T>[] {
  const others = all.filter(({ cut }) => cut === undefined)
  const room = Math.max(width - tableWidth(others, rows) - gap, leastCut)
  return all.map((column) => {
    const { cut } = column
    return cut === undefined ? column : { ...column, cell: (row: T) => cut(row, room) }
  })
}

const tableWidth = <T>(all: readonly Column<T>[], rows: readonly T[]): number =>
  all.reduce((sum, { head, cell }) => sum + maxWidth([head, ...rows.map(cell)]) + gap, margin - gap)

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

/** A cell of the last column, broken where the terminal ends. */
const fitting = (text: string, width: number): string => wrapText(text, Math.max(width, minWidth)).join('\n')

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
