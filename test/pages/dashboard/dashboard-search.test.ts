import { describe, expect, test } from 'vitest'
import { queryReader } from '../../../src/pages/dashboard/lists/filter-form.tsx'
import { pageSize } from '../../../src/pages/dashboard/lists/list-page.tsx'
import { readTransactionFilters } from '../../../src/pages/dashboard/transactions/transaction-filter-form.tsx'
import { newerPosition, search } from '../../../src/pages/dashboard/transactions/transaction-search.ts'
import { searchLimit } from '../../../src/sandbox/views/search-walk.ts'
import { tally } from '../../../src/sandbox/views/statistics/figures.ts'
import { takeSurvey } from '../../../src/sandbox/views/statistics/statistics.ts'
import type { OwnedTransaction } from '../../../src/sandbox/views/transaction-text.ts'
import { openDashboard, refundRequest } from '../../support/pages/dashboard.ts'

/** Transactions with the ids 1 to `count`. */
const listOf = (count: number) => ({
  transactions: Array.from(
    { length: count },
    (_, index) => ({ transaction: { id: String(index + 1) } }) as OwnedTransaction,
  ),
})

const ids = (rows: readonly OwnedTransaction[]) => rows.map(({ transaction }) => Number(transaction.id))

describe('a search', () => {
  test('a search stops at its limit, says where, and goes on from there until all were seen', async () => {
    const all = listOf(3 * searchLimit + 10)
    let readCount = 0
    const fits = ({ transaction: { id } }: OwnedTransaction) => {
      readCount += 1
      return Number(id) === 7
    }
    let found = await search(all, fits, null)
    const rounds = [found]
    while (found.stoppedAt !== null) {
      expect(readCount).toBe(searchLimit)
      readCount = 0
      found = await search(all, fits, found.stoppedAt)
      rounds.push(found)
    }
    expect(rounds).toHaveLength(4)
    expect(ids(found.rows)).toEqual([7])
  })

  test('paging down and up shows each matching transaction once', async () => {
    const all = listOf(4 * pageSize + 3)
    const even = ({ transaction }: OwnedTransaction) => Number(transaction.id) % 2 === 0
    const down: number[] = []
    let found = await search(all, even, null)
    down.push(...ids(found.rows))
    let before: string | null = null
    while (found.older !== null) {
      before = found.older
      found = await search(all, even, before)
      down.push(...ids(found.rows))
    }
    expect(down).toEqual(Array.from({ length: 2 * pageSize + 1 }, (_, index) => 4 * pageSize + 2 - 2 * index))
    const up = ids(found.rows)
    while (before !== null) {
      before = await newerPosition(all, even, before)
      up.unshift(...ids((await search(all, even, before)).rows))
    }
    expect(new Set(up)).toEqual(new Set(down))
    expect(await newerPosition(listOf(2 * searchLimit), () => false, '5')).toBe(String(searchLimit + 5))
  })

  test('a search in an empty list finds nothing and leads to no other page', async () => {
    for (const before of [null, '5'])
      expect(await search(listOf(0), () => true, before)).toEqual({ rows: [], older: null, stoppedAt: null })
  })
})

describe('a survey', () => {
  const of = (count: number) => {
    const { transactions } = listOf(count)
    for (const { transaction } of transactions) Object.assign(transaction, payment)
    return { transactions }
  }
  const payment = {
    type: 'SALE',
    status: 'SUCCESS',
    currency: 'USD',
    order: 100,
    createdAt: 0,
    followUps: null,
  }

  test('a survey adds up the matching transactions', async () => {
    const odd = ({ transaction }: OwnedTransaction) => Number(transaction.id) % 2 === 1
    const { looked, figures } = await takeSurvey(of(5), odd)
    expect(looked).toBeNull()
    expect(tally(figures.all, 'success')).toBe(3)
  })

  test('a survey stops at its limit and says so', async () => {
    const { looked, figures } = await takeSurvey(of(searchLimit + 3), () => true)
    expect([looked, tally(figures.all, 'success')]).toEqual([searchLimit, searchLimit])
  })
})

/** How many turns of the event loop go by while something is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}

describe('turns of the event loop', () => {
  test('other work goes on while a large list is searched and while it is added up', async () => {
    const all = listOf(searchLimit)
    const [least, nothing] = [searchLimit / 500, () => false]
    expect(await turnsOf(() => search(all, nothing, null))).toBeGreaterThan(least)
    expect(await turnsOf(() => takeSurvey(all, nothing))).toBeGreaterThan(least)
  })
})

test('an exact order is found in capital and small letters, alone', async () => {
  const { get, sell, call } = await openDashboard()
  const first = await sell(1000, { referenceOrderId: 'ORDER-1' })
  await sell(1000, { referenceOrderId: 'ORDER-10' })
  const refund = (await call('refund', refundRequest(first, 100))).transactionId
  for (const query of ['q=ORDER-1', 'q=order-1'])
    expect((await get(`/?${query}`)).listed).toEqual([refund, first])
  expect((await get('/?q=ORDER-1&type=REFUND')).listed).toEqual([refund])
})

test('valid filters are trimmed', () => {
  const reader = queryReader({ q: '  ORDER-1 ', from: '10.50', status: 'declined', x: 'y' })
  const filters = readTransactionFilters(reader)
  expect(reader.problems).toEqual([])
  expect(filters).toMatchObject({
    q: 'ORDER-1',
    from: '10.50',
    to: '',
    status: 'declined',
    type: '',
    since: '',
  })
})
