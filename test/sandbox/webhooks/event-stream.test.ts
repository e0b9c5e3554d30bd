import { connect } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readStream } from '../../../src/client/server-sent-events.ts'
import type { StreamedNotification } from '../../../src/contract/control/webhook-stream.ts'
import type { Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { fetchPlain } from '../../support/pages/shop-front.ts'
import { times } from '../../support/runner/counts.ts'
import { openSocket } from '../../support/service/raw.ts'
import {
  crashCopy,
  following,
  missedSince,
  onNotification,
  openService,
  type Service,
  sale,
  WallClock,
} from '../../support/service/service.ts'
import { type ListeningSandbox, openListeningSandbox } from '../listening-sandbox.ts'

const eventsPath = '/_sandbox/events'

/** Listens until the test ends, or the stream; resolves when the sandbox streams to it. */
async function listen({ url, sandbox }: ListeningSandbox, lastId?: string) {
  const got: StreamedNotification[] = []
  const aborting = new AbortController()
  onTestFinished(() => aborting.abort())
  const streams = sandbox.streams.size
  const ended = (async () => {
    for await (const { data } of readStream({ baseUrl: url }, eventsPath, lastId, aborting.signal))
      if (data !== null) got.push(JSON.parse(data))
  })().catch(() => undefined)
  await expect.poll(() => sandbox.streams.size).toBe(streams + 1)
  const until = (count: number) => expect.poll(() => got.length).toBeGreaterThanOrEqual(count)
  return { got, ended, until }
}

/** What was missed since that notification, written. */
const missedOf = async (sandbox: Sandbox, lastId: string): Promise<StreamedNotification[]> =>
  (await missedSince(sandbox, lastId)).flatMap(
    (notification) => sandbox.announcer.write(sandbox.engine.state, notification) ?? [],
  )

const idsOf = (notifications: readonly StreamedNotification[]) => notifications.map(({ id }) => id)

describe('assumption event-stream: live notifications', () => {
  test('every notification is streamed, with or without an address, ready to be forwarded', async () => {
    const server = await openListeningSandbox()
    const { got, until } = await listen(server)
    const { transactionId } = await server.sell()
    await until(5)
    expect(got.map(({ kind, event, transactionStatus }) => [kind, event, transactionStatus])).toEqual([
      ['terminal', 'ORDER_RECEIVED', 'P'],
      ['terminal', 'PAYMENT_PRESENTED', 'P'],
      ['terminal', 'PAYMENT_PROCESSING', 'P'],
      ['payment', null, 'S'],
      ['terminal', 'TRANSACTION_ENDED', 'S'],
    ])
    for (const { body, headers, id, ...each } of got) {
      expect(JSON.parse(body)).toMatchObject({ transactionId, transactionStatus: each.transactionStatus })
      expect(headers).toMatchObject({ 'X-Client-Request-Id': id, 'X-Signature': expect.any(String) })
    }
  })

  test('a stop ends the stream', async () => {
    const server = await openListeningSandbox()
    const { ended } = await listen(server)
    await server.close()
    await ended
    expect(server.sandbox.announcer.hasListeners).toBe(false)
  })

  test('a listener that goes away is forgotten', async () => {
    const server = await openListeningSandbox()
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(`GET ${eventsPath} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    await expect.poll(() => server.sandbox.announcer.hasListeners).toBe(true)
    socket.destroy()
    await expect.poll(() => server.sandbox.announcer.hasListeners).toBe(false)
  })

  test('a reader that pauses delays nothing, and gets everything when it reads on', async () => {
    const server = await openListeningSandbox()
    const { socket, received } = openSocket(Number(new URL(server.url).port))
    socket.pause()
    socket.write(`GET ${eventsPath} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`)
    await expect.poll(() => server.sandbox.announcer.hasListeners).toBe(true)
    const ids: (string | undefined)[] = []
    for (let count = 0; count < 300; count++)
      ids.push((await server.sell({ attach: 'x'.repeat(1_000) })).transactionId)
    socket.resume()
    await expect.poll(() => received.text).toMatch(new RegExp(`event: payment.*\\n.*${ids.at(-1)}`))
    const notifiedIds = [...received.text.matchAll(/^event: payment\r?\ndata: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data as string).transactionId,
    )
    expect(notifiedIds).toEqual(ids)
  })
})

const streamPaths = ['events', 'requests/events', 'terminals/TBX-AUTO-001/events']

test.each([
  ['cross-site', 403],
  ['same-site', 403],
  ['same-origin', 200],
  ['none', 200],
])('a browser that reads for a page that is %s and asks for a stream gets %i', async (site, expected) => {
  const server = await openListeningSandbox()
  const mode = expected === 403 && { 'Sec-Fetch-Mode': 'no-cors' }
  for (const path of streamPaths) {
    const headers = { 'Sec-Fetch-Site': site, ...mode }
    const { status } = await fetchPlain(`${server.url}/_sandbox/${path}`, { method: 'HEAD', headers })
    expect([path, status]).toEqual([path, expected])
  }
  if (expected === 403) expect(server.sandbox.streams.size).toBe(0)
})

describe('Last-Event-ID', () => {
  test('the missed notifications come first, then live ones', async () => {
    const server = await openListeningSandbox()
    const first = await listen(server)
    for (let count = 0; count < 3; count++) {
      await server.sell()
      await new Promise((resolve) => setTimeout(resolve, 2)) // a moment of its own for each
    }
    await first.until(15)
    const last = first.got[6]?.id
    const second = await listen(server, last)
    await second.until(8)
    await server.sell()
    await Promise.all([first.until(20), second.until(13)])
    expect(idsOf(second.got)).toEqual(idsOf(first.got).slice(7))
    expect(second.got.map(({ body }) => body)).toEqual(first.got.slice(7).map(({ body }) => body))
  })

  test('an unknown id gives only new notifications', async () => {
    const { sandbox, call } = await openService()
    await call('sale', sale(1000))
    for (const lastId of ['', 'x', crypto.randomUUID()])
      expect(await missedSince(sandbox, lastId)).toEqual([])
  })

  test.each(['stopped', 'killed'])('a clock set back loses no missed notification: %s', async (how) => {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const service = await openService({ wall: wall.read })
    const notifiedIds: string[] = []
    onTestFinished(onNotification(service.sandbox, ({ id }) => notifiedIds.push(id)))
    const { data } = await service.call('sale', sale(1000, { terminalSn: 'TBX-LATE-001' }))
    await service.control('POST', 'clock', { action: 'advance', milliseconds: 3_600_000 })
    await service.call('sale', sale(1000))
    const count = notifiedIds.length
    await service.control('POST', 'clock', { action: 'reset' })
    await service.call('refund', following(data.transactionId, { amount: 10 }))
    if (how === 'stopped') await service.close()
    wall.pass(-1_800_000) // that of the machine, too
    const left = how === 'stopped' ? service.folder : crashCopy(service.folder)
    const again = await openService({ state: left, wall: wall.read })
    onTestFinished(onNotification(again.sandbox, ({ id }) => notifiedIds.push(id)))
    await again.call('sale', sale(1000))
    const last = notifiedIds[count - 1] as string
    expect(idsOf(await missedOf(again.sandbox, last))).toEqual(notifiedIds.slice(count))
    expect(notifiedIds.slice(count).length).toBeGreaterThan(5)
  })

  /** What a random shop does. */
  const action = fc.oneof(
    fc.record({
      what: fc.constant('sale' as const),
      terminalSn: fc.constantFrom('AUTO', 'SLOW', 'DECLINE', 'CANCEL', 'LATE', 'TIP20', 'OFFLINE'),
      more: fc.constantFrom({}, { printReceipt: 'BOTH' }, { signatureEntryLocation: 'ON_SCREEN' }),
    }),
    fc.record({
      what: fc.constantFrom('void' as const, 'refund' as const, 'abort' as const),
      of: fc.nat(20),
    }),
    fc.record({ what: fc.constant('advance' as const), milliseconds: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ what: fc.constant('set back' as const), milliseconds: fc.integer({ min: 1, max: 200_000 }) }),
    fc.record({ what: fc.constant('elsewhere' as const) }),
  )
  type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

  async function perform({ call, control, sandbox }: Service, each: Action, ids: string[]): Promise<void> {
    switch (each.what) {
      case 'sale': {
        const request = sale(1000, { terminalSn: `TBX-${each.terminalSn}-001`, ...each.more })
        const { data } = await call('sale', request)
        if (data) ids.push(data.transactionId)
        return
      }
      case 'elsewhere':
        return void (await call('sale', sale(500, { merchantId: 'M-NEW', terminalSn: 'NEW-1' })))
      case 'advance':
        return void (await control('POST', 'clock', { action: 'advance', milliseconds: each.milliseconds }))
      case 'set back': {
        const time = new Date(sandbox.clock.now() - each.milliseconds).toISOString()
        return void (await control('POST', 'clock', { action: 'set', time }))
      }
      default: {
        const originalTransactionId = ids[each.of % Math.max(ids.length, 1)] ?? '1'
        const amount = each.what === 'refund' ? { amount: 10 } : {}
        const push = each.what === 'abort' ? {} : { pushToTerminal: each.of % 2 === 0 }
        await call(each.what, following(originalTransactionId, { ...amount, ...push }))
      }
    }
  }

  /** Performs the actions and returns what was told live, and of each the moment. */
  async function liveOf(actions: readonly Action[], gap: number) {
    const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
    const service = await openService({ wall: wall.read })
    await service.control('PATCH', 'terminals/TBX-SLOW-001', { card: 'visa-chip-pin' })
    const live: StreamedNotification[] = []
    const { engine, announcer } = service.sandbox
    const append = vi.spyOn(announcer.index, 'append')
    const moments: string[] = []
    let [setBacks, latest] = [0, 0]
    onTestFinished(
      onNotification(service.sandbox, (notification) => {
        live.push(notification)
        const now = service.sandbox.clock.now()
        if (now < latest) setBacks += 1
        latest = now
        moments.push(`${setBacks}: ${now}`)
      }),
    )
    const ids: string[] = []
    for (const each of actions) {
      wall.pass(gap)
      await perform(service, each, ids)
    }
    await engine.written()
    const stored = append.mock.calls.flatMap(([, transactionId, , events]) =>
      events.map((event) => ({ transactionId, event })),
    )
    expect(live.map(({ transactionId, event }) => ({ transactionId, event }))).toEqual(stored)
    const restart = async (): Promise<Service> => {
      await service.close()
      return openService({ state: service.folder, wall: wall.read })
    }
    return { live, moments, service, restart }
  }

  const plain = (notifications: readonly StreamedNotification[]) =>
    notifications.map(({ headers: _, ...each }) => each)

  /** Some of the places in the list, from the first one on. */
  const some = (list: readonly unknown[], first: number): number[] =>
    [...list.keys()].filter((at) => at % 4 === first)

  const shops = [fc.array(action, { minLength: 3, maxLength: 25 }), fc.nat(3), fc.constantFrom(0, 7)] as const

  test('for any shop the replay equals the live stream, in order, with each notification once', async () => {
    await fc.assert(
      fc.asyncProperty(...shops, async (actions, first, gap) => {
        const { live, service } = await liveOf(actions, gap)
        for (const index of some(live, first)) {
          const missed = await missedOf(service.sandbox, live[index]?.id as string)
          expect(plain(missed)).toEqual(plain(live.slice(index + 1)))
        }
        await service.close()
      }),
      { numRuns: times(10, 100) },
    )
  })

  test('after a restart, only notifications of the same moment may repeat or change order', async () => {
    await fc.assert(
      fc.asyncProperty(...shops, async (actions, first, gap) => {
        const { live, moments, restart } = await liveOf(actions, gap)
        const { sandbox, close } = await restart()
        const indexOf = new Map(live.map(({ id }, index) => [id, index]))
        const momentOf = ({ id }: { id: string }) => moments[indexOf.get(id) ?? -1]
        for (const index of some(live, first)) {
          const missed = plain(await missedOf(sandbox, live[index]?.id as string))
          const again = missed.filter(({ id }) => (indexOf.get(id) ?? 0) <= index)
          for (const each of again) expect(momentOf(each)).toBe(moments[index])
          const rest = missed.filter((each) => !again.includes(each))
          expect(rest.map(momentOf)).toEqual(live.slice(index + 1).map(momentOf))
          expect(new Set(rest)).toEqual(new Set(plain(live.slice(index + 1))))
          const own = ({ transactionId }: { transactionId: string }) =>
            transactionId === live[index]?.transactionId
          expect(missed.filter(own)).toEqual(plain(live.slice(index + 1)).filter(own))
        }
        await close()
      }),
      { numRuns: times(10, 100) },
    )
  })
})
