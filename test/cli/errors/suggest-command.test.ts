import { describe, expect, test } from 'vitest'
import { plainWords, suggestCommand } from '../../../src/hooks/suggest-command.ts'
import { runCommand } from '../../support/commands/command.ts'
import { commands } from '../../support/commands/manifest.ts'

const known = Object.keys(commands).map((id) => id.replaceAll(':', ' '))

describe('the suggestion for an unknown command', () => {
  test.each([
    ['status', 'sandbox status'],
    ['start', 'sandbox start'],
    ['stop', 'sandbox stop'],
    ['reset', 'sandbox reset'],
    ['terminals', 'terminal list'],
    ['dashboard', 'sandbox open'],
    ['webhook listen', 'listen'],
    ['capture', 'post-auth'],
    ['Status', 'sandbox status'],
    ['sael', 'sale'],
    ['sandbox strat', 'sandbox start'],
    ['sandbox opne', 'sandbox open'],
    ['batch clsoe', 'batch close'],
    ['sandbox stopp', 'sandbox stop'],
    ['payments', 'list'],
    ['transactions', 'list'],
    ['events', 'webhook list'],
    ['webhook pause', 'webhook hold'],
    ['login', 'profile set'],
    ['config', 'whoami'],
  ])('for %s the command %s is suggested', (typed, suggestion) =>
    expect(suggestCommand(typed, known)).toBe(suggestion),
  )

  test('without anything near, none is suggested', () =>
    expect(suggestCommand('sandbox qwertz', known)).toBeUndefined())
})

test('the tables map words that are not commands to existing commands', () => {
  expect([...plainWords.values()].filter((name) => !known.includes(name))).toEqual([])
  expect([...plainWords.keys()].filter((word) => known.includes(word))).toEqual([])
})

test.each([
  ['slae', 'slae'],
  ['slae --help', 'slae'],
  ['help slae', 'slae'],
  ['sandbox nonsense --help', 'sandbox nonsense'],
  ['help sandbox nonsense', 'sandbox nonsense'],
])('the unknown command %j is named in one sentence', async (args, name) => {
  const { code, stdout, stderr } = await runCommand(args)
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `✗ There is no command ${name}`])
})

test('the error of an unknown command suggests a command, or the list of its topic', async () => {
  const status = await runCommand('status')
  expect([status.code, status.stderr]).toEqual([
    2,
    expect.stringContaining('Did you mean tillbox sandbox status?'),
  ])
  const capture = await runCommand('capture @last --amount 3.00')
  expect(capture.stderr).toContain('Did you mean tillbox post-auth?')
  const { stderr } = await runCommand('sandbox qwertz')
  expect(stderr).toContain('See tillbox sandbox --help')
})
