import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { CoverageReport } from '../../../src/contract/control/coverage-answers.ts'
import { hiddenMark } from '../../../src/contract/control/request-log-answers.ts'
import type { HandedDelivery } from '../../../src/contract/control/webhook-stream.ts'
import { sleep } from '../../../src/shared/timers.ts'
import { appOf } from '../../support/service/app.ts'
import { crashCopy, openService, type Service, sale } from '../../support/service/service.ts'
import { fetchDeliveries } from '../../support/webhooks/deliveries.ts'

const url = 'http://localhost:3000/hook'

/** A listener of a sandbox, which posts nothing by itself. */
async function listen({ sandbox }: Service, more: object = {}) {
  const response = await appOf(sandbox).request('/_sandbox/listeners', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Host: 'localhost' },
    body: JSON.stringify({ listener: 'desk', url, events: ['payment'], ...more }),
  })
  const reader = response.body?.getReader()
  const leave = async () => void (await reader?.cancel())
  onTestFinished(leave)
  const handed: HandedDelivery[] = []
  const followed: { missed: number }[] = []
  const events: string[] = []
  void (async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      const text = new TextDecoder().decode(part.value)
      for (const [, event, data = ''] of text.matchAll(/^event: (.*)\ndata: (.*)$/gm)) {
        events.push(String(event))
        ;(event === 'delivery' ? handed : followed).push(JSON.parse(data))
      }
    }
  })().catch(() => undefined)
  await expect.poll(() => followed).toHaveLength(1)
  const next = async (count: number) => {
    await expect.poll(() => handed.length).toBe(count)
    return handed[count - 1] as HandedDelivery
  }
  return { missed: followed[0]?.missed, events, handed, next, leave }
}

const report = (service: Service, { handed }: HandedDelivery, more: object = {}) =>
  service.control('POST', 'listeners/attempts', {
    ...{
      handed,
      status: 200,
      responseHeaders: { 'Set-Cookie': 'precious' },
      responseBody: 'ok',
      durationMs: 3,
    },
    ...more,
  })

const sell = async ({ call }: Service) => String((await call('sale', sale(1000))).data.transactionId)

