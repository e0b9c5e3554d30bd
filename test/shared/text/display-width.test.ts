import { expect, test } from 'vitest'
import { clip, fitText, maxWidth, pad } from '../../../src/shared/text/display-width.ts'

test.each([
  ['abc', 5, 'abc  '],
  ['漢字', 5, '漢字 '],
  ['e\u0301', 3, 'e\u0301  '],
  ['☕', 4, '☕  '],
  ['\u001b[31mred\u001b[39m', 5, '\u001b[31mred\u001b[39m  '],
  ['', 2, '  '],
  ['漢字', 3, '漢字'],
  ['abc', 0, 'abc'],
])('pads %j to %i columns', (text, columns, padded) => expect(pad(text, columns)).toBe(padded))

test('text is clipped and wrapped between whole characters', () => {
  expect(clip('漢字漢字', 5)).toBe('漢字…')
  expect(fitText('one two three', 7)).toEqual(['one two', 'three'])
  expect(fitText('extraordinarily', 5)).toEqual(['extra', 'ordin', 'arily'])
})

test('widestOf counts columns, not characters, and takes a hundred thousand texts', () => {
  expect(maxWidth(['abc', '漢字', ''])).toBe(4)
  expect(maxWidth([])).toBe(0)
  expect(maxWidth(Array.from({ length: 200_000 }, () => 'ab'))).toBe(2)
})
