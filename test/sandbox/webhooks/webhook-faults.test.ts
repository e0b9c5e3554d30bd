import { describe, expect, test } from 'vitest'
import {
  createOutbox,
  type Delivery,
  enterDelivery,
  noteAttempt,
  type Outbox,
} from '../../../src/domain/model/outbox.ts'
import { injectedFaultNames, reorderIndex } from '../../../src/sandbox/webhooks/delivery-faults.ts'
import { findNextDelivery } from '../../../src/sandbox/webhooks/next-delivery.ts'
import { advanceClock, sale } from '../../support/service/service.ts'
import {
  deliveryOf,
  fetchDeliveries,
  hmacOf,
  sellManyNotifying,
  setFaults,
} from '../../support/webhooks/deliveries.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

const deliveryOrder = { order: 'relaxed', concurrency: 1 } as const
const rules = { deliveryOrder, free: 1, now: 0, underWay: new Set<number>() }

/** A service whose clocks stand, with these faults, and a receiver. */
async function faulty(...faults: readonly object[]) {
  const service = await openFrozenService()
  await setFaults(service, ...faults)
  const receiver = await openReceiver()
  const sellMany = async (count: number) => {
    const ids = await sellManyNotifying(service, receiver.url, count)
    await service.sandbox.courier.idle()
    return ids
  }
  const advance = (milliseconds: number) => advanceClock(service, milliseconds)
  return { ...service, receiver, sellMany, advance }
}

/** What is drawn for the deliveries of a sandbox with these faults. */
async function faultsBy(...faults: readonly object[]) {
  const { sandbox } = await faulty(...faults)
  const [ledger] = sandbox.engine.state.ledgers.values()
  if (ledger === undefined) throw new Error('the fixtures have a merchant')
  return sandbox.deliveryFaults(ledger)
}

/** So many deliveries, before their first attempt. */
const deliveries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, attempts: 0 }) as Delivery)

describe('each webhook fault and its row in the list', () => {
  test('without a fault a webhook arrives once, with the time of now and a valid signature', async () => {
    const service = await faulty()
    await service.sellMany(1)
    const [arrival, ...others] = service.receiver.arrivals
    expect(others).toEqual([])
    expect(arrival?.headers['x-timestamp']).toBe(String(service.wall.at))
    expect(arrival?.headers['x-signature']).toBe(hmacOf(arrival?.body ?? ''))
  })

  test('duplicate makes every attempt twice, with the same id', async () => {
    const service = await faulty({ kind: 'duplicate', always: true })
    await service.sellMany(2)
    const ids = service.receiver.arrivals.map(({ id }) => id)
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]])
    const hit = { state: 'delivered', fault: 'duplicate' }
    expect(await fetchDeliveries(service)).toMatchObject(Array(2).fill(hit))
    const [{ tries }] = (await service.control('GET', `webhooks/${ids[0]}`)).data.deliveries
    expect(tries).toMatchObject(Array(2).fill({ status: 200, fault: 'duplicate' }))
  })

  test('drop sends nothing, and makes no further attempt', async () => {
    const service = await faulty({ kind: 'drop', always: true })
    await service.sellMany(2)
    await service.advance(86_400_000)
    expect(service.receiver.arrivals).toEqual([])
    const dropped = { state: 'failed', fault: 'drop', last: 'dropped by an injected fault' }
    expect(await fetchDeliveries(service)).toMatchObject(Array(2).fill(dropped))
  })

  test('bad-signature sends a wrong signature, and everything else as usual', async () => {
    const service = await faulty({ kind: 'bad-signature', always: true })
    await service.sellMany(1)
    const [arrival] = service.receiver.arrivals
    expect(arrival?.headers['x-signature']).toMatch(/^[0-9a-f]{64}$/)
    expect(arrival?.headers['x-signature']).not.toBe(hmacOf(arrival?.body ?? ''))
    expect(arrival?.headers['x-timestamp']).toBe(String(service.wall.at))
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', fault: 'bad-signature' }])
  })

  test('stale sends a timestamp of an hour ago, with a valid signature', async () => {
    const service = await faulty({ kind: 'stale', always: true })
    await service.sellMany(1)
    const [arrival] = service.receiver.arrivals
    expect(arrival?.headers['x-timestamp']).toBe(String(service.wall.at - 3_600_000))
    expect(arrival?.headers['x-signature']).toBe(hmacOf(arrival?.body ?? ''))
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', fault: 'stale' }])
  })

  test('other-json sends the same value as other bytes, with a valid signature', async () => {
    const service = await faulty()
    await service.sellMany(1)
    await setFaults(service, { kind: 'other-json', always: true })
    const { data } = await service.call(
      'sale',
      sale(1000, { notifyUrl: service.receiver.url, attach: '10/茶' }),
    )
    await service.sandbox.courier.idle()
    const [usual, other] = service.receiver.arrivals
    expect(other?.json).toMatchObject({ transactionId: data.transactionId, attach: '10/茶' })
    expect(Object.keys(other?.json).sort()).toEqual(Object.keys({ ...usual?.json, attach: '' }).sort())
    expect(other?.body).not.toBe(JSON.stringify(other?.json))
    expect(other?.body).toContain('"attach": "10\\/\\u8336"')
    expect(other?.body).toMatch(/: 1000\.0[,}]/)
    expect(other?.headers['x-signature']).toBe(hmacOf(other?.body ?? ''))
  })

  test('delay holds a webhook back by the sandbox clock, within its two bounds', async () => {
    const service = await faulty({ kind: 'delay=5s-9s' })
    await service.sellMany(1)
    await service.advance(4999)
    expect(service.receiver.arrivals).toHaveLength(0)
    await service.advance(4001)
    expect(service.receiver.arrivals).toHaveLength(1)
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('reorder sends each webhook once, and not in order', async () => {
    const service = await faulty({ kind: 'delay=1m' }, { kind: 'reorder=5', seed: 3 })
    const ids = await service.sellMany(12)
    await service.advance(60_000)
    const got = service.receiver.arrivals.map(({ json }) => json.transactionId as string)
    expect([...got].sort()).toEqual([...ids].sort())
    expect(got).not.toEqual(ids)
  })
})

