import { total } from '../../../views/statistics/contribution.ts'
import type { CountedTransaction } from '../../../views/statistics/counted-transaction.ts'
import { FilterSurvey, type Register, type Survey } from '../../../views/statistics/filter-survey.ts'
import type { Statistics } from '../../../views/statistics/statistics.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { isFiltered } from '../lists/list-query.ts'
import { matcherOf, type TransactionFilterQuery, timeRangeOf } from './transaction-filter-form.tsx'
import { findExactly } from './transaction-search.ts'

/** The survey of everything: the counters have it. */
const surveyOfAll = ({ figures }: Pick<Statistics['current'], 'figures'>): Survey => ({
  figures,
  count: total(figures),
  ids: null,
  looked: null,
})

interface LookUpResult {
  readonly register: Register
  readonly matches: (counted: CountedTransaction) => boolean
  readonly survey: Survey
  /** True when only transactions with exactly this id or order are shown. */
  readonly isExact: boolean
  /** Where the filters begin, in sandbox time; undefined is open. */
  readonly since: number | undefined
  /** Where the charts end, in sandbox time; `isEndNow` is false where the filters end earlier. */
  readonly end: number
  readonly isEndNow: boolean
}

/** The transactions that the filters leave: where to look for them, and their sums. */
export async function lookUp(context: PagesContext, filters: TransactionFilterQuery): Promise<LookUpResult> {
  const all = context.statistics.current
  const { now, range, register, matches } = filtered(context, filters)
  const isEndNow = range.until === undefined || range.until > now
  const base = { register, since: range.since, end: isEndNow ? now : (range.until as number) - 1, isEndNow }
  if (!isFiltered(filters)) return { ...base, matches, survey: surveyOfAll(all), isExact: false }
  const isExact = register !== all
  const survey = isExact
    ? await new FilterSurvey(matches).fill(register)
    : await all.surveys.of(JSON.stringify([filters, range]), matches)
  return { ...base, matches: survey.matches, survey, isExact }
}

/** What to search for the transactions that pass the filters, and the function that tests each. */
export function filtered(context: PagesContext, filters: TransactionFilterQuery) {
  const all = context.statistics.current
  const now = context.clock.now()
  const today = { now, timeZone: defaultTimeZone(context) }
  const isSearch = filters.q !== '' && filters.match === ''
  const exact = isSearch ? findExactly(context.engine.state.ledgers.values(), all, filters.q) : undefined
  return {
    now,
    range: timeRangeOf(filters, today),
    register: exact ?? all,
    matches: isFiltered(filters) ? matcherOf(filters, today, exact === undefined) : () => true,
  }
}
