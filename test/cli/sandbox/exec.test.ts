import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { binary, runBinary } from '../../support/commands/binary.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'

/** A command that runs as Node code. */
const node = (code: string): string[] => ['--', process.execPath, '-e', code]

/** A shell in which `tillbox` is the binary. */
const shell = (script: string): string[] => [
  '--',
  'sh',
  '-c',
  `tillbox() { "${process.execPath}" "${binary}" "$@"; }; ${script}`,
]

/** A command that writes a value of its own to a file: what it prints goes past the command in this process. */
const tells = (value: string): string[] =>
  node(`require('fs').writeFileSync('told.json', JSON.stringify(${value}))`)
const told = (cwd: string) => JSON.parse(readFileSync(join(cwd, 'told.json'), 'utf8'))

const environment =
  'Object.fromEntries(Object.entries(process.env).filter(([name]) => /^TILLBOX|CA_CERTS/.test(name)))'

test('the command gets the settings of its sandbox, and none of another one', async () => {
  const cwd = scratchFolder()
  const env = {
    TILLBOX_STATE: 'other',
    TILLBOX_BASE_URL: 'http://other',
    TILLBOX_PROFILE: 'live',
    TILLBOX_SPACE: 'other',
    TILLBOX_OWN: '1',
  }
  expect((await runCommand(['exec', ...tells(environment)], { cwd, env })).code).toBe(0)
  const { TILLBOX_STATE: state, ...variables } = told(cwd)
  expect(variables).toEqual({
    TILLBOX_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    TILLBOX_API_KEY: 'tbx_sandbox_5f3c9a71e24b4d08',
    TILLBOX_APP_ID: 'tbxapp0000000001',
    TILLBOX_MERCHANT_ID: 'M1000000001',
    TILLBOX_TERMINAL_SN: 'TBX-AUTO-001',
    TILLBOX_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
    TILLBOX_OWN: '1',
  })
  expect(state).toContain('tillbox-ephemeral-')
  expect(existsSync(state)).toBe(false)
  expect(readdirSync(cwd)).toEqual(['told.json'])
})

test('commands find the sandbox without a setting, even with a token and TLS', async () => {
  const flags = ['--token', 'own-token-0123456789', '--https']
  const commands = shell('tillbox sale --amount 10.00 && tillbox sandbox status')
  const ofZone = /created {6}\S+ \S+ UTC\n/ // its sandbox tells it
  await prints(runBinary(['exec', ...flags, ...commands]), 'SUCCESS', 'for tillbox exec', ofZone)
})

test('a folder of --state is kept, and locked while the command runs', async () => {
  const cwd = scratchFolder()
  const waits = node(
    "const wait = setInterval(() => require('fs').existsSync('go') && clearInterval(wait), 20)",
  )
  const running = startCommand(['exec', '--state', 'kept', ...waits], { cwd })
  const run = (line: string) => runCommand(`${line} --state kept`, { cwd })
  await expect.poll(async () => (await run('sandbox wait')).code).toBe(0)
  expect((await run('sale --amount 10.00 --no-wait')).code).toBe(0)
  await fails(run('sandbox start --port 0'), 2, 'is in use by process')
  await fails(run('sandbox stop'), 1, 'It stops when that command ends')
  writeFileSync(join(cwd, 'go'), '')
  expect((await running.ended()).code).toBe(0)
  const { stdout } = await run('sandbox verify --json')
  expect(JSON.parse(stdout)).toMatchObject({ sound: true, transactions: 1, holder: null })
})

test.each([
  ['0', 'process.exit(0)', 0],
  ['128 and the signal', 'process.kill(process.pid, "SIGKILL")', 137],
])('the exit code is that of the command: %s', async (_, code, expected) => {
  expect((await runCommand(['exec', ...node(code)])).code).toBe(expected)
})

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
test.each(signals)('%s reaches the command, and nothing is left behind', async (signal) => {
  const cwd = scratchFolder()
  const code = `process.on('${signal}', () => process.exit(9)); setInterval(() => {}, 1000)`
  const tell = "require('fs').writeFileSync('state', process.env.TILLBOX_STATE)"
  const running = startCommand(['exec', ...node(`${code}; ${tell}`)], { cwd })
  await expect.poll(() => existsSync(join(cwd, 'state'))).toBe(true)
  const state = readFileSync(join(cwd, 'state'), 'utf8')
  expect((await running.stop(signal)).code).toBe(9)
  expect(existsSync(state)).toBe(false)
})

test('a command that does not exist ends with 127, one that is not after -- with 2, and a --json after it belongs to the command', async () => {
  await fails(runCommand('exec -- no-such-command'), 127, 'there is no such command')
  const closed = scratchFolder()
  onTestFinished(() => chmodSync(closed, 0o700)) // so that it can be removed
  chmodSync(closed, 0) // the system then says EACCES, except to root
  const PATH = `${closed}:${process.env.PATH}`
  await fails(runCommand('exec -- no-such-command', { env: { PATH } }), 127, 'there is no such command')
  await fails(
    runCommand(['exec', '--', 'no such']),
    127,
    "which 'no such'. For a line of the shell: sh -c 'no such'",
  )
  await fails(runCommand('coverage'), 2, 'Write it after --: tillbox coverage -- npm test')
  const { code, stdout } = await runCommand('exec -- no-such-command --json')
  expect([code, stdout]).toEqual([127, ''])
})

