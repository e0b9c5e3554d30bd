import fs from 'node:fs'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'
import { crashCopy, openService, temporaryFolder } from '../../support/service/service.ts'
import { fetchDeliveries, sellNotifying } from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** What waits for the disk while it is stuck; null while it works. */
const disk = { stuck: null as (() => void)[] | null }

beforeEach(() =>
  replaceFunctions(fs, (real) => ({
    fdatasync: (file: number, done: (error: Error | null) => void) => {
      if (disk.stuck === null) real.fdatasync(file, done)
      else disk.stuck.push(() => real.fdatasync(file, done))
    },
  })),
)

function release(): void {
  const waiting = disk.stuck ?? []
  disk.stuck = null
  for (const each of waiting) each()
}

afterEach(release)

test('the next webhook does not wait for the record of the one before; a crash repeats them in order, and loses none', async () => {
  const state = temporaryFolder()
  const [service, receiver] = [await openService({ state }), await openReceiver()]
  await service.control('PUT', 'webhook-hold', { hold: true })
  const ids: string[] = []
  for (let count = 0; count < 20; count++) ids.push(await sellNotifying(service, receiver.url))
  await service.control('PUT', 'webhook-hold', { hold: false })
  disk.stuck = []
  await receiver.got(20)
  const arrived = () => receiver.arrivals.map(({ json }) => json.transactionId)
  expect(arrived()).toEqual(ids)
  const copy = crashCopy(state)
  release()
  await service.close()
  const again = await openService({ state: copy })
  await again.sandbox.courier.idle()
  const repeated = arrived().slice(20)
  expect(repeated.length).toBeGreaterThan(1)
  expect(repeated).toEqual(ids.slice(20 - repeated.length))
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(20)
  const deliveries = await fetchDeliveries(again)
  expect(deliveries).toEqual(Array(20).fill(expect.objectContaining({ state: 'delivered' })))
})

test('a notification that is not durable yet is not sent, even when its URL is being served', async () => {
  const service = await openService()
  const answers: ServerResponse[] = []
  const receiver = await openReceiver((_, response) => answers.push(response))
  await sellNotifying(service, receiver.url)
  await receiver.got(1)
  disk.stuck = []
  const second = sellNotifying(service, receiver.url)
  await expect.poll(() => disk.stuck).toHaveLength(1)
  receiver.answer(200)
  answers[0]?.end()
  await expect
    .poll(() => fetchDeliveries(service))
    .toMatchObject([{ state: 'delivered' }, { state: 'pending', attempts: 0 }])
  expect(receiver.arrivals).toHaveLength(1)
  release()
  expect((await receiver.got(2))[1]?.json.transactionId).toBe(await second)
})

test('an attempt that may not be made any more when it begins is made again later, and not recorded', async () => {
  const [service, receiver] = [await openService(), await openReceiver()]
  const may = [true, false]
  Object.assign(service.sandbox.webhookLimits, { mayPost: () => may.shift() ?? true })
  await sellNotifying(service, receiver.url)
  await receiver.got(1)
  await service.sandbox.courier.idle()
  expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  expect(may).toEqual([])
})
