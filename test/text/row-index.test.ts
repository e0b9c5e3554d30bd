import { expect, test } from 'vitest'
import { RowIndex } from '../../src/text/row-index.ts'

test('an index finds each of many names, and asks for the right row of a name that several rows have', () => {
  const index = new RowIndex()
  const names = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? String(at) : `é ${at}`))
  for (const [row, name] of names.entries()) index.add(name, row)
  for (const [row, name] of names.entries()) expect(index.find(name, (each) => each === row)).toBe(row)
  for (const row of [20_000, 20_001, 20_002]) index.add('7', row)
  expect(index.find('7', (row) => row === 20_001)).toBe(20_001)
  const rows: number[] = []
  expect(index.find('7', (row) => rows.push(row) < 0)).toBeUndefined()
  expect(rows).toEqual([20_000, 20_001, 20_002])
  expect(index.find('none', () => true)).toBeUndefined()
})
