import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { examineNode } from '../../../src/cli/doctor/diagnose.ts'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { runCommand } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { folderWith, scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** A port at which nobody listens. */
const nowhere = '1'

/** What each check found, by its name, and the exit code. */
async function doctor(
  cwd: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<AnyJson> {
  const settings = { TILLBOX_PORT: nowhere, ...env }
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...args], { cwd, env: settings })
  expect(stderr).toBe('')
  const { ok: isWell, checks } = JSON.parse(stdout)
  expect(code).toBe(isWell ? 0 : 1)
  const found = checks.map(({ check, ...finding }: { check: string }) => [check, finding])
  return { code, ...Object.fromEntries(found) }
}

const beside = ({ cwd }: LaunchedSandbox, ...more: [args?: string[], env?: Record<string, string>]) =>
  doctor(cwd, ...more)

test('without a sandbox doctor names the start command, and skips what needs a sandbox', async () => {
  expect(await doctor(scratchFolder())).toMatchObject({
    code: 1,
    node: { status: 'ok' },
    port: { status: 'ok', text: `${nowhere} is free` },
    service: { status: 'failed', fix: expect.stringContaining('tillbox sandbox start') },
    clock: { status: 'skipped', text: 'not checked: the check of the service failed' },
    key: { status: 'skipped' },
    webhook: { status: 'skipped' },
  })
})

test('with a sandbox every check but that of a receiver passes, and nothing is changed', async ({
  sandbox,
}) => {
  const report = await beside(sandbox)
  expect(report).toMatchObject({
    code: 0,
    'state folder': { status: 'ok', text: expect.stringContaining('is sound') },
    service: { status: 'ok', text: expect.stringContaining(sandbox.url) },
    clock: { status: 'ok' },
    key: { status: 'ok', text: expect.stringContaining(sandbox.merchantId) },
    webhook: { status: 'skipped' },
  })
  expect(report.key.text).not.toContain(sandbox.apiKey)
  expect(await sandbox.json('sandbox status')).toMatchObject({ stored: { transactions: 0 } })
  const there = { TILLBOX_PORT: String(sandbox.port) }
  expect(Object.keys(await beside(sandbox, [], there))).not.toContain('port') // it is the sandbox's
  await sandbox.json('sandbox fault http-503 --operation merchant-query --times 1')
  expect((await beside(sandbox)).key).toMatchObject({
    status: 'skipped',
    fix: expect.stringContaining('fault --clear'),
  })
})

test('doctor shows a line for each check, with the fix below it, and names what was not checked', async ({
  sandbox,
}) => {
  const { stdout, code } = await runCommand('doctor', { env: { TILLBOX_PORT: nowhere } })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^✓ node {10}Node\.js \d/)
  expect(stdout).toMatch(/^✗ service .*\n {16}do {2}Start a sandbox: tillbox sandbox start/m)
  expect(stdout).toMatch(/^– clock .*the check of the service failed$/m)
  expect(stdout).toMatch(/\n\n1 failed: service; 3 passed; 3 not checked: clock, key, webhook\n$/)
  const well = await runCommand('doctor', { cwd: sandbox.cwd, env: { TILLBOX_PORT: nowhere } })
  expect(well.code).toBe(0)
  expect(well.stdout).toMatch(/\n\n5 passed; 1 not checked: webhook\n$/)
})

test('doctor finds a refused key, and an unknown merchant', async ({ sandbox }) => {
  expect(await beside(sandbox, ['--api-key', 'unknown-key-of-nobody'])).toMatchObject({
    code: 1,
    key: { status: 'failed', fix: expect.stringContaining('tillbox whoami') },
  })
  expect((await beside(sandbox, ['--merchant-id', 'M-UNKNOWN'])).key).toMatchObject({ status: 'failed' })
})

test('settings that no command can use end doctor, as they end a command', async () => {
  const cwd = folderWith({ 'tillbox.config.json': '{ "apiKey": "no" }' })
  const { code, stderr } = await runCommand('doctor', { cwd, env: { TILLBOX_PORT: nowhere } })
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('apiKey') })
})

test('an older Node.js fails, and so does a state folder that cannot be written', async () => {
  expect(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')).engines.node,
  ).toBe('^20.19.0 || ^22.13.0 || >=24')
  for (const [version, status] of Object.entries({
    ...{ '20.18.9': 'failed', '20.19.0': 'ok', '21.9.0': 'failed', '22.12.0': 'failed' },
    ...{ '22.13.0': 'ok', '23.9.0': 'failed', '24.0.0': 'ok', '26.1.0': 'ok' },
  }))
    expect([version, examineNode(version).status]).toEqual([version, status])
  const cwd = scratchFolder()
  writeFileSync(join(cwd, '.tillbox'), '')
  expect((await doctor(cwd))['state folder']).toMatchObject({ status: 'failed' })
})

