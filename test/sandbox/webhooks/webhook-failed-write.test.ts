import fs from 'node:fs'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Feed } from '../../../src/sandbox/webhooks/notifications/feed.ts'
import { NotificationIndex } from '../../../src/sandbox/webhooks/notifications/notification-index.ts'
import { replaceFunctions } from '../../support/runner/replaced-functions.ts'
import { onNotification, openService, type Service, sale } from '../../support/service/service.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'

/** Whether the disk is full; how often it was written; how long it takes to make that durable, in milliseconds. */
const disk = { full: false, writes: 0, slow: 0 }

beforeEach(() =>
  replaceFunctions(fs, (real) => ({
    writeSync: (file: number, data: Uint8Array, ...rest: number[]) => {
      if (disk.full) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      disk.writes += 1
      return real.writeSync(file, data, ...rest)
    },
    fdatasync: (file: number, done: (error: Error | null) => void) =>
      setTimeout(() => real.fdatasync(file, done), disk.slow),
  })),
)

afterEach(() => {
  Object.assign(disk, { full: false, slow: 0 })
})

/**
 * Sells five times, and five times more before the first ones are durable: for these the disk is full, or not. Each
 * sale has a URL of its own. Returns what was accepted.
 */
async function burst({ call }: Service, url: string, full: boolean): Promise<string[]> {
  const sell = (number: number) => call('sale', sale(100, { notifyUrl: `${url}/${number}` }))
  const before = disk.writes
  const answers = [1, 2, 3, 4, 5].map(sell)
  await expect.poll(() => disk.writes, { interval: 1 }).toBeGreaterThan(before)
  disk.full = full
  const all = await Promise.all([...answers, ...[6, 7, 8, 9, 10].map(sell)])
  disk.full = false
  return all.filter(({ code }) => code === '0').map(({ data }) => data.transactionId)
}

test('webhooks and streams carry only what is durable', async () => {
  const [service, receiver] = [await openService({ retries: [] }), await openReceiver()]
  const streamed: string[] = []
  onNotification(service.sandbox, ({ kind, transactionId }) => {
    if (kind === 'payment') streamed.push(transactionId)
  })
  const accepted: string[] = []
  disk.slow = 20
  for (let round = 0; round < 4; round++)
    accepted.push(...(await burst(service, receiver.url, round % 2 === 1)))
  expect(accepted).toHaveLength(30)
  const arrivedIds = () => [...new Set(receiver.arrivals.map(({ json }) => json.transactionId))].sort()
  await expect.poll(arrivedIds).toEqual([...accepted].sort())
  expect([...streamed].sort()).toEqual([...accepted].sort())
})

test('writes that fail leave the index as it is on disk, and a reader gets each notification once', async () => {
  const service = await openService()
  const { engine, announcer } = service.sandbox
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const read: string[] = []
  const feed = new Feed(service.sandbox, undefined, (each) => announcer.idOf(each))
  void (async () => {
    for await (const slice of feed.slices(ended.signal)) read.push(...slice)
  })()
  const accepted: string[] = []
  disk.slow = 20
  for (let round = 0; round < 4; round++)
    accepted.push(...(await burst(service, 'http://127.0.0.1:9', round % 2 === 1)))
  expect(accepted).toHaveLength(30)
  await expect.poll(() => read).toHaveLength(30 * 5)
  expect(new Set(read).size).toBe(30 * 5)
  expect(announcer.index.count).toBe(30 * 5)
  const again = new NotificationIndex(engine.state)
  const idsOf = (index: NotificationIndex) =>
    [...index.from(engine.state, 0)].map((notification) =>
      notification === undefined ? 'nothing' : announcer.idOf(notification),
    )
  expect(idsOf(announcer.index)).toEqual(read)
  expect(idsOf(again).sort()).toEqual([...read].sort())
})

test('an attempt that cannot be recorded is repeated after a while, until it is recorded', async () => {
  const reported: string[] = []
  const service = await openService({ report: (message) => reported.push(message) })
  let reportsBefore = 0
  const receiver = await openReceiver((_, response) => {
    disk.full = true
    reportsBefore = reported.length
    response.end()
  })
  const began = performance.now()
  await service.call('sale', sale(100, { notifyUrl: receiver.url }))
  await receiver.got(3)
  await expect.poll(() => reported.length > reportsBefore).toBe(true) // the record of the last one failed
  const repeated = receiver.arrivals.length
  expect(repeated).toBeLessThanOrEqual(1 + (performance.now() - began) / 1_000)
  receiver.answer(200)
  disk.full = false
  await receiver.got(repeated + 1)
  await service.sandbox.courier.idle()
  const { deliveries } = (await service.control('GET', 'webhooks')).data
  expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 1 }])
  expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(1)
  expect(reported.join()).toContain('The state could not be written: ENOSPC')
})
