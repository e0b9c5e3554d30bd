import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageSize } from '../../../src/pages/dashboard/lists/list-page.tsx'
import { queryReader } from '../../../src/pages/dashboard/lists/list-query.ts'
import {
  matcherOf,
  readTransactionFilters,
} from '../../../src/pages/dashboard/transactions/transaction-filter-form.tsx'
import { readCursor, search } from '../../../src/pages/dashboard/transactions/transaction-search.ts'
import { searchLimit } from '../../../src/views/search-walk.ts'
import type { Contribution } from '../../../src/views/statistics/contribution.ts'
import type { CountedTransaction } from '../../../src/views/statistics/counted-transaction.ts'
import { FilterSurvey, Surveys } from '../../../src/views/statistics/filter-survey.ts'
import { sumOf } from '../../../src/views/statistics/timeline.ts'
import { performAct, randomAct } from '../../support/domain/random-acts.ts'
import { listedIds, openDashboard, refundRequest, visibleText } from '../../support/pages/dashboard.ts'
import { turnsOf } from '../../support/runner/turns.ts'
import { openService, WallClock } from '../../support/service/service.ts'

/** The sums of a survey that are not zero. */
const sumsOf = (survey?: FilterSurvey) =>
  Object.fromEntries([...(survey?.figures.all ?? [])].filter(([, sum]) => sum !== 0))

/** Transactions with the ids 1 to `count`. */
function register(count: number) {
  const transactions = Array.from(
    { length: count },
    (_, index) => ({ id: String(index + 1) }) as CountedTransaction,
  )
  return { transactions, indexOf: (id: string) => Math.min(Math.max(0, Number(id) - 1), count) }
}

const ids = (rows: readonly CountedTransaction[]) => rows.map(({ id }) => Number(id))
const newest = { before: null, after: null }

