import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { runCommand } from '../../support/commands/command.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { foreignServer } from '../../support/network/foreign.ts'

const count = async (sandbox: LaunchedSandbox): Promise<number> =>
  (await sandbox.send('GET', '/_sandbox/state')).envelope.data.transactions

/** Runs the command that was printed, as a shell would, and returns the answer. */
async function inShell(curl: string, env: Record<string, string> = {}) {
  const options = { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 60_000 }
  const { stdout } = await promisify(execFile)('sh', ['-c', curl], options)
  return JSON.parse(stdout)
}

test('--dry-run prints method, URL, headers and body, with --json as one document; it hides the key, and sends nothing', async () => {
  const sandbox = await startSandboxCommand()
  const sale = 'sale --amount 10.00 --outcome insufficient-funds --dry-run'
  const { code, stdout, stderr } = await sandbox.run(sale)
  expect([code, stderr]).toEqual([0, 'The request was not sent.\n'])
  const [head = '', body = ''] = stdout.split('\n\n')
  expect(head.split('\n')[0]).toBe(`POST ${sandbox.url}/v1/semi-integration/transaction/sale`)
  expect(head).toMatch(/^Authorization: Bearer tbx_sandbox_…4d08$/m)
  expect(head).toMatch(/^X-Timestamp: \d{13}$/m)
  expect(head).toMatch(/^X-Client-Request-Id: [0-9a-f-]{36}$/m)
  expect(head).toMatch(/^X-Sandbox-Outcome: insufficient-funds$/m)
  expect(stdout).not.toContain(sandbox.apiKey)
  expect(JSON.parse(body)).toMatchObject({ amount: { orderAmount: 1000, priceCurrency: 'USD' } })
  expect(await count(sandbox)).toBe(0)
  const shown = await sandbox.json('query 1795159696581000 --dry-run')
  expect(shown).toMatchObject({ method: 'GET', body: null })
  expect(new URL(shown.url).searchParams.get('transactionId')).toBe('1795159696581000')
  const wallet = await sandbox.json('checkout sale --amount 5.00 --dry-run')
  expect(JSON.parse(wallet.body.cardEncryptedData)).toBeTypeOf('object')
  expect(await count(sandbox)).toBe(0)
})

test('a dry run has the formats of an answer', async () => {
  const { run } = await startSandboxCommand()
  const sale = 'sale --amount 10.00 --dry-run'
  expect((await run(`${sale} --fields method --output csv`)).stdout).toBe('method\r\nPOST\r\n')
  expect((await run(`${sale} --output ndjson`)).stdout.trimEnd().split('\n')).toHaveLength(1)
  expect((await run(`${sale} --quiet`)).stdout).toBe('')
  expect((await run(`${sale} --curl --quiet`)).stdout).toBe('')
})

test('a dry run of a follow-up looks up the currency of its original', async ({ sandbox }) => {
  const { transactionId } = await sandbox.json('sale --amount 1000 --price-currency JPY')
  const { body } = await sandbox.json(`refund ${transactionId} --amount 400 --dry-run`)
  expect(body).toMatchObject({ originalTransactionId: transactionId, amount: 400, priceCurrency: 'JPY' })
})

test('at a live service a dry run asks and sends nothing', async () => {
  let calls = 0
  const url = await foreignServer((_, response) => {
    calls += 1
    response.end()
  })
  const cwd = scratchFolder()
  const env = { XDG_CONFIG_HOME: cwd, TILLBOX_API_KEY: 'sk_live_0123456789', TILLBOX_BASE_URL: url }
  await runCommand(`profile set prod --base-url ${url} --live`, { cwd, env })
  calls = 0
  const { code, stdout } = await runCommand('sale --amount 1.00 --profile prod --curl', { cwd, env })
  expect([code, calls]).toEqual([0, 0])
  expect(stdout).not.toContain('sk_live')
  expect(stdout).toContain('${TILLBOX_API_KEY:?')
})

test('the curl command runs unchanged at a sandbox, even with quotes in its data', async ({ sandbox }) => {
  const note = `it's "quoted" $HOME`
  const sale = ['sale', '--amount', '10.00', '--curl', '--set', `description=${note}`]
  const { stdout } = await sandbox.run(sale)
  const { code, data } = await inShell(stdout, { TILLBOX_API_KEY: 'another-key-of-somebody' })
  expect(code).toBe('0')
  expect(await sandbox.json(`query ${data.transactionId}`)).toMatchObject({ description: note })
})

test('a key of your own becomes a variable, and a typed request id stays', async () => {
  const own = 'tbx_own_key_0123456789'
  const sandbox = await startSandboxCommand(`--api-key ${own}`)
  const { curl } = await sandbox.json('sale --amount 3.00 --client-request-id mine-1 --curl')
  expect(curl).not.toContain(own)
  expect(curl).toContain("'X-Client-Request-Id: mine-1'")
  expect(curl).toContain('$(date +%s000)')
  expect((await inShell(curl, { TILLBOX_API_KEY: own })).code).toBe('0')
})

test('a path of the control interface has no API key, and the token as a variable', async () => {
  const sandbox = await startSandboxCommand('--token secret-token-0123456789')
  const { stdout } = await sandbox.run('api get /_sandbox/health --curl')
  expect(stdout).not.toMatch(/Authorization|secret-token/)
  expect((await inShell(stdout, { TILLBOX_TOKEN: 'secret-token-0123456789' })).data.status).toBe('ok')
})
