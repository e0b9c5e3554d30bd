import { expect, test } from 'vitest'
import { csvLine, plainCell } from '../../src/text/csv.ts'

test('cells with commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ''])).toBe('a,"b,c","d""e","f\ng",\r\n')
})

test('no cell begins as a formula does', () => {
  for (const text of ['=1+1', '+1', '-1', '@A1', '\t=1', '\r=1']) expect(plainCell(text)).toBe(`'${text}`)
  for (const text of ['', '1-1', 'a=b', "'=1"]) expect(plainCell(text)).toBe(text)
})
