import { expect, test } from 'vitest'
import { parseDuration, parseDurationRange, parseMilliseconds } from '../../src/text/duration.ts'

test.each([
  ['800', 800_000, 800],
  ['31622400000', undefined, 31_622_400_000],
  ['800ms', 800, 800],
  ['2s', 2000, 2000],
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
