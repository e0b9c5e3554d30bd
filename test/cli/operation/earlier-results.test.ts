import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { commands } from '../../support/commands/manifest.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

test('for a follow-up, @last is the newest transaction that it can act on', async ({ sandbox }) => {
  const session = await sandbox.json('checkout create --amount 9.00')
  const online = await sandbox.json('checkout sale --amount 8.00')
  const paid = await sandbox.json('sale --amount 20.00')
  await sandbox.run('sale --amount 30.00 --outcome do-not-honor')
  await sandbox.json(`checkout pay ${session.sessionId}`)
  const tookOf = async (line: string) => {
    const { code, stderr } = await sandbox.run(line)
    return [code, /^(\S+) is (\d+): (.*)$/m.exec(stderr)?.slice(1)]
  }
  const some = expect.any(String)
  for (const [line, ...took] of [
    ['refund @last:sale --amount 1.00', 1, ['@last:sale', some, 'sale, 30.00 USD, declined']],
    ['refund @last --amount 1.00', 0, ['@last', paid.transactionId, 'sale, 20.00 USD, approved']],
    ['checkout refund @last', 0, ['@last', some, 'sale, 9.00 USD, approved']],
    ['checkout refund @last', 0, ['@last', online.transactionId, 'sale, 8.00 USD, approved']],
  ] as const)
    expect(await tookOf(line)).toEqual(took)
  await sandbox.fails(
    'checkout refund @last',
    1,
    '@last names no transaction that tillbox checkout refund can act on',
  )
})

test('@last names earlier results, newest first, and each use says which one; a missing or unknown one says what to do', async () => {
  const sandbox = await startSandboxCommand()
  const queryNamed = (name: string) => sandbox.run(`query ${name}`)
  await sandbox.json('sale --amount 10.00')
  await fails(queryNamed('@last-1'), 1, '@last-1 names no transaction')
  await fails(queryNamed('@lats'), 2, '@last-1')
  await fails(queryNamed('@last:refnd'), 2, 'Did you mean refund?')
  const auth = await sandbox.json('auth --amount 50.00')
  const first = await sandbox.json('sale --amount 10.00')
  const second = await sandbox.json('sale --amount 20.00')
  const id = async (name: string) => (await sandbox.json(`query ${name}`)).transactionId
  expect(await id('@last')).toBe(second.transactionId)
  expect(await id('@last-1')).toBe(first.transactionId)
  expect(await id('@last:auth')).toBe(auth.transactionId)
  expect(await id('@last-1:SALE')).toBe(first.transactionId)
  const { code, stdout, stderr } = await sandbox.run('refund @last-1 --amount 4.00 --json')
  expect(code).toBe(0)
  expect(stderr).toBe(`@last-1 is ${first.transactionId}: sale, 10.00 USD, approved\n`)
  expect(await id('@last')).toBe(JSON.parse(stdout).transactionId)
  const paid = await sandbox.json('sale --amount 20.00')
  await sandbox.run('sale --amount 30.00 --outcome do-not-honor')
  await sandbox.json(`refund ${paid.transactionId} --amount 1.00`)
  const amountOf = async (name: string) => (await sandbox.json(`query ${name}`)).transactionAmount
  expect([await amountOf('@last:declined'), await amountOf('@last:payment')]).toEqual([3000, 3000])
  expect(await amountOf('@last-1:payment')).toBe(2000)
})

test('@last names the newest transaction of the acting merchant', async () => {
  const sandbox = await startSandboxCommand('--set terminals=open')
  const mine = await sandbox.json('sale --amount 10.00')
  const other = '--merchant-id MX-2'
  await sandbox.json(`sale --amount 20.00 --terminal T-2 ${other}`)
  expect((await sandbox.json('query @last')).transactionId).toBe(mine.transactionId)
  expect((await sandbox.json(`query @last ${other}`)).transactionAmount).toBe(2000)
  const { url, apiKey } = sandbox
  const named = await runCommand(`query @last --base-url ${url} --api-key ${apiKey} --json`)
  expect(JSON.parse(named.stdout).transactionId).toBe(mine.transactionId)
})

/** Every command with --transaction, as it is typed before it. */
const byFlag: Readonly<Record<string, string>> = {
  'logs:export': 'logs export out.json',
  'logs:tail': 'logs tail --no-follow --json',
  'terminal:cancel': 'terminal cancel TBX-ATTENDED-001',
  'terminal:pin': 'terminal pin TBX-ATTENDED-001',
  'terminal:present': 'terminal present TBX-ATTENDED-001 --card visa-contactless',
  'terminal:sign': 'terminal sign TBX-ATTENDED-001',
  'terminal:tip': 'terminal tip TBX-ATTENDED-001 --none',
  'webhook:list': 'webhook list',
  'webhook:wait': 'webhook wait --timeout 50ms',
}

test('--transaction takes a name wherever a command has it, and says which one it is', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json('sale --amount 10.00')
  const { transactionId } = await sandbox.json('sale --amount 20.00 --terminal TBX-ATTENDED-001 --no-wait')
  const having = Object.entries(commands).flatMap(([id, { flags }]) => ('transaction' in flags ? [id] : []))
  expect(Object.keys(byFlag)).toEqual(having)
  for (const line of Object.values(byFlag)) {
    const { stderr } = await sandbox.run(`${line} --transaction @last:sale`)
    expect([line, stderr]).toEqual([
      line,
      expect.stringContaining(`@last:sale is ${transactionId}: sale, 20.00 USD, `),
    ])
    await fails(sandbox.run(`${line} --transaction @lats`), 2, '@lats names no earlier result')
    await fails(sandbox.run(`${line} --transaction @last-9`), 1, '@last-9 names no transaction')
  }
  const requests = await sandbox.run('logs tail --no-follow --json --transaction @last-1')
  expect(requests.stdout).toContain('"operation":"sale"')
  await fails(sandbox.run('webhook wait --timeout 50ms --transaction @last'), 5)
})
