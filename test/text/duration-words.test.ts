import { expect, test } from 'vitest'
import {
  durationInWords,
  isOffset,
  offsetInShort,
  offsetInWords,
  shortDuration,
} from '../../src/text/duration-words.ts'

test.each([
  [0, '0 s'],
  [999, '0 s'],
  [61_000, '1 min 1 s'],
  [3_600_000, '1 h'],
  [3_601_000, '1 h'],
  [90_000_000, '1 d 1 h'],
])('%i ms is shown as %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words)
})

test.each([
  [0, '0 ms'],
  [0.42, '0.4 ms'],
  [5, '5 ms'],
  [12.3, '12 ms'],
  [999, '999 ms'],
  [1234, '1.2 s'],
  [12_345, '12.3 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
  [181 * 86_400_000, '181 d'],
])('what takes %d ms takes %s', (ms, text) => {
  expect(shortDuration(ms)).toBe(text)
})

const minute = 60_000

test.each([
  [125 * minute, '2 h 5 min ahead of the wall clock', '+2 h 5 min'],
  [-5 * minute + 1, '5 min behind the wall clock', '−5 min'],
  [26 * 60 * minute, '1 d 2 h ahead of the wall clock', '+1 d 2 h'],
  [1000, '1 s ahead of the wall clock', '+1 s'],
  [-999, 'in step with the wall clock', 'real time'],
  [0, 'in step with the wall clock', 'real time'],
])('an offset of %i ms is %s, in short %s', (ms, words, short) => {
  expect([offsetInWords(ms), offsetInShort(ms)]).toEqual([words, short])
  expect(isOffset(ms)).toBe(short !== 'real time')
})
