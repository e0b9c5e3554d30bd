import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runBinary } from '../support/commands/binary.ts'
import { runCommand, startCommand } from '../support/commands/command.ts'
import { fails, prints, untilStderr } from '../support/commands/launched.ts'
import { startSandboxCommand, test } from '../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../support/commands/scratch.ts'

const sale = ['sale', '--amount', '10.00']
const colour = String.fromCharCode(27)

test('TILLBOX_BASE_URL, TILLBOX_API_KEY and TILLBOX_MERCHANT_ID choose the sandbox, the application and the merchant', async () => {
  const sandbox = await startSandboxCommand()
  const elsewhere = await prints(runCommand([...sale, '--json'], { env: { TILLBOX_BASE_URL: sandbox.url } }))
  const { transactionId } = JSON.parse(elsewhere)
  expect((await sandbox.json(`query ${transactionId}`)).transactionId).toBe(transactionId)
  await prints(runCommand(`query ${transactionId}`, { env: { TILLBOX_BASE_URL: `${sandbox.url}/` } }))
  const second = { TILLBOX_BASE_URL: sandbox.url, TILLBOX_API_KEY: 'tbx_sandbox_second_7e5d3b1f90' }
  await prints(sandbox.run([...sale, '--json'], second), '"terminalSn": "TBX-OTHER-001"')
  expect((await sandbox.run(sale, { ...second, TILLBOX_MERCHANT_ID: 'M2000000001' })).code).toBe(0)
  const refused = sandbox.run(sale, { ...second, TILLBOX_MERCHANT_ID: 'M1000000001' })
  await fails(refused, 1, 'belongs to another application')
  const flag = [...sale, '--merchant-id', 'M2000000001']
  expect((await sandbox.run(flag, { ...second, TILLBOX_MERCHANT_ID: 'M1000000001' })).code).toBe(0)
})

test('without a home there are no settings of a user, and nothing is kept in the working folder', async () => {
  const cwd = scratchFolder()
  const run = (...args: string[]) => runCommand(args, { cwd, env: { HOME: '' } })
  await prints(run('whoami'))
  await prints(run('profile', 'list'))
  const set = run('profile', 'set', 'x', '--base-url', 'http://127.0.0.1:9')
  await fails(set, 2, 'Set HOME, or XDG_CONFIG_HOME')
  const sandbox = await startSandboxCommand()
  const listening = startCommand(`listen --base-url ${sandbox.url}`, { cwd, env: { HOME: '' } })
  await untilStderr(listening, /Listening/)
  await listening.stop('SIGTERM')
  expect(readdirSync(cwd)).toEqual([])
})

test('a folder of settings that is closed to this user has none, and cannot be changed', async () => {
  const cwd = folderWith({ closed: '' })
  const env = { XDG_CONFIG_HOME: join(cwd, 'closed') }
  await prints(runCommand('whoami', { cwd, env }))
  const set = runCommand('profile set x --base-url http://127.0.0.1:9', { cwd, env })
  await fails(set, 2, 'Your settings are kept in')
})

test('a working folder that is gone is said, and no bug', async () => {
  const before = 'mkdir gone; cd gone; rmdir ../gone'
  for (const line of ['sandbox status', '--help', 'sale --amount 1.00'])
    await fails(runBinary(line, { before }), 2, '✗ The working folder is gone')
})

test('empty variables count as not set', async () => {
  const ofStart = { TILLBOX_STORE: '', TILLBOX_TOKEN: '', TILLBOX_NOTIFY_URL: '', TILLBOX_STATE: '' }
  const sandbox = await startSandboxCommand([], { env: ofStart })
  expect(sandbox.state).toBe(join(sandbox.cwd, '.tillbox'))
  const env = { TILLBOX_BASE_URL: '', TILLBOX_API_KEY: '', TILLBOX_TERMINAL_SN: '', TILLBOX_MERCHANT_ID: '' }
  expect((await sandbox.run(sale, env)).code).toBe(0)
})

