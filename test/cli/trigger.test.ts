import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AnyJson } from '../support/any-json.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails, prints } from '../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../support/commands/running-sandbox.ts'
import { folderWith } from '../support/commands/scratch.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const names = readdirSync(new URL('../../fixtures/triggers', import.meta.url))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort()

const letters: Readonly<Record<string, string>> = { SUCCESS: 'S', FAIL: 'F', CLOSED: 'C' }

test('trigger --list shows every trigger, for people and as JSON, without a sandbox', async () => {
  const shown = await prints(runCommand('trigger --list'))
  for (const name of names) expect(shown).toMatch(new RegExp(`^ *${name} +\\S`, 'm'))
  const stdout = await prints(runCommand('trigger --list --json'))
  const listed: { name: string; summary: string }[] = JSON.parse(stdout).triggers
  expect(listed.map(({ name }) => name)).toEqual(names)
  for (const { name, summary } of listed) {
    expect(summary).toMatch(/\.$/)
    const steps = readFileSync(new URL(`../../fixtures/triggers/${name}.yaml`, import.meta.url), 'utf8')
    expect(/moves the sandbox clock ahead/.test(summary)).toBe(steps.includes('- clock:'))
  }
  expect(shown).toContain('tillbox sandbox clock --reset')
})

test('a step that is refused is none that was done', async ({ sandbox }) => {
  await runCommand(`sandbox fault http-500 --base-url ${sandbox.url}`)
  const { stdout } = await fails(
    runCommand(`trigger sale-approved --base-url ${sandbox.url}`),
    3,
    'SBX_INJECTED',
  )
  expect(stdout).toBe('')
})

test('a scenario that is triggered starts no program', async ({ sandbox }) => {
  const text =
    'server: { start: touch started }\nsteps:\n  - sale: { amount: 1.00 USD }\n  - command: touch made\n'
  const cwd = folderWith({ 'x.yaml': text })
  await fails(runCommand(`trigger ./x.yaml --base-url ${sandbox.url}`, { cwd }), 1, 'has no server')
  expect(readdirSync(cwd)).toEqual(['x.yaml'])
})

test.each(names)('%s runs to its end, sends its webhooks, and leaves no terminal busy', async (name) => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  const before = (await sandbox.json('sandbox clock')).offsetMs
  const { trigger, steps } = await sandbox.json(`trigger ${name}`)
  expect(trigger).toBe(name)
  const results = steps.filter(({ step }: AnyJson) => step in letters)
  expect(results.length).toBeGreaterThan(0)
  const wanted = results.map(({ step, answer }: AnyJson) => `${answer.transactionId} ${letters[step]}`)
  await target.got(wanted.length)
  const notified = target.arrivals.map(({ json }) => `${json.transactionId} ${json.transactionStatus}`)
  expect(notified.sort()).toEqual(wanted.sort())
  const { envelope } = await sandbox.send('GET', '/_sandbox/terminals')
  const screen = expect.stringMatching(/^(idle|result|offline)$/)
  for (const terminal of envelope.data.terminals)
    expect(terminal).toMatchObject({ line: [], queue: [], screen })
  const clock = await sandbox.json('sandbox clock')
  const advances = name === 'host-timeout' || name === 'late-approval'
  expect([clock.frozen, Math.round((clock.offsetMs - before) / 10_000)]).toEqual([false, advances ? 6 : 0])
})

test('a trigger shows a line for each step, can run again, and with --count several times', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('trigger sale-approved --count 3')
  expect((await sandbox.json('list')).transactions).toHaveLength(3)
  expect((await sandbox.json('list --card 1111')).transactions).toHaveLength(3)
  expect((await sandbox.json('list --card 1112')).transactions).toEqual([])

  for (const _ of ['once', 'twice']) {
    const text = /^✓ sale +\d+\n✓ SUCCESS +\d+\n✓ refund +\d+\n✓ SUCCESS +\d+\n$/
    await sandbox.prints('trigger refund-partial', text)
  }
})

test('a trigger with an unexpected status exits with 4 at once and names what to look at', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('terminal queue TBX-AUTO-001 expired-card')
  const { error } = await sandbox.json('trigger sale-approved', 4)
  const message = expect.stringContaining('is FAIL, not SUCCESS')
  expect(error).toMatchObject({ exitCode: 4, message, remedy: expect.stringContaining('queued') })
})

const own = ({ cwd }: LaunchedSandbox, text: string) => writeFileSync(join(cwd, 'own.yaml'), text)

test('a scenario runs its steps, cases, webhooks and teardown in the running sandbox', async () => {
  const sandbox = await startSandboxCommand()
  const text = `cases: [{ amount: 1.00 USD }, { amount: 2.00 USD }]
steps:
  - sale: { amount: $case.amount }
    as: sale
  - webhook: { of: $sale, count: 1, signature: valid }
teardown:
  - void: $sale
`
  own(sandbox, text)
  const { trigger, steps } = await sandbox.json('trigger ./own.yaml')
  expect(trigger).toBe('./own.yaml')
  const once = ['sale', 'SUCCESS', 'void', 'SUCCESS']
  expect(steps.map(({ step }: AnyJson) => step)).toEqual([...once, ...once])
  expect((await sandbox.json('list')).transactions).toHaveLength(4)
})

test.each([
  ['a refusal', '- void: "1"', 1, 'SBX_TXN_UNKNOWN'],
  [
    'a decline, and a teardown that is refused',
    '- sale: { amount: 97.34 USD }\nteardown:\n- void: "1"',
    4,
    'is FAIL, not SUCCESS',
  ],
  ['a refused teardown', '- batch query:\nteardown:\n- void: "1"', 1, 'SBX_TXN_UNKNOWN'],
  ['a wrong file', '- viod: "1"', 2, 'own.yaml:2:3: steps[0]: unknown action viod; did you mean void?'],
])('a scenario with %s ends with its exit code and the reason', async (_, step, code, message) => {
  const sandbox = await startSandboxCommand()
  own(sandbox, `steps:\n${step}\n`)
  await sandbox.fails('trigger own.yaml', code, message)
})

test('a scenario with options of a sandbox is refused, as the sandbox runs already', async ({ sandbox }) => {
  own(sandbox, 'name: Own\nsandbox: { strict: true }\nsteps:\n  - sale: { amount: 10.00 USD }\n')
  const texts = ['own.yaml:2:1: sandbox: a trigger runs in the sandbox that runs', 'tillbox test own.yaml']
  const { stdout } = await sandbox.fails('trigger own.yaml', 2, ...texts)
  expect(stdout).toBe('')
  expect((await sandbox.json('list')).transactions).toEqual([])
})
