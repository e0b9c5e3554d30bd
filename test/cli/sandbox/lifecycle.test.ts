import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/server/server.ts'
import { isLive } from '../../../src/shared/files/live-process.ts'
import { binary, launchBinary, runBinary } from '../../support/commands/binary.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import type { CommandLine } from '../../support/commands/command-line.ts'
import { fails, parseNdjson, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { salePath } from '../../support/service/requests.ts'
import { apiHeaders, sale, temporaryFolder } from '../../support/service/service.ts'
import { lockText } from '../../support/store/locks.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** A process that ended, and that nobody waited for, does not run. */
const isRunning = (pid: number): boolean => isLive({ pid })

/** Ends what a test left behind in the background. */
const endAfterwards = (pid: number) =>
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })

/** Runs a command in this process; the sandbox that it starts in the background is a process all the same. */
const inProcess: typeof runBinary = (args, { cwd, env } = {}) =>
  runCommand(args, { ...(cwd !== undefined && { cwd }), env: { TMPDIR: tmpdir(), ...env } })

/** `sandbox start --detach --json` on a free port. */
async function detached(args: readonly string[] = [], cwd = scratchFolder(), env = {}, start = inProcess) {
  const command = ['sandbox', 'start', '--detach', '--port', '0', '--json', ...args]
  const stdout = await prints(start(command, { cwd, env }))
  const started = JSON.parse(stdout)
  endAfterwards(started.pid)
  const run = (command: CommandLine) => runCommand(command, { cwd })
  const json = async (command: string) => JSON.parse((await run(`${command} --json`)).stdout)
  return { ...started, cwd, run, json }
}

