import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { fails } from '../../support/commands/launched.ts'
import { startSandboxCommand } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

const page = readFileSync(new URL('../../../docs/fixtures.md', import.meta.url), 'utf8')
const [, orders = ''] = /```yaml\n(# orders\.yaml[\s\S]*?)```/.exec(page) ?? []

const seeded = (text: string, args: readonly string[] = []) =>
  startSandboxCommand(['--seed', 'orders.yaml', ...args], { cwd: folderWith({ 'orders.yaml': text }) })

test('the example of docs/fixtures.md is an approved sale, a partly refunded one and an open authorisation', async () => {
  const { json, ...connection } = await seeded(orders)
  expect(connection).toMatchObject({ seeded: true })
  const { transactions } = await json('list')
  expect(transactions).toMatchObject([
    { referenceOrderId: 'order-1003', type: 'AUTH', status: 'SUCCESS', amount: 25_000 },
    { referenceOrderId: 'order-1002', type: 'REFUND', status: 'SUCCESS', amount: 3_000 },
    { referenceOrderId: 'order-1002', type: 'SALE', status: 'SUCCESS', amount: 8_000 },
    { referenceOrderId: 'order-1001', type: 'SALE', status: 'SUCCESS', amount: 2_400 },
  ])
  const booking = transactions[0].transactionId
  expect(await json(`post-auth ${booking} --amount 240.00`)).toMatchObject({ transactionStatus: 'S' })
  const lamp = transactions[2].transactionId
  expect((await json(`refund ${lamp} --amount 50.01`, 1)).error.code).toBe('SBX_OVER_REFUND')
})

test('the fixtures of the start are those of the seed', async () => {
  const cwd = folderWith({
    'fixtures.yaml':
      'applications:\n  - appId: tbxapp0000000001\n    merchants:\n      - merchantId: M1000000001\n        terminals: [{ terminalSn: SHOP-001 }]\n',
    'orders.yaml': 'steps:\n  - sale: { terminal: SHOP-001, amount: 12.00 USD }\n',
  })
  const { json } = await startSandboxCommand('--fixtures fixtures.yaml --seed orders.yaml', { cwd })
  expect((await json('list')).transactions).toMatchObject([{ terminalSn: 'SHOP-001', amount: 1_200 }])
})

test('a failing step of a seed ends with 2, file, line and answer, and starts and creates nothing', async () => {
  const cwd = folderWith({ 'orders.yaml': orders.replace('30.00 USD', '80.01 USD') })
  const start = runCommand('sandbox start --port 0 --state state --seed orders.yaml', { cwd })
  await fails(start, 2, /^✗ orders\.yaml:8:\d+: refund: /, 'Nothing was started or changed')
  expect(readdirSync(cwd)).toEqual(['orders.yaml'])
})

test.each(
  Object.entries({
    'steps:\n  - sal: { amount: 1.00 USD }\n': /^✗ orders\.yaml:2:\d+: .*sal/,
    'steps:\n  - sale: { amount: 1.00 USD }\n  - webhook: { count: 1 }\n':
      /^✗ orders\.yaml:3:\d+: steps\[1\]: a seed has no webhook step/,
    'sandbox: { strict: true }\nsteps:\n  - sale: { amount: 1.00 USD }\n':
      /^✗ orders\.yaml:1:1: sandbox: a seed has the options of the start/,
  }),
)('a file that is not a seed starts nothing, and the error names its place: %j', async (text, message) => {
  const cwd = folderWith({ 'orders.yaml': text })
  await fails(runCommand('sandbox start --port 0 --seed orders.yaml', { cwd }), 2, message)
})

test('a used state is not seeded, with a note, and a state reset to new is seeded again', async () => {
  const first = await seeded(orders)
  await first.stop()
  const args = ['--state', first.state, '--seed', 'orders.yaml']
  const second = await startSandboxCommand(args, { cwd: first.cwd })
  expect((await second.json('list')).transactions).toHaveLength(4)
  const note = /--seed .* was not used: .* is not new\. .*reset --everything/g
  expect(second.output().stderr.match(note)).toHaveLength(1)
  await second.json('sandbox reset --everything --yes')
  await second.stop()
  const third = await startSandboxCommand(args, { cwd: first.cwd })
  expect((await third.json('list')).transactions).toHaveLength(4)
})

test('a changed terminal counts as a used state', async () => {
  const first = await startSandboxCommand([], { cwd: folderWith({ 'orders.yaml': orders }) })
  await first.json('terminal set TBX-AUTO-001 --pace 800')
  await first.stop()
  const second = await startSandboxCommand(`--state ${first.state} --seed orders.yaml`, { cwd: first.cwd })
  expect((await second.json('list')).transactions).toEqual([])
})

test('a seed sends no notification, neither to a URL of a step nor to that of the start', async () => {
  const endpoint = await openReceiver()
  const text = `steps:\n  - sale: { amount: 1.00 USD, notifyUrl: "${endpoint.url}" }\n  - sale: { amount: 2.00 USD }\n`
  const { json } = await seeded(text, ['--notify-url', endpoint.url])
  expect((await json('webhook list')).deliveries).toEqual([])
  await json('sale --amount 3.00')
  await json('webhook wait --delivered')
  expect(endpoint.arrivals.map(({ json }) => json.transactionAmount)).toEqual([300])
})

test('orders of the past are made with the clock set back, and the clock runs in the end', async () => {
  const { json } = await seeded(
    'steps:\n  - clock: { set: 2026-01-05T09:00:00Z }\n  - sale: { amount: 1.00 USD }\n  - clock: reset\n',
  )
  const { transactions } = await json('list')
  expect(transactions).toMatchObject([{ createdAt: expect.stringMatching(/^2026-01-05T09:00/) }])
  expect(await json('sandbox clock')).toMatchObject({ frozen: false, offsetMs: 0 })
})

test('exec --seed runs the command over the orders', async () => {
  const cwd = folderWith({ 'orders.yaml': orders })
  const endsWithCount =
    'fetch(process.env.TILLBOX_BASE_URL+"/_sandbox/state").then(r=>r.json()).then(a=>process.exit(a.data.transactions))'
  const exec = `exec --seed orders.yaml -- ${process.execPath} -e ${endsWithCount}`
  expect((await runCommand(exec, { cwd })).code).toBe(4)
})
