import { expect, test } from 'vitest'
import { bestMatches, matchScore } from '../../../src/shared/text/match.ts'

test.each([
  ['ref', 'Refund'],
  ['fund', 'Refund'],
  ['refubd', 'Refund'],
  ['lost answer', 'Inject lost-answer, once'],
  ['503', 'Inject http-503, once'],
  ['payment new', 'New payment'],
])('%s finds %s', (typed, text) => expect(matchScore(typed, text)).toBeGreaterThan(0))

test.each([
  ['xyz', 'Refund'],
  ['refund now', 'Refund'],
  ['504', 'Inject http-503, once'],
  ['50', '0-5-0'],
])('%s does not find %s', (typed, text) => expect(matchScore(typed, text)).toBe(0))

test('a word at its beginning comes before one inside another, and shown words before others', () => {
  const all = [['Unclose'], ['Settle', 'close'], ['Close all batches'], ['Close']] as const
  const found = ['Close all batches', 'Close', 'Settle', 'Unclose']
  expect(bestMatches('close', all, ([text, also]) => [text, also]).map(([text]) => text)).toEqual(found)
})

test('a word that is typed again counts once', () => {
  expect(matchScore('fund fund fund', 'Refund')).toBe(matchScore('fund', 'Refund'))
})
