import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Statistics } from '../../src/views/statistics/statistics.ts'
import { newId, openService, sale, WallClock } from '../support/service.ts'

type Service = Awaited<ReturnType<typeof openService>>

/** What a register holds, as plain data; sums that came back to nothing count as not there. */
function shown({ current }: Statistics) {
  const { figures, transactions, deliveries, closes } = current
  const some = <K, V>(map: Map<K, V>, isNothing: (value: V) => boolean) =>
    Object.fromEntries([...map].filter(([, value]) => !isNothing(value)).sort())
  const empty = (record: object) => Object.values(record).every((value) => value === 0)
  return {
    counts: figures.counts,
    outcomes: some(figures.outcomes, (count) => count === 0),
    money: some(figures.byCurrency, empty),
    timeline: [...figures.timeline].map(([step, buckets]) => [
      step,
      some(buckets, ({ counts }) => empty(counts)),
    ]),
    transactions: transactions.map(({ transaction, contribution }) => [transaction.id, contribution]),
    deliveries: { ...deliveries.counts, all: deliveries.all.length },
    closes: closes.map(({ close }) => close.transactionRequestId),
  }
}

/** How things would be had they been counted only now. */
const anew = ({ sandbox }: Service) => shown(new Statistics(() => sandbox.engine.state))

describe('statistics', () => {
  test('that follow come to the same as statistics that are made anew, whatever happens', async () => {
    const act = fc.record({
      what: fc.constantFrom(
        'sale',
        'sale',
        'auth',
        'refund',
        'void',
        'post',
        'tip',
        'close',
        'wait',
        'other',
      ),
      amount: fc.constantFrom(1000, 2500, 9734, 9823, 7629),
      terminal: fc.constantFrom(
        'TBX-AUTO-001',
        'TBX-TIP20-001',
        'TBX-CANCEL-001',
        'TBX-LATE-001',
        'TBX-OFFLINE-001',
      ),
      currency: fc.constantFrom('USD', 'EUR'),
      which: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
        const clock = new WallClock()
        const service = await openService({
          wall: clock.read,
          notifyUrl: 'http://127.0.0.1:9/hook',
          retries: [],
        })
        const { sandbox, call } = service
        shown(sandbox.statistics) // from here on they follow
        const ids: string[] = []
        for (const { what, amount, terminal, currency, which } of acts) {
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
            tip: () =>
              call('tip-adjust', { originalTransactionId: original.originalTransactionId, tipAmount: 50 }),
            close: () => call('batch-close', { transactionRequestId: newId(), terminalSn: terminal }),
            wait: () => service.control('POST', 'clock', { action: 'advance', milliseconds: 61_000 }),
            other: () => call('sale', sale(amount, { merchantId: 'M-other-1', ...paid })),
          }[what]()
          if (made.data?.transactionId !== undefined) ids.push(made.data.transactionId)
        }
        await sandbox.engine.written()
        expect(shown(sandbox.statistics)).toEqual(anew(service))
        await service.close()
      }),
      { numRuns: 12 },
    )
  })

  test('are nothing until somebody looks, and are made anew after a reset', async () => {
    const book = () => {
      asked += 1
      return service.sandbox.engine.state
    }
    let asked = 0
    const service = await openService()
    const statistics = new Statistics(book)
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    if (ledger === undefined) throw new Error('there is no ledger')
    statistics.note(ledger, [{ type: 'signed', id: '1' }])
    expect(asked).toBe(0)
    expect(statistics.current.transactions).toEqual([])
    expect(statistics.current.transactions).toEqual([])
    expect(asked).toBe(1)
    statistics.forget()
    await service.call('sale', sale(1000))
    expect(statistics.current.transactions).toHaveLength(1)
    expect(asked).toBe(2)
  })

  test('are forgotten when nobody has looked while much happened', async () => {
    const book = () => {
      asked += 1
      return service.sandbox.engine.state
    }
    let asked = 0
    const service = await openService()
    const { data } = await service.call('sale', sale(1000))
    const [ledger] = service.sandbox.engine.state.ledgers.values()
    if (ledger === undefined) throw new Error('there is no ledger')
    const statistics = new Statistics(book, undefined, 10)
    const first = statistics.current
    const signed = { type: 'signed', id: data.transactionId } as const
    statistics.note(ledger, Array(10).fill(signed))
    expect(statistics.current).toBe(first)
    statistics.note(ledger, Array(10).fill(signed))
    statistics.note(ledger, [signed])
    expect(asked).toBe(1)
    expect(statistics.current).not.toBe(first)
    expect(statistics.current.transactions).toHaveLength(1)
    expect(asked).toBe(2)
  })

  test('find by id, and only what is there', async () => {
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
