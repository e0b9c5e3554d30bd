import { expect, test } from 'vitest'
import { parseDuration, parseDurationRange, parseMilliseconds } from '../../../src/shared/text/duration.ts'
import {
  durationInWords,
  isOffset,
  offsetInShort,
  offsetInWords,
  shortDuration,
} from '../../../src/shared/text/duration-words.ts'

test.each([
  ['800', 800_000, 800],
  ['31622400000', undefined, 31_622_400_000],
  ['800ms', 800, 800],
  ['2s', 2000, 2000],
  ['29m50s', 1_790_000, 1_790_000],
  ['1d2h', 93_600_000, 93_600_000],
  ['2h30', undefined, undefined],
  ['1.5s', undefined, undefined],
  ['-1', undefined, undefined],
  ['', undefined, undefined],
])('a duration %j has the unit that is meant where none is written', (text, asSeconds, asMilliseconds) => {
  expect([parseDuration(text), parseMilliseconds(text)]).toEqual([asSeconds, asMilliseconds])
})

test.each([
  ['1s..5s', [1000, 5000]],
  ['1s-5s', [1000, 5000]],
  ['1..5', [1000, 5000]],
  ['2s', [2000, 2000]],
  ['5s..1s', 'ends before it begins'],
  ['1s..2s..3s', 'is not a range'],
  ['1s..', 'is not a duration'],
  ['soon', 'is not a duration'],
])('a range of durations %j is read, or refused with the reason', (text, range) => {
  expect(parseDurationRange(text)).toEqual(range)
})

test('a range of milliseconds has them where no unit is written', () => {
  expect(parseDurationRange('1-5', parseMilliseconds)).toEqual([1, 5])
})

test.each([
  [0, '0 s'],
  [61_000, '1 min 1 s'],
  [3_601_000, '1 h'],
  [90_000_000, '1 d 1 h'],
])('%i ms is shown as %s', (ms, words) => expect(durationInWords(ms)).toBe(words))

test.each([
  [0.42, '0.4 ms'],
  [12.3, '12 ms'],
  [1234, '1.2 s'],
  [61_000, '1 min 1 s'],
  [3_660_000, '1 h 1 min'],
  [181 * 86_400_000, '181 d'],
])('what takes %d ms takes %s', (ms, text) => expect(shortDuration(ms)).toBe(text))

const minute = 60_000

test.each([
  [125 * minute, '2 h 5 min ahead of the wall clock', '+2 h 5 min'],
  [-5 * minute + 1, '5 min behind the wall clock', '−5 min'],
  [-999, 'in step with the wall clock', ''],
])('an offset of %i ms is %s, in short %s', (ms, words, short) => {
  expect([offsetInWords(ms), offsetInShort(ms)]).toEqual([words, short])
  expect(isOffset(ms)).toBe(short !== '')
})