/** Has the process in the background run code before everything else. */
const inBackground = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`if(process.argv.includes('--detached-process'))${code}`)}`,
})

test('--detach shows what the start reported, and the log has it, too', async () => {
  const cwd = scratchFolder()
  const state = join(cwd, '.tillbox')
  mkdirSync(state)
  chmodSync(state, 0o770)
  const { code, stdout, stderr } = await inProcess(
    ['sandbox', 'start', '--detach', '--port', '0', '--json', '--host', '0.0.0.0', '--token', 'generate'],
    { cwd },
  )
  const { reports, pid, logFile } = JSON.parse(stdout)
  endAfterwards(pid)
  expect([code, reports]).toEqual([0, undefined])
  for (const text of [stderr.replace(/\s+/g, ' '), readFileSync(logFile, 'utf8')]) {
    expect(text).toContain('may be written to by the group that owns it')
    expect(text).toContain('other hosts can reach the sandbox at')
  }
  expect(stderr).not.toContain('Listening')
})

test('a sandbox in the background: its log, its status, a second start, wrong flags of a restart, its stop', async () => {
  const sandbox = await detached([], scratchFolder(), {}, runBinary) // its end, and that of its output, are waited for
  expect(sandbox).toMatchObject({
    runs: 'background',
    dashboard: `${sandbox.url}/`,
    logFile: join(sandbox.cwd, '.tillbox/sandbox.log'),
  })
  expect(statSync(sandbox.logFile).mode & 0o777).toBe(0o600)
  expect((await sandbox.run('sale --amount 10.00')).code).toBe(0)
  expect(readFileSync(sandbox.logFile, 'utf8')).toMatch(/Listening at .*\n.*POST .*transaction\/sale 200 0/)
  const printed = sandbox.run('sandbox status')
  await prints(printed, `${sandbox.pid}   in the background, up`, sandbox.logFile, /started with +--port 0\n/)

  const texts = [sandbox.url, `process ${sandbox.pid}`, 'stop it with']
  for (const mode of ['--detach', '--quiet', '--json']) {
    const { stdout } = await fails(sandbox.run(`sandbox start --port 0 ${mode}`), 2, ...texts)
    if (mode === '--json') expect(JSON.parse(stdout).error.message).toContain(String(sandbox.pid))
    else expect(stdout).toBe('')
  }
  await fails(sandbox.run('sandbox restart --pace fast'), 2, '--pace fast')
  expect((await sandbox.run('sandbox wait')).code).toBe(0)

  const { pid, url, state } = sandbox
  expect(await sandbox.json('sandbox stop')).toEqual({ status: 'stopped', pid, url, state, kept: true })
  expect(isRunning(sandbox.pid)).toBe(false)
  expect(existsSync(join(sandbox.state, 'lock.json'))).toBe(false)
  const again = await prints(sandbox.run('sandbox stop'), /No sandbox runs on .*\/\.tillbox\./)
  expect(again).not.toContain('sandbox start')
  expect((await sandbox.run('sandbox restart')).code).toBe(3)
})

test('a restart with what cannot start leaves the sandbox running as it was', async () => {
  const sandbox = await detached(['--pace', '1'], scratchFolder(), {})
  expect((await sandbox.run('sale --amount 10.00')).code).toBe(0)
  writeFileSync(join(sandbox.cwd, 'wrong.yaml'), 'nothing: 1\n')
  const refused = await sandbox.run('sandbox restart --fixtures wrong.yaml')
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing: is unknown')])
  expect(refused.stderr).not.toContain('The sandbox runs again')
  const { port } = new URL(await foreignServer((_, response) => response.end('hello')))
  const failed = await sandbox.run(`sandbox restart --port ${port}`)
  expect([failed.code, failed.stderr]).toEqual([
    2,
    expect.stringContaining(`Port ${port} on 127.0.0.1 is taken`),
  ])
  expect(failed.stderr).toContain('The sandbox runs again with the flags that it had.')
  const { url, start, stored } = await sandbox.json('sandbox status')
  expect([url, start.pace, start.fixtures, stored.transactions]).toEqual([sandbox.url, '1', undefined, 1])
})

test('status shows what was set at the start, without secrets', async () => {
  const url = 'http://me:secret-1@127.0.0.1:9/hook?key=secret-2'
  const flags = ['--strict', '--retries', 'fast', '--set', 'extras=false', '--notify-url', url]
  const secrets = ['--token', 'secret-token-0123456789', '--api-key', 'secret-key-01']
  const sandbox = await startSandboxCommand([...flags, ...secrets])
  const shown = (await sandbox.run('sandbox status')).stdout.replace(/\s+/g, ' ')
  expect(shown).toMatch(/started with .*--strict/)
  for (const flag of ['--retries fast', '--set extras=false', "--token '***'", "--api-key '***'"])
    expect(shown).toContain(flag)
  const { start } = await sandbox.json('sandbox status')
  expect(start).toMatchObject({ strict: true, retries: 'fast', set: ['extras=false'], token: '***' })
  expect(start['notify-url']).toBe('http://***@127.0.0.1:9/hook?***')
  expect(JSON.stringify(start)).not.toContain('secret-')
  expect((await sandbox.json(`sandbox status --base-url ${sandbox.url}`)).start).toEqual(start)
})

test('a start that is refused says why as one in a window does, with its exit code, and leaves no folder', async () => {
  const { port } = await openReceiver()
  const cwd = scratchFolder()
  const start = ['sandbox', 'start', '--json', '--port', String(port)]
  expect((await inProcess(start, { cwd })).code).toBe(2)
  expect(readdirSync(cwd)).toEqual([])
  const texts = [
    'leave --port out: the sandbox of a folder takes the next free one',
    `Port ${port} on 127.0.0.1 is taken`,
  ]
  const { stdout } = await fails(inProcess([...start, '--detach'], { cwd }), 2, ...texts)
  expect(JSON.parse(stdout)).toMatchObject({ error: { exitCode: 2, field: 'port' } })
  const env = inBackground(`process.on('exit',()=>{process.exitCode=3})`) // as where its log cannot be written
  await fails(inProcess([...start, '--detach'], { cwd, env }), 2, ...texts)
  expect(readdirSync(cwd)).toEqual([])
})

test('a start that dies without a message reports its exit code and the last lines of its log', async () => {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, 'tillbox-ephemeral-other'))
  writeFileSync(join(cwd, 'tillbox-ephemeral-other/journal'), 'kept')
  const command = 'sandbox start --detach --port 0 --state tillbox-ephemeral-other'
  const env = inBackground(`{console.error('out of luck');process.exit(7)}`)
  const texts = ['The sandbox ended with exit code 7 before it was ready', 'out of luck', 'sandbox.log']
  await fails(inProcess(command, { cwd, env }), 7, ...texts)
  expect(readFileSync(join(cwd, 'tillbox-ephemeral-other/journal'), 'utf8')).toBe('kept')
})

test('a start with --ephemeral that fails removes its own folder, and no other', async () => {
  const TMPDIR = scratchFolder()
  mkdirSync(join(TMPDIR, 'tillbox-ephemeral-other'))
  const env = { TMPDIR, ...inBackground(`process.kill(process.pid,'SIGKILL')`) }
  await fails(runBinary('sandbox start --detach --port 0 --ephemeral', { env }), 1, 'SIGKILL')
  const ours = readdirSync(TMPDIR).filter((name) => name !== 'node-compile-cache') // of Node 22 and later
  expect(ours).toEqual(['tillbox-ephemeral-other'])
})

test('--ephemeral uses a temporary folder, which a stop removes', async () => {
  const sandbox = await detached(['--ephemeral'])
  expect(statSync(sandbox.state).mode & 0o777).toBe(0o700)
  await prints(sandbox.run(`sandbox stop --state ${sandbox.state}`), 'its temporary state was removed')
  expect(existsSync(sandbox.state)).toBe(false)
})

test('restart keeps port, flags, key, token and URLs, with no secret on a command line; given flags win, and --no-… turns a switch off', async () => {
  const [key, token] = ['tbx_own_key_0123456789', 'own-token-0123456789']
  const [notifyUrl, forwardTo] = ['http://me:own-password@localhost:9/', 'http://localhost:9/?key=own-query']
  const cwd = scratchFolder()
  const lock = () => JSON.parse(readFileSync(join(cwd, '.tillbox/lock.json'), 'utf8'))
  const flags = ['--strict', '--https', '--retries', 'fast', '--pace', '7', '--set', 'extras=false']
  const urls = ['--notify-url', notifyUrl, '--forward-to', forwardTo]
  const env = { TILLBOX_SANDBOX_API_KEY: key, TILLBOX_TOKEN: token }
  const start = ['sandbox', 'start', '--detach', '--port', '0', '--quiet', ...flags, ...urls]
  expect(await inProcess(start, { cwd, env })).toMatchObject({ code: 0, stdout: '', stderr: '' })
  const first = lock()
  endAfterwards(first.pid)
  const { code, stdout } = await inProcess(
    'sandbox restart --pace 0 --no-strict --no-https --set extras=true --forward-to http://localhost:10/ --json',
    { cwd },
  )
  const second = JSON.parse(stdout)
  endAfterwards(second.pid)
  expect([code, second.url]).toEqual([0, first.url.replace('https:', 'http:')])
  expect([second.stopped.pid, second.apiKey]).toEqual([first.pid, '…6789'])
  expect(second.pid).not.toBe(first.pid)
  const run = (line: string) => runCommand(line, { cwd })
  const status = JSON.parse((await run('sandbox status --json')).stdout)
  expect(status).toMatchObject({ notifyUrl, forwardTo: 'http://localhost:10/' })
  expect(lock().start).toMatchObject({
    ...{ retries: 'fast', pace: '0', strict: false, https: false },
    ...{ set: ['extras=false', 'extras=true'], 'api-key': key, token },
  })
  if (process.platform === 'linux') {
    const typed = readFileSync(`/proc/${second.pid}/cmdline`, 'utf8')
    expect(typed).toContain('--retries=fast')
    for (const secret of [key, token, 'own-password', 'own-query']) expect(typed).not.toContain(secret)
  }
  expect(await run('sandbox stop --quiet')).toMatchObject({ code: 0, stdout: '' })
})

test('stop leaves alone a sandbox within another program', async () => {
  const state = temporaryFolder()
  const running = await startSandbox({ state })
  onTestFinished(() => running.close())
  await fails(runCommand(`sandbox stop --state ${state}`), 1, 'another program runs it in its own process')
  expect((await runCommand(`sandbox wait --state ${state}`)).code).toBe(0)
})

/** A process that is not a sandbox, and a lock that names it. */
async function planted(more: object) {
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  onTestFinished(() => void bystander.kill('SIGKILL'))
  const state = temporaryFolder()
  const lock = { pid: bystander.pid, id: 'planted', url: 'http://127.0.0.1:9', ...more }
  writeFileSync(join(state, 'lock.json'), lockText(state, lock), { mode: 0o600 })
  return { bystander, stop: ['sandbox', 'stop', '--state', state, '--timeout', '0s'] }
}

test.each([
  ['nothing answers', async () => ({}), 'only a sandbox that answers'],
  ['another sandbox answers', async () => ({ url: (await startSandboxCommand()).url }), ''],
  ['it is still starting', async () => ({ url: undefined }), 'still starting'],
])('stop leaves alone a process with the id of the lock when %s', async (_, lock, message) => {
  const told: { url?: string | undefined } = await lock()
  const { bystander, stop } = await planted(told)
  await fails(runCommand(stop), 3, message)
  if (told.url) expect((await fetch(`${told.url}/_sandbox/health`)).status).toBe(200)
  expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null])
})

test('--quiet prints nothing; sandbox stop stops it, and its payments are kept', async () => {
  const launched = launchBinary('sandbox start --port 0 --quiet')
  const { cwd } = launched
  expect((await runCommand('sandbox wait --timeout 60s --state .tillbox', { cwd })).code).toBe(0)
  expect((await runCommand('sale --amount 10.00', { cwd })).code).toBe(0)
  expect((await runCommand('sandbox stop', { cwd })).code).toBe(0)
  expect(await launched.ended()).toEqual({ code: 0, signal: null, stdout: '', stderr: '' })
  const after = await startSandboxCommand([], { cwd })
  expect((await after.json('sandbox status')).stored.transactions).toBe(1)
})

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 0],
  ['SIGHUP', 129],
] as const)('%s ends a sandbox with --ephemeral with %d, and nothing is left', async (signal, code) => {
  const sandbox = await startSandboxCommand('--ephemeral', { env: { TILLBOX_STATE: 'named' } })
  expect(sandbox.state).toContain('tillbox-ephemeral-') // which TILLBOX_STATE does not change
  expect(readdirSync(sandbox.cwd)).toEqual([])
  expect(await sandbox.stop(signal)).toMatchObject({ code, signal: null })
  expect(existsSync(sandbox.state)).toBe(false)
})

test('a sandbox ends in order when nobody reads its output any more', async () => {
  const cwd = scratchFolder()
  const args = [binary, 'sandbox', 'start', '--port', '0', '--json', '--forward-to', 'http://127.0.0.1:1']
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: cwd } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const { url, apiKey, state } = JSON.parse(String((await once(child.stdout, 'data'))[0]))
  const ended = once(child, 'exit')
  child.stderr.destroy()
  const body = JSON.stringify(sale(1000))
  await fetch(url + salePath, { method: 'POST', headers: apiHeaders(apiKey), body }) // it reports that nothing listens
  expect(await ended).toEqual([0, null])
  expect(existsSync(join(state, 'lock.json'))).toBe(false)
})

test('a sandbox ends with its parent: npm and npx, even with a shell in between, and any other one by withParent', async () => {
  const shell = `"${process.execPath}" "${binary}" sandbox start --port 0 --json`
  const starts = [
    [`${shell}; true`, { npm_command: 'exec' }],
    [`${shell} --set withParent=true; true`, {}],
  ].map(([line, env]) => {
    const cwd = scratchFolder()
    return [['-c', line], { cwd, env: { HOME: cwd, ...(env as object) }, stdio: 'inherit' }]
  })
  const script = `for (const start of ${JSON.stringify(starts)}) require('child_process').spawn('sh', ...start)`
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  let output = ''
  parent.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await expect.poll(() => parseNdjson(output)).toHaveLength(2)
  const sandboxes = parseNdjson(output)
  for (const { pid } of sandboxes) endAfterwards(pid)
  parent.kill('SIGKILL')
  await once(parent.stdout, 'close') // by the end of all who have it
  for (const { pid, state } of sandboxes) {
    await expect.poll(() => isRunning(pid)).toBe(false)
    expect(existsSync(join(state, 'lock.json'))).toBe(false)
  }
})

test('sandbox wait returns once a sandbox that is started meanwhile is ready', async () => {
  const cwd = scratchFolder()
  const wait = 'sandbox wait --timeout 60s --state .tillbox --json'
  const waiting = startCommand(wait, { cwd })
  const sandbox = await startSandboxCommand([], { cwd })
  const { code, stdout } = await waiting.ended()
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ status: 'ready', url: sandbox.url, state: sandbox.state })
})

test('sandbox wait and stop give up a sandbox that hangs at their own timeout, and the remedies end it', async () => {
  const sandbox = await detached()
  process.kill(sandbox.pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(sandbox.pid, 'SIGCONT'))
  const commands = ['sandbox wait', `sandbox wait --base-url ${sandbox.url}`, 'sandbox stop']
  for (const command of commands)
    await fails(sandbox.run(`${command} --timeout 1s`), 3, 'no answer within 1 s')
  await fails(sandbox.run('sandbox stop --timeout 1s'), 3, `kill -9 ${sandbox.pid}`)
  await fails(sandbox.run('sandbox start --port 0'), 2, 'is in use by process', `kill -CONT ${sandbox.pid}`)
})

test('a restart reads tillbox.config.json of its project again, wherever it is typed', async () => {
  const cwd = folderWith({ 'tillbox.config.json': '{ "sandbox": { "likeProduction": true } }' })
  const sandbox = await detached([], cwd)
  expect((await sandbox.json('sandbox status')).preset).toBe('like-production')
  writeFileSync(join(cwd, 'tillbox.config.json'), '{ "sandbox": { "likeProduction": true, "extras": true } }')
  const elsewhere = folderWith({ 'tillbox.config.json': '{ "sandbox": { "strict": true } }' })
  const restarted = await inProcess(`sandbox restart --json --state ${sandbox.state}`, { cwd: elsewhere })
  endAfterwards(JSON.parse(restarted.stdout).pid)
  expect(JSON.parse(restarted.stdout).preset).toBe('like-production, but extras true')
  expect((await sandbox.json('sandbox status')).start).not.toHaveProperty('set')
})

test('sandbox wait ends with 3 at the timeout, and says why', async () => {
  const refused = runCommand('sandbox wait --timeout 50ms --state x')
  await fails(refused, 3, 'No sandbox was ready at x within 0.05 s', 'No sandbox runs on the state folder x')
})

test('sandbox open and terminal open only print the URL where the output is not a terminal window', async () => {
  const sandbox = await startSandboxCommand('--token own-token-0123456789')
  const { code, stdout, stderr } = await sandbox.run('sandbox open')
  expect([code, stdout, stderr]).toEqual([0, `${sandbox.url}/\n`, expect.stringContaining('?token=…')])
  expect(stderr).not.toContain('own-token')
  expect(await sandbox.json('sandbox open')).toEqual({ url: `${sandbox.url}/`, opened: false })
  const url = `${sandbox.url}/terminal/TBX-ATTENDED-001`
  expect(await sandbox.json('terminal open TBX-ATTENDED-001')).toEqual({ url, opened: false })
  await sandbox.fails('terminal open NOPE', 1, 'NOPE')
})

test.each([
  ['the built-in one', {}, '', 'tbx_sandbox_5f3c9a71e24b4d08'],
  [
    'that of TILLBOX_SANDBOX_API_KEY',
    { TILLBOX_SANDBOX_API_KEY: 'tbx_own_key_01234' },
    '',
    'tbx_own_key_01234',
  ],
  [
    'the first line of --api-key @file',
    { TILLBOX_SANDBOX_API_KEY: 'x' },
    '--api-key @key',
    'tbx_file_key_01234',
  ],
])('the key of a sandbox is %s, never that of TILLBOX_API_KEY', async (_, more, flags, key) => {
  const cwd = folderWith({ key: 'tbx_file_key_01234\r\nmore\n' })
  const env = { TILLBOX_API_KEY: 'tbx_real_key_0123456789', ...more }
  const sandbox = await startSandboxCommand(flags, { cwd, env })
  expect((await sandbox.json('sandbox env')).TILLBOX_API_KEY).toBe(key)
})

test('the panel does not show a key of your own in full', async () => {
  const shown = await startCommand('sandbox start --port 0 --api-key tbx_own_key_01234').until(/Ctrl-C/)
  expect(shown).toMatch(/API key +…1234\n/)
  expect(shown).not.toContain('tbx_own_key')
})
