import { describe, expect, onTestFinished, test } from 'vitest'
import { Feed } from '../../../src/sandbox/webhooks/notifications/feed.ts'
import type { Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { onNotification, openService, sale, WallClock } from '../../support/service/service.ts'

/** Follows until the test ends; `take` is asked before each next one. */
function reading(sandbox: Sandbox, lastId?: string, take = async () => {}) {
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  const ids: string[] = []
  const feed = new Feed(sandbox, lastId, (each) => sandbox.announcer.idOf(each))
  const done = (async () => {
    for await (const slice of feed.slices(ended.signal))
      for (const id of slice) {
        await take()
        ids.push(id)
      }
  })()
  return { feed, begins: feed.begins, ids, done, end: () => ended.abort() }
}

/** Notifications of a sale. */
const perSale = 5

/** A shop whose wall clock goes on with every sale, and what it told. */
async function shop() {
  const wall = new WallClock(Date.UTC(2026, 10, 20, 12))
  const service = await openService({ wall: wall.read })
  const sentIds: string[] = []
  onTestFinished(onNotification(service.sandbox, ({ id }) => sentIds.push(id)))
  const sell = async (count: number, more: object = {}) => {
    for (let each = 0; each < count; each++) {
      wall.pass(1)
      await service.call('sale', sale(100, more))
    }
  }
  return { ...service, sell, sentIds, wall }
}

const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, pass: () => opened }
}

describe('a reader that is far behind', () => {
  test('a reader gets everything once, even while the clock stands still', async () => {
    const { sandbox, sell, sentIds, control } = await shop()
    await control('POST', 'clock', { action: 'freeze' })
    const { open, pass } = gate()
    const { ids } = reading(sandbox, undefined, pass)
    await sell(10)
    open()
    await expect.poll(() => ids).toHaveLength(10 * perSale)
    expect(ids).toEqual(sentIds)
  })

  test('nothing is left out when the clock is set back meanwhile', async () => {
    const { sandbox, sell, sentIds, control, wall } = await shop()
    const { open, pass } = gate()
    const { ids } = reading(sandbox, undefined, pass)
    await sell(2)
    await control('POST', 'clock', { action: 'set', time: new Date(wall.at - 86_400_000).toISOString() })
    await sell(2)
    open()
    await expect.poll(() => ids).toHaveLength(4 * perSale)
    expect(ids).toEqual(sentIds)
  })

  test('notifications from before a reset no longer come', async () => {
    const { sandbox, sell, sentIds, control } = await shop()
    const { open, pass } = gate()
    const { ids } = reading(sandbox, undefined, pass)
    await sell(5)
    await control('POST', 'reset')
    const before = sentIds.length
    await sell(1)
    open()
    await expect.poll(() => ids).toContain(sentIds.at(-1))
    expect(ids.slice(-5)).toEqual(sentIds.slice(before))
  })
})

describe('the position of a reader', () => {
  test('a feed without a position begins now, and the position it returns leads to the same', async () => {
    const { sandbox, sell, sentIds } = await shop()
    const first = reading(sandbox)
    await sell(1)
    await expect.poll(() => first.ids).toEqual(sentIds)
    const { begins, ids } = reading(sandbox)
    const again = reading(sandbox, first.begins)
    expect(begins).toBe(sentIds.at(-1))
    await sell(1)
    await expect.poll(() => [ids.length, again.ids.length]).toEqual([5, 10])
    expect([ids, again.ids]).toEqual([sentIds.slice(5), sentIds])
  })

  test('a feed that was ended calls its reader no more', async () => {
    const { sandbox } = await openService()
    const { done, end } = reading(sandbox)
    expect(sandbox.announcer.hasListeners).toBe(true)
    end()
    await done
    expect(sandbox.announcer.hasListeners).toBe(false)
  })
})
