import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import type { Counter } from '../../../views/statistics/figures.ts'
import { surveyOf, type TransactionList } from '../../../views/statistics/statistics.ts'
import type { Timeline, TimeRange } from '../../../views/statistics/timeline.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { isWithin, rangeOf, type Today } from '../charts/time-range.tsx'
import { isFiltered } from '../lists/list-query.ts'
import { matcherOf, type TransactionFilterQuery } from './transaction-filter-form.tsx'
import { findExactly } from './transaction-search.ts'

type Matches = (owned: OwnedTransaction) => boolean

/** What the filters leave of the transactions. */
export interface LookUpResult {
  readonly list: TransactionList
  /** Tests for filters and time range. */
  readonly matches: Matches
  /** True when only transactions with exactly this id or order are shown. */
  readonly isExact: boolean
  readonly range: TimeRange
  /** Sums of what matches at any time, and of its deliveries. */
  readonly figures: Timeline<Counter>
  readonly deliveries: Timeline<DeliveryState>
  /** Ids that match at any time, newest first; null where every one does. */
  readonly ids: readonly string[] | null
  /** Number of the newest that were read; null: all of them. */
  readonly looked: number | null
}

/** The transactions that the filters leave: where to look for them, and their sums. */
export async function lookUp(context: PagesContext, filters: TransactionFilterQuery): Promise<LookUpResult> {
  const all = context.statistics.current
  const { list, range, fits, others } = filtered(context, filters)
  const isExact = list !== all
  const survey = fits && (await (isExact ? surveyOf(list, fits) : all.survey(JSON.stringify(others), fits)))
  const { figures, ids, looked } = survey ?? { figures: all.figures, ids: null, looked: null }
  const deliveries = ids === null ? all.deliveries.timeline : all.deliveries.timelineOf(new Set(ids))
  return { list, matches: matchesIn(range, fits), isExact, range, figures, deliveries, ids, looked }
}

/** A test for both; null: every one fits. */
export const matchesIn =
  (range: TimeRange, fits: Matches | null): Matches =>
  (owned) =>
    isWithin(range, owned.transaction.createdAt) && (fits === null || fits(owned))

/** What to search for the transactions that pass the filters: the function that tests each, null without filters, and the time range. */
export function filtered(context: PagesContext, { since, until, ...others }: TransactionFilterQuery) {
  const all = context.statistics.current
  const isSearch = others.q !== '' && others.match === ''
  const exact = isSearch ? findExactly(context.engine.state.ledgers.values(), all, others.q) : undefined
  return {
    range: rangeOf({ since, until }, todayOf(context)),
    list: exact ?? all,
    fits: isFiltered(others) ? matcherOf(others, exact === undefined) : null,
    others,
  }
}

/** Now, and where its days are. */
export const todayOf = (context: PagesContext): Today => ({
  now: context.clock.now(),
  timeZone: defaultTimeZone(context),
})
