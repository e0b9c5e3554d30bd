import { expect, test } from 'vitest'
import { outcomes } from '../../src/fixtures.ts'
import { outcomeSuggestion, suggestion } from '../../src/text/suggest.ts'

test.each([
  [
    'declin',
    'did you mean do-not-honor, insufficient-funds or expired-card? All of them: `tillbox outcomes`',
  ],
  ['do-not-honour', 'did you mean do-not-honor?'],
  ['insufficient', 'did you mean insufficient-funds?'],
  ['051', 'did you mean insufficient-funds?'],
  ['timeout', 'did you mean host-timeout'],
])('for the outcome %s the suggestion is: %s', (word, remedy) => {
  expect(outcomeSuggestion(word, outcomes)).toContain(remedy)
})

test('a suggestion names at most three outcomes, unless more begin as typed', () => {
  for (const word of ['', 'x', 'zzzzzzzzzzzz', 'card', 'é'.repeat(200)]) {
    const remedy = outcomeSuggestion(word, outcomes)
    expect(outcomes.filter(({ name }) => remedy.includes(name)).length).toBeLessThanOrEqual(3)
  }
})

test('a suggestion from few outcomes names them all', () => {
  expect(outcomeSuggestion('xyzzy', outcomes.slice(0, 2))).toBe('the names are approve, do-not-honor')
})

test('a suggestion from an empty list says that there is none', () => {
  expect(suggestion('xyzzy', [])).toBe('there is none yet')
})
