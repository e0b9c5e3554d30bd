import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openTerminal, runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const sale = '/v1/semi-integration/transaction/sale'

test('a path is called with the usual headers, has the data of a GET in its query, and stays a path where it looks like a host', async () => {
  const sandbox = await startSandboxCommand()
  const stdout = await sandbox.prints('api get v1/merchant/query', /^\{"code":"0".*\}$/)
  expect(JSON.parse(stdout).data.merchantId).toBe(sandbox.merchantId)
  const { transactionId } = await sandbox.json('sale --amount 10.00')
  const { data } = await sandbox.json(`api get /v1/transaction/query -d transactionId=${transactionId}`)
  expect(data.transactionId).toBe(transactionId)
  const { url } = await sandbox.json('api get @attacker.example/x --dry-run')
  expect(url).toBe(`${sandbox.url}/@attacker.example/x`)
})

test('the body has the formats of an answer, and its times stay as they were sent', async () => {
  const body = { at: 1795159696581, list: [1] }
  const url = await foreignServer(({ url: path }, response) => {
    response.end(path === '/none' ? 'null' : JSON.stringify(body))
  })
  const get = async (...words: string[]) =>
    (await runCommand(['api', 'get', ...words, '--base-url', url, '--api-key', 'k'])).stdout
  expect(JSON.parse(await get('/x', '--json'))).toEqual(body)
  expect(await get('/x', '--output', 'csv', '--fields', 'at')).toBe('at\r\n1795159696581\r\n')
  expect(await get('/x', '--quiet')).toBe('')
  expect(await get('/none', '--json')).toBe('null\n')
})

test('data nests and keeps its types, and members that are text stay text', async ({ sandbox }) => {
  const data = [
    'amount.orderAmount=1000',
    'amount.priceCurrency=USD',
    'transactionRequestId=123456',
    'referenceOrderId=100200',
    'tipConfig.suggestions.values:=[15]',
    'tipConfig.onScreenTip=true',
    'paymentMethod:={"category":"CARD"}',
    'note=7',
    'absent=null',
    'exact=1.0',
    'long=12345678901234567890',
  ].flatMap((each) => ['-d', each])
  expect((await sandbox.json(['api', 'post', sale, ...data, '--dry-run'])).body).toEqual({
    amount: { orderAmount: 1000, priceCurrency: 'USD' },
    transactionRequestId: '123456',
    referenceOrderId: '100200',
    tipConfig: { suggestions: { values: [15] }, onScreenTip: true },
    paymentMethod: { category: 'CARD' },
    note: 7,
    absent: null,
    exact: '1.0',
    long: '12345678901234567890',
  })
  expect((await sandbox.json(['api', 'post', sale, ...data])).code).toBe('0')
})

test('on a terminal the body is indented, and its control characters have no effect', async () => {
  for (const [body, shown] of [
    ['{"code":"0","msg":"\u009b2J","traceId":""}', /"msg": "\\u009b2J"/],
    ['<html>\u001b]0;owned\u0007', /␛\]0;owned/],
  ] as const) {
    const url = await foreignServer((_, response) => response.end(body))
    const args = ['api', 'get', '/x', '--base-url', url, '--api-key', 'some-key-of-mine-1']
    const window = openTerminal(args, { cwd: scratchFolder() })
    await window.ended
    expect(window.written()).toMatch(shown)
    for (const active of ['\u009b', '\u001b]0']) expect(window.written()).not.toContain(active)
  }
})

test('--input is sent as the body, and data is added to it and wins', async ({ sandbox }) => {
  const file = join(sandbox.cwd, 'body.json')
  writeFileSync(file, '{"amount": {"orderAmount": 1, "priceCurrency": "USD"}, ')
  expect((await sandbox.json(`api post ${sale} --input ${file}`, 1)).code).toBe('SBX_BAD_JSON')
  writeFileSync(file, '{"amount": {"orderAmount": 1, "priceCurrency": "USD"}, "attach": "x"}')
  const { body } = await sandbox.json(`api post ${sale} --input ${file} -d amount.orderAmount=2 --dry-run`)
  expect(body).toEqual({ amount: { orderAmount: 2, priceCurrency: 'USD' }, attach: 'x' })
  const given = { cwd: sandbox.cwd, stdin: '{"a": 1}' }
  const { stdout } = await runCommand(`api post ${sale} --input - --dry-run --json`, given)
  expect(JSON.parse(stdout).body).toEqual({ a: 1 })
})

test('headers replace or remove the usual ones, and --include shows those of the answer', async () => {
  const sandbox = await startSandboxCommand()
  const get = ['api', 'get', '/v1/merchant/query']
  const { headers } = await sandbox.json([...get, '-H', 'x-timestamp: 1', '-H', 'Content-Type:', '--dry-run'])
  expect(headers).toMatchObject({ 'x-timestamp': '1' })
  for (const name of ['X-Timestamp', 'Content-Type']) expect(headers).not.toHaveProperty(name)
  const late = await sandbox.fails([...get, '-H', 'X-Timestamp: 1', '--include'], 1, 'SBX_TIME')
  expect(late.stdout).toMatch(/^HTTP \d{3}\ncontent-type: application\/json\n/)
  const document = await sandbox.json('api get /v1/merchant/query --include')
  expect(document).toMatchObject({ status: 200, body: { code: '0' } })
})

test('the exit code is 1 for a refusal, with the body on standard output, and 3 for an answer of another API', async () => {
  const sandbox = await startSandboxCommand()
  const refused = await sandbox.fails(`api post ${sale} -d amount=0`, 1, '✗')
  expect(JSON.parse(refused.stdout).code).toBe('C17')
  const url = await foreignServer((_, response) => response.end('<html>'))
  const key = `--base-url ${url} --api-key some-key-of-mine-1`
  const foreign = await runCommand(`api get /x ${key}`)
  expect([foreign.code, foreign.stdout]).toEqual([3, '<html>'])
})

test.each([
  ['/_sandbox/reset'],
  ['/%5Fsandbox/reset'],
  ['/v1/../_sandbox/reset'],
  ['/v1/..\\_sandbox/reset'],
])('%s is not sent to another service', async (path) => {
  const paths: (string | undefined)[] = []
  const url = await foreignServer((request, response) => {
    paths.push(request.url)
    response.end('{}')
  })
  const line = `api post ${path} --base-url ${url} --api-key some-key-of-mine-1`
  await fails(runCommand(line), 2, 'needs a tillbox sandbox')
  expect(paths.join()).not.toContain('reset')
})

test('a change at a live service needs --live, and a look-up does not', async () => {
  const url = await foreignServer((_, response) => response.end('{"code":"0","msg":"","traceId":""}'))
  const cwd = scratchFolder()
  const env = { XDG_CONFIG_HOME: cwd, TILLBOX_API_KEY: 'sk_live_0123456789', TILLBOX_BASE_URL: url }
  await runCommand(`profile set prod --base-url ${url} --live`, { cwd, env })
  const run = (...args: string[]) => runCommand(['api', ...args, '--profile', 'prod'], { cwd, env })
  await fails(run('post', '/v1/anything'), 2, '--live')
  expect((await run('post', '/v1/anything', '--live')).code).toBe(0)
  expect((await run('get', '/v1/anything')).code).toBe(0)
})
