import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTerminal, runCommand } from '../support/commands/command.ts'
import { fails, prints } from '../support/commands/launched.ts'
import {
  type LaunchedSandbox,
  leftByKill,
  startSandboxCommand,
  test,
} from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'

const sale = ['sale', '--amount', '10.00']

/** What would show that a command reached the sandbox after all. */
async function traceOf(sandbox: LaunchedSandbox) {
  const { stored, clock, terminals } = await sandbox.json('sandbox status')
  const settings = terminals.map(({ screen: _, ...others }: { screen: string }) => others) // a result is shown for a while
  return { transactions: stored.transactions, offset: clock.offsetMs, frozen: clock.frozen, settings }
}

/** Every command that takes --state and could do harm to the wrong sandbox, or tell of it. */
const commands = [
  ['sandbox', 'reset', '--yes'],
  ['sandbox', 'status'],
  ['sandbox', 'clock', '--advance', '1d'],
  ['sandbox', 'clock', '--freeze'],
  sale,
  ['void', '1'],
]

test('a folder on which no sandbox runs ends with 3, and a sandbox beside it is left alone', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sale)
  const before = await traceOf(sandbox)
  const other = await startSandboxCommand()
  const killed = leftByKill(other)
  await other.stop()
  const empty = join(sandbox.cwd, 'empty')
  mkdirSync(empty)
  for (const state of [empty, 'nowhere', other.state, killed.state])
    for (const command of commands) {
      const named = [...command, '--state', state, '--json']
      const { stdout, stderr } = await sandbox.fails(named, 3, `tillbox sandbox start --state ${state}`)
      expect(JSON.parse(stdout).error).toMatchObject({ exitCode: 3 })
      expect(stdout + stderr).not.toContain(sandbox.url)
    }
  const env = { TILLBOX_STATE: scratchFolder() }
  for (const command of commands) expect((await sandbox.run(command, env)).code).toBe(3)
  expect(readdirSync(empty)).toEqual([])
  expect(existsSync(join(sandbox.cwd, 'nowhere'))).toBe(false)
  expect(await traceOf(sandbox)).toEqual(before)
})

test('a payment says on standard error which sandbox the default port leads to; a look-up says so on a terminal alone; doctor finds the same', async () => {
  const { port, url, state } = await startSandboxCommand()
  const options = { cwd: scratchFolder(), env: { TILLBOX_PORT: String(port) } }
  const named = `This folder belongs to no project; the sandbox used is the one at ${url}, state ${state}`
  expect(await runCommand(sale, options)).toMatchObject({ code: 0, stderr: `! ${named}\n` })
  expect((await runCommand([...sale, '--json'], options)).stderr).toBe(`! ${named}\n`)
  for (const command of ['list', 'list --json', 'sandbox status', 'sale --amount 10.00 --quiet'])
    await prints(runCommand(command, options))
  const terminal = openTerminal('list', { ...options, columns: 300 })
  expect(await terminal.ended).toBe(0)
  expect(terminal.written()).toContain(named)
  const { checks } = JSON.parse((await runCommand('doctor --json', options)).stdout)
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'service', text: expect.stringContaining(`another folder: ${state}`) }),
  )
})

/** Commands that change a sandbox, each by another control operation or another way to it. */
const changes = [
  'sandbox reset --yes',
  'sandbox reset',
  'sandbox clock --advance 1d',
  'sandbox snapshot save one',
  'sandbox snapshot restore one --yes',
  'sandbox snapshot remove one --yes',
  'sandbox fault http-503',
  'sandbox fault http-503 --until 1h',
  'sandbox fault --clear',
  'sandbox key rotate',
  'sandbox key allow-ip 127.0.0.1',
  'sandbox import state.jsonl --yes',
  'terminal set TBX-AUTO-001 --label Till',
  'terminal queue TBX-AUTO-001 do-not-honor',
  'terminal offline TBX-AUTO-001',
  'terminal remove TBX-AUTO-001',
  'merchant add M-2',
  'webhook hold',
  'webhook secret --rotate',
  'webhook resend @last',
  'webhook send @last',
  'space create one',
  'space remove one',
  'token create one --scope viewer',
  'token revoke one',
  'api POST /_sandbox/reset',
  'trigger host-timeout',
  'sandbox env',
  'void @last',
  'refund @last --amount 1.00',
  'tip-adjust @last --tip-amount 1.00',
  'batch close --yes',
  'checkout pay @last',
  'terminal cancel TBX-ATTENDED-001',
  'terminal sign TBX-ATTENDED-001',
]

test('a command that changes a sandbox refuses one of another folder that nobody named, and says both ways on', async () => {
  const sandbox = await startSandboxCommand()
  await prints(sandbox.run('sandbox export state.jsonl'))
  await sandbox.json(sale)
  const before = await traceOf(sandbox)
  const cwd = folderWith({ 'state.jsonl': readFileSync(join(sandbox.cwd, 'state.jsonl'), 'utf8') })
  const options = { cwd, env: { TILLBOX_PORT: String(sandbox.port) } }
  for (const line of changes) {
    const { stderr } = await fails(
      runCommand(line, options),
      3,
      'No sandbox runs on the state folder ./.tillbox',
    )
    expect([line, stderr]).toEqual([line, expect.not.stringContaining('belongs to no project')])
    const whole = stderr.replace(/\s+/g, ' ')
    expect([line, whole]).toEqual([line, expect.stringContaining(`${sandbox.url} is of another folder`)])
    expect(whole).toContain(`Name that one with --state ${sandbox.state}, or --base-url ${sandbox.url}`)
  }
  expect(await traceOf(sandbox)).toEqual(before)
  await prints(runCommand(`sandbox reset --yes --base-url ${sandbox.url}`, options))
})

