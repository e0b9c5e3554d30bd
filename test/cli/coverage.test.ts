import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { binary } from '../support/commands/binary.ts'
import { runCommand } from '../support/commands/command.ts'
import { fails } from '../support/commands/launched.ts'
import { folderWith } from '../support/commands/scratch.ts'
import { projectRoot } from '../support/project.ts'

/** The code of a merchant, which calls the payment API by itself. */
const merchant = `import http from 'node:http'
const call = async (method, path, members, more = {}) => {
  const headers = {
    'Authorization': 'Bearer ' + process.env.TILLBOX_API_KEY,
    'Content-Type': 'application/json',
    'X-Client-Request-Id': crypto.randomUUID(),
    'X-Timestamp': String(Date.now()),
    ...more,
  }
  const body = members && JSON.stringify({ transactionRequestId: crypto.randomUUID(), ...members })
  return (await fetch(process.env.TILLBOX_BASE_URL + path, { method, headers, body })).json()
}
const sell = (more) =>
  call('POST', '/v1/semi-integration/transaction/sale', { amount: 1000, priceCurrency: 'USD' }, more)
if (process.env.PORT)
  http
    .createServer(async (_, response) => {
      const { data } = await sell()
      await call('GET', '/v1/transaction/query?transactionId=' + data.transactionId)
      response.end('{}')
    })
    .listen(process.env.PORT)
else for (const fault of process.argv.slice(2)) await sell({ 'X-Sandbox-Fault': fault }).catch(() => {})
`

const sale = `name: A sale
server: { start: exec node shop.mjs }
steps:
  - sale: { amount: 10.00 USD }
    expect: { status: approved }
  - server request: POST /sale
`

const node = (code: string) => ['--', process.execPath, '-e', code]

const cover = (cwd: string, ...args: string[]) => runCommand(['coverage', ...args], { cwd })

test('sandboxes of tillbox test count, and nothing is said of the unused one', async () => {
  const cwd = folderWith({ 'sale.yaml': sale, 'shop.mjs': merchant })
  const args = ['--reporter', 'json', '--report-file', 'now.json']
  const { code, stderr } = await cover(cwd, ...args, '--', process.execPath, binary, 'test', 'sale.yaml')
  const told = '1 of 74 situations were dealt with: 1 %, 73 never met; the report is in now.json\n'
  expect([code, stderr]).toEqual([0, told])
  const { handled, situations } = JSON.parse(readFileSync(join(cwd, 'now.json'), 'utf8'))
  expect([handled, situations[0]]).toEqual([1, expect.objectContaining({ name: 'sale-approved', times: 1 })])
})

test('requests in a space of the sandbox count', async () => {
  const cwd = folderWith({ 'shop.mjs': merchant })
  const inSpace = `const { execFileSync } = require('node:child_process')
    const base = process.env.TILLBOX_BASE_URL
    fetch(base + '/_sandbox/spaces', { method: 'POST' }).then((answer) => answer.json()).then(({ data }) => {
      const { url, apiKey, appId, merchantId } = data
      const env = { ...process.env, TILLBOX_BASE_URL: url, TILLBOX_API_KEY: apiKey, TILLBOX_APP_ID: appId, TILLBOX_MERCHANT_ID: merchantId }
      execFileSync(process.execPath, ['shop.mjs', 'lost-answer'], { env, stdio: 'inherit' })
    })`
  const { code, stdout } = await cover(cwd, ...node(inSpace))
  expect([code, stdout]).toEqual([0, expect.stringContaining('✗ answer-lost  Before you try again')])
})

test('a sandbox of a test that ends without closing it counts', async () => {
  const cwd = folderWith({
    'test.mjs': `import { createClient, createSandbox } from '${join(projectRoot, 'dist/index.js')}'
      const { url, apiKey, appId, merchantId, terminalSn } = await createSandbox()
      const client = createClient({ url, apiKey, appId, merchantId })
      const order = { terminalSn, amount: 1000, priceCurrency: 'USD' }
      await client.sale({ ...order, referenceOrderId: 'ORDER-1' }, { fault: 'lost-answer' }).catch(() => {})
      process.exit(0)`,
  })
  const { code, stdout } = await cover(cwd, '--', process.execPath, 'test.mjs')
  expect([code, stdout]).toEqual([0, expect.stringContaining('✗ answer-lost  Before you try again')])
})

/**
 * A shop that asks for the money of an order, is told how it ended, and lists the order as `status` says.
 * `isBold`: it calls an order paid whose request was refused.
 */
const shop = (status: string, isBold = false) => `import http from 'node:http'
const call = async (method, path, members) => {
  const headers = {
    'Authorization': 'Bearer ' + process.env.TILLBOX_API_KEY,
    'Content-Type': 'application/json',
    'X-Client-Request-Id': crypto.randomUUID(),
    'X-Timestamp': String(Date.now()),
  }
  return (await fetch(process.env.TILLBOX_BASE_URL + path, { method, headers, body: members && JSON.stringify(members) })).json()
}
let told = false
const listed = [{ id: 'ORDER-1', amount: '10.00', status: '${status}' }]
if (${isBold}) {
  const order = { transactionRequestId: crypto.randomUUID(), referenceOrderId: 'ORDER-REFUSED', amount: 1000, priceCurrency: 'USD' }
  await call('POST', '/v1/semi-integration/transaction/sale', { ...order, terminalSn: 'TBX-BUSY-001' })
  listed.push({ id: 'ORDER-REFUSED', amount: '10.00', status: 'paid' })
}
const server = http.createServer(async (request, response) => {
  if (request.url === '/orders') return response.end(JSON.stringify(listed))
  for await (const _ of request);
  response.end()
  told = true
})
server.listen(0, '127.0.0.1', async () => {
  const notifyUrl = 'http://127.0.0.1:' + server.address().port + '/webhooks'
  const sale = { transactionRequestId: crypto.randomUUID(), referenceOrderId: 'ORDER-1', amount: 1000, priceCurrency: 'USD', notifyUrl }
  const { data } = await call('POST', '/v1/semi-integration/transaction/sale', sale)
  while (!told) await new Promise((resolve) => setTimeout(resolve, 10))
  await fetch(process.env.TILLBOX_BASE_URL + '/_sandbox/reset', { method: 'POST' })
  process.exit()
})`

