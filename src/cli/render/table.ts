import Table from 'cli-table3'
import type { Theme } from '../theme.ts'

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
  const table = new Table({ chars: none, style })
  for (const [name, value] of rows)
    if (value !== undefined && value !== '') table.push([theme.faint(name), value])
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
  for (const row of rows) table.push([...row])
  return indent(table.toString())
}

const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  ${line}`.trimEnd())
    .join('\n')
