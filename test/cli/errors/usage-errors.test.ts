import { expect, test } from 'vitest'
import { nameFor } from '../../../src/cli/errors/input-name.ts'
import { suggestCommand } from '../../../src/cli/hooks/suggest-command.ts'
import { plainWords } from '../../../src/shared/text/plain-words.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { commands } from '../../support/commands/manifest.ts'

const refused = async (args: readonly string[]) => {
  const ended = await runCommand(args)
  expect([args, ended.code]).toEqual([args, 2])
  return ended
}

test.each([
  [['logs', 'show'], '<trace-id> is missing', 'tillbox logs show <trace-id>'],
  [['webhook', 'replay'], '<recording> is missing', 'tillbox webhook replay <recording>'],
  [['webhook', 'verify'], '--body and --header are missing', 'Pass --body <value> and --header <value>'],
])('the error of %j is: %s', async (args, message, typed) => {
  const { stdout, stderr } = await refused([...args, '--json'])
  expect(stderr.split('\n')[0]).toBe(`✗ ${message}`)
  const { error } = JSON.parse(stdout)
  expect(error).toMatchObject({ exitCode: 2, message, remedy: expect.stringContaining(typed) })
  expect(error.detail).toBeUndefined()
  expect(error.remedy).toContain(`See tillbox ${args.join(' ')} --help`)
})

test.each([
  ['logs', 'tail'],
  ['listen'],
  ['webhook', 'receive'],
  ['webhook', 'replay', 'x'],
  ['sandbox', 'start'],
])('the error of %s %s, which prints a document a line, is one line', async (...args) => {
  const { stdout } = await refused([...args, '--json', '--no-such-flag'])
  expect(stdout).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(stdout).error.exitCode).toBe(2)
})

test('the error of a command that prints one document is indented for people', async () => {
  expect((await refused(['sale', '--json', '--no-such-flag'])).stdout).toContain('\n  "error"')
})

test.each([
  ['init --framework flask --language php --yes --json', 'framework'],
  ['init --only webhook --language php --yes --json', 'only'],
  ['list --base-url ftp://127.0.0.1 --json', 'base-url'],
])('the error of %s, whose message begins with a flag, has that flag as its field', async (line, field) => {
  const { error } = JSON.parse((await refused(line.split(' '))).stdout)
  expect(error).toMatchObject({ field, typed: `--${field}`, message: expect.stringMatching(`^--${field} `) })
})

test('a topic alone prints help, with --json too, and an unknown topic is an error', async () => {
  for (const line of ['terminal', 'webhook --json', 'logs']) await prints(runCommand(line), 'COMMANDS')
  const { error } = JSON.parse((await refused(['terminals', '--json'])).stdout)
  expect(error.message).toContain('There is no command terminals')
})

const known = Object.keys(commands).map((id) => id.replaceAll(':', ' '))

test.each([
  ['status', 'sandbox status'],
  ['dashboard', 'sandbox open'],
  ['webhook listen', 'listen'],
  ['capture', 'post-auth'],
  ['sael', 'sale'],
  ['sandbox strat', 'sandbox start'],
  ['payments', 'list'],
  ['events', 'webhook list'],
  ['webhook pause', 'webhook hold'],
  ['login', 'profile set'],
  ['config', 'whoami'],
])('for %s the command %s is suggested', (typed, suggestion) =>
  expect(suggestCommand(typed, known)).toBe(suggestion),
)

test('without anything near, none is suggested', () =>
  expect(suggestCommand('sandbox qwertz', known)).toBeUndefined())

test('the tables map words that are not commands to existing commands', () => {
  expect([...plainWords.values()].filter((name) => !known.includes(name))).toEqual([])
  expect([...plainWords.keys()].filter((word) => known.includes(word))).toEqual([])
})

test.each([
  ['slae', 'slae'],
  ['help slae', 'slae'],
  ['help sandbox nonsense', 'sandbox nonsense'],
])('the unknown command %j is named in one sentence', async (args, name) => {
  const { code, stdout, stderr } = await runCommand(args)
  expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', `✗ There is no command ${name}`])
})

test('the error of an unknown command suggests a command, or the list of its topic', async () => {
  await fails(runCommand('status'), 2, 'Did you mean tillbox sandbox status?')
  await fails(runCommand('capture @last --amount 3.00'), 2, 'Did you mean tillbox post-auth?')
  await fails(runCommand('sandbox qwertz'), 2, 'See tillbox sandbox --help')
})

test.each(['constructor', 'toString', '__proto__'])('the field %s, of every object, is no flag', (field) => {
  expect(nameFor(field, { flags: {}, args: {}, memberFlags: {} }, [])).toBeUndefined()
})
