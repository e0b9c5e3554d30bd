import { describe, expect, test } from 'vitest'
import { pageSize, searchLimit } from '../../src/pages/dashboard/lists/list.tsx'
import { queryReader } from '../../src/pages/dashboard/lists/query.ts'
import { readTransactionFilters } from '../../src/pages/dashboard/transactions/transaction-filters.ts'
import { readCursor, search } from '../../src/pages/dashboard/transactions/transaction-search.ts'
import { surveyKept, surveyOf } from '../../src/pages/dashboard/transactions/transaction-survey.ts'
import type { CountedTransaction } from '../../src/views/statistics/statistics.ts'
import { listed, openDashboard, refundOf, wordsOf } from '../support/dashboard.ts'

/** Transactions with the ids 1 to `count`. */
function register(count: number) {
  const transactions = Array.from(
    { length: count },
    (_, index) => ({ transaction: { id: String(index + 1) } }) as CountedTransaction,
  )
  return { transactions, indexOf: (id: string) => Math.min(Math.max(0, Number(id) - 1), count) }
}

const ids = (rows: readonly CountedTransaction[]) => rows.map(({ transaction }) => Number(transaction.id))
const newest = { before: null, after: null }

describe('a search', () => {
  test('looks at no more than its limit, says so, and goes on from there until all was seen', () => {
    const all = register(3 * searchLimit + 10)
    let looked = 0
    const fits = ({ transaction }: CountedTransaction) => {
      looked += 1
      return Number(transaction.id) === 7
    }
    let found = search(all, fits, newest)
    const rounds = [found]
    while (found.stoppedAt !== null) {
      expect(looked).toBe(searchLimit)
      looked = 0
      found = search(all, fits, { before: found.stoppedAt, after: null })
      rounds.push(found)
    }
    expect(rounds).toHaveLength(4)
    expect(ids(found.rows)).toEqual([7])
  })

  test('upwards, too', () => {
    const found = search(register(2 * searchLimit), () => false, { before: null, after: '5' })
    expect(found).toMatchObject({ rows: [], stoppedAt: String(searchLimit + 5) })
  })

  test('of pages down and up shows each transaction once', () => {
    const all = register(4 * pageSize + 3)
    const even = ({ transaction }: CountedTransaction) => Number(transaction.id) % 2 === 0
    const down: number[] = []
    let found = search(all, even, newest)
    down.push(...ids(found.rows))
    while (found.older !== null) {
      found = search(all, even, { before: found.older, after: null })
      down.push(...ids(found.rows))
    }
    expect(down).toEqual(Array.from({ length: 2 * pageSize + 1 }, (_, index) => 4 * pageSize + 2 - 2 * index))
    const up: number[] = []
    let page = search(all, even, { before: null, after: '0' })
    up.unshift(...ids(page.rows))
    while (page.newer !== null) {
      page = search(all, even, { before: null, after: page.newer })
      up.unshift(...ids(page.rows))
    }
    expect(up).toEqual(down)
  })

  test('of nothing finds nothing and leads nowhere', () => {
    for (const cursor of [newest, { before: '5', after: null }, { before: null, after: '5' }])
      expect(search(register(0), () => true, cursor)).toEqual({
        rows: [],
        older: null,
        newer: null,
        stoppedAt: null,
      })
  })

  test('takes only ids for a cursor', () => {
    expect(readCursor(queryReader({ before: '12', after: '13' }))).toEqual({ before: '12', after: null })
    expect(readCursor(queryReader({ before: '' }))).toEqual(newest)
    for (const text of ['x', '1e3', '-1', '1'.repeat(17)])
      expect(readCursor(queryReader({ before: text, after: text }))).toEqual(newest)
  })
})

describe('a survey', () => {
  const contribution = {
    group: 'success',
    currency: 'USD',
    amount: 100,
    flow: 'payment',
    effective: true,
    outcome: 'approve',
  }
  const counted = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        ({ transaction: { id: String(index + 1), createdAt: 0 }, contribution }) as CountedTransaction,
    )

  test('adds up what matches, and lists it newest first', () => {
    const odd = ({ transaction }: CountedTransaction) => Number(transaction.id) % 2 === 1
    const { count, ids, looked, figures } = surveyOf({ transactions: counted(5) }, odd)
    expect({ count, ids, looked }).toEqual({ count: 3, ids: ['5', '3', '1'], looked: null })
    expect(figures.byCurrency.get('USD')).toEqual({ taken: 300, refunded: 0, count: 3 })
  })

  test('stops at the limit, and says so', () => {
    const { count, ids, looked } = surveyOf({ transactions: counted(searchLimit + 3) }, () => true)
    expect({ count, looked, last: ids?.at(-1) }).toEqual({
      count: searchLimit,
      looked: searchLimit,
      last: '4',
    })
  })

  test('is kept until a transaction changed, and only so many', () => {
    let made = 0
    const register = { revision: 1 }
    const ask = (view: string) =>
      surveyKept(register, view, () => surveyOf({ transactions: counted(++made) }, () => true))
    expect([ask('a').count, ask('a').count, ask('b').count, ask('a').count]).toEqual([1, 1, 2, 1])
    register.revision += 1
    expect([ask('a').count, ask('a').count]).toEqual([3, 3])
    for (let view = 0; view < 8; view++) ask(`other ${view}`)
    expect(ask('a').count).toBe(12)
  })
})

describe('what is named exactly as the text', () => {
  test('is found by order, whatever is stored, in small letters too; other texts are one link away', async () => {
    const { get, sell, call } = await openDashboard()
    const first = await sell(1000, { referenceOrderId: 'ORDER-1' })
    const longer = await sell(1000, { referenceOrderId: 'ORDER-10' })
    expect(listed((await get('/?q=ORDER-1')).text)).toEqual([first])
    const refund = (await call('refund', refundOf(first, 100))).transactionId
    for (const query of ['q=ORDER-1', 'q=order-1'])
      expect(listed((await get(`/?${query}`)).text)).toEqual([refund, first])
    const { text } = await get('/?q=ORDER-1')
    expect(wordsOf(text)).toContain('2 of 3, exact match. Search all texts')
    expect(text).toContain('href="/?q=ORDER-1&amp;match=part&amp;span=hour"')
    expect(listed((await get('/?q=ORDER-1&match=part')).text)).toEqual([refund, longer, first])
    expect(listed((await get('/?q=ORDER-1&type=REFUND')).text)).toEqual([refund])
  })
})

test('filters that are fine stay as they were typed', () => {
  const reader = queryReader({ q: '  ORDER-1 ', from: '10.50', status: 'FAIL', x: 'y' })
  const filters = readTransactionFilters(reader)
  expect(reader.problems).toEqual([])
  expect(filters).toMatchObject({
    q: 'ORDER-1',
    from: '10.50',
    to: '',
    status: 'declined',
    type: '',
    when: '',
  })
})
