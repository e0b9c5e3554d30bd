import type { ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../../src/server/sandbox/options.ts'
import { noon } from '../../support/domain/ledger.ts'
import { crashCopy, openService, type Service, WallClock } from '../../support/service/service.ts'
import { fetchDeliveries, sellManyNotifying, sellNotifying } from '../../support/webhooks/deliveries.ts'
import { openHolding } from '../../support/webhooks/holding-receiver.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

const hour = 3_600_000

/** Resolves when a delivery to another URL went out: what could go out before it has. */
async function afterAnother(service: Service): Promise<void> {
  const other = await openReceiver()
  await sellNotifying(service, other.url)
  await other.got(1)
}

const allDeliveries = (service: Service, query = '') => fetchDeliveries(service, `?limit=1000${query}`)

describe('assumption webhook-order: attempts to one URL at once', () => {
  test.each<[options: Partial<SandboxOptions>, atOnce: number]>([
    [{}, 1],
    [{ webhookOrder: 'strict' }, 1],
    [{ webhookOrder: 'concurrent' }, 8],
    [{ webhookOrder: 'concurrent', webhookConcurrency: 3 }, 3],
  ])('with %j there are %d attempts at once, and never more', async (options, atOnce) => {
    const [service, receiver] = [await openFrozenService(options), await openHolding()]
    await sellManyNotifying(service, receiver.url, 20)
    await receiver.got(atOnce)
    await afterAnother(service)
    expect(receiver.arrivals).toHaveLength(atOnce)
    receiver.release()
    await receiver.got(atOnce + 1)
    await afterAnother(service)
    expect(receiver.arrivals).toHaveLength(atOnce + 1)
    receiver.releaseAll()
    await receiver.got(20)
    await service.sandbox.courier.idle()
    expect(receiver.mostOpen()).toBe(atOnce)
    expect(new Set(receiver.arrivals.map(({ id }) => id)).size).toBe(20)
    expect(await allDeliveries(service, '&state=delivered')).toHaveLength(21 + 1)
  })

  test('the attempt answered first is delivered first, and another begins at once', async () => {
    const service = await openFrozenService({ webhookOrder: 'concurrent', webhookConcurrency: 2 })
    const answers: ServerResponse[] = []
    const receiver = await openReceiver((_, response) => answers.push(response))
    await sellManyNotifying(service, receiver.url, 3)
    await receiver.got(2)
    answers[1]?.writeHead(200).end()
    await receiver.got(3)
    const states = (await allDeliveries(service)).map(({ state }) => state)
    expect(states).toEqual(['pending', 'delivered', 'pending'])
    for (const index of [0, 2]) answers[index]?.writeHead(200).end()
    await service.sandbox.courier.idle()
    expect(await allDeliveries(service, '&state=delivered')).toHaveLength(3)
  })

  test('all URLs together have at most 64 attempts at once, and each URL gets its turn', async () => {
    const service = await openFrozenService({ webhookOrder: 'concurrent', webhookConcurrency: 50 })
    const [first, second] = [await openHolding(), await openHolding()]
    await sellManyNotifying(service, first.url, 60)
    await first.got(50)
    await sellManyNotifying(service, second.url, 60)
    await second.got(14)
    const third = await openReceiver()
    await sellNotifying(service, third.url)
    await third.got(1) // the first attempt at a URL goes beyond them
    first.releaseAll()
    second.releaseAll()
    await first.got(60)
    await second.got(60)
    await service.sandbox.courier.idle()
    expect([first.mostOpen(), second.mostOpen()]).toEqual([50, expect.any(Number)])
    expect(second.mostOpen()).toBeLessThanOrEqual(50)
    expect(await allDeliveries(service, '&state=delivered')).toHaveLength(121)
  })

  test('a retry delays no other delivery, and every attempt is recorded', async () => {
    const twoAtOnce = { webhookOrder: 'concurrent', webhookConcurrency: 2 } as const
    const service = await openFrozenService({ ...twoAtOnce, retries: [hour] })
    const receiver = await openHolding()
    await sellManyNotifying(service, receiver.url, 4)
    await receiver.got(2)
    receiver.release(500)
    await receiver.got(3)
    receiver.releaseAll()
    await receiver.got(4)
    await service.sandbox.courier.idle()
    const states = async () =>
      (await allDeliveries(service)).map(({ state, attempts }) => `${state} ${attempts}`)
    const [failed] = receiver.arrivals
    const others = Array(3).fill('delivered 1')
    expect(await states()).toEqual(['pending 1', ...others])
    await service.control('POST', 'clock', { action: 'advance', milliseconds: hour })
    expect(await states()).toEqual(['delivered 2', ...others])
    const { deliveries } = (await service.control('GET', `webhooks/${failed?.id}`)).data
    expect(deliveries[0].tries.map(({ status }: { status: number }) => status)).toEqual([500, 200])
  })

  test('a delivery that is resent while its attempt is under way is not sent twice at once', async () => {
    const [service, receiver] = [await openFrozenService({ webhookOrder: 'concurrent' }), await openHolding()]
    await sellNotifying(service, receiver.url)
    const [{ id } = { id: '' }] = await receiver.got(1)
    await service.control('POST', 'webhooks/resend', { ids: [id] })
    await afterAnother(service)
    expect(receiver.arrivals).toHaveLength(1)
    receiver.releaseAll()
    await receiver.got(2)
    await service.sandbox.courier.idle()
    expect(receiver.mostOpen()).toBe(1)
    expect(receiver.arrivals.map((each) => each.id)).toEqual([id, id])
  })
})

describe.each([
  ['a clean stop', true],
  ['a crash', false],
])('a restart after %s with attempts under way', (_, clean) => {
  test('every delivery is sent after the restart, with the same id', async () => {
    const wall = new WallClock(noon).read
    const first = await openFrozenService({ wall, webhookOrder: 'concurrent', webhookConcurrency: 4 })
    const receiver = await openHolding()
    await sellManyNotifying(first, receiver.url, 10)
    await receiver.got(4)
    receiver.release()
    await receiver.got(5)
    await first.sandbox.engine.written()
    const before = await allDeliveries(first)
    const copy = clean ? first.folder : crashCopy(first.folder)
    await first.close()
    receiver.releaseAll()
    const again = await openService({ state: copy, wall, webhookOrder: 'concurrent', webhookConcurrency: 4 })
    await again.sandbox.courier.idle()
    const ids = (all: readonly { id: string }[]) => new Set(all.map(({ id }) => id))
    expect(ids(receiver.arrivals)).toEqual(ids(before))
    expect(await allDeliveries(again, '&state=delivered')).toHaveLength(10)
  })
})

describe('assumption webhook-order: a change while the sandbox runs', () => {
  const schedule = async (service: Service) => {
    const { order, concurrency } = (await service.control('GET', 'webhook-schedule')).data
    return `${order} ${concurrency}`
  }
  const set = (service: Service, order: string, concurrency?: number) =>
    service.control('PUT', 'webhook-schedule', { order, ...(concurrency && { concurrency }) })

  test('a new setting counts at once, and attempts under way end first', async () => {
    const [service, receiver] = [await openFrozenService(), await openHolding()]
    await sellManyNotifying(service, receiver.url, 12)
    await receiver.got(1)
    expect((await set(service, 'concurrent')).data).toMatchObject({ order: 'concurrent', concurrency: 8 })
    await receiver.got(8)
    await set(service, 'strict')
    for (let each = 0; each < 7; each++) receiver.release()
    await afterAnother(service)
    expect(receiver.arrivals).toHaveLength(8)
    receiver.release()
    await receiver.got(9)
    receiver.releaseAll()
    await receiver.got(12)
  })

  test('the setting survives a restart unless the start says otherwise, and a snapshot has it', async () => {
    const first = await openService({ webhookOrder: 'strict' })
    expect(await schedule(first)).toBe('strict 8')
    await first.control('PUT', 'snapshots/before', {})
    await set(first, 'concurrent', 3)
    await first.control('PUT', 'snapshots/after', {})
    expect(await schedule(first)).toBe('concurrent 3')
    const { settings } = (await first.control('GET', 'snapshots/before/diff?to=after')).data
    expect(settings).toContainEqual({ member: 'webhookOrder', from: null, to: 'concurrent, 3 at once' })
    await first.close()
    const second = await openService({ state: first.folder })
    expect(await schedule(second)).toBe('concurrent 3')
    await second.control('POST', 'snapshots/before/restore')
    expect(await schedule(second)).toBe('relaxed 8')
    await second.control('POST', 'snapshots/after/restore')
    expect(await schedule(second)).toBe('concurrent 3')
    await second.close()
    const third = await openService({ state: first.folder, webhookOrder: 'relaxed' })
    expect(await schedule(third)).toBe('relaxed 8')
  })

  test.each([
    [{ order: 'fifo' }, 'order'],
    [{}, 'order'],
    [{ order: 'concurrent', concurrency: 0 }, 'concurrency'],
    [{ order: 'concurrent', concurrency: 51 }, 'concurrency'],
  ])('%j is refused and changes nothing', async (members, field) => {
    const service = await openService()
    expect(await service.control('PUT', 'webhook-schedule', members)).toMatchObject({ code: 'C17', field })
    expect(await schedule(service)).toBe('relaxed 8')
  })
})
