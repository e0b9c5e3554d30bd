import { defaultTimeZone, type PagesContext } from '../../frame/context.ts'
import { isFiltered } from '../lists/query.ts'
import { matcherOf, type TransactionFilters, timeRangeOf } from './transaction-filters.ts'
import { findExactly, type Register } from './transaction-search.ts'
import { type Survey, surveyKept, surveyOf, surveyOfAll } from './transaction-survey.ts'

interface Found {
  readonly register: Register
  readonly matches: Parameters<typeof surveyOf>[1]
  readonly survey: Survey
  /** True where only what is named exactly as the search text is shown. */
  readonly isExact: boolean
  /** Where the charts end, in sandbox time; `isEndNow` is false where the filters end earlier. */
  readonly end: number
  readonly isEndNow: boolean
}

/** The transactions that the filters leave: where to look for them, and their sums. */
export function lookUp(
  context: Pick<PagesContext, 'engine' | 'statistics' | 'clock' | 'directory'>,
  filters: TransactionFilters,
): Found {
  const register = context.statistics.current
  const now = context.clock.now()
  if (!isFiltered(filters)) {
    const survey = surveyOfAll(register)
    return { register, matches: () => true, survey, isExact: false, end: now, isEndNow: true }
  }
  const today = { now, timeZone: defaultTimeZone(context) }
  const { q, match } = filters
  const isSearch = q !== '' && match === ''
  const exact = isSearch ? findExactly(context.engine.state.ledgers.values(), register, q) : undefined
  const matches = matcherOf(filters, today, exact === undefined)
  const range = timeRangeOf(filters, today)
  const isEndNow = range.until === undefined || range.until > now
  return {
    register: exact ?? register,
    matches,
    survey: surveyKept(register, JSON.stringify([filters, range]), () =>
      surveyOf(exact ?? register, matches),
    ),
    isExact: exact !== undefined,
    end: isEndNow ? now : (range.until as number) - 1,
    isEndNow,
  }
}
