import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'

test('record writes what commands did to a file that tillbox test runs', async ({ sandbox }) => {
  const sale = await sandbox.json(['sale', '--amount', '30.00', '--set', 'description=Table 7: two'])
  await sandbox.json(`refund ${sale.transactionId} --amount 10.00`)
  await sandbox.json('checkout create --amount 5.00')
  const recorded = await sandbox.run(['scenario', 'record', '-o', 'table.yaml', '--name', 'Table 7'])
  expect([recorded.code, recorded.stderr]).toEqual([0, ''])
  expect(recorded.stdout).toBe('3 steps in table.yaml. Run them: tillbox test table.yaml\n')
  const text = readFileSync(join(sandbox.cwd, 'table.yaml'), 'utf8')
  expect(text).toContain(
    'name: Table 7\nsteps:\n  - sale: { description: "Table 7: two", amount: 30.00 USD }\n    as: sale\n',
  )
  expect(text).toContain('  - refund: { original: $sale, amount: 10.00 USD }\n')
  const run = await sandbox.run('test table.yaml')
  expect([run.code, run.stderr]).toEqual([0, ''])
  expect(run.stdout).toContain('✓ Table 7')
  const { steps, leftOut, scenario } = await sandbox.json(['scenario', 'record', '--name', 'Table 7'])
  expect([steps, leftOut, scenario]).toEqual([3, 0, text])
})

test('record says how many requests it left out, and the file says why', async ({ sandbox }) => {
  await sandbox.json('sale --amount 1.00')
  await sandbox.json('sale --amount 2.00')
  for (const name of ['M-1', 'M-2']) await sandbox.json(`merchant add ${name}`)
  const { stdout } = await sandbox.run('scenario record --file a.yaml')
  expect(stdout).toBe('2 steps in a.yaml; 2 requests left out. Run them: tillbox test a.yaml\n')
  const text = readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')
  expect(text.match(/# left out: add-merchant \(there is no step for it\)/g)).toHaveLength(2)
})

test('an existing file stays, unless --force is given', async ({ sandbox }) => {
  await sandbox.json('sale --amount 1.00')
  writeFileSync(join(sandbox.cwd, 'a.yaml'), 'mine')
  await fails(sandbox.run('scenario record -o a.yaml'), 2, 'a.yaml is there already')
  expect(readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')).toBe('mine')
  expect((await sandbox.run('scenario record -o a.yaml --force')).code).toBe(0)
  expect(readFileSync(join(sandbox.cwd, 'a.yaml'), 'utf8')).toContain('- sale: { amount: 1.00 USD }')
  await fails(sandbox.run('scenario record -o no/a.yaml'), 2, 'no/a.yaml cannot be written')
})

test('record ends with 1 without requests, 2 for a wrong time, and 3 without a sandbox', async () => {
  const sandbox = await startSandboxCommand()
  const nothing = await fails(
    sandbox.run('scenario record --since 1m'),
    1,
    'The request log has no accepted operation of the last 1m',
  )
  expect(nothing.stdout).toBe('')
  expect((await sandbox.run('scenario record --since ever')).code).toBe(2)
  expect((await sandbox.run('scenario record --base-url http://127.0.0.1:9')).code).toBe(3)
})
