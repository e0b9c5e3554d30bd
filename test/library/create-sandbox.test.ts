import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  connectSandbox,
  createSandbox,
  InvalidOption,
  LockedState,
  PortTaken,
  PublishedKey,
  ServiceRefusal,
  type TestSandboxOptions,
  TokenNeeded,
  Unreachable,
  UnusableTarget,
} from '../../src/library/index.ts'
import { askJson } from '../support/network/ask-json.ts'
import { temporaryFolder } from '../support/service/service.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

test('a sandbox has the environment that tillbox exec sets', async () => {
  const sandbox = await openTestSandbox()
  expect(sandbox.env).toEqual({
    TILLBOX_BASE_URL: sandbox.url,
    TILLBOX_API_KEY: sandbox.apiKey,
    TILLBOX_APP_ID: sandbox.appId,
    TILLBOX_MERCHANT_ID: sandbox.merchantId,
    TILLBOX_TERMINAL_SN: 'TBX-AUTO-001',
    TILLBOX_WEBHOOK_SECRET: sandbox.webhookSecret,
    TILLBOX_STATE: expect.stringMatching(/tillbox-ephemeral-/),
  })
  expect(sandbox.webhookSecret).toMatch(/^whsec_/)
})

test('a temporary state is removed on close, and a second close does nothing', async () => {
  const sandbox = await createSandbox({ state: 'temp' })
  const folder = sandbox.env.TILLBOX_STATE as string
  expect(existsSync(folder)).toBe(true)
  await sandbox.close()
  expect(existsSync(folder)).toBe(false)
  await expect(sandbox.close()).resolves.toBeUndefined()
  await expect(sandbox.state()).rejects.toThrow(Unreachable)
})

test('a sandbox closes at the end of its block with `await using`', async () => {
  let url = ''
  {
    await using sandbox = await createSandbox()
    url = sandbox.url
    expect((await sandbox.state()).transactions).toBe(0)
  }
  await expect(connectSandbox({ url })).rejects.toThrow(Unreachable)
})

test('a named folder is kept and has the payments of the sandbox before', async () => {
  const state = mkdtempSync(join(tmpdir(), 'tillbox-library-'))
  onTestFinished(() => rmSync(state, { recursive: true }))
  const first = await createSandbox({ state })
  const { transactionId } = await first.client.sale({ amount: 1000, priceCurrency: 'USD' })
  await first.payments.waitFor(transactionId)
  await expect(createSandbox({ state })).rejects.toThrow(LockedState)
  await first.close()
  const second = await openTestSandbox({ state })
  expect((await second.payments.get(transactionId)).status).toBe('SUCCESS')
})

test('a failed start removes the folder that it made, and no other', async () => {
  const folder = temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { url, apiKey } = await openTestSandbox()
  const before = readdirSync(folder)
  expect(before).toHaveLength(1)
  await expect(createSandbox({ port: Number(new URL(url).port) })).rejects.toThrow(PortTaken)
  await expect(createSandbox({ host: '0.0.0.0' })).rejects.toThrow(TokenNeeded)
  const open = { host: '0.0.0.0', token: 'a-token-of-sixteen', apiKey }
  await expect(createSandbox(open)).rejects.toBeInstanceOf(PublishedKey)
  await expect(createSandbox({ notifyUrl: 'http://192.0.2.1/' })).rejects.toBeInstanceOf(UnusableTarget)
  expect(readdirSync(folder)).toEqual(before)
})

test('ten sandboxes in one process keep apart', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => createSandbox()))
  const paid = await Promise.all(
    all.map(async ({ client, payments }, index) => {
      const { transactionId } = await client.sale({ amount: 100 + index, priceCurrency: 'USD' })
      return (await payments.waitFor(transactionId)).record.transactionAmount
    }),
  )
  expect(paid).toEqual(all.map((_, index) => 100 + index))
  await Promise.all(all.map((sandbox) => sandbox.close()))
})

test('a frozen clock stands, also after a reset of everything', async () => {
  const sandbox = await openTestSandbox({ clock: 'frozen' })
  const before = await sandbox.clock.now()
  expect(await sandbox.clock.advance('60s')).toEqual(new Date(before.getTime() + 60_000))
  await sandbox.reset({ everything: true })
  const after = await sandbox.clock.now()
  expect(await sandbox.clock.now()).toEqual(after)
})

test('a sandbox with a token sends it with its own calls and refuses others', async () => {
  const token = 'a-token-of-sixteen'
  const sandbox = await openTestSandbox({ token })
  expect((await sandbox.state()).transactions).toBe(0)
  expect(sandbox.env.TILLBOX_TOKEN).toBe(token)
  await expect(connectSandbox({ url: sandbox.url })).rejects.toThrow(ServiceRefusal)
  const other = await connectSandbox({ url: sandbox.url, token })
  expect((await other.state()).transactions).toBe(0)
})