test('doctor checks another service by its Date header and a look-up with the key', async () => {
  const requests: string[] = []
  const url = await foreignServer(({ url: path, method }, response) => {
    requests.push(`${method} ${path?.split('?')[0]}`)
    const data = { merchantId: 'M7', terminals: [{ sn: 'T1' }] }
    response.setHeader('Date', new Date(Date.now() - 3_600_000).toUTCString())
    response.setHeader('Content-Type', 'application/json')
    if (path?.startsWith('/_sandbox')) response.writeHead(404).end('<html>')
    else response.end(JSON.stringify({ code: '0', msg: 'Success', data }))
  })
  const service = ['--base-url', url, '--api-key', 'key-of-the-service', '--merchant-id', 'M7']
  expect(await doctor(scratchFolder(), service)).toMatchObject({
    service: { status: 'ok', text: `Another service answers at ${url}` },
    clock: { status: 'failed', text: expect.stringMatching(/is (59 min 59 s|1 h|1 h 1 s) ahead/) },
    key: { status: 'ok', text: expect.stringContaining('M7') },
  })
  expect(requests.filter((each) => !each.startsWith('GET '))).toEqual([])
})

test('doctor says that another program holds the usual port, and that a start takes the next one', async () => {
  const url = await foreignServer((_, response) => response.end('hello'))
  const { port } = new URL(url)
  const report = await doctor(scratchFolder(), [], { TILLBOX_PORT: port })
  expect(report.port).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('takes the next free port'),
  })
})

test('doctor finds a damaged state folder', async ({ sandbox }) => {
  await sandbox.json('sale --amount 10.00')
  await sandbox.stop()
  const path = join(sandbox.state, 'state.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"SALE"/, '"SAL3"'))
  expect(await beside(sandbox)).toMatchObject({
    'state folder': { status: 'failed', fix: 'tillbox sandbox verify' },
    service: { status: 'failed' },
  })
})

describe('doctor --webhook-url', () => {
  const url = (receiver: { url: string }) => ['--webhook-url', `${receiver.url}/hook`]

  test('a receiver that verifies is sent one wrong and one right notification, both marked as a test', async () => {
    const sandbox = await startSandboxCommand()
    const { secret } = await sandbox.json('webhook secret')
    const receiver = await openReceiver(({ headers, body }, response) => {
      response.writeHead(verifyWebhook({ headers, body }, secret, Date.now()).valid ? 200 : 401).end()
    })
    expect(await beside(sandbox, url(receiver))).toMatchObject({
      code: 0,
      webhook: { status: 'ok', text: expect.stringContaining('refuses a wrong signature with 401') },
    })
    expect(receiver.arrivals.map(({ json }) => json)).toMatchObject([{ test: true }, { test: true }])
    expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(2)
    expect((await sandbox.json('sandbox status')).stored.transactions).toBe(0)
  })

  test.each([
    [200, 'accepts a webhook with a wrong signature'],
    [401, 'answers HTTP 401 to a genuine webhook'],
    [204, 'answers HTTP 204 to a genuine webhook, not 200'],
  ])('a receiver that always answers %i fails', async (status, text) => {
    const sandbox = await startSandboxCommand()
    expect(await beside(sandbox, url(await openReceiver(status)))).toMatchObject({
      code: 1,
      webhook: { status: 'failed', text: expect.stringContaining(text) },
    })
  })

  test('the URL of the sandbox is the default; one that is not on this machine is not called', async () => {
    const receiver = await openReceiver(200)
    const sandbox = await startSandboxCommand(`--notify-url ${receiver.url}/own`)
    expect((await beside(sandbox)).webhook.text).toContain(`${receiver.url}/own`)
    await receiver.close()
    expect((await beside(sandbox)).webhook).toMatchObject({ status: 'failed' })
    const elsewhere = await beside(sandbox, ['--webhook-url', 'https://shop.example/hook'])
    const text = expect.stringContaining('is not on this machine')
    expect(elsewhere.webhook).toMatchObject({ status: 'skipped', text })
    expect(receiver.arrivals).toHaveLength(2)
  })

  test('without a sandbox the secret of the environment signs; without that nothing is sent', async () => {
    const receiver = await openReceiver(401)
    const cwd = scratchFolder()
    expect((await doctor(cwd, url(receiver))).webhook).toMatchObject({ status: 'skipped' })
    expect(receiver.arrivals).toHaveLength(0)
    await doctor(cwd, url(receiver), { TILLBOX_WEBHOOK_SECRET: 'whsec_mine' })
    const [, right] = receiver.arrivals
    expect(right && verifyWebhook(right, 'whsec_mine', Date.now())).toEqual({ valid: true })
  })
})