describe('a search', () => {
  test('a search stops at its limit, says where, and goes on from there until all were seen', async () => {
    const all = register(3 * searchLimit + 10)
    let readCount = 0
    const fits = ({ id }: CountedTransaction) => {
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
    const found = await search(register(2 * searchLimit), () => false, { before: null, after: '5' })
    expect(found).toMatchObject({ rows: [], stoppedAt: String(searchLimit + 5) })
  })

  test('paging down and up shows each matching transaction once', async () => {
    const all = register(4 * pageSize + 3)
    const even = ({ id }: CountedTransaction) => Number(id) % 2 === 0
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
      expect(await search(register(0), () => true, cursor)).toEqual({
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
  const contribution: Contribution = [
    ['success', 1],
    ['taken USD', 100],
  ]
  const countedAs = (id: number) =>
    ({ id: String(id), transaction: { createdAt: 0 }, contribution }) as CountedTransaction

  /** A register of the ids 1 to `count`, to which one may add, and in which one may change. */
  function changing(count: number) {
    const transactions = Array.from({ length: count }, (_, index) => countedAs(index + 1))
    const changed: CountedTransaction[] = []
    return {
      transactions,
      indexOf: (id: string) => Math.min(Math.max(0, Number(id) - 1), transactions.length),
      get revision() {
        return changed.length
      },
      changedSince: (revision: number) => changed.slice(revision),
      sell: () => changed.push(countedAs(transactions.push(countedAs(transactions.length + 1)))),
      change: (id: number) => changed.push(transactions[id - 1] as CountedTransaction),
    }
  }
  const odd = ({ id }: CountedTransaction) => Number(id) % 2 === 1

  test('a survey adds up the matching transactions and lists them newest first', async () => {
    const { ids, looked, figures } = await new FilterSurvey(odd).fill(changing(5))
    expect({ ids, looked }).toEqual({ ids: ['5', '3', '1'], looked: null })
    expect(sumOf(figures.all, 'taken USD')).toBe(300)
  })

  test('a survey stops at its limit and says so', async () => {
    const { ids, looked } = await new FilterSurvey(() => true).fill(changing(searchLimit + 3))
    expect({ count: ids.length, looked, last: ids.at(-1) }).toEqual({
      count: searchLimit,
      looked: searchLimit,
      last: '4',
    })
  })

  test('a survey looks again only at transactions that changed, and keeps to the newest', async () => {
    const all = changing(searchLimit)
    const surveys = new Surveys(all)
    let [looked, isRefunded] = [0, false]
    const matches = (counted: CountedTransaction) => {
      looked += 1
      return odd(counted) || (isRefunded && counted.id === '10')
    }
    const survey = await surveys.of('odd', matches)
    expect([looked, survey.ids.length, survey.looked]).toEqual([searchLimit, searchLimit / 2, null])
    for (let sold = 0; sold < 3; sold++) all.sell()
    isRefunded = true
    all.change(10)
    expect(await surveys.of('odd', matches)).toBe(survey)
    expect(looked).toBe(searchLimit + 4)
    expect(survey.looked).toBe(searchLimit)
    expect(survey.ids.slice(0, 2)).toEqual([String(searchLimit + 3), String(searchLimit + 1)])
    expect(survey.ids.slice(-5)).toEqual(['11', '10', '9', '7', '5'])
    expect([survey.ids.length, sumOf(survey.figures.all, 'taken USD')]).toEqual([
      searchLimit / 2 + 1,
      100 * (searchLimit / 2 + 1),
    ])
    const anew = await new FilterSurvey(matches).fill(all)
    expect({ ids: anew.ids, sums: anew.figures.all }).toEqual({ ids: survey.ids, sums: survey.figures.all })
  })

  test('a survey is made anew after too many changes, and only a few surveys are kept', async () => {
    let made = 0
    const all = { ...changing(1), isLong: false, changedSince: () => (all.isLong ? undefined : []) }
    const surveys = new Surveys(all)
    const ask = async (view: string) => {
      await surveys.of(view, () => {
        made += 1
        return true
      })
      return made
    }
    expect([await ask('a'), await ask('a'), await ask('b'), await ask('a')]).toEqual([1, 1, 2, 2])
    all.isLong = true
    expect(await ask('a')).toBe(3)
    all.isLong = false
    expect(await ask('a')).toBe(3)
    for (let view = 0; view < 8; view++) await ask(`other ${view}`)
    expect(await ask('a')).toBe(12)
  })
})

test('a survey that is updated equals one that is made anew, whatever happens', async () => {
  const queries = [
    { status: 'approved' },
    { status: 'refunded' },
    { status: 'voided' },
    { status: 'captured' },
    { q: 'visa' },
  ]
  await fc.assert(
    fc.asyncProperty(fc.array(randomAct, { minLength: 10, maxLength: 40 }), async (acts) => {
      const clock = new WallClock()
      const service = await openService({ wall: clock.read })
      const { statistics } = service.sandbox
      const followed = queries.map((query) => {
        const filters = readTransactionFilters(queryReader(query))
        return { query, matches: matcherOf(filters) }
      })
      const ask = () =>
        Promise.all(
          followed.map(({ query, matches }) => statistics.current.surveys.of(JSON.stringify(query), matches)),
        )
      await ask()
      const ids: string[] = []
      for (const [index, act] of acts.entries()) {
        await performAct(service, clock, ids, act)
        if (index % 4 === 0) await ask()
      }
      await service.sandbox.engine.written()
      const surveys = await ask()
      for (const [index, { matches }] of followed.entries()) {
        const anew = await new FilterSurvey(matches).fill(statistics.current)
        expect(surveys[index]?.ids).toEqual(anew.ids)
        expect(sumsOf(surveys[index])).toEqual(sumsOf(anew))
      }
      await service.close()
    }),
    { numRuns: 12 },
  )
})

describe('turns of the event loop', () => {
  test('other work goes on while a large list is searched and while it is added up', async () => {
    const all = register(searchLimit)
    const [least, nothing] = [searchLimit / 500, () => false]
    expect(await turnsOf(() => search(all, nothing, newest))).toBeGreaterThan(least)
    expect(await turnsOf(() => new FilterSurvey(nothing).fill(all))).toBeGreaterThan(least)
  })

  test('a page of the list takes no turn of the event loop', async () => {
    expect(await turnsOf(() => search(register(searchLimit), () => true, newest))).toBe(0)
  })

  test('a transaction that is stored during a search shifts nothing', async () => {
    const transactions = register(1_000).transactions
    const seen: string[] = []
    const all = {
      transactions,
      indexOf: (id: string) => transactions.findIndex((each) => each.id === id),
    }
    const isDone = search(
      all,
      ({ id }) => {
        if (seen.push(id) % 100 === 0)
          transactions.unshift({ id: `late ${seen.length}` } as CountedTransaction)
        return id === '5'
      },
      newest,
    )
    expect(ids((await isDone).rows)).toEqual([5])
    expect(new Set(seen).size).toBe(seen.length)
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
    const { text } = await get('/?q=ORDER-1')
    expect(visibleText(text)).toMatch(/ 2 of 3 .* Exact match\. Search all texts/)
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
