import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../src/domain/model/ledger.ts'
import { Transactions } from '../../src/domain/model/transactions.ts'
import { Statistics } from '../../src/views/statistics/statistics.ts'
import { performAct, randomAct } from '../support/domain/random-acts.ts'
import { turnsOf } from '../support/runner/turns.ts'
import { openService, type Service, sale, WallClock } from '../support/service/service.ts'

const hour = 3_600_000
const began = Math.floor(Date.now() / hour) * hour

/** The hours of three days. */
const hours = Array.from({ length: 72 }, (_, index) => ({
  from: began + (index - 24) * hour,
  until: began + (index - 23) * hour,
}))

/** What a register holds, as plain data; sums that came back to nothing count as not there. */
function shown({ current }: Statistics) {
  const { figures, transactions, deliveries, closes } = current
  const sums = (counters: ReadonlyMap<string, number>) =>
    Object.fromEntries([...counters].filter(([, sum]) => sum !== 0))
  return {
    figures: sums(figures.all),
    hours: hours.map((each) => [sums(figures.between(each)), sums(deliveries.timeline.between(each))]),
    transactions: transactions.map(({ transaction, contribution }) => [transaction.id, contribution]),
    deliveries: { ...sums(deliveries.timeline.all), all: deliveries.all.length },
    closes: closes.map(({ close }) => close.transactionRequestId),
  }
}

/** How things would be had they been counted only now. */
const anew = ({ sandbox }: Service) => shown(new Statistics(() => sandbox.engine.state))

describe('statistics', () => {
  test('statistics that are updated equal statistics that are made anew, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomAct, { minLength: 5, maxLength: 40 }), async (acts) => {
        const clock = new WallClock()
        const service = await openService({
          wall: clock.read,
          notifyUrl: 'http://127.0.0.1:9/hook',
          retries: [],
        })
        const { sandbox } = service
        shown(sandbox.statistics) // from here on they follow
        const ids: string[] = []
        for (const act of acts) await performAct(service, clock, ids, act)
        await sandbox.engine.written()
        expect(shown(sandbox.statistics)).toEqual(anew(service))
        await service.close()
      }),
      { numRuns: 12 },
    )
  })

  test('statistics are counted when somebody looks, and anew after a reset', async () => {
    const book = () => {
      reads += 1
      return service.sandbox.engine.state
    }
    let reads = 0
    const service = await openService()
    const statistics = new Statistics(book)
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    if (ledger === undefined) throw new Error('there is no ledger')
    statistics.note(ledger, [{ type: 'signed', id: '1' }])
    expect(reads).toBe(0)
    expect(statistics.current.transactions).toEqual([])
    expect(statistics.current.transactions).toEqual([])
    expect(reads).toBe(1)
    statistics.forget()
    await service.call('sale', sale(1000))
    expect(statistics.current.transactions).toHaveLength(1)
    expect(reads).toBe(2)
  })

  test('statistics are forgotten when nobody has looked during many events', async () => {
    const book = () => {
      reads += 1
      return service.sandbox.engine.state
    }
    let reads = 0
    const service = await openService()
    const { data } = await service.call('sale', sale(1000))
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    if (ledger === undefined) throw new Error('there is no ledger')
    const statistics = new Statistics(book, 10)
    const first = statistics.current
    const signed = { type: 'signed', id: data.transactionId } as const
    statistics.note(ledger, Array(10).fill(signed))
    expect(statistics.current).toBe(first)
    statistics.note(ledger, Array(10).fill(signed))
    statistics.note(ledger, [signed])
    expect(reads).toBe(1)
    expect(statistics.current).not.toBe(first)
    expect(statistics.current.transactions).toHaveLength(1)
    expect(reads).toBe(2)
  })

  test('statistics find a transaction by its id, and nothing for an unknown id', async () => {
    const service = await openService()
    const ids: string[] = []
    for (let index = 0; index < 20; index++)
      ids.push((await service.call('sale', sale(1000))).data.transactionId)
    const { current } = service.sandbox.statistics
    for (const id of ids) expect(current.find(id)?.transaction.id).toBe(id)
    let between = Number(ids[3])
    while (ids.includes(`${between}`)) between += 1
    for (const id of ['0', '9999999999999999', `${between}`, 'x']) expect(current.find(id)).toBeUndefined()
    expect(current.indexOf('0')).toBe(0)
    expect(current.indexOf('9999999999999999')).toBe(20)
  })
})

describe('the preparation of statistics', () => {
  /** Two ledgers with many transactions that take turns, and how another one is paid for. */
  async function crowded(count: number) {
    const { sandbox, call } = await openService()
    await call('sale', sale(1000))
    const [first] = sandbox.engine.state.ledgers.values()
    const [sold] = first?.transactions ?? []
    if (first === undefined || sold === undefined) throw new Error('nothing was sold')
    const ledgers = new Map<string, Ledger>()
    for (const name of ['one', 'other']) ledgers.set(name, { ...first, transactions: new Transactions() })
    const [one, other] = [...ledgers.values()]
    let last = 0
    const pay = () => {
      last += 1
      const ledger = (last % 3 === 0 ? other : one) as Ledger
      const id = String(1_000_000 + last)
      ledger.transactions.add({ ...sold, id, orderId: `ORDER-${last}` })
      return { ledger, event: { type: 'signed', id } as const }
    }
    for (let index = 0; index < count; index++) pay()
    return { book: () => ({ ...sandbox.engine.state, ledgers }), pay, ledgers }
  }

  test('statistics are counted in turns of the event loop, with payments that come meanwhile', async () => {
    const { book, pay } = await crowded(4_000)
    const statistics = new Statistics(book)
    let isDone = false
    const goOn = () => {
      const { ledger, event } = pay()
      statistics.note(ledger, [event])
      if (!isDone) setImmediate(goOn)
    }
    setImmediate(goOn)
    expect(await turnsOf(() => statistics.prepare())).toBeGreaterThan(4)
    isDone = true
    expect(shown(statistics)).toEqual(shown(new Statistics(book)))
    expect(statistics.current.transactions.length).toBeGreaterThan(4_000)
    expect(statistics.current.ofOrder('ORDER-4001')).toHaveLength(1)
    expect(await turnsOf(() => statistics.prepare())).toBe(0)
  })

  test('statistics are the same for callers that wait and for one that does not', async () => {
    const { book } = await crowded(2_000)
    const statistics = new Statistics(book)
    const waiting = [statistics.prepare(), statistics.prepare()]
    await new Promise((resolve) => setImmediate(resolve))
    const { current } = statistics
    expect(current.transactions).toHaveLength(2_000)
    await Promise.all(waiting)
    expect(statistics.current).toBe(current)
  })

  test('statistics are those of a state that replaces another while they are counted', async () => {
    const { book, ledgers } = await crowded(2_000)
    const statistics = new Statistics(book)
    const prepared = statistics.prepare()
    await new Promise((resolve) => setImmediate(resolve))
    ledgers.clear()
    statistics.forget()
    await prepared
    expect(statistics.current.transactions).toEqual([])
  })

  test('statistics catch up with many events in turns of the event loop, too', async () => {
    const { book, pay } = await crowded(1)
    const statistics = new Statistics(book)
    await statistics.prepare()
    for (let index = 0; index < 3_000; index++) {
      const { ledger, event } = pay()
      statistics.note(ledger, [event])
    }
    expect(await turnsOf(() => statistics.prepare())).toBeGreaterThan(3)
    expect(shown(statistics)).toEqual(shown(new Statistics(book)))
  })
})
