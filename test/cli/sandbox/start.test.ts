import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
} from '../../../src/contract/control/sandbox-options.ts'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import { runCommand, startCommand } from '../../support/commands/command.ts'
import { fails, prints } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const sale = ['sale', '--amount', '10.00']

test('--json prints exactly one line with how to connect', async ({ sandbox }) => {
  expect((await sandbox.send('GET', '/_sandbox/health')).status).toBe(200)
  const connection = JSON.parse(await prints(sandbox.stop(), /^[^\n]+\n$/))
  const url = `http://127.0.0.1:${connection.port}`
  expect(connection).toMatchObject({ url, pid: sandbox.pid, state: `${sandbox.cwd}/.tillbox` })
  expect(connection.terminals).toContain('TBX-ATTENDED-001')
})

test('the panel for people has URL, key, terminals, where webhooks go, and three commands that work', async () => {
  const [own, all] = ['http://127.0.0.1:9/own', 'http://127.0.0.1:9/all']
  const started = startCommand(`sandbox start --port 0 --notify-url ${own} --forward-to ${all}`)
  const panel = await started.until(/Ctrl-C/)
  expect(panel).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
  expect(panel).toContain('tbx_sandbox_5f3c9a71e24b4d08')
  for (const name of ['AUTO', 'ATTENDED', 'OFFLINE', 'BUSY', 'CANCEL', 'SLOW', 'DECLINE', 'TIP20', 'LATE'])
    expect(panel).toContain(`TBX-${name}-001`)
  expect(panel).not.toContain('TBX-OTHER-001')
  expect(panel).toMatch(new RegExp(`notify URL +${own}\n +forwards to +${all}\n`))
  const commands = [...panel.matchAll(/^ +tillbox (.+)$/gm)].map(([, command]) => String(command).split(' '))
  expect(commands).toHaveLength(3)
  const codes = await Promise.all(
    commands.map((command) => runCommand(command, { cwd: started.cwd }).then(({ code }) => code)),
  )
  expect(codes).toEqual([0, 4, 0])
})

async function expectFailure(flags: string, text: string): Promise<void> {
  const failed = startCommand(`sandbox start --json ${flags}`)
  const { stdout } = await fails(failed.ended(), 2, text)
  expect(JSON.parse(stdout)).toMatchObject({ error: { exitCode: 2, remedy: expect.stringMatching(/./) } })
  expect(existsSync(join(failed.cwd, '.tillbox', 'lock.json'))).toBe(false)
  const after = await startSandboxCommand([], { cwd: failed.cwd })
  expect((await after.run(sale)).code).toBe(0)
}

test.each([[''], ['--https']])(
  'a start on a taken port or an address of another machine ends, and frees the folder: %j',
  async (flag) => {
    const { port } = await openReceiver()
    await expectFailure(`--port ${port} ${flag}`, `Port ${port}`)
    await expectFailure(`--port 0 --host 192.0.2.1 --token generate ${flag}`, '--host')
  },
)

const onAnother = '--https --host 127.0.0.2'
/** Other systems have 127.0.0.1 alone. */
const onLinux = test.runIf(process.platform === 'linux')

onLinux('the certificate names another address, and a client that trusts it is served', async () => {
  const sandbox = await startSandboxCommand(onAnother)
  const ca = readFileSync(JSON.parse(sandbox.output().stdout).certificate, 'utf8')
  expect(sandbox.url).toBe(`https://127.0.0.2:${sandbox.port}`)
  const certificate = new X509Certificate(ca)
  expect(certificate.checkIP('127.0.0.2')).toBe('127.0.0.2')
  expect(certificate.checkIP('127.0.0.3')).toBeUndefined()
  const health = await sandbox.send('GET', '/_sandbox/health', { ca })
  expect(health.envelope.data.pid).toBe(sandbox.pid)
  expect((await sandbox.run(sale)).code).toBe(0)
  expect((await sandbox.json('sandbox status')).url).toBe(sandbox.url)
})

