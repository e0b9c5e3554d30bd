import { expect, test } from 'vitest'
import { inColumns } from '../../../src/cli/input/choose-listed.ts'
import { timeText, utcText } from '../../../src/cli/output/render-time.ts'
import { type Column, columns, fittingTable, pairs } from '../../../src/cli/output/table.ts'
import type { Theme } from '../../../src/cli/output/theme.ts'
import { displayWidth, hangingText, wrapText } from '../../../src/shared/text/display-width.ts'

const plain = (text: string) => text
const red = (text: string) => `\u001b[31m${text}\u001b[39m`
const theme = (width: number): Theme => ({
  ...{ good: plain, bad: plain, open: plain, strong: plain, faint: red, link: plain },
  width,
})

const text = 'It answers to this machine alone, by a loopback name or by its own address, and to nobody else.'

test.each([20, 33, 80, 500, Number.POSITIVE_INFINITY])('text wrapped at %d loses no word', (width) => {
  const lines = wrapText(text, width)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width)
  expect(lines.join(' ')).toBe(text)
})

test('wrapped text keeps long words whole, spaces and line breaks, and gives colours no width; a hanging text indents further lines', () => {
  const url = `http://localhost/${'x'.repeat(90)}`
  expect(wrapText(`to ${url} again`, 20)).toEqual(['to', url, 'again'])
  expect(wrapText(`${red('four')} four four`, 10)).toEqual([`${red('four')} four`, 'four'])
  expect(displayWidth(red('é茶'))).toBe(3)
  expect(wrapText('a  b\nc', 20)).toEqual(['a  b', 'c'])
  expect(hangingText('one two three four five six', 4, 24)).toBe('one two three four\n    five six')
})

const lengths = (table: string) => table.split('\n').map(displayWidth)

test.each([40, 80, 120])('a table is not wider than %d columns', (width) => {
  const rows = [
    ['TBX-1', text],
    ['TBX-22', 'short'],
  ]
  const tables = [columns(['terminal', ''], rows, [], theme(width)), pairs([['why', text]], theme(width))]
  for (const length of tables.flatMap(lengths)) expect(length).toBeLessThanOrEqual(width)
})

test('columns are left out by rank until the others fit, and none without a terminal', () => {
  const column = (head: string, length: number, yields?: number): Column<null> => ({
    head,
    cell: () => head.repeat(length),
    ...(yields !== undefined && { yields }),
  })
  const all = [column('a', 10), column('b', 10, 2), column('c', 10, 1), column('d', 10)]
  const heads = (width: number) =>
    fittingTable([null, null], all, theme(width))
      .split('\n')[0]
      ?.replace(/[^abcd]/g, '')
  expect(heads(48)).toBe('abcd')
  expect(heads(47)).toBe('acd')
  expect(heads(36)).toBe('acd')
  expect(heads(35)).toBe('ad')
  expect(heads(10)).toBe('ad')
  expect(heads(Number.POSITIVE_INFINITY)).toBe('abcd')
})

test('columns become brief before one is left out; what may be wrapped is, and a long word loses its middle', () => {
  const all: Column<null>[] = [
    { head: 'time', cell: () => '2026-11-20 12:38:29', brief: () => '11-20 12:38' },
    { head: 'order', cell: () => 'ORDER-1001', yields: 2 },
    { head: 'why', cell: () => 'Insufficient funds', yields: 1, least: 10 },
  ]
  const table = (width: number) => fittingTable([null], all, theme(width)).split('\n')
  const row = (width: number) => table(width)[1]?.trim()
  expect(row(53)).toBe('2026-11-20 12:38:29  ORDER-1001  Insufficient funds')
  expect(row(52)).toBe('11-20 12:38  ORDER-1001  Insufficient funds')
  expect(row(44)).toBe('2026-11-20 12:38:29  Insufficient funds')
  expect(row(40)).toBe('11-20 12:38  Insufficient funds')
  expect(
    table(30)
      .slice(1)
      .map((line) => line.trim()),
  ).toEqual(['11-20 12:38  Insufficient', 'funds'])
  expect(row(25)).toBe('11-20 12:38  Insuf…ient')
  expect(row(24)).toBe('2026-11-20 12:38:29')
})

test('without a terminal no line is broken', () => {
  expect(pairs([['why', text]], theme(Number.POSITIVE_INFINITY))).toContain(text)
})

test.each([
  ['2026-11-20T12:38:29', '2026-11-20 12:38:29', '2026-11-20 12:38:29 in the merchant’s time zone'],
  ['2026-11-20T12:38:29.123Z', '2026-11-20 12:38:29', '2026-11-20 12:38:29 UTC'],
  ['2026-11-20T12:38:29+00:00', '2026-11-20 12:38:29', '2026-11-20 12:38:29 UTC'],
  ['2026-11-20T12:38:29-05:00', '2026-11-20 17:38:29', '2026-11-20 12:38:29 -05:00'],
  ['soon', 'soon', 'soon'],
  ['', '', ''],
])('the time %j is %j in a column of UTC, elsewhere %j', (time, inColumn, elsewhere) => {
  expect([utcText(time), timeText(time)]).toEqual([inColumn, elsewhere])
})

test('choices line up by the columns of the terminal, also with wide characters', () => {
  const choices = inColumns([
    ['one', ['TBX-1', '漢字', 'idle']],
    ['two', ['TBX-22', 'e\u0301', 'busy']],
  ])
  expect(choices.map(({ name }) => name)).toEqual(['TBX-1   漢字  idle', 'TBX-22  e\u0301     busy'])
  expect(choices.map(({ value }) => value)).toEqual(['one', 'two'])
})
