import { expect, test } from 'vitest'
import { outcomes } from '../../src/fixtures.ts'
import { outcomeSuggestion, suggestion } from '../../src/text/suggest.ts'

test.each([
  ['declin', 'did you mean do-not-honor, insufficient-funds or expired-card? There are 19 in all'],
  ['do-not-honour', 'did you mean do-not-honor?'],
  ['insufficient', 'did you mean insufficient-funds?'],
  ['051', 'did you mean insufficient-funds?'],
  ['timeout', 'did you mean host-timeout'],
])('an outcome that is mistyped as %s: %s', (word, remedy) => {
  expect(outcomeSuggestion(word, outcomes)).toContain(remedy)
})

test('whatever was typed, no more than three outcomes are named, unless more begin so', () => {
  for (const word of ['', 'x', 'zzzzzzzzzzzz', 'card', 'é'.repeat(200)]) {
    const remedy = outcomeSuggestion(word, outcomes)
    expect(outcomes.filter(({ name }) => remedy.includes(name)).length).toBeLessThanOrEqual(3)
  }
})

test('of few outcomes all are named', () => {
  expect(outcomeSuggestion('xyzzy', outcomes.slice(0, 2))).toBe('the names are approve, do-not-honor')
})

test('where there is nothing to name, that is said', () => {
  expect(suggestion('xyzzy', [])).toBe('there is none yet')
})
