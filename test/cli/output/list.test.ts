import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cards, outcomes } from '../../../src/domain/fixtures.ts'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

const attended = 'TBX-ATTENDED-001'

/** A sandbox with an approved, a declined and a waiting sale. */
async function filled() {
  const sandbox = await startSandboxCommand()
  const approved = await sandbox.json('sale --amount 10.00 --reference-order-id ORDER-1001')
  const declined = await sandbox.json('sale --amount 98.23', 4)
  const waiting = await sandbox.json(`sale --amount 25.00 --terminal ${attended} --no-wait`)
  return { sandbox, approved, declined, waiting }
}

const idsOf = ({ transactions }: { transactions: { transactionId: string }[] }) =>
  transactions.map(({ transactionId }) => transactionId)

test('list prints a line for each transaction in a pipe, newest first; its filters take the words of people and of the wire', async () => {
  const { sandbox, approved, declined, waiting } = await filled()
  const stdout = await prints(sandbox.run('list'))
  const [head, ...lines] = stdout.trimEnd().split('\n')
  expect(head?.trim().split(/ {2,}/)).toEqual([
    ...['created (UTC)', 'transaction', 'type', 'amount', 'status', 'terminal', 'order', 'card', 'result'],
  ])
  const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d'
  const line = (id: string, rest: string) =>
    expect.stringMatching(new RegExp(`^ {2}${time} {2}${id} {2}sale +${rest}`))
  expect(lines).toEqual([
    line(waiting.transactionId, `25.00 USD {2}… waiting for card +${attended} .*$`),
    line(declined.transactionId, '98.23 USD {2}✗ declined .* 005 Do not honor$'),
    line(approved.transactionId, '10.00 USD {2}✓ approved .* ORDER-1001 .* 000 Approved$'),
  ])
  const [a, d, w] = [approved, declined, waiting].map(({ transactionId }) => transactionId)
  const listed = async (...flags: string[]) => idsOf(await sandbox.json(['list', ...flags]))
  expect(await listed()).toEqual([w, d, a])
  expect(await listed('--status', 'approved')).toEqual([a])
  expect(await listed('--status', 'S')).toEqual([a])
  expect(await listed('--status', 'declined,pending')).toEqual([w, d])
  expect(await listed('--terminal', attended)).toEqual([w])
  expect(await listed('--reference-order-id', 'ORDER-1001')).toEqual([a])
  expect(await listed('--type', 'sale', '--limit', '1')).toEqual([w])
  expect(await listed('--amount', '10.00..25.00')).toEqual([w, a])
  expect(await listed('--merchant', sandbox.merchantId, '--since', '1h')).toEqual([w, d, a])
  expect(await listed('--since', new Date(Date.now() + 60_000).toISOString())).toEqual([])
  await sandbox.json('sandbox clock --advance 2h')
  expect(await listed('--since', '1h')).toEqual([])
  expect(await listed('--since', '3h')).toEqual([w, d, a])
})

test('an empty list says how to begin, a filter without a match how to see all, one that names nothing the remedy', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.prints('list', 'tillbox sale --amount 10.00')
  await sandbox.prints('list --status closed', 'No transaction matches')
  await sandbox.fails('list --terminal TBX-ATTENDED-01', 1, 'tillbox terminal list')
  await sandbox.fails('list --merchant M-NONE', 1, 'Merchant M-NONE is not registered')
})

test('outcomes and cards of the running sandbox are shown as tables and as JSON', async ({ sandbox }) => {
  await sandbox.prints(
    'outcomes',
    /^ {2}do-not-honor +005 +98\.23 {2}declined +Do not honor$/m,
    /^ {2}late-approval .*approved after 60 s/m,
  )
  expect((await sandbox.json('outcomes')).outcomes).toEqual(outcomes)
  const row = /^ {2}visa-contactless +VISA +credit +CONTACTLESS +none +4111111111111111$/m
  await sandbox.prints('cards', row)
  expect((await sandbox.json('cards')).cards).toEqual(cards)
})

