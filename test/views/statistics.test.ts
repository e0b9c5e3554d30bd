import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indexOf, Statistics } from '../../src/views/statistics/statistics.ts'
import { performAct, randomAct } from '../support/domain/random-acts.ts'
import { openService, type Service, sale, WallClock } from '../support/service/service.ts'

const hour = 3_600_000
const began = Math.floor(Date.now() / hour) * hour

/** The hours of three days. */
const hours = Array.from({ length: 72 }, (_, index) => ({
  from: began + (index - 24) * hour,
  until: began + (index - 23) * hour,
}))

/** What a register holds, as plain data. */
function shown({ current: { figures, transactions, deliveries, closes } }: Statistics) {
  return {
    hours: hours.map((each) => [figures.between(each), deliveries.timeline.between(each)]),
    transactions: transactions.map(({ transaction }) => transaction.id),
    deliveries: deliveries.all.length,
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

  test('statistics are counted again only after a change, and anew after a reset', async () => {
    const service = await openService()
    const { statistics, engine, emptyState } = service.sandbox
    const empty = statistics.current
    expect(statistics.current).toBe(empty)
    const sold = await service.call('sale', sale(1000, { referenceOrderId: 'ORDER-1' }))
    expect([empty.transactions.length, statistics.current.transactions.length]).toEqual([0, 1])
    expect(statistics.current.ofOrder('ORDER-1')).toEqual([statistics.current.find(sold.data.transactionId)])
    await engine.reset(emptyState)
    expect(statistics.current.transactions).toEqual([])
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
    expect(indexOf(current, '0')).toBe(0)
    expect(indexOf(current, '9999999999999999')).toBe(20)
  })
})