describe('assumption followers: tillbox listen as an endpoint', () => {
  test('the courier hands it a delivery, and records what it reports, without secrets', async () => {
    const service = await openService({ retries: [60_000] })
    const { next } = await listen(service, { addedHeaders: ['X-Shop'] })
    const transactionId = await sell(service)
    const first = await next(1)
    expect(first).toMatchObject({ attempt: 1, retryMs: 60_000, notification: { transactionId } })
    await report(service, first, { status: 500 })
    const failed = { url, listener: true, state: 'pending', attempts: 1, last: 500 }
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([failed])
    const advanced = service.control('POST', 'clock', { action: 'advance', milliseconds: 60_000 })
    const second = await next(2)
    expect(second).toMatchObject({ attempt: 2, retryMs: null })
    expect((await report(service, second)).data).toEqual({ status: 'kept' })
    expect((await report(service, second)).data).toEqual({ status: 'over' })
    expect((await advanced).code).toBe('0') // it waits for webhooks under way
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    const { deliveries } = (await service.control('GET', `webhooks/${second.notification.id}`)).data
    const hidden = { requestHeaders: { 'X-Shop': hiddenMark }, responseHeaders: { 'Set-Cookie': hiddenMark } }
    expect(deliveries[0].tries).toMatchObject([
      { status: 500, ...hidden },
      { status: 200, requestBody: second.notification.body },
    ])
  })

  test('what it was handed and did not report is handed to the next one at the same endpoint', async () => {
    const service = await openService()
    const one = await listen(service)
    const transactionId = await sell(service)
    await one.next(1)
    await one.leave()
    const other = await listen(service)
    expect((await other.next(1)).notification.transactionId).toBe(transactionId)
    expect(await listen(service, { listener: 'another-desk' })).toMatchObject({ missed: 0 })
  })

  test('of two at the same endpoint the later one gets deliveries, and the first is told when that begins and ends', async () => {
    const service = await openService()
    const [one, other] = [await listen(service), await listen(service)]
    await sell(service)
    await report(service, await other.next(1))
    expect(one.handed).toEqual([])
    await expect.poll(() => one.events).toEqual(['followed', 'superseded'])
    await other.leave()
    await expect.poll(() => one.events).toEqual(['followed', 'superseded', 'superseded'])
    await sell(service)
    await one.next(1)
  })

  test('after a crash it gets what it missed, in order, and nothing that was delivered', async () => {
    const first = await openService()
    const one = await listen(first)
    const delivered = await sell(first)
    await report(first, await one.next(1))
    await expect.poll(() => fetchDeliveries(first)).toMatchObject([{ state: 'delivered' }])
    await one.leave()
    const missed = [await sell(first), await sell(first)]
    const second = await openService({ state: crashCopy(first.folder) })
    const again = await listen(second)
    expect(again.missed).toBeGreaterThanOrEqual(2)
    expect(again.events[0]).toBe('followed')
    for (const [index] of missed.entries()) await report(second, await again.next(index + 1))
    expect(again.handed.map(({ notification }) => notification.transactionId)).toEqual(missed)
    const all = [delivered, ...missed].map((transactionId) => ({ state: 'delivered', transactionId }))
    await expect.poll(() => fetchDeliveries(second)).toMatchObject(all)
  })

  test('a receiver that is down uses up no attempt: the next connection is tried after a pause', async () => {
    const service = await openService({ retries: [] })
    const { next } = await listen(service)
    await sell(service)
    await report(service, await next(1), { status: null, error: 'nothing listens there', unreachable: true })
    const again = await next(2)
    expect(again.attempt).toBe(1)
    await report(service, again)
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([{ state: 'delivered', attempts: 1 }])
  })

  test('a resend waits for the listener of that endpoint, and a wait does not wait for one that left', async () => {
    const service = await openService()
    const one = await listen(service)
    await sell(service)
    const { notification } = await one.next(1)
    await report(service, one.handed[0] as HandedDelivery)
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([{ state: 'delivered' }])
    await one.leave()
    await service.control('POST', 'webhooks/resend', { ids: [notification.id], to: url, listener: 'desk' })
    expect(await fetchDeliveries(service)).toMatchObject([{ state: 'pending', listener: true }])
    const wait = async () => service.control('POST', 'webhooks/wait', { delivered: true, timeoutMs: 0 })
    await expect.poll(async () => (await wait()).data.reached).toBe(true)
    const other = await listen(service)
    expect((await other.next(1)).notification.id).toBe(notification.id)
  })

  test('one that leaves while it is being added is handed nothing, and the sandbox goes on', async () => {
    const service = await openService()
    await (await listen(service)).leave()
    await sell(service)
    const body = JSON.stringify({ listener: 'desk', url, events: ['payment'] })
    const headers = { 'Content-Type': 'application/json', Host: 'localhost' }
    const request = { method: 'POST', headers, body }
    const response = await appOf(service.sandbox).request('/_sandbox/listeners', request)
    await response.body?.cancel()
    const [, again] = [await sell(service), await listen(service)]
    expect((await again.next(1)).notification.kind).toBe('payment')
  })

  test('one that leaves before it reports has told nothing: an order is paid again before that', async () => {
    const service = await openService()
    const { courier } = service.sandbox
    const pay = () => service.call('sale', sale(1000, { referenceOrderId: 'ORDER-1' }))
    const gone = await listen(service)
    await pay()
    await gone.next(1)
    await gone.leave()
    await expect.poll(() => courier.isBusy).toBe(false)
    await sleep(5, new AbortController().signal) // times are whole milliseconds
    await pay()
    const back = await listen(service)
    for (const count of [1, 2]) await report(service, await back.next(count))
    const delivered = { state: 'delivered' }
    await expect.poll(() => fetchDeliveries(service)).toMatchObject([delivered, delivered])
    const { situations } = (await service.control('GET', 'coverage')).data as CoverageReport
    expect(situations.find(({ name }) => name === 'sale-approved')).toMatchObject({ state: 'gap', times: 2 })
  })

  test('one whose position cannot be written is refused, and follows no more', async () => {
    const service = await openService()
    const { settings, followers } = service.sandbox
    const write = vi.spyOn(settings, 'write').mockRejectedValueOnce(new Error('ENOSPC'))
    const transport = () => Promise.reject<never>(new Error('it is not reached'))
    const endpoint = { url, listener: 'desk', wants: () => true, retries: null, isPatient: true, transport }
    await expect(followers.follow(endpoint)).rejects.toThrow('ENOSPC')
    expect(followers.at(endpoint)).toBeUndefined()
    expect(write).toHaveBeenCalled()
  })
})

test('a listener that leaves before it takes a notification gets it when it comes back', async () => {
  const service = await openService()
  const { announcer } = service.sandbox
  const open = async () => {
    const response = await appOf(service.sandbox).request('/_sandbox/listeners', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Host: 'localhost' },
      body: JSON.stringify({ listener: 'desk' }),
    })
    const reader = response.body?.getReader()
    const leave = async () => void (await reader?.cancel())
    onTestFinished(leave)
    return { leave, followed: new TextDecoder().decode((await reader?.read())?.value) }
  }
  const first = await open()
  const written = vi.spyOn(announcer, 'text')
  await sell(service)
  await expect.poll(() => written.mock.calls.length).toBeGreaterThan(0)
  await sleep(50, new AbortController().signal) // the slice waits for the reader
  await first.leave()
  await expect.poll(() => announcer.hasListeners).toBe(false)
  expect((await open()).followed).toContain('{"missed":5}')
})
