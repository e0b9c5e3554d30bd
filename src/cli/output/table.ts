import Table, { type TableConstructorOptions } from 'cli-table3'
import { displayWidth } from '../../text/display-width.ts'
import { minWidth, wrapText } from '../../text/wrap.ts'
import type { Theme } from './theme.ts'

const edges = ['top', 'bottom'].flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
const inner = ['left', 'mid', 'right'].flatMap((side) => [side, `${side}-mid`])

/** No lines; two spaces between columns. */
const none = { ...Object.fromEntries([...edges, ...inner].map((name) => [name, ''])), middle: '  ' }

const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }

/** A name and its value; nothing is shown of one without. */
export type Pair = readonly [name: string, value: string | null | undefined]

/** Names and values in two columns; rows without a value are left out. */
export function pairs(theme: Theme, rows: readonly Pair[]): string {
  const shown = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  const names = widest(shown.map(([name]) => name))
  const room = theme.width - margin - names - gap
  return drawn(shown.map(([name, value]) => [theme.faint(name), fitting(value, room)]))
}

/** Columns with a heading; `numbers` are those that line up at the right. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  theme: Theme,
  numbers: readonly string[] = [],
): string {
  const colAligns = head.map((title) => (numbers.includes(title) ? 'right' : 'left'))
  const others = head
    .slice(0, -1)
    .map((title, index) => widest([title, ...rows.map((row) => row[index] ?? '')]))
  const left = others.reduce((room, width) => room - width - gap, theme.width - margin)
  const cells = rows.map((row) => [...row.slice(0, -1), fitting(row.at(-1) ?? '', left)])
  return drawn(cells, { colAligns, head: head.map((title) => theme.faint(title)) })
}

/** A column: its heading, and its cell of each row. `isNumber`: it lines up at the right. */
export interface Column<T> {
  readonly head: string
  readonly cell: (row: T) => string
  readonly isNumber?: boolean
  /** Left out of a window that is too narrow, the greatest first; without it, always shown. */
  readonly yields?: number
}

/** The rows as a table as wide as the window; where there is none, with every column. */
export function fittingTable<T>(rows: readonly T[], all: readonly Column<T>[], theme: Theme): string {
  const kept = new Set(all)
  const widths = new Map(all.map((each) => [each, widest([each.head, ...rows.map(each.cell)])]))
  const widthOf = () => [...kept].reduce((sum, each) => sum + (widths.get(each) ?? 0) + gap, margin - gap)
  for (const each of all
    .filter(({ yields }) => yields !== undefined)
    .sort((one, other) => (other.yields ?? 0) - (one.yields ?? 0)))
    if (widthOf() > theme.width) kept.delete(each)
  const shown = all.filter((each) => kept.has(each))
  const numbers = shown.filter(({ isNumber }) => isNumber).map(({ head }) => head)
  return columns(
    shown.map(({ head }) => head),
    rows.map((row) => shown.map(({ cell }) => cell(row))),
    theme,
    numbers,
  )
}

/** Rows that are lined up with each other: the time of cli-table3 grows with their square. */
const mostAligned = 500

/** Rows that are shown at most: more are for programs. */
export const mostRows = 10_000

/** The rows as lines, in tables of so many, the first with its heading. */
function drawn(rows: readonly string[][], { head, ...options }: TableConstructorOptions = {}): string {
  const tables: string[] = []
  const shown = rows.slice(0, mostRows)
  for (let first = 0; first < Math.max(shown.length, 1); first += mostAligned) {
    const table = new Table({ ...options, ...(head && first === 0 && { head }), chars: none, style })
    table.push(...shown.slice(first, first + mostAligned))
    tables.push(indent(table.toString()))
  }
  if (rows.length > mostRows) tables.push(`  … and ${rows.length - mostRows} more; --json prints all`)
  return tables.join('\n')
}

/** Before a table, and between its columns. */
const [margin, gap] = [2, 2]

/** Not by Math.max(...): a list of a hundred thousand is too long for arguments. */
const widest = (texts: readonly string[]): number =>
  texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0)

/** A cell of the last column, broken where the terminal ends. */
const fitting = (text: string, width: number): string => wrapText(text, Math.max(width, minWidth)).join('\n')

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
