import { describe, expect, test } from 'vitest'
import { evolve } from '../../../src/domain/evolve.ts'
import {
  addMoment,
  hasMoment,
  lastJournalOrderOf,
  momentsOf,
  noteSetBack,
  openedTimeline,
  traceparentOf,
} from '../../../src/domain/model/timeline.ts'
import type { Timeline, Transaction } from '../../../src/domain/model/transaction.ts'
import { decide } from '../../../src/domain/rules/decide.ts'
import { noon, on, saleOf, type Till, tillWith } from '../../support/domain/ledger.ts'

/** A transaction opened at noon to which nothing else happened. */
const fresh = (more: Partial<Transaction> = {}): Transaction =>
  ({ createdAt: noon, timeline: [0, 'opened', null], ...more }) as Transaction

describe('the timeline of a transaction', () => {
  test('each moment has its time and detail', () => {
    const transaction = fresh()
    addMoment(transaction, noon + 5, 'pin-wrong')
    addMoment(transaction, noon + 9, 'approved', '000')
    expect(momentsOf(transaction)).toEqual([
      { at: noon, what: 'opened', detail: null, journalOrder: noon },
      { at: noon + 5, what: 'pin-wrong', detail: null, journalOrder: noon + 5 },
      { at: noon + 9, what: 'approved', detail: '000', journalOrder: noon + 9 },
    ])
  })

  test('a clock that was set back is noted with its difference, and later moments keep a greater order', () => {
    const transaction = fresh()
    addMoment(transaction, noon + 100, 'taken-up')
    noteSetBack(transaction, noon - 50, 200)
    addMoment(transaction, noon - 50, 'host-asked')
    noteSetBack(transaction, noon - 80, 300)
    addMoment(transaction, noon - 80, 'declined', '051')
    expect(momentsOf(transaction)).toEqual([
      { at: noon, what: 'opened', detail: null, journalOrder: noon },
      { at: noon + 100, what: 'taken-up', detail: null, journalOrder: noon + 100 },
      { at: noon - 50, what: 'clock-set-back', detail: '200', journalOrder: noon + 150 },
      { at: noon - 50, what: 'host-asked', detail: null, journalOrder: noon + 150 },
      { at: noon - 80, what: 'clock-set-back', detail: '100', journalOrder: noon + 220 },
      { at: noon - 80, what: 'declined', detail: '051', journalOrder: noon + 220 },
    ])
    expect(transaction.setBack).toBe(300)
  })

  test('the order of a transaction that is opened after the clock was set back begins there', () => {
    const transaction = fresh({ setBack: 40 })
    noteSetBack(transaction, noon + 1, 40)
    noteSetBack(transaction, noon + 2, 100)
    const orders = momentsOf(transaction).map(({ what, journalOrder }) => `${what} ${journalOrder - noon}`)
    expect(orders).toEqual(['opened 40', 'clock-set-back 102'])
  })

  test('the last order is that of the last moment', () => {
    const transaction = fresh({ setBack: 40 })
    expect(lastJournalOrderOf(transaction)).toBe(noon + 40)
    addMoment(transaction, noon + 7, 'taken-up')
    expect(lastJournalOrderOf(transaction)).toBe(noon + 47)
    expect(lastJournalOrderOf({ ...transaction, timeline: [] })).toBe(noon + 40)
    expect(lastJournalOrderOf(fresh())).toBe(noon)
  })

  test('a moment is found by the name of its event, and a detail is not taken for an event', () => {
    const transaction = fresh()
    addMoment(transaction, noon, 'host-asked', 'signed')
    addMoment(transaction, noon, 'approved', '000')
    expect(['opened', 'host-asked', 'approved'].every((what) => hasMoment(transaction, what))).toBe(true)
    expect(['signed', '000', ''].some((what) => hasMoment(transaction, what))).toBe(false)
    expect(hasMoment({ ...transaction, timeline: [] }, 'opened')).toBe(false)
  })

  test('nothing is noted while the clock was not set back', () => {
    const transaction = fresh()
    noteSetBack(transaction, noon, 0)
    noteSetBack(undefined, noon, 100)
    expect([transaction.timeline, transaction.setBack]).toEqual([[0, 'opened', null], undefined])
  })
})

describe('a clock that was set back between two events', () => {
  /** A till whose clock stands that much before noon, after it was set back by it. */
  function setBack(till: Till, by: number, command: Parameters<typeof decide>[1]): void {
    const stamp = { ...till.stamp(), at: noon - by, setBack: by }
    for (const event of decide(till.ledger, command, stamp)) evolve(till.ledger, event, stamp.at, by)
  }

  test('a clock that was set back is noted at the transaction of the next event, and at its original', () => {
    const [till, sale] = tillWith(saleOf(1000))
    setBack(till, 1000, on('refund', sale, { amount: 1 }))
    const [refund] = [...till.ledger.transactions].slice(-1)
    expect(momentsOf(sale).at(-1)).toMatchObject({ what: 'clock-set-back', detail: '1000' })
    expect([sale.setBack, refund?.setBack]).toEqual([1000, 1000])
    const opened = [{ at: noon - 1000, what: 'opened', detail: null, journalOrder: noon }]
    expect(refund && momentsOf(refund)).toEqual(opened)
  })

  test('a clock that was set back is noted at the original when its follow-up goes on', () => {
    const [till, sale] = tillWith(saleOf(1000))
    const refund = till.open(on('refund', sale, { amount: 1 }, 'late-approval'))
    setBack(till, 1000, on('abort', refund))
    for (const each of [sale, refund]) expect(each.setBack).toBe(1000)
    const last = momentsOf(refund).slice(-2)
    expect(last.map(({ what }) => what)).toEqual(['clock-set-back', 'abort-too-late'])
  })

  test('a clock that was set back is not noted at a transaction to which nothing happens', () => {
    const [till, sale] = tillWith(saleOf(1000))
    setBack(till, 1000, saleOf(1))
    expect(sale.setBack).toBeUndefined()
  })
})

describe('what a timeline is read for', () => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test.each<[Timeline, string | undefined]>([
    [openedTimeline(trace), trace],
    [openedTimeline(null), undefined],
    [[0, 'approved', trace], undefined],
  ])('assumption trace-context: the trace of %j is %s', (timeline, read) => {
    expect(traceparentOf({ timeline })).toBe(read)
  })
})