test('in a terminal window, too, the refusal alone names the sandbox of another folder, and no question comes before it', async () => {
  const { port, url, state } = await startSandboxCommand()
  const cwd = folderWith({ 'state.jsonl': '' })
  const options = { cwd, env: { TILLBOX_PORT: String(port) }, columns: 300 }
  for (const line of changes.filter((each) => !each.includes('import'))) {
    const window = openTerminal(line, options)
    expect([line, await window.ended]).toEqual([line, 3])
    expect([line, window.written().split(state).length - 1]).toEqual([line, 2]) // with the --state that names it
    expect(window.written()).toContain(`The one at ${url} is of another folder: ${state}\n`)
  }
})

test('a wait does not take a sandbox of another folder for its own', async () => {
  const { port, url } = await startSandboxCommand()
  const options = { cwd: scratchFolder(), env: { TILLBOX_PORT: String(port) } }
  await fails(runCommand('sandbox wait --timeout 1s', options), 3, `The one at ${url} is of another folder`)
  const started = expect.stringContaining('sandbox start --detach')
  expect((await runCommand('sandbox wait --timeout 50ms', options)).stderr.replace(/\s+/g, ' ')).toEqual(
    started,
  )
})

test('an agent changes no sandbox of another folder that nobody named', async () => {
  const sandbox = await startSandboxCommand()
  await sandbox.json(sale)
  const before = await traceOf(sandbox)
  const call = (id: number, name: string, input: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })
  const input = [
    call(1, 'reset', { space: 'default' }),
    call(2, 'set_fault', { kind: 'http-503' }),
    call(3, 'get_status', {}),
  ].join('\n')
  const asked = (...more: string[]) =>
    runCommand(['mcp', ...more], {
      cwd: scratchFolder(),
      env: { TILLBOX_PORT: String(sandbox.port) },
      stdin: `${input}\n`,
    })
  const { stdout, stderr } = await asked()
  const named = `This folder belongs to no project; the sandbox used is the one at ${sandbox.url}, state ${sandbox.state}`
  expect(stderr).toBe(`! ${named}\n`)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { 1: reset, 2: fault, 3: status } = Object.fromEntries(answers.map((each) => [each.id, each.result]))
  for (const refused of [reset, fault])
    expect([refused.isError, refused.content[0].text]).toEqual([
      true,
      expect.stringContaining(`The one at ${sandbox.url} is of another folder`),
    ])
  expect(status.isError).not.toBe(true)
  expect(await traceOf(sandbox)).toEqual(before)
  expect((await sandbox.json('sandbox fault')).faults ?? []).toEqual([])
  expect((await asked('--base-url', sandbox.url)).stderr).toBe('')
})

test('a project whose sandbox does not run never uses the one on the usual port; doctor says the same', async () => {
  const { port, url } = await startSandboxCommand()
  const cwd = scratchFolder()
  mkdirSync(join(cwd, '.tillbox'), { mode: 0o700 })
  const options = { cwd, env: { TILLBOX_PORT: String(port) } }
  for (const line of ['list', 'sale --amount 10.00', 'sandbox reset --yes']) {
    const texts = [
      "This project's sandbox does not run",
      join(cwd, '.tillbox'),
      'Start it: tillbox sandbox start',
    ]
    const { stdout, stderr } = await fails(runCommand(line, options), 3, ...texts)
    expect(stdout + stderr).not.toContain(url)
  }
  const { checks } = JSON.parse((await runCommand('doctor --json', options)).stdout)
  expect(checks).toContainEqual(expect.objectContaining({ check: 'service', status: 'failed' }))
})

test('nothing is said where a state, a URL or the folder names the sandbox', async ({ sandbox }) => {
  const options = { cwd: scratchFolder(), env: { TILLBOX_PORT: String(sandbox.port) } }
  for (const named of [`--state ${sandbox.state}`, `--base-url ${sandbox.url}`])
    await prints(runCommand(`sale --amount 10.00 ${named}`, options))
  await prints(sandbox.run(sale, options.env))
})

test('a folder on which another sandbox runs means that one, not the local one', async () => {
  const [here, there] = [await startSandboxCommand(), await startSandboxCommand()]
  await here.json(sale)
  await there.json(sale)
  const before = await traceOf(here)
  const named = ['--state', there.state]
  expect((await here.json(['sandbox', 'status', ...named])).url).toBe(there.url)
  expect(await here.json(['sandbox', 'reset', '--yes', ...named])).toEqual({
    status: 'reset',
    transactions: 1,
  })
  await here.json(['sandbox', 'clock', '--freeze', ...named])
  expect(await traceOf(there)).toMatchObject({ transactions: 0, frozen: true })
  expect(await traceOf(here)).toEqual(before)
})
