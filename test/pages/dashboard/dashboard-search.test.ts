import { describe, expect, test } from 'vitest'
import { queryReader } from '../../../src/pages/dashboard/lists/filter-form.tsx'
import { pageSize } from '../../../src/pages/dashboard/lists/list-page.tsx'
import { readTransactionFilters } from '../../../src/pages/dashboard/transactions/transaction-filter-form.tsx'
import { readCursor, search } from '../../../src/pages/dashboard/transactions/transaction-search.ts'
import { searchLimit } from '../../../src/views/search-walk.ts'
import { takeSurvey } from '../../../src/views/statistics/statistics.ts'
import { tally } from '../../../src/views/statistics/timeline.ts'
import type { OwnedTransaction } from '../../../src/views/transaction-text.ts'
import { listedIds, openDashboard, refundRequest } from '../../support/pages/dashboard.ts'

/** Transactions with the ids 1 to `count`. */
const listOf = (count: number) => ({
  transactions: Array.from(
    { length: count },
    (_, index) => ({ transaction: { id: String(index + 1) } }) as OwnedTransaction,
  ),
})

const ids = (rows: readonly OwnedTransaction[]) => rows.map(({ transaction }) => Number(transaction.id))
const newest = { before: null, after: null }

describe('a search', () => {
  test('a search stops at its limit, says where, and goes on from there until all were seen', async () => {
    const all = listOf(3 * searchLimit + 10)
    let readCount = 0
    const fits = ({ transaction: { id } }: OwnedTransaction) => {
      readCount += 1
      return Number(id) === 7
    }
    let found = await search(all, fits, newest)
    const rounds = [found]
    while (found.stoppedAt !== null) {
      expect(readCount).toBe(searchLimit)
      readCount = 0
      found = await search(all, fits, { before: found.stoppedAt, after: null })
      rounds.push(found)
    }
    expect(rounds).toHaveLength(4)
    expect(ids(found.rows)).toEqual([7])
  })

  test('a search for newer transactions stops at its limit, too', async () => {
    const found = await search(listOf(2 * searchLimit), () => false, { before: null, after: '5' })
    expect(found).toMatchObject({ rows: [], stoppedAt: String(searchLimit + 5) })
  })

  test('paging down and up shows each matching transaction once', async () => {
    const all = listOf(4 * pageSize + 3)
    const even = ({ transaction }: OwnedTransaction) => Number(transaction.id) % 2 === 0
    const down: number[] = []
    let found = await search(all, even, newest)
    down.push(...ids(found.rows))
    while (found.older !== null) {
      found = await search(all, even, { before: found.older, after: null })
      down.push(...ids(found.rows))
    }
    expect(down).toEqual(Array.from({ length: 2 * pageSize + 1 }, (_, index) => 4 * pageSize + 2 - 2 * index))
    const up: number[] = []
    let page = await search(all, even, { before: null, after: '0' })
    up.unshift(...ids(page.rows))
    while (page.newer !== null) {
      page = await search(all, even, { before: null, after: page.newer })
      up.unshift(...ids(page.rows))
    }
    expect(up).toEqual(down)
  })

  test('a search in an empty list finds nothing and leads to no other page', async () => {
    for (const cursor of [newest, { before: '5', after: null }, { before: null, after: '5' }])
      expect(await search(listOf(0), () => true, cursor)).toEqual({
        rows: [],
        older: null,
        newer: null,
        stoppedAt: null,
      })
  })

  test('only an id is accepted as a cursor', () => {
    expect(readCursor(queryReader({ before: '12', after: '13' }))).toEqual({ before: '12', after: null })
    expect(readCursor(queryReader({ before: '' }))).toEqual(newest)
    for (const text of ['x', '1e3', '-1', '1'.repeat(17)])
      expect(readCursor(queryReader({ before: text, after: text }))).toEqual(newest)
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

  test('a survey adds up the matching transactions and lists them newest first', async () => {
    const odd = ({ transaction }: OwnedTransaction) => Number(transaction.id) % 2 === 1
    const { ids, looked, figures } = await takeSurvey(of(5), odd)
    expect({ ids, looked }).toEqual({ ids: ['5', '3', '1'], looked: null })
    expect(tally(figures.all, 'success')).toBe(3)
  })

  test('a survey stops at its limit and says so', async () => {
    const { ids, looked } = await takeSurvey(of(searchLimit + 3), () => true)
    expect({ count: ids.length, looked, last: ids.at(-1) }).toEqual({
      count: searchLimit,
      looked: searchLimit,
      last: '4',
    })
  })

  test('the survey of a view is made once until something changes', async () => {
    const { sandbox, sell } = await openDashboard()
    await sell(1000)
    let looked = 0
    const ask = () =>
      sandbox.statistics.current.survey('all', () => {
        looked += 1
        return true
      })
    expect([(await ask()).ids.length, (await ask()).ids.length, looked]).toEqual([1, 1, 1])
    await sell(1000)
    expect([(await ask()).ids.length, looked]).toEqual([2, 3])
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
    expect(await turnsOf(() => search(all, nothing, newest))).toBeGreaterThan(least)
    expect(await turnsOf(() => takeSurvey(all, nothing))).toBeGreaterThan(least)
  })

  test('a page of the list takes no turn of the event loop', async () => {
    expect(await turnsOf(() => search(listOf(searchLimit), () => true, newest))).toBe(0)
  })
})

describe('an exact match', () => {
  test('an exact order is found in capital and small letters, and a link searches all texts', async () => {
    const { get, sell, call } = await openDashboard()
    const first = await sell(1000, { referenceOrderId: 'ORDER-1' })
    const longer = await sell(1000, { referenceOrderId: 'ORDER-10' })
    expect(listedIds((await get('/?q=ORDER-1')).text)).toEqual([first])
    const refund = (await call('refund', refundRequest(first, 100))).transactionId
    for (const query of ['q=ORDER-1', 'q=order-1'])
      expect(listedIds((await get(`/?${query}`)).text)).toEqual([refund, first])
    const { text, words } = await get('/?q=ORDER-1')
    expect(words).toMatch(/ 2 of 3 .* Exact match\. Search all texts/)
    expect(text).toContain('href="/?q=ORDER-1&amp;match=part"')
    expect(listedIds((await get('/?q=ORDER-1&match=part')).text)).toEqual([refund, longer, first])
    expect(listedIds((await get('/?q=ORDER-1&type=REFUND')).text)).toEqual([refund])
  })
})

test('valid filters are trimmed, and a status becomes its outcome', () => {
  const reader = queryReader({ q: '  ORDER-1 ', from: '10.50', status: 'FAIL', x: 'y' })
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