test('without a sandbox the built-in outcomes and cards are shown, with a note on standard error', async () => {
  const cwd = scratchFolder()
  for (const isThere of ['no folder', 'that of one that has stopped']) {
    const { code, stdout, stderr } = await runCommand('outcomes --json', { cwd })
    expect([isThere, code]).toEqual([isThere, 0])
    expect(JSON.parse(stdout).outcomes).toEqual(outcomes)
    expect(stderr).toContain('No sandbox runs: these are the built-in outcomes')
    mkdirSync(join(cwd, '.tillbox'), { recursive: true })
  }
  await fails(runCommand('checkout wallet-payload --card nope', { cwd }), 2, 'There is no test card nope')
  const named = await runCommand('cards --state ./nowhere')
  expect([named.code, named.stdout]).toEqual([3, ''])
})

test('list and show have status, amount, page and expiry', async ({ sandbox }) => {
  const { sessionId, checkoutUrl } = await sandbox.json('checkout create --amount 24.90')
  const other = await sandbox.json('checkout create --amount 9.00')
  await sandbox.run(`checkout pay ${other.sessionId}`)
  const paid = new RegExp(`^ {2}✓ paid +9.00 USD .* ${other.sessionId} {2}http`, 'm')
  const open = new RegExp(`^ {2}… open +24.90 USD .* ${sessionId} {2}${checkoutUrl}$`, 'm')
  await sandbox.prints('checkout list', paid, open, 'expires (UTC)')
  const { sessions } = await sandbox.json('checkout list --status open')
  expect(sessions).toMatchObject([{ sessionId, state: 'open', amount: 2490, checkoutUrl }])
  await sandbox.prints(`checkout show ${sessionId}`, '24.90 USD', checkoutUrl, sessionId, 'UTC')
  expect((await sandbox.run('checkout show cs_none')).code).toBe(1)
})

test('a new name appears in list, screen and page, and --clear removes it', async ({ sandbox }) => {
  const named = ['terminal', 'set', attended, '--label', 'Bar, left']
  expect(await sandbox.json(named)).toMatchObject({ terminalSn: attended, label: 'Bar, left' })
  await sandbox.prints('terminal list', /TBX-ATTENDED-001 +Bar, left +attended/)
  await sandbox.prints(`terminal show ${attended}`, /name +Bar, left/)
  const page = await fetch(`${sandbox.url}/terminal/${attended}`)
  expect(await page.text()).toContain('Bar, left')
  expect(await sandbox.json(`terminal set ${attended} --clear label`)).not.toHaveProperty('label')
  const long = `terminal set ${attended} --label ${'x'.repeat(41)}`
  await sandbox.fails(long, 2, '--label must have at most 40 characters')
})

test('query and --timeline exit with 0, 4 or 5 by the status; --wait returns with the final one, or with 5 when the time is over', async () => {
  const { sandbox, approved, declined, waiting } = await filled()
  const ids = [approved, declined, waiting].map(({ transactionId }) => transactionId)
  const codes = async (...flags: string[]) =>
    Promise.all(ids.map(async (id) => (await sandbox.run(['query', id, ...flags])).code))
  expect(await codes()).toEqual([0, 4, 5])
  expect(await codes('--json')).toEqual([0, 4, 5])
  expect(await codes('--timeline')).toEqual([0, 4, 5])
  const query = `query ${waiting.transactionId}`
  expect((await sandbox.run(`${query} --wait 0s`)).code).toBe(5)
  const answer = sandbox.run(`${query} --wait 30s --json`)
  await sandbox.json(`terminal present ${attended} --card visa-contactless`)
  const { code: ended, stdout } = await answer
  expect([ended, JSON.parse(stdout).transactionStatus]).toEqual([0, 'S'])
  expect((await sandbox.run(`${query} --wait 2`)).code).toBe(0)
  await sandbox.fails(`${query} --wait long`, 2, '--wait long is not a duration')
})

test('query says until when an authorisation can be captured, and once it expired, that it did', async () => {
  const sandbox = await startSandboxCommand()
  const { transactionId } = await sandbox.json('auth --amount 10.00')
  const query = `query ${transactionId} --timeline`
  await sandbox.prints(query, 'capture by ', '10.00 USD left to capture')
  await sandbox.run('sandbox clock --advance 30d')
  const { stdout } = await sandbox.run(query)
  expect(stdout).toMatch(/^ {2}expired +\d/m)
  expect(stdout).not.toMatch(/capture by|left to capture/)
})