const orders = 'request: GET /orders\npaid: { status: paid }\npending: { status: pending }\n'

test.each([
  ['paid', '  ◆ sale-approved ', 'orders were listed 1 time'],
  [
    'failed',
    '  ✗ sale-approved ',
    '10.00 USD is charged for order ORDER-1, which the merchant does not mark as paid',
  ],
  ['pending', '  ✓ sale-approved ', 'orders were listed 1 time'],
])('where orders are listed, an acknowledged webhook proves nothing: %s', async (status, ...shown) => {
  const cwd = folderWith({ 'shop.mjs': shop(status), 'orders.yaml': orders })
  const { stdout } = await cover(cwd, '--orders', 'orders.yaml', '--', process.execPath, 'shop.mjs')
  for (const text of shown) expect(stdout).toContain(text)
})

test('an order that is called paid, and whose only request was refused, is a gap', async () => {
  const cwd = folderWith({ 'shop.mjs': shop('paid', true), 'orders.yaml': orders })
  const { stdout } = await cover(cwd, '--orders', 'orders.yaml', '--', process.execPath, 'shop.mjs')
  expect(stdout).toContain('✗ terminal-busy')
  expect(stdout).toContain('Order ORDER-REFUSED is marked as paid, and no payment of it is approved')
})

test('a file of orders that is wrong is named, and so is why no orders could be asked for', async () => {
  const cwd = folderWith({ 'shop.mjs': merchant, 'none.yaml': 'request: orders', 'orders.yaml': orders })
  const asking = (file: string) =>
    cover(cwd, '--orders', file, '--', process.execPath, 'shop.mjs', 'latency=1')
  await fails(asking('none.yaml'), 2, 'none.yaml: request must be a method and a path', 'docs/exam.md')
  expect((await asking('orders.yaml')).stdout).toContain(
    '✗ The orders could not be read: No webhook was sent, whose URL says where to ask',
  )
})

test('one page of HTML has every situation, with its mark in words', async () => {
  const cwd = folderWith({ 'shop.mjs': merchant })
  const { stdout } = await cover(cwd, '--reporter', 'html', '--', process.execPath, 'shop.mjs', 'lost-answer')
  expect(stdout.match(/<tr>/g)).toHaveLength(74)
  expect(stdout).toMatch(
    /<th class="gap">✗ Gap<\/th>\n<td><p>The service carries out the request, but its answer is lost /,
  )
  expect(stdout).toContain(
    '<code>tillbox sandbox fault lost-request --operation sale &amp;&amp; tillbox sale',
  )
})

test('for GitHub each gap is an annotation', async () => {
  const cwd = folderWith({ 'shop.mjs': merchant })
  const { stdout } = await cover(
    cwd,
    '--reporter',
    'github',
    '--',
    process.execPath,
    'shop.mjs',
    'lost-answer',
  )
  expect(stdout).toMatch(
    /^::error title=tillbox coverage%2C answer-lost::Before you try again with .*%0Ayour code neither queried/m,
  )
})

test('a gap names its transaction or request, and no command, because the sandbox has ended', async () => {
  const cwd = folderWith({ 'shop.mjs': merchant })
  const { stdout } = await cover(cwd, '--', process.execPath, 'shop.mjs', 'lost-request', 'lost-answer')
  expect(stdout).toMatch(/^✗ request-lost .*\n {2}your code .*\n {4}request [0-9a-f-]{36}$/m)
  expect(stdout).toMatch(/^✗ answer-lost .*\n {2}your code .*\n {4}transaction \d{16}$/m)
})

test('without any request it says how tests reach the sandbox', async () => {
  expect(await cover(folderWith({}), ...node(''))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('0 of 74 situations were dealt with: 0 %, 74 never met'),
    stderr: expect.stringContaining('No payment request reached this sandbox'),
  })
})

test('a share below --min is told, and is the exit code', async () => {
  const line = ['--quiet', '--min', '60', '--reporter', 'junit', ...node('')]
  const message = '✗ 0 % of the situations were dealt with; --min 60 asks for more'
  await fails(cover(folderWith({}), ...line), 1, message)
})

test.each([
  ['--compare', 'before.json', 'is not a JSON report of tillbox coverage'],
  [
    '--report-file',
    'before.json/x.xml',
    'Cannot write the report to before.json/x.xml: it is a file, not a folder',
  ],
])('%s %s is refused before the tests run', async (flag, file, message) => {
  const cwd = folderWith({ 'before.json': '{}' })
  const run = node("require('fs').writeFileSync('ran', '')")
  await fails(cover(cwd, '--quiet', flag, file, ...run), 2, message)
  expect(existsSync(join(cwd, 'ran'))).toBe(false)
})