test.each([
  [['one', 'two', 'three', 'one']],
  [['--', '--reporter=dot', '--']],
  [['own', '--quiet', '--state', 'own']],
])('the command gets its words as they were typed: %j', async (words) => {
  const cwd = scratchFolder()
  const command = [...tells('process.argv.slice(1)'), '--', ...words]
  await runCommand(['exec', '--state', 'own', ...command], { cwd })
  expect(told(cwd)).toEqual(words)
})

const [key, token] = ['tbx_own_key_0123456789', 'own-token-0123456789']
const sale =
  'tillbox sale --amount 10.00 --notify-url http://user:hidden-password@127.0.0.1:9/hook?token=hidden-token'

test('with --artifacts a command that fails leaves requests, deliveries, timelines and the log, without a secret', async () => {
  const cwd = folderWith({ 'key.txt': key })
  const flags = ['--artifacts', 'out', '--api-key', '@key.txt', '--token', token]
  const script = `${sale}; echo "$TILLBOX_WEBHOOK_SECRET" > secret.txt; curl -s "$TILLBOX_BASE_URL/$TILLBOX_API_KEY" > page.html; exit 5`
  const failed = runCommand(['exec', ...flags, ...shell(script)], { cwd })
  await fails(failed, 5, 'The state of its sandbox is kept in out')
  const read = (name: string) => readFileSync(join(cwd, 'out', name), 'utf8')
  const [first] = JSON.parse(read('requests.har')).log.entries
  expect(first.request.postData.text).toContain('orderAmount')
  const id = first._transactionId
  expect(JSON.parse(read('deliveries.json')).deliveries).toEqual([
    expect.objectContaining({ transactionId: id, tries: [expect.objectContaining({ status: null })] }),
  ])
  expect(readdirSync(join(cwd, 'out/timelines'))).toEqual([`${id}.txt`])
  expect(read(`timelines/${id}.txt`)).toContain('asked for approval')
  expect(read('sandbox.log')).toMatch(/POST .*\/sale 200 0/)
  const secret = readFileSync(join(cwd, 'secret.txt'), 'utf8').trim()
  const names = ['requests.har', 'deliveries.json', `timelines/${id}.txt`, 'sandbox.log']
  for (const hidden of [key, token, secret, 'hidden-password', 'hidden-token'])
    expect([hidden, names.filter((name) => read(name).includes(hidden))]).toEqual([hidden, []])
})

test('with --artifacts a command that succeeds leaves nothing; a folder that cannot be made does not hide how it ended', async () => {
  const cwd = scratchFolder()
  await runCommand(['exec', '--artifacts', 'out', ...node('')], { cwd })
  expect(existsSync(join(cwd, 'out'))).toBe(false)
  writeFileSync(join(cwd, 'file'), '')
  const failed = runCommand(['exec', '--artifacts', 'file', ...node('process.exit(5)')], { cwd })
  await fails(failed, 5, 'could not be written to file')
})

test('a command that never called its sandbox gets a notice, even if it succeeded', async () => {
  const cwd = scratchFolder()
  const notice =
    "No payment request reached this sandbox; tests of tillbox/vitest or tillbox/jest use it with connect: 'env'. See docs/ci.md\n"
  const run = async (...args: string[]) => {
    const { code, stderr } = await runCommand(['exec', ...args], { cwd })
    return [code, stderr]
  }
  const failed = await run('--artifacts', 'out', ...node('process.exit(5)'))
  expect(failed).toEqual([5, expect.stringContaining(notice)])
  expect(failed).not.toEqual([5, expect.stringContaining('is in out')])
  expect(await run(...node(''))).toEqual([0, expect.stringContaining(notice)])
  expect(await run('--quiet', ...node(''))).toEqual([0, ''])
})

const fail = node('process.exit(5)')
const modeOf = (path: string) => statSync(path).mode & 0o777

test('the folder of artifacts is for its owner alone, even if it existed before', async () => {
  const cwd = scratchFolder()
  mkdirSync(join(cwd, 'out'))
  writeFileSync(join(cwd, 'out/requests.har'), 'earlier', { mode: 0o644 })
  linkSync(join(cwd, 'out/requests.har'), join(cwd, 'other'))
  for (const folder of ['out', 'new']) await runCommand(['exec', '--artifacts', folder, ...fail], { cwd })
  for (const folder of ['new', 'new/timelines', 'out/timelines'])
    expect(modeOf(join(cwd, folder))).toBe(0o700)
  for (const file of ['out/requests.har', 'new/requests.har', 'new/deliveries.json', 'new/sandbox.log'])
    expect(modeOf(join(cwd, file))).toBe(0o600)
  expect(readFileSync(join(cwd, 'out/requests.har'), 'utf8')).not.toContain('earlier')
  expect(readFileSync(join(cwd, 'other'), 'utf8')).toBe('earlier')
})

test.each([
  ['out', ''],
  ['out/requests.har', 'file'],
  ['out/sandbox.log', 'file'],
])('a link in place of %s is refused, and nothing is written where it leads', async (path, target) => {
  const [cwd, elsewhere] = [scratchFolder(), folderWith({ file: 'mine' })]
  if (path !== 'out') mkdirSync(join(cwd, 'out'))
  symlinkSync(join(elsewhere, target), join(cwd, path))
  await fails(runCommand(['exec', '--artifacts', 'out/', ...fail], { cwd }), 5, 'links are never followed')
  expect(readdirSync(elsewhere)).toEqual(['file'])
  expect(readFileSync(join(elsewhere, 'file'), 'utf8')).toBe('mine')
})
