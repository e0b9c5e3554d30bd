import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cards, outcomes } from '../../src/domain/fixtures.ts'

test('the types of the library suggest every built-in card and outcome', () => {
  const text = readFileSync(new URL('../../src/contract/built-in-names.ts', import.meta.url), 'utf8')
  const [, ofCards = '', ofOutcomes = ''] = text.split(/^(?:export )?type BuiltIn\w+ =$/m)
  const namesIn = (type: string) => [...type.matchAll(/^ {2}\| '(.*)'$/gm)].map(([, name]) => name)
  expect(namesIn(ofCards)).toEqual(cards.map(({ name }) => name))
  expect(namesIn(ofOutcomes)).toEqual(outcomes.map(({ name }) => name))
})
