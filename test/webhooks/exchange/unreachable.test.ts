import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { WebhookStory } from '../../../src/contract/sandbox/webhooks.ts'
import type { Delivery } from '../../../src/domain/model/outbox.ts'
import type { SandboxOptions } from '../../../src/sandbox/options.ts'
import type { LoggedAttempt } from '../../../src/store/storage.ts'
import { onTime } from '../../../src/webhooks/delivery-faults.ts'
import { type FailedConnection, hasWaitedFor } from '../../../src/webhooks/unreachable.ts'
import type { Resolve } from '../../../src/webhooks/webhook-target.ts'
import { deadUrl } from '../../support/network/ports.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { openService, type Service, temporaryFolder } from '../../support/service/service.ts'
import { fetchDeliveries, sellNotifying } from '../../support/webhooks/deliveries.ts'

/** The attempts of each delivery. */
const triesOf = async (service: Service) =>
  Promise.all(
    (await fetchDeliveries(service)).map(async ({ id }) => {
      const story: WebhookStory = (await service.control('GET', `webhooks/${id}`)).data
      return story.deliveries.flatMap(({ tries }) => tries)
    }),
  )

/** Releases the webhooks of so many sales together. */
async function sendTogether(service: Service, notifyUrl: string, count: number): Promise<void> {
  await service.control('PUT', 'webhook-hold', { hold: true })
  for (let each = 0; each < count; each++) await sellNotifying(service, notifyUrl)
  await service.control('POST', 'webhooks/release')
}

