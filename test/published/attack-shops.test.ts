import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CardName } from '../../src/contract/built-in-names.ts'
import type { OperationName, TestSandbox } from '../../src/library/index.ts'
import { bugs } from '../long/attack/bugs.ts'
import { variations } from '../long/attack/variations.ts'
import { changedShop } from '../support/attack/changed-shop.ts'
import { type RunningShop, type ShopName, shops, startShop } from '../support/attack/shops.ts'
import { runCommand } from '../support/commands/command.ts'
import { skipsWithout } from '../support/programs.ts'
import { projectRoot, readProjectFile } from '../support/project.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

/** Begins an order of 19.99, and does what its customer does. Resolves to its id; undefined where the answer was lost. */
type Buy = (shop: RunningShop, sandbox: TestSandbox, cards?: readonly CardName[]) => Promise<string>

const begin = (shop: RunningShop) => shop.post('/orders', { amount: '19.99' })
const declinedThrice: readonly CardName[] = ['visa-declined', 'visa-declined', 'visa-declined']

/** `operation`: what takes the money; `type`: the type of its transaction. */
const drives: Readonly<Record<ShopName, { operation: OperationName; type: string; buy: Buy }>> = {
  node: { operation: 'sale', type: 'SALE', buy: async (shop) => (await begin(shop)).id },
  python: {
    operation: 'create-session',
    type: 'SALE',
    buy: async (shop, sandbox, cards = ['visa-contactless']) => {
      const { id, url } = await begin(shop)
      const page = url ?? (await shop.post(`/orders/${id}/pay`)).url
      for (const card of cards) await sandbox.checkout(String(page?.split('/').at(-1))).pay(card)
      return id
    },
  },
  php: {
    operation: 'post-auth',
    type: 'POST_AUTH',
    buy: async (shop) => {
      const { id } = await begin(shop)
      const status = async () => {
        await shop.post('/reconcile')
        return (await shop.order(id))?.status
      }
      await expect.poll(status).not.toBe('pending')
      await shop.post(`/orders/${id}/ship`)
      return id
    },
  },
}

const names = Object.keys(drives) as ShopName[]
describe.each(names)('the shop in %s', (name) => {
  const { operation, type, buy } = drives[name]
  const skips = skipsWithout(shops[name])

  async function open() {
    const sandbox = await openTestSandbox({ retries: 'none' })
    const shop = await startShop(name, sandbox.env)
    const becomes = (id: string, status: string, shipped: boolean, refunded: string) =>
      expect.poll(() => shop.order(id)).toMatchObject({ amount: '19.99', status, shipped, refunded })
    const charges = (order: string, transactionType = type) =>
      sandbox.payments.list({ order, status: 'approved', type: transactionType })
    return { sandbox, shop, becomes, charges }
  }

  test.skipIf(skips)('ships what is paid, and a double click refunds once', async () => {
    const { sandbox, shop, becomes, charges } = await open()
    const id = await buy(shop, sandbox)
    await becomes(id, 'paid', true, '0.00')
    const refund = (amount: string, key: string) => shop.post(`/orders/${id}/refund`, { amount, key })
    await Promise.all([refund('4.00', 'a'), refund('4.00', 'a')])
    await refund('19.00', 'b') // more than is left
    await becomes(id, 'paid', true, '4.00')
    await refund('15.99', 'c')
    await becomes(id, 'refunded', true, '19.99')
    expect((await charges(id, 'REFUND')).map(({ amount }) => amount)).toEqual([400, 1599])
  })

  test.skipIf(skips)('keeps every law while the world is kind', async () => {
    const { code, stdout, stderr } = await runCommand(['test', join(projectRoot, `examples/attack/${name}`)])
    expect(code, stdout + stderr).toBe(0)
    expect(stderr).toMatch(/^(Starts `.*`\n)+$/) // its server, and nothing else
  })

  test.skipIf(skips)('does not ship what is declined', async () => {
    const { sandbox, shop, becomes } = await open()
    await sandbox.terminal().queue('do-not-honor')
    await becomes(await buy(shop, sandbox, declinedThrice), 'failed', false, '0.00')
  })

  test.skipIf(skips)('asks what became of a lost answer, and sends again what never arrived', async () => {
    const { sandbox, shop, becomes, charges } = await open()
    await sandbox.webhooks.hold()
    for (const kind of ['lost-answer', 'lost-request', 'http-503'] as const) {
      await sandbox.faults.add(kind, { operation })
      const id = await buy(shop, sandbox)
      await shop.post('/reconcile')
      await shop.post('/reconcile')
      await becomes(id, 'paid', true, '0.00')
      expect(await charges(id)).toHaveLength(1)
    }
  })

  test.skipIf(skips)('knows after a kill what it did before', async () => {
    const { sandbox, shop, becomes, charges } = await open()
    await sandbox.faults.add('latency=2000', { operation, times: 1 })
    const bought = buy(shop, sandbox).catch(() => undefined)
    const opened = () => sandbox.payments.list().then((all) => all.filter((each) => each.type === type))
    await expect.poll(opened).toHaveLength(1)
    await shop.kill()
    await bought
    await shop.start()
    const id = String((await opened())[0]?.referenceOrderId)
    if (name === 'python') {
      const { url } = await shop.post(`/orders/${id}/pay`)
      await sandbox.checkout(String(url?.split('/').at(-1))).pay()
    }
    await shop.post('/reconcile')
    await becomes(id, 'paid', true, '0.00')
    expect(await charges(id)).toHaveLength(1)
  })

  test.skipIf(skips)('believes no forged webhook, and no stale one', async () => {
    const { sandbox, shop, becomes } = await open()
    await sandbox.faults.add('bad-signature', { always: true })
    const id = await buy(shop, sandbox)
    await sandbox.webhooks.delivered()
    await sandbox.faults.clear()
    await sandbox.faults.add('stale', { always: true })
    await buy(shop, sandbox)
    await sandbox.webhooks.delivered()
    const answers = (await sandbox.webhooks.list()).map(({ last }) => last)
    expect(new Set(answers)).toEqual(new Set([401, 400]))
    await shop.post('/reconcile')
    await becomes(id, 'paid', true, '0.00')
  })
})

