import Table from 'cli-table3'
import type { Theme } from '../theme.ts'
import { leastWidth, seenLength, wrapped } from './wrap.ts'

const none = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 }

/** Names and values in two columns; rows without a value are left out. */
export function pairs(rows: readonly (readonly [string, string | undefined])[], theme: Theme): string {
  const shown = rows.filter((row): row is [string, string] => (row[1] ?? '') !== '')
  const names = widest(shown.map(([name]) => name))
  const table = new Table({ chars: none, style })
  for (const [name, value] of shown)
    table.push([theme.faint(name), fitting(value, theme.width - margin - names - gap)])
  return indent(table.toString())
}

/** Columns with a heading; `numbers` are those that line up at the right. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  theme: Theme,
  numbers: readonly string[] = [],
): string {
  const colAligns = head.map((title) => (numbers.includes(title) ? 'right' : 'left'))
  const table = new Table({ chars: none, style, colAligns, head: head.map((title) => theme.faint(title)) })
  const others = head
    .slice(0, -1)
    .map((title, place) => widest([title, ...rows.map((row) => row[place] ?? '')]))
  const left = others.reduce((room, width) => room - width - gap, theme.width - margin)
  for (const row of rows) table.push([...row.slice(0, -1), fitting(row.at(-1) ?? '', left)])
  return indent(table.toString())
}

/** Before a table, and between its columns. */
const [margin, gap] = [2, 2]

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(seenLength))

/** A cell of the last column, broken where the terminal ends. */
const fitting = (text: string, width: number): string => wrapped(text, Math.max(width, leastWidth)).join('\n')

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