/** A service, and an address by name: each connection looks the name up, which fails when `fail` is called. */
async function openNameless(options: Partial<SandboxOptions> = {}) {
  const service = await openService(options)
  const lookups: ((error: Error) => void)[] = []
  const resolve: Resolve = () => new Promise((_, reject) => lookups.push(reject))
  Object.assign(service.sandbox.webhookLimits, { resolve })
  const fail = () => lookups.at(-1)?.(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  return { service, url: 'http://shop.example/hook', lookups, fail }
}

const storedMembers = [
  ['merchantId', 'number', 'at', 'url', 'requestHeaders', 'requestBody', 'status', 'responseHeaders'],
  ['responseBody', 'durationMs', 'error', 'fault', 'sandboxAt'],
].flat()

describe('assumption webhook-delivery: a URL without a connection', () => {
  test('deliveries that waited share the failure, each with an attempt of its own', async () => {
    const state = temporaryFolder()
    const count = 70
    const { service, url, lookups, fail } = await openNameless({ state })
    const { attempts } = service.sandbox
    const add = attempts.add.bind(attempts)
    attempts.add = (attempt) => {
      add(attempt)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50) // all of them take longer than the pause
    }
    await sendTogether(service, url, count)
    await expect.poll(() => lookups.length).toBe(1)
    fail()
    await service.sandbox.courier.idle()
    expect(lookups).toHaveLength(1)
    const deliveries = await fetchDeliveries(service)
    const failed = { state: 'pending', attempts: 1, last: 'the host name is unknown' }
    expect(deliveries).toMatchObject(Array(count).fill(failed))
    const tries = (await triesOf(service)).flat()
    expect(new Set(tries.map(({ at }) => at)).size).toBe(1)
    const sentIds = tries.map(({ requestBody }) => JSON.parse(requestBody).transactionId)
    expect(sentIds).toEqual(deliveries.map(({ transactionId }) => transactionId))
    expect(new Set(tries.map(({ requestHeaders }) => requestHeaders['X-Signature'])).size).toBe(count)
    const lines = readFileSync(join(state, 'attempts.jsonl'), 'utf8').trimEnd().split('\n')
    const [first, ...shared] = lines.map((line): LoggedAttempt => JSON.parse(line))
    expect(Object.keys(first ?? {})).toEqual(storedMembers)
    expect(shared.map(({ others }) => others?.length)).toEqual([31, 31, 4])
    const [journalFile = ''] = readdirSync(state).filter((name) => name.startsWith('journal'))
    const journal = readFileSync(join(state, journalFile), 'utf8').split('\n')
    const recorded = journal.map((line) => line.split('"delivery-attempted"').length - 1)
    expect(recorded.filter((events) => events > 0)).toEqual([1, 1, 1, 1])
    const crashed = temporaryFolder()
    cpSync(state, crashed, { recursive: true })
    expect(await fetchDeliveries(await openService({ state: crashed }))).toEqual(deliveries)
  })

  test('the shared failure appears on the page of each transaction, and in the figures', async () => {
    const { service, url, lookups, fail } = await openNameless({ retries: [] })
    const { changes, courier, statistics } = service.sandbox
    await service.control('PUT', 'webhook-hold', { hold: true })
    const ids: string[] = []
    for (let each = 0; each < 4; each++) ids.push(await sellNotifying(service, url))
    expect(statistics.current.deliveries.count('pending')).toBe(4)
    await service.control('POST', 'webhooks/release')
    await expect.poll(() => lookups.length).toBe(1)
    const changedIds: string[] = []
    for (const id of ids) changes.next([`transaction ${id}`], () => changedIds.push(id))
    fail()
    await courier.idle()
    await expect.poll(() => changedIds).toEqual(ids)
    expect(statistics.current.deliveries.count('failed')).toBe(4)
  })

  test('attempts with a different result, time or round are recorded one by one', async () => {
    const { service, url, lookups, fail } = await openNameless({ retries: [60_000, 90_000] })
    const { clock, courier, engine } = service.sandbox
    await service.control('POST', 'clock', { action: 'freeze' })
    const failAll = async (connections: number) => {
      await expect.poll(() => lookups.length).toBe(connections)
      fail()
      await courier.idle()
    }
    await sendTogether(service, url, 3)
    await failAll(1)
    const [, { id } = { id: '' }] = await fetchDeliveries(service)
    await service.control('POST', 'webhooks/resend', { ids: [id] })
    await failAll(2)
    await service.control('PUT', 'webhook-hold', { hold: true })
    for (let each = 0; each < 2; each++) await sellNotifying(service, url)
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 60_001 })
    await service.control('POST', 'webhooks/release')
    await failAll(3)
    const [ledger] = engine.state.ledgers.values()
    const states = [...(ledger?.outbox.deliveries.values() ?? [])].map(
      ({ round, earlier, attempts, nextAt }) => [round, earlier, attempts, (nextAt ?? 0) - clock.now()],
    )
    expect(states).toEqual([
      [undefined, undefined, 2, 90_000],
      [1, 1, 2, 90_000],
      [undefined, undefined, 2, 90_000],
      [undefined, undefined, 1, 60_000],
      [undefined, undefined, 1, 60_000],
    ])
  })

  test('a delivery that comes later gets a connection of its own', async () => {
    const { service, url, lookups, fail } = await openNameless()
    await sendTogether(service, url, 2)
    await expect.poll(() => lookups.length).toBe(1)
    await sellNotifying(service, url)
    fail()
    await expect.poll(() => lookups.length).toBe(2)
    expect((await fetchDeliveries(service)).map(({ attempts }) => attempts)).toEqual([1, 1, 0])
  })

  test.each(['relaxed', 'strict', 'concurrent'] as const)(
    'each delivery to a dead URL has one attempt with the order %s',
    async (webhookOrder) => {
      const service = await openService({ webhookOrder, retries: [] })
      await sendTogether(service, await deadUrl(), 20)
      await service.sandbox.courier.idle()
      const failed = { state: 'failed', attempts: 1, last: 'nothing listens there' }
      expect(await fetchDeliveries(service)).toMatchObject(Array(20).fill(failed))
    },
  )

  test('with strict order, deliveries that share a failure are not overtaken by those behind them', async () => {
    const service = await openService({ webhookOrder: 'strict', retries: [1_000] })
    await service.control('POST', 'clock', { action: 'freeze' })
    await sendTogether(service, await deadUrl(), 4)
    await service.sandbox.courier.idle()
    const attempts = async () => (await fetchDeliveries(service)).map((delivery) => delivery.attempts)
    expect(await attempts()).toEqual([1, 0, 0, 0])
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 1_000 })
    await service.sandbox.courier.idle()
    expect(await attempts()).toEqual([2, 1, 0, 0])
  })

  test('injected faults hit deliveries that share a failure, too', async () => {
    const service = await openService()
    await service.control('POST', 'faults', { kind: 'duplicate', always: true })
    await sendTogether(service, await deadUrl(), 3)
    await service.sandbox.courier.idle()
    expect(await fetchDeliveries(service)).toMatchObject(Array(3).fill({ attempts: 1, fault: 'duplicate' }))
    expect((await triesOf(service)).map(({ length }) => length)).toEqual([2, 2, 2])
  })

  const ledger = {} as FailedConnection['ledger']
  const waiting = { number: 5, attempts: 0, round: undefined }
  const retried = { ...waiting, attempts: 1 }
  test.each([
    ['the last that was due', waiting, 1000, true],
    ['due earlier', waiting, 900, true],
    ['due later', waiting, 1001, false],
    ['entered later', { ...waiting, number: 6 }, 1000, false],
    ['sent again, perhaps meanwhile', { ...waiting, round: 1 }, 1000, false],
    ['a retry that was due', retried, 999, true],
    ['a retry after the very attempt that failed', retried, 1000, false],
    ['a retry of what was sent again', { ...retried, round: 1 }, 999, true],
  ])('a delivery shares a failure if it waited for it: %s, %j at %i, %s', (_, delivery, at, expected) => {
    const failed = { ledger, lastNumber: 5, at: 1000 } as FailedConnection
    const nextDelivery = { delivery: delivery as Delivery, at, timing: onTime }
    expect(hasWaitedFor(failed, ledger, nextDelivery)).toBe(expected)
    expect(hasWaitedFor(failed, { ...ledger }, nextDelivery)).toBe(false)
  })
})

test.each([
  ['to which TLS does not lead', {}, '127.0.0.1', 'it does not serve TLS; use http://'],
  [
    'that is self-signed',
    { https: true },
    'localhost',
    'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  ],
])('the attempt over https:// at a receiver %s says so, and what helps', async (_, options, host, error) => {
  const service = await openService()
  const { port } = await openRawSandbox(options)
  await sellNotifying(service, `https://${host}:${port}/hook`)
  const errors = async () => (await triesOf(service)).flat().map((attempt) => attempt.error)
  await expect.poll(errors).toContain(error)
})
