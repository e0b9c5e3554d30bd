import { expect, test } from 'vitest'
import { inColumns } from '../../../src/cli/input/choose-listed.ts'

test('choices line up by the columns of the terminal, also with wide characters', () => {
  const choices = inColumns([
    ['one', ['TBX-1', '漢字', 'idle']],
    ['two', ['TBX-22', 'e\u0301', 'busy']],
  ])
  expect(choices.map(({ name }) => name)).toEqual(['TBX-1   漢字  idle', 'TBX-22  e\u0301     busy'])
  expect(choices.map(({ value }) => value)).toEqual(['one', 'two'])
})
