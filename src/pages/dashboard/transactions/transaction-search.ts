import type { Ledger } from '../../../domain/model/ledger.ts'
import type { TimeRange } from '../../../sandbox/views/statistics/figures.ts'
import {
  type Register,
  type TransactionList,
  takeSurvey,
  transactionIndex,
} from '../../../sandbox/views/statistics/statistics.ts'
import type { OwnedTransaction } from '../../../sandbox/views/transaction-text.ts'
import { nextTurn } from '../../../shared/timers.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { isWithin, resolveRange, type Today } from '../charts/time-range.tsx'
import { isFiltered } from '../lists/filter-form.tsx'
import { pageAbove, scan } from '../lists/list-page.tsx'
import { filterMatcher, type TransactionFilterQuery } from './transaction-filter-form.tsx'

/**
 * Searches below a transaction, or from the newest on, up to the limit, or until `most` are found. `older`:
 * where the next page begins, null when there is none; `stoppedAt`: the id at which the search reached its
 * limit, where it goes on.
 */
export async function search(
  list: TransactionList,
  matches: (owned: OwnedTransaction) => boolean,
  before: string | null,
  most?: number,
) {
  const { transactions } = list
  const start = (before === null ? transactions.length : transactionIndex(list, before)) - 1
  const { rows, last, isStopped } = await scan(transactions, start, matches, most)
  const lastId = transactions[last]?.transaction.id ?? null
  return { rows, older: last > 0 && !isStopped ? lastId : null, stoppedAt: isStopped ? lastId : null }
}

/** Where the page that ends at that transaction begins; null when that is the newest. */
export async function newerPosition(
  list: TransactionList,
  matches: (owned: OwnedTransaction) => boolean,
  before: string,
): Promise<string | null> {
  const { transactions } = list
  const index = await pageAbove(transactions, transactionIndex(list, before), matches)
  return index === null ? null : (transactions[index]?.transaction.id ?? null)
}

/**
 * The transactions with exactly that id, transaction request id or order, as a list of their own; however old
 * they are, they need no search. Undefined for none.
 */
export function findExactly(
  ledgers: Iterable<Ledger>,
  register: Pick<Register, 'find' | 'ofOrders'>,
  text: string,
): TransactionList | undefined {
  const found = new Set(register.ofOrders(new Set([text, text.toUpperCase(), text.toLowerCase()])))
  for (const { transactions } of ledgers) {
    const id = (transactions.get(text) ?? transactions.withTransactionRequestId(text))?.id
    const owned = id === undefined ? undefined : register.find(id)
    if (owned !== undefined) found.add(owned)
  }
  if (found.size === 0) return undefined
  const transactions = [...found].sort(
    (one, other) => Number(one.transaction.id) - Number(other.transaction.id),
  )
  return { transactions }
}

type Matches = (owned: OwnedTransaction) => boolean

/** What the filters leave of the transactions. */
export type LookUpResult = Awaited<ReturnType<typeof lookUp>>

/**
 * The transactions that the filters leave: where to look for them, and the sums of what matches at any time.
 * `matches` tests for filters and time range. `looked`: number of the newest that were read; null: all.
 */
export async function lookUp(context: PagesContext, filters: TransactionFilterQuery) {
  const all = context.statistics.current
  const { list, range, fits, others } = filtered(context, filters)
  await nextTurn() // records that no page asked for before are sorted by now, and summed in a turn of their own
  const survey =
    fits && (await (list === all ? all.survey(JSON.stringify(others), fits) : takeSurvey(list, fits)))
  const { figures, looked } = survey ?? { figures: all.figures, looked: null }
  return { list, matches: matchesIn(range, fits), range, figures, looked }
}

/** A test for both; null: every one fits. */
export const matchesIn =
  (range: TimeRange, fits: Matches | null): Matches =>
  (owned) =>
    isWithin(range, owned.transaction.createdAt) && (fits === null || fits(owned))

/** What to search for the filtered transactions: a test of each, null without filters, and the time range. */
export function filtered(context: PagesContext, { since, until, ...others }: TransactionFilterQuery) {
  const all = context.statistics.current
  const exact =
    others.q !== '' ? findExactly(context.engine.state.ledgers.values(), all, others.q) : undefined
  return {
    range: resolveRange({ since, until }, currentDay(context)),
    list: exact ?? all,
    fits: isFiltered(others) ? filterMatcher(others, exact === undefined) : null,
    others,
  }
}

/** Now, and where its days are. */
export const currentDay = (context: PagesContext): Today => ({
  now: context.clock.now(),
  timeZone: defaultTimeZone(context),
})
