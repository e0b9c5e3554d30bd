import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

const serial = 'TBX-ATTENDED-001'
const env = { TILLBOX_TERMINAL_SN: serial }
const sell = `sale --amount 10.00 --terminal ${serial} --no-wait`

/** A command that is refused; what to do about it. */
async function remedyOf({ run }: LaunchedSandbox, args: readonly string[], code: number, variables = {}) {
  const { stdout, ...ended } = await run([...args, '--json'], variables)
  expect([args, ended.code]).toEqual([args, code])
  const { error } = JSON.parse(stdout)
  expect(error.remedy).not.toMatch(/<\w+>/)
  return error.remedy as string
}

test.each([
  [['terminal', 'pin'], `tillbox terminal show ${serial}`],
  [['terminal', 'pin', 'TBX-AUTO-001'], 'tillbox terminal set TBX-AUTO-001 --mode attended'],
  [['terminal', 'cancel', 'TBX-OFFLINE-001'], 'tillbox terminal online TBX-OFFLINE-001'],
  [['terminal', 'add', 'TBX-AUTO-001'], 'tillbox terminal set TBX-AUTO-001'],
  [['terminal', 'show', 'DESK-9'], 'tillbox terminal add DESK-9'],
])('the remedy of %j names the terminal of the command', async (args, remedy) => {
  const sandbox = await startSandboxCommand()
  expect(await remedyOf(sandbox, args, 1, env)).toContain(remedy)
  const stdout = await sandbox.prints('logs tail --no-follow --limit 5', remedy)
  expect(stdout).not.toContain('--strict')
})

test('the remedies for a PIN before the card and for an order in the place of a transaction name commands that run', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sell)
  const [, command = ''] = /tillbox (.*)$/.exec(await remedyOf(sandbox, ['terminal', 'pin', serial], 1)) ?? []
  expect((await sandbox.run(command.split(' '))).code).toBe(0)
  expect((await sandbox.run(`terminal pin ${serial}`)).code).toBe(0)
  await sandbox.json('sale --amount 10.00 --reference-order-id ORDER-A')
  const remedy = await remedyOf(sandbox, ['query', 'ORDER-A'], 1)
  expect(remedy).toContain('tillbox list --reference-order-id ORDER-A')
  expect((await sandbox.run('list --reference-order-id ORDER-A')).code).toBe(0)
})

test('the remedy for an unknown merchant adds it, and no option of the start is named that adds none', async () => {
  const sandbox = await startSandboxCommand()
  const add = ['terminal', 'add', 'DESK-8', '--merchant', 'M9000000001']
  const [, command = ''] = /Or add it: tillbox (.*)$/.exec(await remedyOf(sandbox, add, 1)) ?? []
  await sandbox.json(command)
  expect((await sandbox.run(add)).code).toBe(0)
  const unknown = ['terminal', 'add', 'DESK-9', '--application', 'nobody']
  expect(await remedyOf(sandbox, unknown, 1)).not.toContain('terminals=open')
  const taken = ['merchant', 'add', 'M9000000002', '--terminal', 'DESK-8']
  expect(await remedyOf(sandbox, taken, 1)).toMatch(/^Choose another serial number/)
})

test('terminal queue with one word queues that outcome for the terminal of the environment', async () => {
  const sandbox = await startSandboxCommand()
  const queued = await sandbox.run('terminal queue lost-card --json', env)
  expect(JSON.parse(queued.stdout)).toMatchObject({ terminalSn: serial, queue: [{ outcome: 'lost-card' }] })
  await fails(sandbox.run('terminal queue los-card', env), 2, 'Did you mean lost-card?')
})

test('a refusal about a final payment does not advise to wait for it', async ({ sandbox }) => {
  const { transactionId } = await sandbox.json(sell)
  expect(await remedyOf(sandbox, ['refund', transactionId, '--amount', '1.00'], 1)).toContain(
    `Wait until it completes: tillbox query ${transactionId}`,
  )
  await sandbox.json(`terminal cancel ${serial}`)
  for (const line of ['abort', 'void', 'refund --amount 0.01'])
    expect(await remedyOf(sandbox, [...line.split(' '), transactionId], 1)).toMatch(/^Nothing was charged/)
  const paid = await sandbox.json('sale --amount 1.00')
  expect(await remedyOf(sandbox, ['abort', paid.transactionId], 1)).toBe(
    `Refund it: tillbox refund ${paid.transactionId} --amount 1.00`,
  )
})

const nobody = 'http://127.0.0.1:1'

test.each([
  [['--base-url', nobody], {}, /^Check --base-url; left out/],
  [
    [],
    { TILLBOX_BASE_URL: nobody },
    /^Start a sandbox: `?tillbox sandbox start`?\. Or check the base URL\. What set it/,
  ],
])('the remedy for an unreachable service fits what was typed: %j %j', async (typed, env, remedy) => {
  const args = ['merchant', 'show', ...typed, '--api-key', 'key', '--merchant-id', 'M1', '--json']
  const { code, stdout } = await runCommand(args, { env })
  expect([code, JSON.parse(stdout).error.remedy]).toEqual([3, expect.stringMatching(remedy)])
})

test('TLS is suggested for a look-up that was cut, not for a payment whose answer was lost', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sandbox fault reset --times 2')
  const errorOf = async (line: string) =>
    (await sandbox.json(`${line} --base-url ${sandbox.url} --api-key ${sandbox.apiKey}`, 3)).error
  expect((await errorOf('merchant show')).remedy).toContain('If it serves TLS, use https://')
  const lost = await errorOf('sale --amount 1.00')
  expect(JSON.stringify(lost)).not.toContain('TLS')
  expect(lost.remedy).toContain('Look it up')
})
