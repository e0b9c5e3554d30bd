import { expect } from 'vitest'
import { verifyWebhook } from '../../../src/contract/signature/verify-webhook.ts'
import type { AnyJson } from '../../support/any-json.ts'
import { parseNdjson, untilStderr } from '../../support/commands/launched.ts'
import { type LaunchedSandbox, startSandboxCommand, test } from '../../support/commands/running-sandbox.ts'
import { deadUrl } from '../../support/network/ports.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { listening as listeningTo } from '../listening.ts'

const sale = 'sale --amount 51.94'

/** Listens to results beside a sandbox. */
const listening = (sandbox: LaunchedSandbox, ...args: string[]) =>
  listeningTo(sandbox, '--events', 'payment', ...args)

const listed = async (sandbox: LaunchedSandbox): Promise<AnyJson[]> =>
  (await sandbox.json('webhook list')).deliveries

test('a failed notification is retried with the same id and a new signature, and every attempt is shown', async () => {
  const target = await openReceiver((_, response) => response.writeHead(500).end('{}'))
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, target.url, '--retries', '20ms,400ms', '--json')
  const { transactionId } = await sandbox.json(sale)
  const arrivals = await target.got(2)
  target.answer(200)
  await target.got(3)
  expect(new Set(arrivals.map(({ id }) => id)).size).toBe(1)
  expect(new Set(arrivals.map(({ headers }) => headers['x-timestamp'])).size).toBe(3)
  expect(await sandbox.json('webhook wait --delivered')).toMatchObject({ reached: true, pendingCount: 0 })
  const [delivery, ...others] = await listed(sandbox)
  expect(others).toEqual([])
  expect(delivery).toMatchObject({
    ...{ transactionId, listener: true, url: target.url, state: 'delivered', attempts: 3, last: 200 },
    ...{ transactionType: 'SALE', amount: 5194, currency: 'USD' },
  })
  const { deliveries } = await sandbox.json(`webhook show ${transactionId}`)
  expect(deliveries[0].tries.map(({ status }: { status: number }) => status)).toEqual([500, 500, 200])
  expect(deliveries[0].tries[0]).toMatchObject({ requestBody: arrivals[0]?.body, responseBody: '{}' })
  expect(parseNdjson(listener.output().stdout).map(({ forwarded }) => forwarded)).toMatchObject([
    { attempt: 1, status: 500, retryMs: 20 },
    { attempt: 2, status: 500, retryMs: 400 },
    { attempt: 3, status: 200, retryMs: null },
  ])
  const page = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text()
  expect(await page('/webhooks')).toContain('(listen)')
  expect(await page('/webhooks')).not.toContain('No webhooks yet')
  expect(await page(`/transactions/${transactionId}`)).toContain('by tillbox listen')
  expect(await page(`/webhooks/${delivery.id}`)).toMatch(
    /<strong>Attempt 3<\/strong><span class="state[^"]*tone-success"><span class="truncate">200/,
  )
})

test('a target that is gone delays no other', async () => {
  const [gone, target] = [`${await deadUrl()}/hook`, await openReceiver()]
  const sandbox = await startSandboxCommand()
  const listener = await listening(sandbox, gone, `localhost:${target.port}/hook`)
  await sandbox.json(sale)
  await target.got(1)
  await untilStderr(listener, /nothing listens there; notifications wait/)
  const { pending } = await sandbox.json('webhook wait --delivered --timeout 100ms', 5)
  expect(pending).toMatchObject([{ url: gone, listener: true, attempts: 0 }])
  expect(target.arrivals[0]?.path).toBe('/hook')
  await listener.stop('SIGINT')
})

test.each([
  ['drop', 0, { state: 'failed', last: 'dropped by an injected fault', fault: 'drop' }],
  ['bad-signature', 1, { state: 'delivered', fault: 'bad-signature' }],
])('the webhook fault %s applies to listen', async (fault, count, shown) => {
  const target = await openReceiver()
  const sandbox = await startSandboxCommand()
  await sandbox.json(`sandbox fault ${fault} --always`)
  await listening(sandbox, target.url)
  await sandbox.json(`${sale} --wait-webhooks`)
  expect(await listed(sandbox)).toMatchObject([shown])
  expect(target.arrivals).toHaveLength(count)
  const { secret } = await sandbox.json('webhook secret')
  const isValid = target.arrivals.every((post) => verifyWebhook(post, secret, Date.now()).valid)
  expect(isValid).toBe(fault === 'drop')
})

test('listen says where the secret comes from, and shows with --print payloads over several lines', async () => {
  const sandbox = await startSandboxCommand()
  const { secret } = await sandbox.json('webhook secret')
  const { url } = await openReceiver()
  const silent = await listening(sandbox, url)
  expect(silent.output().stderr).toContain('Print it: tillbox webhook secret\n')
  expect(silent.output().stderr).not.toContain(secret)
  const printing = await listening(sandbox, '--print')
  await sandbox.json(sale)
  await printing.until(/sale approved +51\.94 USD.*\n {4}\{\n {6}"transactionId": "\d+",\n[\s\S]*\n {4}\}\n/)
})
