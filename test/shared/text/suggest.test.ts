import { expect, test } from 'vitest'
import { suggestion } from '../../../src/shared/text/suggest.ts'

test.each([
  ['do-not-honour', 'did you mean do-not-honor?'],
  ['wrong', 'did you mean wrong-pin?'],
  ['xyzzy-xyzzy', 'the names are wrong-pin, do-not-honor, approve'],
])('for %s the suggestion is: %s', (word, remedy) => {
  expect(suggestion(word, ['wrong-pin', 'do-not-honor', 'approve'])).toBe(remedy)
})

test('a suggestion from an empty list says that there is none', () => {
  expect(suggestion('xyzzy', [])).toBe('there is none yet')
})
