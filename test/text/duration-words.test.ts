import { expect, test } from 'vitest'
import { durationInWords } from '../../src/text/duration-words.ts'

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
