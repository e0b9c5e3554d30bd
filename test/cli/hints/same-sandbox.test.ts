import { afterEach, expect, test } from 'vitest'
import { commandText, hintText } from '../../../src/cli/hints/hint-text.ts'
import { commandHint, hint, noteCommandLine } from '../../../src/cli/hints/same-sandbox.ts'
import { plainTheme } from '../../../src/cli/output/theme.ts'
import { runCommand } from '../../support/commands/command.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { projectFiles, readProjectFile } from '../../support/project.ts'

const { commands } = JSON.parse(readProjectFile('oclif.manifest.json'))
const known = { commandIDs: Object.keys(commands), findCommand: (id: string) => commands[id] }

afterEach(() => noteCommandLine([], known))

test.each(
  Object.entries({
    'Settle it: `tillbox batch close`': 'Settle it: tillbox batch close --state shop',
    '`tillbox webhook release` sends it': 'tillbox webhook release --state shop sends it',
    "`tillbox terminal show 'BAR 1'`. Then pair it: `tillbox terminal pair <code>`":
      "tillbox terminal show 'BAR 1' --state shop. Then pair it: tillbox terminal pair <code> --state shop",
    'eval "$(`tillbox sandbox env`)", or': 'eval "$(tillbox sandbox env --state shop)", or',
    '`tillbox sandbox snapshot save <name>`\n': 'tillbox sandbox snapshot save <name> --state shop\n',
  }),
)('the hint %j repeats the typed state folder', (text, expected) => {
  noteCommandLine(['list', '--state', 'shop'], known)
  expect(hint(text)).toBe(expected)
  expect(hint(expected)).toBe(expected)
})

test.each([
  '`tillbox profile set <name> --api-key -`',
  '`tillbox test scenarios/`',
  'See `tillbox terminal present --help` for their names',
  '`tillbox sandbox stop --state other`',
])('nothing is added to the hint %j', (text) => {
  noteCommandLine(['list', '--state=shop', '--profile', 'till', '--api-key', 'secret'], known)
  expect(hint(text)).toBe(text.replaceAll('`', ''))
})

test('each command gets the flags that it takes, and no key is shown', () => {
  noteCommandLine(
    ['sale', '--profile', 'the till', '--base-url=http://localhost:1', '--api-key', 'k1'],
    known,
  )
  expect(commandHint('tillbox list')).toBe("tillbox list --base-url http://localhost:1 --profile 'the till'")
  expect(commandHint('tillbox query 17')).toBe(
    "tillbox query 17 --base-url http://localhost:1 --profile 'the till' --api-key <the same key>",
  )
  expect(commandHint('tillbox sandbox start')).toBe('tillbox sandbox start')
  expect(commandHint('tillbox sandbox stop')).toBe("tillbox sandbox stop --profile 'the till'")
})

test.each([
  ['tillbox query 17', 'tillbox query 17 --space ci-1 --dotenv .env'],
  ['tillbox list --space ci-2', 'tillbox list --space ci-2 --dotenv .env'],
  ['tillbox space list', 'tillbox space list --dotenv .env'],
  ['tillbox exec -- npm test', 'tillbox exec -- npm test'],
])('a hint repeats the typed space and file of variables: %s', (text, expected) => {
  noteCommandLine(['list', '--space', 'ci-1', '--dotenv', '.env'], known)
  expect(commandHint(text)).toBe(expected)
  expect(commandHint(expected)).toBe(expected)
})

test('a hint that is a command alone gets the typed flags or the folder of this run, and none of another command', () => {
  noteCommandLine(['list', '--state', 'shop'], known)
  const restore = 'tillbox sandbox snapshot restore morning'
  expect(commandHint(restore)).toBe(`${restore} --state shop`)
  expect(commandHint(`${restore} --state other`)).toBe(`${restore} --state other`)
  expect(commandHint('tillbox help exit-codes')).toBe('tillbox help exit-codes')
  noteCommandLine([], known)
  expect(commandHint(restore)).toBe(restore)
  noteCommandLine(['exec', '--', 'tillbox', 'list', '--state', 'shop'], known)
  expect(commandHint('tillbox list')).toBe('tillbox list')
  noteCommandLine(['sandbox', 'start', '--ephemeral'], known, '/tmp/made')
  expect(commandHint('tillbox list')).toBe('tillbox list --state /tmp/made')
})

test('in a narrow window a command in a hint stays one line', () => {
  noteCommandLine(['list', '--state', '/srv/shop/of the day'], known)
  const text = 'These batches are not settled. Settle them: `tillbox batch close`'
  expect(hintText(text, { ...plainTheme, width: 40 })).toBe(
    "These batches are not settled. Settle\nthem:\ntillbox batch close --state '/srv/shop/of the day'",
  )
  expect(hintText(text, plainTheme)).toBe(
    "These batches are not settled. Settle them: tillbox batch close --state '/srv/shop/of the day'",
  )
  expect(commandText('tillbox batch close', plainTheme)).toBe(
    "  tillbox batch close --state '/srv/shop/of the day'",
  )
})

test('answers and errors repeat a folder that was typed, and not one of the environment', async () => {
  const sandbox = await startSandboxCommand()
  const unset = { cwd: sandbox.state, env: { TILLBOX_STATE: sandbox.state } }
  for (const [words, command] of [
    ['list', 'tillbox sale --amount 10.00'],
    ['webhook list', 'tillbox listen <url>'],
    ['checkout list', 'tillbox checkout create --amount 24.90'],
    ['terminal show NONE', 'tillbox terminal add NONE'],
  ] as const) {
    const typed = await runCommand(`${words} --state ${sandbox.state}`, { cwd: sandbox.state })
    expect(typed.stdout + typed.stderr).toContain(`${command} --state ${sandbox.state}`)
    const inSpace = await runCommand(`${words} --space default`, unset)
    expect(inSpace.stdout + inSpace.stderr).toContain(`${command} --space default`)
    const { stdout, stderr } = await runCommand(words, unset)
    expect(stdout + stderr).toContain(command)
    expect(stdout + stderr).not.toContain('--state')
  }
})

test('a terminal without a merchant repeats the typed folder in the command that pairs it, which runs as it stands', async () => {
  const { state } = await startSandboxCommand()
  const elsewhere = { cwd: state }
  for (const line of ['terminal add DESK-9 --unpaired', 'terminal unpair TBX-ATTENDED-001']) {
    const { stdout } = await runCommand(`${line} --state ${state}`, elsewhere)
    const [, pair = ''] = /^ {2}tillbox (terminal pair .*)$/m.exec(stdout) ?? []
    expect([line, pair]).toEqual([line, expect.stringMatching(/^terminal pair \w{6} --state /)])
    expect((await runCommand(pair, elsewhere)).code).toBe(0)
  }
})

test('no source hands a hint a command without backticks, which it would leave as it is', () => {
  const bare = /\b(?:hint|warn|hintText)\(\s*['"`]tillbox /
  const sources = projectFiles('src/cli', /\.ts$/).filter((path) =>
    bare.test(readProjectFile(`src/cli/${path}`)),
  )
  expect(sources).toEqual([])
})
