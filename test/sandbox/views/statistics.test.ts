import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../src/domain/model/transaction.ts'
import { figuresOf, tally } from '../../../src/sandbox/views/statistics/figures.ts'
import { Statistics, transactionIndex } from '../../../src/sandbox/views/statistics/statistics.ts'
import type { OwnedTransaction } from '../../../src/sandbox/views/transaction-text.ts'
import { newId } from '../../support/service/new-id.ts'
import { openService, type Service, sale, WallClock } from '../../support/service/service.ts'

const terminals = ['TBX-AUTO-001', 'TBX-TIP20-001', 'TBX-CANCEL-001', 'TBX-LATE-001', 'TBX-OFFLINE-001']

/** Something that a client or the clock does. */
const randomAct = fc.record({
  what: fc.constantFrom('sale', 'sale', 'auth', 'refund', 'void', 'post', 'tip', 'close', 'wait', 'other'),
  amount: fc.constantFrom(1000, 2500, 9734, 9823, 7629),
  terminal: fc.constantFrom(...terminals),
  currency: fc.constantFrom('USD', 'EUR'),
  which: fc.nat(),
})

type RandomAct = typeof randomAct extends fc.Arbitrary<infer T> ? T : never

/** Does it; a transaction that it makes joins the ids, of which a later one may be the original. */
async function performAct(
  service: Awaited<ReturnType<typeof openService>>,
  clock: WallClock,
  ids: string[],
  { what, amount, terminal, currency, which }: RandomAct,
): Promise<void> {
  const { call } = service
  clock.pass(1 + (which % 40_000))
  const paid = { priceCurrency: currency, terminalSn: terminal }
  const original = {
    originalTransactionId: ids[which % Math.max(1, ids.length)] ?? '0',
    transactionRequestId: newId(),
    pushToTerminal: false,
  }
  const made = await {
    sale: () => call('sale', sale(amount, paid)),
    auth: () => call('auth', sale(amount, paid)),
    refund: () => call('refund', { ...original, amount: amount / 2 }),
    void: () => call('void', original),
    post: () => call('post-auth', { ...original, amount }),
    tip: () => call('tip-adjust', { originalTransactionId: original.originalTransactionId, tipAmount: 50 }),
    close: () => call('batch-close', { transactionRequestId: newId(), terminalSn: terminal }),
    wait: () => service.control('POST', 'clock', { action: 'advance', milliseconds: 61_000 }),
    other: () => call('sale', sale(amount, { merchantId: 'M-other-1', ...paid })),
  }[what]()
  if (made.data?.transactionId !== undefined) ids.push(made.data.transactionId)
}

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
    hours: hours.map(figures.between),
    transactions: transactions.map(({ transaction }) => transaction.id),
    deliveries: (['pending', 'delivered', 'failed'] as const).map((state) => deliveries.count(state)),
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
        const notifyUrl = 'http://127.0.0.1:9/hook'
        const service = await openService({ wall: clock.read, notifyUrl, retries: [] })
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
    expect(statistics.current.ofOrders(new Set(['ORDER-1']))).toEqual([
      statistics.current.find(sold.data.transactionId),
    ])
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
    expect(transactionIndex(current, '0')).toBe(0)
    expect(transactionIndex(current, '9999999999999999')).toBe(20)
  })
})

const payment = { type: 'SALE', status: 'SUCCESS', currency: 'USD', order: 1000 }

/** A transaction with these members. */
const owned = (more: object) => {
  const parts = { tip: 0, tax: 0, surcharge: 0, cashback: 0, followUps: null, createdAt: 0 }
  return { transaction: { ...payment, ...parts, ...more } as Transaction } as OwnedTransaction
}

test.each([
  ['a sale', {}, { success: 1, 'taken USD': 1000 }],
  ['another currency', { currency: 'EUR' }, { success: 1, 'taken EUR': 1000 }],
  ['a refund', { type: 'REFUND' }, { success: 1 }],
  ['a hold', { type: 'AUTH' }, { success: 1 }],
  ['an open one', { status: 'INITIAL' }, { open: 1, 'taken USD': 0 }],
  ['a voided one', { followUps: { voided: true } }, { success: 1, 'taken USD': 0 }],
  ['a declined one', { status: 'FAIL' }, { fail: 1, 'taken USD': 0 }],
])('what the figures count of %s', (_, more, figures) => {
  expect(Object.fromEntries(figuresOf([owned(more)]).all)).toEqual(figures)
})

const minute = 60_000
/** Four days around 2026-11-20, in minutes. */
const minutes = fc.integer({ min: 29_754_000, max: 29_754_000 + 4 * 1_440 }).map((number) => number * minute)

test('the sums between two times are those of what was counted then', () => {
  const counted = fc.record({ at: minutes, seconds: fc.nat(59), value: fc.nat(99) })
  fc.assert(
    fc.property(fc.array(counted), minutes, minutes, (all, from, until) => {
      const figures = figuresOf(
        all.map(({ at, seconds, value }) => owned({ createdAt: at + seconds * 1000, order: value })),
      )
      const wanted = all.filter(({ at }) => at >= from && at < until)
      const sum = wanted.reduce((total, { value }) => total + value, 0)
      expect(tally(figures.between({ from, until }), 'taken USD')).toBe(sum)
    }),
  )
})

test('all sums are those of all time, and the extent reaches from the first minute to the last', () => {
  const counted = (...times: number[]) => figuresOf(times.map((createdAt) => owned({ createdAt })))
  expect(counted().extent).toBeNull()
  const { extent, all } = counted(86_400_000, -90_000, 30_000)
  expect(extent).toEqual({ from: -120_000, until: 86_460_000 })
  expect(tally(all, 'success')).toBe(3)
})
