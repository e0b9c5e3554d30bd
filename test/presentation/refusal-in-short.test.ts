import { expect, test } from 'vitest'
import { refusalInShort } from '../../src/presentation/words.ts'

const message = 'That is not known'
const remedy = 'List them'

test.each([
  ['there is no space x', 'There is no space x', undefined, remedy],
  [
    'terminal T is not registered; the names are A, B',
    'Terminal T is not registered',
    'the names are A, B',
    remedy,
  ],
  [
    'terminal T is not registered; did you mean A?',
    'Terminal T is not registered',
    undefined,
    `Did you mean A? ${remedy}`,
  ],
  [
    'there is no outcome x; list them: tillbox outcomes',
    'There is no outcome x',
    undefined,
    `List them: tillbox outcomes. ${remedy}`,
  ],
  ['merchant M exists already', 'Merchant M exists already', undefined, remedy],
  [
    "'a;\n b' cannot be the name of a snapshot",
    "'a;\n b' cannot be the name of a snapshot",
    undefined,
    remedy,
  ],
  ['T is always busy', message, 'T is always busy', remedy],
])('the detail %j is told as the message %j and the reason %j', (detail, told, why, next) => {
  expect(refusalInShort({ message, detail, remedy })).toEqual({ message: told, why, remedy: next })
})

test('a refusal without a detail keeps its message', () => {
  expect(refusalInShort({ message, remedy })).toEqual({ message, why: undefined, remedy })
})