test('a sandbox works over TLS', async () => {
  const sandbox = await openTestSandbox({ https: true })
  const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  expect((await sandbox.payments.waitFor(transactionId)).status).toBe('SUCCESS')
  expect(existsSync(sandbox.env.NODE_EXTRA_CA_CERTS as string)).toBe(true)
})

const aroundItself: Record<string, unknown> = {}
aroundItself.itself = aroundItself

test.each([
  ['a bigint', 5n, 'it is 5n'],
  ['what contains itself', aroundItself, 'it is <ref *1> { itself: [Circular *1] }'],
])('a value that JSON cannot write is refused: %s', async (_, clock, message) => {
  const made = createSandbox({ clock } as unknown as TestSandboxOptions)
  await expect(made).rejects.toThrow(`clock must be wall or frozen; ${message}`)
})

test.each([
  [aroundItself, 'fixtures: itself: contains itself'],
  [{ cards: [aroundItself, aroundItself] }, 'fixtures: cards[0].itself: contains itself'],
  [JSON.parse(`{"cards":${'['.repeat(5_000)}${']'.repeat(5_000)}}`), 'fixtures: cards: is nested too deeply'],
])('fixtures without an end are refused: %#', async (fixtures, message) => {
  await expect(createSandbox({ fixtures } as TestSandboxOptions)).rejects.toThrow(message)
})

test.each([
  [
    { retries: 'quick' },
    "retries must be 'none', 'fast', 'default', or pauses such as [50, 1000] or '50ms,1s'; it is \"quick\"",
  ],
  [{ duplicates: 'ignore' }, 'duplicates must be reject or replay; it is "ignore"'],
  [{ retries: ['367d'] }, 'retries must be at most 366d; it is ["367d"]'],
  [
    { authValidity: '3 weeks' },
    'authValidity must be milliseconds, or a text such as 500ms, 90s or 30d; it is "3 weeks"',
  ],
  [{ state: '' }, 'state must not be empty; it is ""'],
  [{ token: 'short' }, /^token must be 16 to 128 letters, digits and - \. _ ~$/],
  [{ notifyURL: 'http://localhost/' }, 'notifyURL is not an option of a sandbox; did you mean notifyUrl?'],
  [{ __proto__: null, constructor: 1 }, 'constructor is not an option of a sandbox'],
])('createSandbox refuses %j', async (options, message) => {
  const made = createSandbox(options as TestSandboxOptions)
  await expect(made).rejects.toThrow(InvalidOption)
  await expect(made).rejects.toThrow(message)
})

test.each([
  ['none', []],
  [
    [50, '1s'],
    [50, 1000],
  ],
  ['50ms,2m', [50, 120_000]],
] as const)('createSandbox reads the retries %j', async (retries, delays) => {
  const { url } = await openTestSandbox({ retries: typeof retries === 'string' ? retries : [...retries] })
  expect((await askJson(`${url}/_sandbox/webhook-schedule`)).data.retries).toEqual(delays)
})

test('a sandbox works with fake timers that are set after the import', async () => {
  const sandbox = await openTestSandbox()
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
  expect((await sandbox.payments.waitFor(transactionId)).status).toBe('SUCCESS')
  await sandbox.webhooks.delivered()
  await sandbox.close()
})

test.each([
  ['process.exit(3)', null, 3],
  ['setInterval(() => {}, 1000)', 'SIGTERM', null],
  ['process.on("SIGTERM", () => process.exit(7)); setInterval(() => {}, 1000)', 'SIGTERM', 7],
] as const)(
  'a program that ends without close leaves no folder behind, and ends as it would have: %s, %s',
  async (code, signal, expected) => {
    const TMPDIR = mkdtempSync(join(tmpdir(), 'left-'))
    onTestFinished(() => rmSync(TMPDIR, { recursive: true }))
    const [required, imported] = ['index.cjs', 'index.js'].map((name) =>
      JSON.stringify(new URL(`../../dist/${name}`, import.meta.url)),
    )
    const script = `
        const { fileURLToPath } = require('node:url')
        const libraries = [require(fileURLToPath(${required})), import(${imported})] // twice in one process
        Promise.all(libraries.map(async (library) => (await library).createSandbox()))
          .then(() => { console.log('ready'); ${code} })`
    const child = spawn(process.execPath, ['-e', script], {
      env: { ...process.env, TMPDIR },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child.stdout.once('data', () => signal && child.kill(signal))
    expect(await once(child, 'exit')).toEqual([expected, expected === null ? signal : null])
    expect(readdirSync(TMPDIR)).toEqual([])
  },
)
