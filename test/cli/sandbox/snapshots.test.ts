import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { spawnSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { encodeLine } from '../../support/service/service.ts'

type Running = Awaited<ReturnType<typeof startSandboxCommand>>

const sell = async ({ json }: Running): Promise<string> => (await json('sale --amount 10.00')).transactionId

const count = async ({ json }: Running): Promise<number> => (await json('sandbox status')).stored.transactions

const snapshot = (...args: string[]): string[] => ['sandbox', 'snapshot', ...args]

test('a snapshot is saved, compared, restored, listed and removed; the refusal of a name suggests --force, the nearest name, or the rule', async () => {
  const sandbox = await startSandboxCommand()
  const { run, json } = sandbox
  await sell(sandbox)
  expect(await json(snapshot('save', 'base'))).toMatchObject({ name: 'base', transactions: 1 })
  await prints(run(snapshot('diff', 'base')), /^Nothing differs between snapshot base and now\.\n$/)
  const id = await sell(sandbox)
  await prints(
    run(snapshot('diff', 'base')),
    new RegExp(`\\+ +${id} +sale +10\\.00 USD +added: approved`),
    'count 1 → 2, net 10.00 USD → 20.00 USD',
  )
  const transactions = [{ transactionId: id, change: 'added' }]
  expect(await json(snapshot('diff', 'base'))).toMatchObject({ same: false, transactions })
  const restored = await json(snapshot('restore', 'base', '--yes'))
  expect(restored).toMatchObject({ status: 'restored', transactions: 1, replaced: 2 })
  expect(await count(sandbox)).toBe(1)
  await prints(run(snapshot('list')), /base +1 .*UTC by tillbox/)
  expect(await json(snapshot('remove', 'base', '--yes'))).toMatchObject({ status: 'removed' })
  await prints(run(snapshot('list')), 'There is no snapshot')
  await json(snapshot('save', 'base'))
  await fails(run(snapshot('save', '../base')), 2, 'SBX_SNAP_NAME', '<name>', 'letters, digits')
  await fails(run(snapshot('save', 'base')), 1, 'tillbox sandbox snapshot save base --force')
  expect((await run(snapshot('save', 'base', '--force'))).code).toBe(0)
  expect((await run(snapshot('restore', 'bse', '--yes'))).stderr).toContain('Did you mean base?')
})

test.each(['state.jsonl', 'state.jsonl.gz'])('%s carries the state to another sandbox', async (name) => {
  const one = await startSandboxCommand()
  const id = await sell(one)
  const file = join(one.cwd, name)
  expect(await one.json(`sandbox export ${file}`)).toMatchObject({ status: 'exported', withSecrets: false })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const bytes = readFileSync(file)
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
  expect(JSON.parse(text)[0]).toMatchObject({ format: 3, version: expect.any(String) })
  expect(text).not.toMatch(/whsec_|tbx_sandbox_/)
  await one.fails(`sandbox export ${file}`, 2, '--force')
  const other = await startSandboxCommand()
  expect(await other.json(`sandbox import ${file}`)).toMatchObject({ status: 'imported', transactions: 1 })
  expect((await other.run(`query ${id}`)).code).toBe(0)
  await other.fails(`sandbox import ${file}`, 2, 'Add --yes')
  expect((await other.run(`sandbox import ${file} --yes`)).code).toBe(0)
})

test('a file that cannot be read is refused with the reason, and nothing changes', async ({ sandbox }) => {
  await sell(sandbox)
  const file = join(sandbox.cwd, 'file')
  await sandbox.json(`sandbox export ${file}.gz`)
  const packed = readFileSync(`${file}.gz`)
  const newer = `[\n${encodeLine({ format: 9, version: '9.9.9', snapshot: {} })}\n]\n`
  for (const [bytes, why] of [
    ['hello', 'not a snapshot or export of tillbox'],
    [newer, 'Use tillbox 9.9.9'],
    [packed.subarray(0, packed.length - 12), 'packed with gzip, and cut off'],
    [gzipSync('{}'), 'not a snapshot or export of tillbox'],
  ] as const) {
    writeFileSync(file, bytes)
    const { code, stderr } = await sandbox.run(`sandbox import ${file} --yes`)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(why)
  }
  await sandbox.fails('sandbox import none --yes', 2, 'it does not exist')
  expect(await count(sandbox)).toBe(1)
})

test('--export-on-exit writes the state, and --import begins with it', async () => {
  const cwd = scratchFolder()
  const file = join(cwd, 'state.jsonl.gz')
  const one = await startSandboxCommand(`--export-on-exit ${file}`, { cwd })
  const id = await sell(one)
  expect(existsSync(file)).toBe(false)
  await one.stop()
  const other = await startSandboxCommand(`--import ${file} --export-on-exit ${file}`)
  expect((await other.run(`query ${id}`)).code).toBe(0)
  await other.stop()

  await fails(runCommand(`sandbox start --port 0 --import ${file}`, { cwd }), 2, '--yes')
  const third = await startSandboxCommand(`--import ${file} --yes`, { cwd })
  expect(await count(third)).toBe(1)
  await third.stop()
})

test('a state that cannot be exported is kept, temporary or not, and nobody says that it was stopped in order', async () => {
  const cwd = scratchFolder()
  const folder = join(cwd, 'exports')
  for (const [start, where] of [
    [spawnSandbox, ['--ephemeral']],
    [startSandboxCommand, ['--state', 'own']],
  ] as const) {
    mkdirSync(folder)
    const one = await start(['--export-on-exit', join(folder, 'x.jsonl'), ...where], { cwd })
    await one.json(`sale --amount 10.00 --state ${one.state}`)
    rmdirSync(folder)
    if (start === spawnSandbox) await one.fails(`sandbox stop --state ${one.state}`, 1, 'was not exported to')
    const { code, stderr } = await one.stop()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/was not exported to .*x\.jsonl.*is kept in/s)])
    const verified = await runCommand(`sandbox verify --state ${one.state} --json`)
    expect(JSON.parse(verified.stdout)).toMatchObject({ sound: true, transactions: 1 })
    rmSync(one.state, { recursive: true })
  }
})

test('a command under exec whose state cannot be exported ends with an error, and its state is kept', async () => {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, 'exports'))
  const flags = ['--quiet', '--export-on-exit', 'exports/x.jsonl']
  const code =
    'const fs = require("node:fs"); fs.writeFileSync("state", process.env.TILLBOX_STATE); fs.rmdirSync("exports")'
  const ended = await runCommand(['exec', ...flags, '--', process.execPath, '-e', code], { cwd })
  const state = readFileSync(join(cwd, 'state'), 'utf8')
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(state)])
  rmSync(state, { recursive: true })
})

test('a start from a file that is not an export fails, and keeps the file', async () => {
  const cwd = scratchFolder()
  const file = join(cwd, 'notes.txt')
  writeFileSync(file, 'my notes')
  for (const flag of ['--import', '--export-on-exit'])
    await fails(runCommand(`sandbox start --port 0 ${flag} ${file}`, { cwd }), 2, /export of tillbox/)
  expect(readFileSync(file, 'utf8')).toBe('my notes')
})