test.each([['a mistyped flag', [...sale, '--wat', '1']]])(
  'NODE_ENV does not matter: %s',
  async (_, command) => {
    const sandbox = await startSandboxCommand()
    const resultWith = async (NODE_ENV: string) => {
      const { code, stderr } = await sandbox.run(command, { NODE_ENV })
      return { code, stderr: stderr.replace(/traceId .*/, '') }
    }
    const plain = await resultWith('')
    for (const name of ['test', 'development', 'production']) expect(await resultWith(name)).toEqual(plain)
  },
)

test.each(['70000', 'abc', '-1'])('TILLBOX_PORT=%s is wrong usage', async (port) => {
  const env = { TILLBOX_PORT: port }
  for (const command of ['query 1', 'sandbox start'])
    await fails(runCommand(command, { env }), 2, `✗ TILLBOX_PORT ${port} is not a port`)
})

test('NO_COLOR beats FORCE_COLOR, and --json has no colours', async () => {
  const { cwd } = await startSandboxCommand()
  const hasColours = async (args: string[], env: Record<string, string>) => {
    const { stdout, stderr } = await runBinary(args, { cwd, env })
    return (stdout + stderr).includes(colour)
  }
  expect(await hasColours(['query', '1'], { FORCE_COLOR: '1' })).toBe(true)
  expect(await hasColours(['query', '1'], { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
  expect(await hasColours([...sale, '--json'], { FORCE_COLOR: '1' })).toBe(false)
})

test('NODE_EXTRA_CA_CERTS makes every command trust another sandbox by its own certificate', async () => {
  const [{ cwd }, other] = [await startSandboxCommand('--https'), await startSandboxCommand('--https')]
  const { certificate } = JSON.parse(other.output().stdout)
  const env = { NODE_EXTRA_CA_CERTS: certificate }
  expect((await runBinary([...sale, '--base-url', other.url], { cwd, env })).code).toBe(0)
  const { transactionId } = await other.json(sale)
  const named = await runBinary(`query ${transactionId}`, { env: { ...env, TILLBOX_BASE_URL: other.url } })
  expect(named.code).toBe(0)
})

test('api authentication-3, authentication-7: a wrong key is refused with its flag and where the right key is, a key of production as one of another environment', async () => {
  const sandbox = await startSandboxCommand()
  const texts = ['The API key is unknown', 'field --api-key', 'tillbox sandbox env', 'HTTP 401']
  const { stderr } = await sandbox.fails([...sale, '--api-key', 'tbx_sandbox_mistyped'], 1, ...texts)
  expect(stderr).not.toContain('tbx_sandbox_mistyped')
  const env = { TILLBOX_BASE_URL: sandbox.url, TILLBOX_API_KEY: 'tbx_production_9b1d6e40c8a74f25' }
  const { stderr: ofProduction } = await fails(sandbox.run(sale, env), 1, 'belongs to another environment')
  expect(ofProduction).not.toContain('tbx_production_9b1d6e40c8a74f25')
})

test('api service-2: neither a key nor a card number is shown by a failure', async ({ sandbox }) => {
  const [key, live, card] = ['tbx_sandbox_5f3c9a71e24b4d08', 'sk_live_0123456789', '4111111111111111']
  const failures = await Promise.all([
    sandbox.run([...sale, '--set', `description=${card}`, '--json']),
    sandbox.run([...sale, '--set', `attach=card ${card}`, '--api-key', key]),
    sandbox.run([...sale, '--set', `tipConfig={"pan": "${card}"}`]),
    sandbox.run([...sale, '--set', `paymentMethod={"pan": "${card}"`, '--api-key', key]),
    sandbox.run([...sale, '--set', `attach=${card}`, '--api-key', key, '--wat'], { DEBUG: '1' }),
    sandbox.run([...sale, '--reference-order-id', `${card}%`]),
    sandbox.run([...sale, '--reference-order-id', `${live}%`]),
    sandbox.run([...sale, '--api-key', key, '--base-url', 'http://127.0.0.1:1']),
    sandbox.run(`query 1 --api-key ${key}`, { DEBUG: '1' }),
  ])
  for (const { code, stdout, stderr } of failures) {
    expect(code).toBeGreaterThan(0)
    for (const secret of [key, live, card]) expect(stdout + stderr).not.toContain(secret)
  }
  expect(failures[0]?.stderr).toContain('card data')
  expect((await sandbox.json('sandbox status')).stored.transactions).toBe(0)
})