/** Numbers in the order in which they go out while others come; with `restarts` all is read back. */
function orderOf(among: number, seed: number, restarts: boolean): number[] {
  let outbox = createOutbox()
  const done = { round: undefined, last: 200, fault: null, delivered: true, nextAt: null }
  const come = () => enterDelivery(outbox, deliveryOf(outbox.lastNumber + 1))
  for (let each = 0; each <= among; each++) come()
  const faults = { reorder: ({ number }: Delivery) => ({ among, seed, number }), delay: () => 0 }
  return Array.from({ length: 200 }, () => {
    const number = findNextDelivery(outbox, 'http://a/', { ...rules, faults })?.delivery.number ?? 0
    noteAttempt(outbox, number, done)
    come()
    if (restarts) outbox = readBack(outbox)
    return number
  })
}

/** The outbox as it is read from the files. */
function readBack({ deliveries }: Outbox): Outbox {
  const outbox = createOutbox()
  for (const delivery of deliveries.values()) enterDelivery(outbox, delivery)
  return outbox
}

describe('the seed of injected faults', () => {
  const shares = { duplicate: 0.4, drop: 0.3, 'bad-signature': 0.3, stale: 0.3 }
  const drawn = Object.entries(shares).map(([kind, share]) => ({ kind, share }))

  test.each([
    ['attempts', drawn],
    ['reorder', [{ kind: 'reorder=5' }]],
    ['delay', [{ kind: 'delay=1000', share: 0.5 }]],
  ])('a fault set again in the same sandbox does the same to the next webhooks: %s', async (_, faults) => {
    const service = await faulty()
    /** What became of 12 webhooks that waited together: place and fault of each. */
    const round = async (seed: number) => {
      await service.control('PUT', 'webhook-hold', { hold: true })
      await setFaults(service, ...faults.map((fault) => ({ ...fault, seed })))
      const before = service.receiver.arrivals.length
      const ids = await sellManyNotifying(service, service.receiver.url, 12)
      await service.control('PUT', 'webhook-hold', { hold: false })
      await service.sandbox.courier.idle()
      for (let step = 0; step < 13; step++) await service.advance(1_000)
      const arrived = service.receiver.arrivals.slice(before).map(({ json }) => json.transactionId as string)
      const deliveries = await fetchDeliveries(service)
      const faultOf = (id: string) => deliveries.find((each) => each.transactionId === id)?.fault
      return [arrived.map((id) => ids.indexOf(id)), ids.map(faultOf)]
    }
    const first = await round(7)
    expect(await round(7)).toEqual(first)
    expect(await round(8)).not.toEqual(first)
  })

  test('the shares of faults hold over many webhooks', async () => {
    const faults = await faultsBy(...drawn)
    const names = deliveries(10_000).map((delivery) => faults.draw(delivery).injected)
    for (const [name, share] of Object.entries(shares)) {
      const count = names.filter((injected) => injected.has(name as keyof typeof shares)).length
      expect(Math.abs(count / 10_000 - share), name).toBeLessThan(0.03)
    }
  })

  test('delays and positions vary within their bounds', async () => {
    const faults = await faultsBy({ kind: 'delay=100-200' }, { kind: 'reorder=4' })
    const delays = deliveries(1000).map((delivery) => faults.delay(delivery))
    const indexes = deliveries(1000).map((delivery) => {
      const reorder = faults.reorder(delivery)
      return reorder && reorderIndex(reorder, 3, 0)
    })
    const bounds = [Math.min(...delays), Math.max(...delays)].map((delay) => Math.round(delay / 10))
    expect(bounds).toEqual([10, 20])
    expect(new Set(indexes)).toEqual(new Set([0, 1, 2]))
  })

  test.each([2, 3, 5].flatMap((reorder) => [false, true].map((restarts) => ({ reorder, restarts }))))(
    'reorder $reorder, restarts $restarts: a webhook waits for fewer others than reorder says',
    ({ reorder, restarts }) => {
      for (let seed = 1; seed <= 20; seed++) {
        const order = orderOf(reorder, seed, restarts)
        expect(order).toEqual(orderOf(reorder, seed, false))
        const overtakenBy = order.map(
          (number, index) => order.slice(0, index).filter((other) => other > number).length,
        )
        expect(order).toEqual(expect.arrayContaining(Array.from({ length: 190 }, (_, index) => index + 1)))
        expect(Math.max(...overtakenBy)).toBe(reorder - 1)
      }
    },
  )

  test('without a fault every webhook is sent unchanged', async () => {
    const [delivery = {} as Delivery] = deliveries(1)
    const faults = await faultsBy()
    expect([faults.draw(delivery).injected, faults.delay(delivery)]).toEqual([new Set(), 0])
    expect(faults.reorder(delivery)).toBeUndefined()
    expect(injectedFaultNames(new Set(), { delay: false, reorder: false })).toBe(null)
    const all = injectedFaultNames(new Set(['drop']), { delay: true, reorder: true })
    expect(all).toBe('drop, delay, reorder')
  })
})

test('clearing a delay sends what was held back', async () => {
  const service = await faulty({ kind: 'delay=1m' })
  await service.sellMany(2)
  expect(service.receiver.arrivals).toHaveLength(0)
  await setFaults(service)
  await service.receiver.got(2)
})
