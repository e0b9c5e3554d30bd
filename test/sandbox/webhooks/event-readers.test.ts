import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import type { StreamTurns } from '../../../src/sandbox/http/stream-turns.ts'
import type { Sandbox } from '../../../src/server/sandbox/sandbox.ts'
import { appOf } from '../../support/service/app.ts'
import { openService, sale } from '../../support/service/service.ts'

/** Notifications of a sale. */
const each = 5

/** What is read at once at most, in transactions: 50 notifications, and the transaction that they end in. */
const slice = 50 / each + 1

/** Counts how often a transaction is read that is not the one before, in all and the most in one turn of the event loop. */
function countReads({ engine }: Sandbox) {
  const reads = { all: 0, most: 0 }
  let [readsInTurn, last, counting]: [number, unknown, boolean] = [0, undefined, true]
  for (const { transactions } of engine.state.ledgers.values())
    for (const transaction of transactions as Iterable<Transaction>) {
      const { timeline } = transaction
      Object.defineProperty(transaction, 'timeline', {
        enumerable: true,
        get: () => {
          if (last !== transaction) reads.all += 1
          if (last !== transaction) readsInTurn += 1
          last = transaction
          return timeline
        },
      })
    }
  const startTurn = () => {
    reads.most = Math.max(reads.most, readsInTurn)
    readsInTurn = 0
    last = undefined
    if (counting) setImmediate(startTurn)
  }
  startTurn()
  onTestFinished(() => {
    counting = false
  })
  return reads
}

/** Counts the most turns that streams get in one turn of the event loop. */
function countTurns(turns: StreamTurns) {
  const counted = { most: 0 }
  let [inTurn, counting] = [0, true]
  const startTurn = () => {
    inTurn = 0
    if (counting) setImmediate(startTurn)
  }
  startTurn()
  onTestFinished(() => {
    counting = false
  })
  const next = turns.next.bind(turns)
  vi.spyOn(turns, 'next').mockImplementation(async () => {
    await next()
    inTurn += 1
    counted.most = Math.max(counted.most, inTurn)
  })
  return counted
}

/** A sandbox with so many sales, and streams of it without a port. */
async function stocked(sales: number, more: object = {}) {
  const service = await openService(more)
  for (let count = 0; count < sales; count++) await service.call('sale', sale(1000))
  const app = appOf(service.sandbox)
  const open = async (lastId?: string, method = 'GET') => {
    const headers: Record<string, string> = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
    const { body, headers: answered } = await app.request('/_sandbox/events', { method, headers })
    const reader = body?.getReader()
    onTestFinished(async () => void (await reader?.cancel()))
    return { missed: answered.get('X-Sandbox-Missed'), next: async () => textOf(await reader?.read()) }
  }
  return { ...service, open }
}

const textOf = (part: { value?: Uint8Array | undefined } | undefined): string =>
  new TextDecoder().decode(part?.value)

/** Ids of the notifications in a piece of a stream. */
const idsIn = (text: string): string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id as string)

/** Reads so many notifications of a stream. */
async function take({ next }: { next: () => Promise<string> }, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(...idsIn(await next()))
  return ids
}

describe('assumption event-stream: a sandbox with many sales stored', () => {
  test('a stream says how many notifications were missed', async () => {
    const { open } = await stocked(60)
    const all = await take(await open('0'), 60 * each)
    expect((await open('0', 'HEAD')).missed).toBe(String(60 * each))
    expect((await open(all[99], 'HEAD')).missed).toBe(String(60 * each - 100))
    expect((await open('of-somebody-else', 'HEAD')).missed).toBe('0')
  })

  test.each([1, 5])('%i readers from the beginning get everything, a slice in a turn', async (readers) => {
    const { sandbox, open } = await stocked(100)
    const reads = countReads(sandbox)
    const streams = await Promise.all(Array.from({ length: readers }, () => open('0')))
    const all = await Promise.all(streams.map((stream) => take(stream, 100 * each)))
    for (const ids of all) expect(ids).toEqual(all[0])
    expect(new Set(all[0]).size).toBe(100 * each)
    await new Promise(setImmediate) // the turn that it ended in counts, too
    expect(reads.all).toBeGreaterThanOrEqual(readers * 100)
    expect(reads.most).toBeLessThanOrEqual(slice)
  })

  test('little is read ahead for readers that take nothing, and no new notifications', async () => {
    const { sandbox, open, call } = await stocked(120)
    const reads = countReads(sandbox)
    const stalled = await Promise.all(Array.from({ length: 5 }, () => open('0')))
    const other = await open('0')
    const first = await take(other, 120 * each)
    for (let count = 0; count < 20; count++) await call('sale', sale(1000))
    const later = await take(other, 20 * each)
    expect(reads.all).toBeLessThanOrEqual(120 + slice + stalled.length * 4 * slice)
    for (const stream of stalled) expect(await take(stream, 140 * each)).toEqual([...first, ...later])
  })

  test('a notification is signed and written once for a thousand readers, which take turns', async () => {
    const { sandbox, open, call } = await stocked(0)
    const write = vi.spyOn(sandbox.announcer, 'write')
    const turns = countTurns(sandbox.turns)
    const streams = await Promise.all(Array.from({ length: 1000 }, () => open()))
    await call('sale', sale(1000))
    const all = await Promise.all(streams.map((stream) => take(stream, 1 + each)))
    expect(new Set(all.map(String)).size).toBe(1)
    expect(write.mock.calls.length).toBeLessThan(each * 10) // a second may end meanwhile
    expect(turns.most).toBe(1)
  })

  test('a reader that has almost caught up does not wait for those that are far behind', async () => {
    const { open } = await stocked(100)
    const all = await take(await open('0'), 100 * each)
    const far = await Promise.all(Array.from({ length: 10 }, () => open('0')))
    let farther = 0
    const reading = far.map(async (stream) => {
      const ids = await take(stream, 100 * each)
      farther += 1
      return ids
    })
    const near = await open(all.at(-3))
    expect(await take(near, 2)).toEqual(all.slice(-2))
    expect(farther).toBe(0)
    for (const ids of await Promise.all(reading)) expect(ids).toEqual(all)
  })
})
