import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { folderWith } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

/** The body that a command would send. */
const bodyOf = async (sandbox: LaunchedSandbox, ...args: string[]) =>
  (await sandbox.json([...args, '--dry-run'])).body

function inputFile(sandbox: LaunchedSandbox, content: unknown): string {
  const path = join(sandbox.cwd, 'input.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

test('members of --input come from a file or standard input, flags win, unknown ones are passed on, its currency says how an amount is read, contradictions are refused', async () => {
  const sandbox = await startSandboxCommand()
  const input = inputFile(sandbox, { amount: 1000, priceCurrency: 'EUR', attach: 'a', unknownOne: [1] })
  const body = await bodyOf(sandbox, 'sale', '--input', input, '--set', 'attach=b')
  expect(body).toMatchObject({ amount: 1000, priceCurrency: 'EUR', attach: 'b', unknownOne: [1] })
  const { code, stderr } = await sandbox.run(`sale --input ${input} --price-currency USD`)
  expect([code, stderr]).toEqual([0, expect.stringContaining('unknownOne')])
  const dinars = inputFile(sandbox, { priceCurrency: 'KWD' })
  const inDinars = await bodyOf(sandbox, 'sale', '--input', dinars, '--amount', '1.500')
  expect(inDinars.amount).toEqual({ orderAmount: 1500, priceCurrency: 'KWD' })
  const given = { cwd: sandbox.cwd, stdin: '{"amount": 1234}' }
  const { stdout } = await runCommand('sale --input - --dry-run --json', given)
  expect(JSON.parse(stdout).body.amount).toBe(1234)
  const original = inputFile(sandbox, { originalTransactionId: '1' })
  await sandbox.fails(`void 2 --input ${original}`, 2, '<transaction-id> is 2, but')
  await sandbox.fails('sale --input - --api-key -', 2, 'both read standard input')
})

test.each([
  [{ amount: 1000 }, [], { amount: 1000, priceCurrency: 'USD' }],
  [{ amount: { orderAmount: 1000 } }, [], { amount: { orderAmount: 1000, priceCurrency: 'USD' } }],
  [{ amount: 1000, priceCurrency: 'USD' }, ['--tip-amount', '2.00'], { amount: 1000, tipAmount: 200 }],
  [
    { amount: { orderAmount: 1000 } },
    ['--tip-amount', '2.00'],
    { amount: { orderAmount: 1000, tipAmount: 200 } },
  ],
])('the file %j gets the default currency, and %j takes its shape', async (content, tip, expected) => {
  const sandbox = await startSandboxCommand()
  const sale = ['sale', '--input', inputFile(sandbox, content), ...tip]
  expect(await bodyOf(sandbox, ...sale)).toMatchObject(expected)
  await sandbox.prints(sale)
})

test('the error of a wrong file names the file and the place', async ({ sandbox }) => {
  for (const [content, message, position] of [
    ['{"amount": 1000,}', 'input.json is not JSON: ', 'line 1, column 17'],
    ['{\n  "amount": 1000\n  "attach": 1}', 'input.json is not JSON: ', 'line 3, column 3'],
    ['[1]', 'holds a list, not a JSON object', ''],
    ['', 'is empty', ''],
  ] as const)
    await sandbox.fails(['sale', '--input', inputFile(sandbox, content)], 2, message, position)
})

const tip = (suggestions: object) => ({ onScreenTip: true, useHostConfig: false, suggestions })

test('--set tipConfig and signatureConfig set the tip screen, and where and from what a signature is taken', async () => {
  const sandbox = await startSandboxCommand()
  for (const [name, value, expected] of [
    ['tipConfig', '15,18,20%', tip({ feeMode: 'RATE', values: [15, 18, 20] })],
    ['tipConfig', '12.5%', tip({ feeMode: 'RATE', values: [12.5] })],
    ['tipConfig', '1.00, 2.00', tip({ feeMode: 'AMOUNT', values: [100, 200] })],
    ['signatureConfig', 'required', { useHostConfig: false, entryLocation: 'ON_SCREEN' }],
    ['signatureConfig', 'none', { useHostConfig: false, entryLocation: 'NONE' }],
    ['signatureConfig', 'receipt', { useHostConfig: false, entryLocation: 'ON_RECEIPT' }],
    ['signatureConfig', 'above:50.00', { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 5000 }],
  ] as const) {
    const body = await bodyOf(sandbox, 'sale', '--amount', '10.00', '--set', `${name}=${value}`)
    expect([value, body[name]]).toEqual([value, expected])
  }
})

test('a tip that an automatic terminal is asked for is noted while it gives none', async ({ sandbox }) => {
  const sale = 'sale --amount 10.00 --terminal TBX-AUTO-001 --set tipConfig=20%'
  const turnOn = 'terminal set TBX-AUTO-001 --tip-percent 20'
  const { stderr } = await sandbox.run(sale)
  expect(stderr).toContain(`--set tipConfig: TBX-AUTO-001 gives no tip by itself; tillbox ${turnOn}`)
  await sandbox.json(turnOn)
  const tipped = await sandbox.run(sale)
  expect(tipped.stderr).not.toContain('tipConfig:')
  expect(tipped.stdout).toContain('12.00 USD')
})

test('--item adds a product, and without a typed amount the products sum to it', async ({ sandbox }) => {
  const items = ['--item', 'Coffee:4.50x2', '--item', 'Cake: lemon:5.00', '--item', 'Bag:0.1 x 3']
  const body = await bodyOf(sandbox, 'checkout', 'create', ...items)
  expect(body.productList).toEqual([
    { name: 'Coffee', amount: 450, num: 2 },
    { name: 'Cake: lemon', amount: 500, num: 1 },
    { name: 'Bag', amount: 10, num: 3 },
  ])
  expect(body.amount.orderAmount).toBe(1430)
  expect((await sandbox.run(['checkout', 'create', ...items, '--amount', '14.30'])).code).toBe(0)
})

test('invalid JSON is refused with its place and an example', async ({ sandbox }) => {
  const texts = ['"feeMode":"RATE"', /--set tipConfig is not JSON: .*column 6/]
  await sandbox.fails('sale --amount 1.00 --set tipConfig={"a":}', 2, ...texts)
})

test('TILLBOX_TERMINAL_SN is the terminal of new payments: follow-ups and settlement name their own', async () => {
  const { json, run } = await startSandboxCommand()
  await json('sale --amount 10.00 --terminal TBX-SLOW-001')
  const env = { TILLBOX_TERMINAL_SN: 'TBX-AUTO-001' }
  await run('sale --amount 5.00', env)
  const refund = await run('refund @last --amount 1.00 --json', { TILLBOX_TERMINAL_SN: 'TBX-SLOW-001' })
  expect(JSON.parse(refund.stdout).terminalSn).toBe('TBX-AUTO-001')
  expect((await run('batch close --yes', env)).code).toBe(0)
  expect((await json('batch query')).batchList).toEqual([])
})

test('the merchant of --input is the merchant of every look-up', async () => {
  const queries: string[] = []
  const url = await foreignServer((request, response) => {
    if (request.method === 'GET') queries.push(String(request.url))
    response.end(JSON.stringify({ code: '0', data: { transactionId: '1', transactionStatus: 'I' } }))
  })
  const cwd = folderWith({ 'in.json': '{"merchantId": "M9"}' })
  const env = { TILLBOX_BASE_URL: url, TILLBOX_API_KEY: 'key', TILLBOX_MERCHANT_ID: 'M1' }
  for (const command of ['sale --amount 1.00 --wait 1s', 'refund 1 --amount 1.00'])
    await runCommand(`${command} --input in.json`, { cwd, env })
  expect(queries.length).toBeGreaterThan(1)
  expect(new Set(queries)).toEqual(new Set(['/v1/transaction/query?merchantId=M9&transactionId=1']))
})

test('sets fields that have no flag, as text, number, amount and JSON, over those of --input', async () => {
  const sandbox = await startSandboxCommand()
  const input = inputFile(sandbox, '{"amount": {"orderAmount": 1000, "priceCurrency": "USD"}, "attach": "a"}')
  const words = ['attach=1=2', 'taxAmount=0.80', 'timeExpire=2026-12-01T00:00:00+00:00', 'printReceipt=BOTH']
  const body = await bodyOf(sandbox, 'sale', '--input', input, ...words.flatMap((word) => ['--set', word]))
  expect(body).toMatchObject({
    attach: '1=2',
    amount: { orderAmount: 1000, taxAmount: 80, priceCurrency: 'USD' },
    timeExpire: '2026-12-01T00:00:00+00:00',
    printReceipt: 'BOTH',
  })
})
