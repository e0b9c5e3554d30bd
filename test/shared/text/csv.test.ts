import { expect, test } from 'vitest'
import { csvLine } from '../../../src/shared/text/csv.ts'

test('cells with commas, quotes and line ends are quoted', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ''])).toBe('a,"b,c","d""e","f\ng",\r\n')
})

test('no cell begins as a formula does', () => {
  for (const text of ['=1+1', '+1', '-1+1', '-A1', '@A1', '\t=1'])
    expect(csvLine([text])).toBe(`'${text}\r\n`)
  for (const text of ['', '1-1', 'a=b', "'=1", '-1', '-2.50']) expect(csvLine([text])).toBe(`${text}\r\n`)
})
