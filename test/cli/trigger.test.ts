import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Done } from '../../src/scenario/steps/run-context.ts'
import { runCommand } from '../support/commands/command.ts'
import { prints } from '../support/commands/launched.ts'
import { startSandboxCommand, test } from '../support/commands/running-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const names = readdirSync(new URL('../../fixtures/triggers', import.meta.url))
  .map((file) => file.replace(/\.yaml$/, ''))
  .sort()

const letters: Readonly<Record<string, string>> = { SUCCESS: 'S', FAIL: 'F', CLOSED: 'C' }

interface FinishedStep extends Done {
  readonly answer: { readonly transactionId: string }
}

test('trigger --list shows every trigger, for people and as JSON, without a sandbox', async () => {
  const shown = await prints(runCommand('trigger --list'))
  for (const name of names) expect(shown).toMatch(new RegExp(`^ *${name} +\\S`, 'm'))
  const stdout = await prints(runCommand('trigger --list --json'))
  const { triggers: listed } = JSON.parse(stdout) as { triggers: { name: string; summary: string }[] }
  expect(listed.map(({ name }) => name)).toEqual(names)
  for (const { name, summary } of listed) {
    expect(summary).toMatch(/\.$/)
    const steps = readFileSync(new URL(`../../fixtures/triggers/${name}.yaml`, import.meta.url), 'utf8')
    expect(/moves the sandbox clock ahead/.test(summary)).toBe(steps.includes('- clock:'))
  }
  expect(shown).toContain('tillbox sandbox clock --reset')
})

test.each(names)('%s runs to its end, sends its webhooks, and leaves no terminal busy', async (name) => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand(`--notify-url ${target.url}`)
  const before = (await sandbox.json('sandbox clock')).offsetMs
  const { trigger, steps } = (await sandbox.json(`trigger ${name}`)) as {
    trigger: string
    steps: FinishedStep[]
  }
  expect(trigger).toBe(name)
  const results = steps.filter(({ step }) => step in letters)
  expect(results.length).toBeGreaterThan(0)
  const wanted = results.map(({ step, answer }) => `${answer.transactionId} ${letters[step]}`)
  await target.got(wanted.length)
  const notified = target.arrivals.map(({ body }) => {
    const { transactionId, transactionStatus } = JSON.parse(body)
    return `${transactionId} ${transactionStatus}`
  })
  expect(notified.sort()).toEqual(wanted.sort())
  const { envelope } = await sandbox.send('GET', '/_sandbox/terminals')
  for (const terminal of envelope.data.terminals) {
    expect(terminal).toMatchObject({ line: [], queue: [] })
    expect(['idle', 'result', 'offline']).toContain(terminal.screen)
  }
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
  await sandbox.send('POST', '/_sandbox/terminals/TBX-AUTO-001/queue', { body: { outcome: 'expired-card' } })
  const { stdout } = await sandbox.fails('trigger sale-approved --json', 4, /is FAIL, not SUCCESS/)
  expect(JSON.parse(stdout).error).toMatchObject({ exitCode: 4, remedy: expect.stringContaining('queued') })
})

const own = (name: string, cwd: string, text: string) => writeFileSync(join(cwd, name), text)

test('a scenario runs its steps, cases, webhooks and teardown in the running sandbox', async () => {
  const sandbox = await startSandboxCommand()
  own(
    'own.yaml',
    sandbox.cwd,
    'cases: [{ amount: 1.00 USD }, { amount: 2.00 USD }]\nsteps:\n  - sale: { amount: $case.amount }\n    as: sale\n' +
      '  - webhook: { of: $sale, count: 1, signature: valid }\nteardown:\n  - void: $sale\n',
  )
  const { trigger, steps } = (await sandbox.json('trigger ./own.yaml')) as {
    trigger: string
    steps: FinishedStep[]
  }
  expect(trigger).toBe('./own.yaml')
  const once = ['sale', 'SUCCESS', 'void', 'SUCCESS']
  expect(steps.map(({ step }) => step)).toEqual([...once, ...once])
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
  own('own.yaml', sandbox.cwd, `steps:\n${step}\n`)
  const ended = await sandbox.run('trigger own.yaml')
  expect([ended.code, ended.stderr.includes(message) ? message : ended.stderr]).toEqual([code, message])
})

test('a scenario with options of a sandbox is refused, as the sandbox runs already', async ({ sandbox }) => {
  own(
    'own.yaml',
    sandbox.cwd,
    'name: Own\nsandbox: { strict: true }\nsteps:\n  - sale: { amount: 10.00 USD }\n',
  )
  const texts = ['own.yaml:2:1: sandbox: a trigger runs in the sandbox that runs', 'tillbox test own.yaml']
  const { stdout } = await sandbox.fails('trigger own.yaml', 2, ...texts)
  expect(stdout).toBe('')
  expect((await sandbox.json('list')).transactions).toEqual([])
})
