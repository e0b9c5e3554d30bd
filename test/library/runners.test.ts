import { expect, onTestFinished, test as plain, vi } from 'vitest'
import {
  connectSandbox,
  InvalidOption,
  openSandboxSource,
  ServiceRefusal,
  type TestSandboxOptions,
  Unreachable,
  useSandbox,
} from '../../src/library/index.ts'
import { sandboxTest, test } from '../../src/library/vitest.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const frozen = sandboxTest({ clock: 'frozen' }) // vitest wants it at the top of the file

const dollars = { amount: 1000, priceCurrency: 'USD' }

let url = ''

test('a test is given a sandbox', async ({ sandbox }) => {
  url = sandbox.url
  const { transactionId } = await sandbox.client.sale(dollars)
  expect((await sandbox.payments.waitFor(transactionId)).status).toBe('SUCCESS')
  await sandbox.terminal().offline()
})

test('the next test gets the same sandbox, reset', async ({ sandbox }) => {
  expect(sandbox.url).toBe(url)
  expect(await sandbox.payments.list()).toEqual([])
  expect((await sandbox.terminal().screen()).online).toBe(true)
})

frozen('a test with the option of a frozen clock gets a clock that stands', async ({ sandbox }) => {
  expect(await sandbox.clock.now()).toEqual(await sandbox.clock.now())
  await sandbox.clock.resume()
})

const variables = ['TILLBOX_BASE_URL', 'TILLBOX_TOKEN', 'TILLBOX_API_KEY']
const set = (env: Readonly<Record<string, string | undefined>>) => {
  for (const name of variables) vi.stubEnv(name, env[name])
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** A sandbox that runs already, and a source of merchants in it for tests. */
const openShared = async (options: TestSandboxOptions = {}) => {
  const shared = await openTestSandbox(options)
  set(shared.env)
  return { shared, source: await openSandboxSource({ connect: 'env' }) }
}

plain('connectSandbox without url takes URL and token of the environment', async () => {
  const own = await openTestSandbox({ token: 'token-of-16-chars' })
  set(own.env)
  expect(await connectSandbox()).toMatchObject({ url: own.url, merchantId: own.merchantId })
  await expect(connectSandbox({ url: own.url })).rejects.toThrow(ServiceRefusal) // the token goes nowhere else
})

plain('connectSandbox without url and variables says what sets the variables', async () => {
  set({})
  await expect(connectSandbox()).rejects.toThrow(
    'url is missing, and TILLBOX_BASE_URL is not set: run the tests with tillbox exec -- <command>, or set the variables of a running sandbox with eval "$(tillbox sandbox env)"',
  )
  set({ TILLBOX_BASE_URL: 'localhost' })
  await expect(connectSandbox()).rejects.toThrow('url must be a URL')
})

plain('lists and waits concern the merchant of the test alone, and the sandbox keeps running', async () => {
  const receiver = await openReceiver()
  const { shared, source } = await openShared({ notifyUrl: receiver.url })
  const [one, other] = [await source.next(), await source.next()]
  expect(one.merchantId).not.toBe(other.merchantId)
  await shared.webhooks.hold()
  const sold = await other.client.sale(dollars)
  await one.payments.waitFor((await one.client.sale(dollars)).transactionId)
  expect(await one.payments.list({ type: 'sale' })).toMatchObject([{ merchantId: one.merchantId }])
  expect(await other.webhooks.list()).toMatchObject([{ transactionId: sold.transactionId }])
  await shared.webhooks.release()
  await one.webhooks.delivered()
  await one.close()
  await source.close()
  expect((await shared.state()).transactions).toBe(2)
})

plain(
  'a test cannot change the sandbox under other tests, and the error says what to do instead',
  async () => {
    const { shared, source } = await openShared()
    const one = await source.next()
    const changes: readonly (readonly [member: string, act: () => Promise<unknown>])[] = [
      ['clock', () => one.clock.advance('1h')],
      ['clock', () => one.clock.freeze()],
      ['webhooks.hold', () => one.webhooks.hold()],
      ['webhooks.release', () => one.webhooks.release()],
      ['snapshot', () => one.snapshot('mine')],
      ['restore', () => one.restore('mine')],
      ['reset', () => one.reset()],
    ]
    for (const [member, act] of changes) {
      await expect(act()).rejects.toThrow(InvalidOption)
      await expect(act()).rejects.toThrow(`${member} acts on the whole sandbox, which other tests use too`)
    }
    expect(Math.abs((await shared.clock.now()).getTime() - Date.now())).toBeLessThan(60_000)
    await source.close()
  },
)

plain(
  'a fault of a test hits its merchant alone, and a test lists and removes its own faults alone',
  async () => {
    const { shared, source } = await openShared()
    const [one, other] = [await source.next(), await source.next()]
    const remaining = await other.faults.add('http-503', { always: true })
    const added = await one.faults.add('http-500', { always: true })
    await shared.client.sale(dollars)
    await expect(one.client.sale(dollars)).rejects.toThrow('http-500')
    await expect(other.client.sale(dollars)).rejects.toThrow('http-503')
    expect((await one.faults.list()).map(({ id }) => id)).toEqual([added.id])
    await one.faults.clear()
    expect((await shared.faults.list()).map(({ id }) => id)).toEqual([remaining.id])
    await source.close()
  },
)

plain(
  'a terminal of another merchant is refused, and the error names the terminals of the test',
  async () => {
    const { source } = await openShared()
    const one = await source.next()
    expect(() => one.terminal('TBX-ATTENDED-001')).toThrow(InvalidOption)
    expect(() => one.terminal('TBX-ATTENDED-001')).toThrow(
      `terminalSn "TBX-ATTENDED-001" is not of the merchant of this test (connect: 'env'), which has ${one.terminalSn};`,
    )
    await one.terminal(one.terminalSn).set({ mode: 'attended' })
    await one.client.sale(dollars)
    expect((await one.terminal().waitForScreen('present-card')).mode).toBe('attended')
    await source.close()
  },
)

plain.each([
  [{ connect: 'here' }, 'connect must be env, or name a server by url; it is "here"'],
  [
    { connect: 'env', retries: 'fast' },
    'retries is for a new sandbox, and connect uses one that already runs',
  ],
])('the source of sandboxes refuses %j', async (options, message) => {
  await expect(openSandboxSource(options as never)).rejects.toThrow(InvalidOption)
  await expect(openSandboxSource(options as never)).rejects.toThrow(message)
})

plain('useSandbox without hooks says what it needs, as in Jest without globals', () => {
  for (const hooks of [undefined, { retries: 'fast' }, globalThis])
    expect(() => useSandbox(hooks as never)).toThrow(/^hooks must have beforeAll, .*@jest\/globals/)
})

plain('useSandbox resets the sandbox before each test, and reports a use that is too early', async () => {
  const hooks: Record<string, () => Promise<void>> = {}
  const keep = (name: string) => (act: () => Promise<void>) => {
    hooks[name] = act
  }
  const sandbox = useSandbox({
    beforeAll: keep('beforeAll'),
    beforeEach: keep('beforeEach'),
    afterAll: keep('afterAll'),
  })
  expect(() => sandbox.url).toThrow('The sandbox has not started yet. Use it inside a test or a hook.')
  await hooks.beforeAll?.()
  await sandbox.client.sale(dollars)
  await hooks.beforeEach?.()
  expect(await sandbox.payments.list()).toEqual([])
  await hooks.afterAll?.()
  await expect(sandbox.state()).rejects.toBeInstanceOf(Unreachable)
})