/** One in each shop that the first moves show. */
const shownAtOnce = bugs.filter(({ name }) => /mollie-api-php #642|dj-payfast|vipps-woocommerce/.test(name))
test.each(shownAtOnce)(
  'a bug is found in $shop: $name',
  async ({ shop, find, replace, drive }) => {
    const cwd = changedShop(shop, [[find, replace]])
    const line = [
      'attack',
      '--drive',
      drive,
      '--seed',
      '1',
      '--for',
      '3m',
      '--output',
      'found.yaml',
      '--json',
    ]
    const { code, stdout } = await runCommand(line, { cwd })
    expect(code, stdout).toBe(1)
    expect(JSON.parse(stdout).found).toMatchObject({ failed: 10, runs: 10 })
  },
  400_000,
) // to find, and as long again to shorten and to confirm, beside other tests

/** How often a text stands in a file of examples/attack. */
const timesIn = (file: string, text: string) =>
  readProjectFile(`examples/attack/${file}`).split(text).length - 1

test.each(bugs)('the place of a bug is there once, in $shop: $name', ({ shop, find, replace, drive }) => {
  expect(timesIn(shops[shop].file, find)).toBe(1)
  expect(timesIn(shops[shop].file, replace)).toBe(0)
  expect(timesIn(`${shop}/${drive}`, 'steps:')).toBe(1)
})

test.each(variations)(
  'the places of a variation are there once, in $shop: $name',
  ({ shop, drive, changes, driveChanges }) => {
    for (const [find] of changes) expect(timesIn(shops[shop].file, find), find).toBe(1)
    for (const [find] of driveChanges) expect(timesIn(`${shop}/${drive}`, find), find).toBe(1)
  },
)

test.skipIf(skipsWithout(shops.python))('whoever comes back from the page has not paid by that', async () => {
  const sandbox = await openTestSandbox()
  const shop = await startShop('python', sandbox.env)
  const { id } = await begin(shop)
  const back = await fetch(`${shop.url}/return?order=${id}&status=S&transactionStatus=S`)
  expect(await back.json()).toMatchObject({ status: 'pending', shipped: false })
})
