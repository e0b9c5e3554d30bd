import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { retriesFrom } from '../../src/contract/control/retries.ts'
import { concurrencyOf, webhookOrders } from '../../src/contract/control/webhook-delivery.ts'
import { followed, handedDelivery, streamedNotification } from '../../src/contract/control/webhook-stream.ts'

test.each([
  ['none', []],
  ['fast', [100, 200, 400, 800, 1600]],
  ['default', [5000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000]],
  ['50ms,1s,5m', [50, 1000, 300_000]],
  ['1s, 2s', [1000, 2000]],
  ['0ms', [0]],
  ['', undefined],
  ['1s,', undefined],
  ['soon', undefined],
  ['1s,soon', undefined],
  ['none,1s', undefined],
  ['constructor', undefined],
])('assumption webhook-delivery: the retries %j are the delays %j', (text, delays) =>
  expect(retriesFrom(text)).toEqual(delays),
)

test('assumption webhook-delivery: only the concurrent order sends several attempts at once', () => {
  expect(webhookOrders.map((order) => concurrencyOf({ order, concurrency: 8 }))).toEqual([1, 1, 8])
})

test('an event without its members is no event of a listener', () => {
  const events = [streamedNotification, followed, handedDelivery]
  expect(events.map((schema) => safeParse(schema, {}).success)).toEqual([false, false, false])
})
