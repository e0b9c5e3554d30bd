import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { prints } from '../../support/commands/launched.ts'
import { shownCommands } from '../../support/commands/manifest.ts'
import { test } from '../../support/commands/running-sandbox.ts'
import { shellNames } from '../../support/commands/shells.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { toldConnection } from '../../support/network/told-connection.ts'

test.each(shellNames)('the script of %s asks tillbox, and knows no command itself', async (shell) => {
  const stdout = await prints(runCommand(`completion ${shell}`), '__complete --')
  expect(stdout).not.toContain('sandbox')
})

test('--json has the script as a text, and an unknown shell is refused', async () => {
  const { stdout } = await runCommand('completion fish --json')
  expect(JSON.parse(stdout)).toEqual({ shell: 'fish', script: (await runCommand('completion fish')).stdout })
  expect((await runCommand('completion tcsh')).code).toBe(2)
})

const complete = (args: string[], options = {}) => runCommand(['__complete', '--', ...args], options)
const nothing = { code: 0, stdout: '', stderr: '' }

const env = { TILLBOX_COMPLETION_WAIT: '60s' }

test('completion has every command and every flag that help shows', async () => {
  const listed = new Map<string, string>()
  for (const [id, { flags }] of shownCommands) {
    const words = id.split(':')
    const topic = words.slice(0, -1)
    const all = listed.get(topic.join()) ?? (await complete([...topic, ''])).stdout
    listed.set(topic.join(), all)
    expect(all).toContain(`${words.at(-1)}\t`)
    const { stdout } = await complete([...words, '--'])
    for (const [name, flag] of Object.entries(flags))
      if (!flag.hidden) expect(stdout).toContain(`--${name}\t`)
  }
})

test('completion lists names with descriptions, of the space that the line names', async ({ sandbox }) => {
  const beside = { cwd: sandbox.cwd, env }
  await prints(complete(['terminal', 'show', ''], beside), /^TBX-AUTO-001\tauto-approves\n/)
  await sandbox.json('space create ci-1')
  await sandbox.json('terminal add OWN-1 --space ci-1')
  await prints(complete(['sale', '--space', 'ci-1', '--terminal', 'OWN'], beside), /^OWN-1\t/)
})

test.each([
  [['sandbox', 'start', '--fixtures', 'x'], ':files\n'],
  [['sandbox', 'start', '--state='], ':folders\n'],
  [['test', ''], ':files\n'],
  [['batch', 'clo'], 'close\tClose the open batches and settle them\n'],
  [['completion', '--color=al'], '--color=always\t\n'],
  [['completion', '--color', 'never', 'b'], 'bash\t\n'],
  [['exec', '--', 'sandb'], ''],
  [['api', 'get', '/'], ''],
  [
    ['sandbox', 'restart', '--no-stri'],
    '--no-strict\tNot: Refuse requests that are otherwise accepted with a note, such as one with an unknown field\n',
  ],
])('completion of %j is %j', async (words, proposed) => expect((await complete(words)).stdout).toBe(proposed))

test('completion is empty without a sandbox, for an unknown command, and for invalid flags', async () => {
  for (const line of [
    'terminal show --base-url http://127.0.0.1:1',
    'nonsense',
    'checkout pay --base-url no --card',
  ])
    expect(await complete([...line.split(' '), ''], { env })).toMatchObject(nothing)
})

test('__complete is not in help, and never suggested for a mistyped command', async () => {
  expect((await runCommand('--help')).stdout).not.toContain('__complete')
  expect((await runCommand('complete')).stderr).not.toContain('__complete')
  expect((await runCommand('completon')).stderr).toContain('tillbox completion')
})

test('completion gives up on a silent sandbox, and asks no other', async () => {
  const url = await foreignServer(() => undefined)
  expect(await complete(['terminal', 'show', '--base-url', url, ''])).toMatchObject(nothing)
  const elsewhere = { ...env, TILLBOX_BASE_URL: 'https://api.example' }
  expect(await complete(['terminal', 'show', ''], { env: elsewhere })).toMatchObject(nothing)
})

test('completion proposes no name that a shell would read as a command', async () => {
  const outcome = { code: '051', message: 'No', status: 'FAIL' }
  const names = ['plain-one', '$(touch owned)', '`touch owned`', '--yes', 'a b', "a'b", 'a\u001b[2J']
  const answers: Readonly<Record<string, object>> = {
    '/_sandbox/connection': toldConnection,
    '/_sandbox/outcomes': { outcomes: names.map((name) => ({ name, ...outcome })) },
  }
  const url = await foreignServer(({ url: path = '' }, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ code: '0', msg: 'ok', data: answers[path] }))
  })
  const { stdout } = await complete(['sale', '--base-url', url, '--outcome', ''], { env })
  expect(stdout).toBe('plain-one\t051 No\n')
})