onLinux('a certificate without the address is made anew, and one that has it stays', async () => {
  const { cwd, ...first } = await startSandboxCommand('--https')
  const { certificate } = JSON.parse(first.output().stdout)
  const plain = readFileSync(certificate, 'utf8')
  await first.stop()
  const second = await startSandboxCommand(onAnother, { cwd })
  const both = readFileSync(certificate, 'utf8')
  expect(both).not.toBe(plain)
  expect((await second.run(sale)).code).toBe(0)
  await second.stop()
  const third = await startSandboxCommand('--https', { cwd })
  expect(readFileSync(certificate, 'utf8')).toBe(both)
  expect((await third.run(sale)).code).toBe(0)
})

test('api authentication-2: --https serves TLS 1.2 or higher, and the command line trusts it without a setting', async () => {
  const sandbox = await startSandboxCommand('--https')
  const printed = JSON.parse(sandbox.output().stdout)
  expect(printed.url).toMatch(/^https:\/\//)
  const ca = readFileSync(printed.certificate, 'utf8')
  expect((await sandbox.send('GET', '/_sandbox/health', { ca })).envelope.data.pid).toBe(sandbox.pid)
  await expect(sandbox.send('GET', '/_sandbox/health')).rejects.toThrow()

  const { transactionId } = await sandbox.json(sale)
  expect((await sandbox.run('sandbox status')).code).toBe(0)
  const refused = runCommand(`query ${transactionId}`, { env: { TILLBOX_BASE_URL: sandbox.url } })
  await fails(refused, 3, 'NODE_EXTRA_CA_CERTS')
})

test('--https is trusted by every command, by each name of loopback, and another service is not', async () => {
  const [sandbox, other] = [await startSandboxCommand('--https'), await startSandboxCommand('--https')]
  const commands = [sale, [...sale, '--api-key', sandbox.apiKey], ['sandbox', 'status']]
  for (const command of commands) {
    const local = await sandbox.run([...command, '--base-url', `https://localhost:${sandbox.port}`])
    expect([command, local.code, local.stderr]).toEqual([command, 0, ''])
    expect([command, (await sandbox.run([...command, '--base-url', other.url])).code]).toEqual([command, 3])
  }
})

test('--dialect sdk answers the nested record; the command line shows it in the same way', async () => {
  const sandbox = await startSandboxCommand('--set dialect=sdk')
  const record = await sandbox.json(sale)
  expect(record.amount).toMatchObject({ transAmount: 1000, priceCurrency: 'USD' })
  expect(record.batchNo).toBe('1')
  expect(record.orderAmount).toBeUndefined()
  await sandbox.prints(`query ${record.transactionId}`, '10.00 USD', /batch\s+1\n/)
  expect((await sandbox.json(`refund ${record.transactionId} --amount 4.00`)).amount.transAmount).toBe(400)
})

test('--api-key is accepted in place of the one of the fixture, and is not printed', async () => {
  const sandbox = await startSandboxCommand('--api-key tbx_sandbox_mine')
  expect(sandbox.apiKey).toBe('tbx_sandbox_…mine')
  expect((await sandbox.json('sandbox env')).TILLBOX_API_KEY).toBe('tbx_sandbox_mine')
  expect((await sandbox.run(sale)).code).toBe(0)
  await sandbox.fails([...sale, '--api-key', 'tbx_sandbox_5f3c9a71e24b4d08'], 1, 'is unknown')
})

test.each([
  [[] as string[], /^[0-9a-f]{64}$/],
  [['--set', 'signatureEncoding=base64'], /^[\w+/]{43}=$/],
])('webhooks are sent with %j, to --notify-url or to the URL of the request', async (flags, shape) => {
  const [target, own] = [await openReceiver(), await openReceiver()]
  const sandbox = await startSandboxCommand(['--notify-url', `${target.origin}/all?x=1`, ...flags])
  await sandbox.json('sale --amount 10.00')
  await sandbox.json(`sale --amount 10.00 --notify-url ${own.url}`)
  const [post] = await target.got(1)
  await own.got(1)
  expect([target.arrivals.length, own.arrivals.length]).toEqual([1, 1])
  expect([post?.path, own.arrivals[0]?.path]).toEqual(['/all?x=1', '/hook'])
  expect(post?.headers['x-signature']).toMatch(shape)
  const { secret } = await sandbox.json('webhook secret')
  const encoding = flags.length > 0 ? 'base64' : 'hex'
  expect(post && verifyWebhook(post, secret, Date.now(), { encoding })).toEqual({ valid: true })
})

test('a name is not looked up at the start, an address that is allowed may be any', async () => {
  const hosts = ['192.0.2.2', '[2001:DB8::1]', 'SHOP.example']
  const allowed = hosts.map((host) => `--allow-webhook-host ${host}`).join(' ')
  for (const host of ['192.0.2.2', '[2001:db8::1]', 'shop.example', 'other.example'])
    await startSandboxCommand(`--notify-url http://${host}/a --forward-to http://${host}/ ${allowed}`)
})

/** A folder of a project with these settings. */
const projectWith = (settings: object) => folderWith({ 'tillbox.config.json': JSON.stringify(settings) })

const startRecordOf = (state: string) => JSON.parse(readFileSync(join(state, 'lock.json'), 'utf8')).start

test('sandbox start takes them from tillbox.config.json, with fixtures from its folder', async () => {
  const cwd = projectWith({ sandbox: { likeProduction: true, extras: true, fixtures: 'own.json' } })
  const outcomes = [{ name: 'approve', message: 'Thank you' }]
  writeFileSync(join(cwd, 'own.json'), JSON.stringify({ outcomes }))
  const sandbox = await startSandboxCommand([], { cwd })
  expect(sandbox.preset).toBe('like-production, but extras true')
  expect(startRecordOf(sandbox.state)).not.toHaveProperty('set') // a restart reads the file again
  expect((await sandbox.json('sale --amount 10.00')).transactionResultMsg).toBe('Thank you')
})

test('a flag wins over --set, and --set over the file', async () => {
  const cwd = projectWith({ sandbox: { strict: true, likeProduction: true, extras: true, charset: 'note' } })
  const flags = '--no-strict --set strict=true --set charset=refuse'
  expect((await startSandboxCommand(flags, { cwd })).preset).toBe('like-production, but extras true')
})

test('the panel names the files of the project, from a folder within it, too', async () => {
  const cwd = projectWith({ sandbox: { strict: true } })
  writeFileSync(join(cwd, 'tillbox.drift.json'), '{ "accepted": [] }')
  mkdirSync(join(cwd, 'sub'))
  const started = startCommand('sandbox start --port 0 --ephemeral', { cwd: join(cwd, 'sub') })
  const panel = await started.until(/Ctrl-C/)
  await started.stop()
  expect(panel).toContain(`options of   ${cwd}/tillbox.config.json, ${cwd}/tillbox.drift.json\n`)
})

test('exec takes them too', async () => {
  const cwd = projectWith({ sandbox: { strict: true } })
  const script =
    "fetch(process.env.TILLBOX_BASE_URL + '/_sandbox/connection').then((answer) => answer.text())" +
    ".then((text) => require('fs').writeFileSync('connection.json', text))"
  await prints(runCommand(['exec', '--quiet', '--', process.execPath, '-e', script], { cwd }))
  expect(JSON.parse(readFileSync(join(cwd, 'connection.json'), 'utf8')).data.preset).toBe('strict')
})

test.each([
  [{ captureTip: 5000 }, 'sandbox.captureTip must be at most 1000'],
  [{ capturetip: 5 }, 'sandbox.capturetip is not a setting'],
  [{ notifyUrl: 'http://127.0.0.1:1/' }, 'sandbox.notifyUrl is not a setting'],
])('%j in the file is refused with its name', async (sandbox, message) => {
  await fails(runCommand('sandbox start --port 0', { cwd: projectWith({ sandbox }) }), 2, message)
})

test('every option is said once, and every flag is the flag of one option', () => {
  const rows = Object.values({ ...behaviourOptions, ...accessOptions, ...addressOptions })
  const names = rows.flatMap((row) => ('flag' in row && row.flag !== undefined ? [row.flag.name] : []))
  expect(new Set(names).size).toBe(names.length)
  for (const { what } of rows) expect(what).toMatch(/^\S.{10,}[^.]$/)
})
