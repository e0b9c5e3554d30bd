import { describe, expect, test } from 'vitest'
import { advanceClock, openService, type Service } from '../../support/service/service.ts'
import {
  fetchDeliveries,
  sellAttempted,
  sellManyNotifying,
  sellNotifying,
} from '../../support/webhooks/deliveries.ts'
import { openHolding } from '../../support/webhooks/holding-receiver.ts'
import { openReceiver } from '../../support/webhooks/webhook-receiver.ts'
import { openFrozenService } from '../frozen-service.ts'

const minute = 60_000

const hold = (service: Service) => service.control('PUT', 'webhook-hold', { hold: true })
const release = (service: Service, ids?: readonly string[]) =>
  service.control('POST', 'webhooks/release', ids && { ids })

const idsOf = async (service: Service): Promise<string[]> =>
  (await fetchDeliveries(service)).map(({ id }) => id)

const settled = async (service: Service) =>
  (await service.control('POST', 'webhooks/wait', { delivered: true, timeoutMs: 0 })).data

/** A service that delivered a webhook, and holds from then on. */
async function openHeld() {
  const [service, receiver] = [await openFrozenService(), await openReceiver()]
  await sellAttempted(service, receiver.url)
  await hold(service)
  return { service, receiver }
}

describe('assumption webhook-order', () => {
  test('a hold stops all sending, and what waited goes out in order when it ends', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver()]
    expect((await hold(service)).data).toEqual({ hold: true, held: 0 })
    await sellManyNotifying(service, receiver.url, 3)
    await advanceClock(service, minute)
    expect(receiver.arrivals).toEqual([])
    const held = { state: 'pending', held: true, attempts: 0 }
    expect(await fetchDeliveries(service)).toMatchObject(Array(3).fill(held))
    expect((await service.control('GET', 'webhook-hold')).data).toEqual({ hold: true, held: 3 })
    expect((await release(service)).data).toEqual({ hold: false, held: 0, released: [] })
    await service.sandbox.courier.idle()
    expect(receiver.arrivals.map(({ id }) => id)).toEqual(await idsOf(service))
    expect(await fetchDeliveries(service)).toMatchObject(Array(3).fill({ state: 'delivered', held: false }))
  })

  test('a retry that falls due is held, too', async () => {
    const service = await openFrozenService({ retries: [minute, minute] })
    const receiver = await openReceiver(500)
    await sellAttempted(service, receiver.url)
    await hold(service)
    await advanceClock(service, 10 * minute)
    expect(receiver.arrivals).toHaveLength(1)
    expect(await fetchDeliveries(service)).toMatchObject([{ held: true, attempts: 1, last: 500 }])
    await release(service)
    await service.sandbox.courier.idle()
    expect(receiver.arrivals).toHaveLength(2)
  })

  test('named webhooks are sent in the given order, each after the answer to the one before; others stay held', async () => {
    const [service, receiver] = [await openFrozenService({ webhookOrder: 'concurrent' }), await openHolding()]
    await hold(service)
    await sellManyNotifying(service, receiver.url, 4)
    const [first = '', second = '', third = '', fourth = ''] = await idsOf(service)
    const releasing = release(service, [third, first, third, second])
    await receiver.got(1)
    expect((await settled(service)).pending).toMatchObject([{ id: third, held: false }])
    receiver.release()
    await receiver.got(2)
    receiver.releaseAll()
    const { data } = await releasing
    expect(receiver.arrivals.map(({ id }) => id)).toEqual([third, first, second])
    expect(receiver.mostOpen()).toBe(1)
    expect(data).toMatchObject({ hold: true, held: 1 })
    expect(data.released).toMatchObject([third, first, second].map((id) => ({ id, state: 'delivered' })))
    expect((await fetchDeliveries(service)).at(-1)).toMatchObject({ id: fourth, held: true })
  })

  test('a released webhook that failed is held again, and goes out when it is named again', async () => {
    const [service, receiver] = [await openFrozenService({ retries: [minute] }), await openReceiver(500)]
    await hold(service)
    await sellNotifying(service, receiver.url)
    const ids = await idsOf(service)
    const failed = { held: true, attempts: 1, last: 500 }
    expect((await release(service, ids)).data.released).toMatchObject([failed])
    await advanceClock(service, 10 * minute)
    expect(receiver.arrivals).toHaveLength(1)
    receiver.answer(200)
    expect((await release(service, ids)).data.released).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  test('a delivered webhook that is resent is held, with the same id', async () => {
    const { service, receiver } = await openHeld()
    const ids = await idsOf(service)
    await service.control('POST', 'webhooks/resend', { ids })
    expect(receiver.arrivals).toHaveLength(1)
    await release(service, ids)
    expect(receiver.arrivals.map(({ id }) => id)).toEqual([...ids, ...ids])
  })

  test('an attempt under way ends, and settled waits for it, but not for held deliveries', async () => {
    const [service, receiver] = [await openFrozenService(), await openHolding()]
    await sellManyNotifying(service, receiver.url, 2)
    await receiver.got(1)
    await hold(service)
    expect(await settled(service)).toMatchObject({ reached: false, pendingCount: 1, heldCount: 1 })
    receiver.releaseAll()
    await service.sandbox.courier.idle()
    expect(await settled(service)).toMatchObject({ reached: true, pendingCount: 0, heldCount: 1 })
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a released webhook is subject to injected faults', async () => {
    const [service, receiver] = [await openFrozenService(), await openReceiver()]
    await service.control('POST', 'faults', { kind: 'duplicate' })
    await hold(service)
    await sellNotifying(service, receiver.url)
    const [id = ''] = await idsOf(service)
    await release(service, [id])
    expect(receiver.arrivals.map((arrival) => arrival.id)).toEqual([id, id])
  })

  test('a hold survives a restart, is part of snapshots, and ends with a reset of everything', async () => {
    const receiver = await openReceiver()
    const first = await openService()
    await first.control('PUT', 'snapshots/sent', {})
    await hold(first)
    await sellNotifying(first, receiver.url)
    await first.control('PUT', 'snapshots/held', {})
    const { settings } = (await first.control('GET', 'snapshots/sent/diff?to=held')).data
    expect(settings).toContainEqual({ member: 'webhooks', from: 'sent', to: 'held' })
    await first.close()
    const second = await openService({ state: first.folder })
    const isHeld = async () => (await second.control('GET', 'webhook-hold')).data
    await second.sandbox.courier.idle()
    expect(await isHeld()).toEqual({ hold: true, held: 1 })
    await second.control('POST', 'snapshots/sent/restore')
    expect(await isHeld()).toEqual({ hold: false, held: 0 })
    await second.control('POST', 'snapshots/held/restore')
    expect(await isHeld()).toEqual({ hold: true, held: 1 })
    await second.control('POST', 'reset', {})
    expect(await isHeld()).toEqual({ hold: true, held: 0 })
    await second.control('POST', 'reset', { everything: true })
    expect(await isHeld()).toEqual({ hold: false, held: 0 })
    expect(receiver.arrivals).toEqual([])
  })

  test.each([
    ['an unknown one', () => 'nobody', 'SBX_WEBHOOK_NONE'],
    ['a delivered one', (delivered: string) => delivered, 'C17'],
  ])('the release of %s is refused, and nothing is sent', async (_, named, code) => {
    const { service, receiver } = await openHeld()
    await sellNotifying(service, receiver.url)
    const [delivered = '', held = ''] = await idsOf(service)
    expect(await release(service, [held, named(delivered)])).toMatchObject({ code })
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a webhook of a listener that is not connected is not released, and the refusal says why', async () => {
    const { service, receiver } = await openHeld()
    const ids = await idsOf(service)
    const to = 'http://127.0.0.1:4000/hook?key=secret'
    await service.control('POST', 'webhooks/resend', { ids, to, listener: 'laptop' })
    const refused = await release(service, ids)
    expect(refused).toMatchObject({ code: 'C17', field: 'ids' })
    expect(refused.detail).toMatch(/tillbox listen http:\/\/127\.0\.0\.1:4000\/\S+ is not connected/)
    expect(refused.detail).not.toContain('secret')
    await service.control('POST', 'webhooks/resend', { ids })
    expect((await release(service, ids)).data.released).toMatchObject([{ url: receiver.url }])
    expect((await fetchDeliveries(service)).filter(({ held }) => held)).toHaveLength(1)
  })

  test('without a hold no webhook can be released by name', async () => {
    const [service, receiver] = [await openFrozenService(), await openHolding()]
    await sellNotifying(service, receiver.url)
    const refused = await release(service, await idsOf(service))
    expect(refused).toMatchObject({ code: 'C17', field: 'ids' })
    expect(refused.detail).toContain('webhooks are not held')
  })
})
