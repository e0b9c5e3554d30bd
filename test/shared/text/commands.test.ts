import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorTable } from '../../../src/contract/errors.ts'
import {
  command,
  replaceCommands,
  typedCommands,
  withoutCommands,
} from '../../../src/shared/text/commands.ts'

const { commands } = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
)

test('a command stands in backticks, its words quoted for a shell', () => {
  const written = "`tillbox terminal add 'BAR 1' --mode attended`"
  expect(command('terminal add', 'BAR 1', '--mode', 'attended')).toBe(written)
})

test.each([
  ['List them: `tillbox list`', 'List them: [tillbox list]', 'List them'],
  [
    'Pass --yes, or `tillbox batch close`; `field` is wrong',
    'Pass --yes, or [tillbox batch close]; `field` is wrong',
    'Pass --yes; `field` is wrong',
  ],
  ['Nothing is left to do', 'Nothing is left to do', 'Nothing is left to do'],
])('commands of %j are found', (text, replaced, without) => {
  expect(replaceCommands(text, (each) => `[${each}]`)).toBe(replaced)
  expect(typedCommands(text)).toBe(replaced.replace(/[[\]]/g, ''))
  expect(withoutCommands(text)).toBe(without)
})

test.each(Object.entries(errorTable))('the commands in the remedy of %s exist', (_code, { remedy }) => {
  const rest = replaceCommands(remedy, (each) => {
    const words = each.split(' ').slice(1)
    const ids = [3, 2, 1].map((count) => words.slice(0, count).join(':'))
    expect(
      ids.some((id) => id in commands),
      each,
    ).toBe(true)
    return ''
  })
  expect(rest).not.toMatch(/\btillbox [a-z]/)
})
