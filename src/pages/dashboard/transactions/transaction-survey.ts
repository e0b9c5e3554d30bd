import type { DeliveryState } from '../../../contract/sandbox/webhooks.ts'
import type { Contribution, Counter } from '../../../views/statistics/contribution.ts'
import type { CountedTransaction, Statistics } from '../../../views/statistics/statistics.ts'
import { Timeline, type TimeRange } from '../../../views/statistics/timeline.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { isWithin, rangeOf, type Today } from '../charts/time-range.tsx'
import { searchLimit, walk } from '../lists/list-page.tsx'
import { isFiltered } from '../lists/list-query.ts'
import { matcherOf, type TransactionFilterQuery } from './transaction-filter-form.tsx'
import { findExactly, type Register } from './transaction-search.ts'

type Matches = (counted: CountedTransaction) => boolean

/** Transactions with a record of changes, which a survey follows. */
type ChangingRegister = Register & Pick<Statistics['current'], 'revision' | 'changedSince'>

/**
 * Sums of the matching transactions among the newest, up to the limit of a search. Each is matched once, and again when
 * it changed.
 */
export class FilterSurvey {
  /** At the times of opening. */
  readonly figures = new Timeline<Counter>()
  /** Ids that match, newest first. */
  readonly ids: string[] = []
  /** Number of the newest that were read; null: all of them. */
  looked: number | null = null
  readonly #matches: Matches
  /** The contribution of each match, by id. */
  readonly #added = new Map<string, { readonly contribution: Contribution; readonly createdAt: number }>()
  /** Ids of the oldest and the newest that it knows. */
  #oldest = Number.POSITIVE_INFINITY
  #newest = 0
  #revision = 0

  constructor(matches: Matches) {
    this.#matches = matches
  }

  /** Whether a transaction matches; counted ones use the stored result. */
  readonly matches: Matches = (counted) => {
    const id = Number(counted.id)
    const isKnown = id >= this.#oldest && id <= this.#newest
    return isKnown ? this.#added.has(counted.id) : this.#matches(counted)
  }

  /** Looks at the newest, in turns of the event loop. */
  async fill(register: Register & Partial<ChangingRegister>): Promise<this> {
    const { transactions } = register
    this.#revision = register.revision ?? 0
    this.#newest = Number(transactions.at(-1)?.id ?? 0)
    const start = transactions.length - 1
    const look = (counted: CountedTransaction) => {
      if (this.#matches(counted)) this.#add(counted)
      this.#oldest = Number(counted.id)
      return true
    }
    const last = await walk(transactions, start, -1, look, ({ id }) => register.indexOf(id))
    this.looked = last <= 0 ? null : searchLimit
    return this
  }

  /** Counts what changed since; false where that is too long ago. */
  follow(register: ChangingRegister): boolean {
    const changed = register.changedSince(this.#revision)
    if (changed === undefined) return false
    this.#revision = register.revision
    const { transactions } = register
    const end = Math.max(0, transactions.length - searchLimit)
    for (let index = register.indexOf(String(this.#oldest)); index < end; index++)
      this.#remove(transactions[index] as CountedTransaction)
    this.looked = end === 0 ? null : searchLimit
    this.#oldest = Number(transactions[end]?.id ?? Number.POSITIVE_INFINITY)
    this.#newest = Number(transactions.at(-1)?.id ?? 0)
    for (const counted of changed) {
      this.#remove(counted)
      if (Number(counted.id) >= this.#oldest && this.#matches(counted)) this.#add(counted)
    }
    return true
  }

  #add({ id, transaction: { createdAt }, contribution }: CountedTransaction): void {
    this.figures.add(createdAt, contribution)
    this.#added.set(id, { contribution, createdAt })
    this.ids.splice(insertionIndex(this.ids, id), 0, id)
  }

  #remove({ id }: CountedTransaction): void {
    const added = this.#added.get(id)
    if (added === undefined) return
    this.figures.add(added.createdAt, added.contribution, -1)
    this.#added.delete(id)
    this.ids.splice(insertionIndex(this.ids, id), 1)
  }
}

/** Where an id is, or would be, among ids that descend. */
export function insertionIndex(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (Number(ids[middle]) > Number(id)) low = middle + 1
    else high = middle
  }
  return low
}

/** Most surveys that are kept: one for each view that people switch between. */
const mostSurveys = 8

/** Surveys by view. */
const surveys = new WeakMap<object, Map<string, FilterSurvey>>()

/** The survey of a view, brought up to date with later changes. `view`: key that identifies it. */
export async function cachedSurvey(
  register: ChangingRegister,
  view: string,
  matches: Matches,
): Promise<FilterSurvey> {
  const known = surveys.get(register) ?? new Map<string, FilterSurvey>()
  surveys.set(register, known)
  const last = known.get(view)
  const survey = last?.follow(register) ? last : await new FilterSurvey(matches).fill(register)
  if (survey !== last) survey.follow(register) // what changed while it was filled
  known.delete(view)
  known.set(view, survey)
  for (const oldest of known.keys()) if (known.size > mostSurveys) known.delete(oldest)
  return survey
}

/** What the filters leave of the transactions. */
export interface LookUpResult {
  readonly register: Register
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
  const { register, range, fits, others } = filtered(context, filters)
  const isExact = register !== all
  const survey =
    fits === null
      ? null
      : isExact
        ? await new FilterSurvey(fits).fill(register)
        : await cachedSurvey(all, JSON.stringify(others), fits)
  const { figures, ids, looked } = survey ?? { figures: all.figures, ids: null, looked: null }
  const deliveries = ids === null ? all.deliveries.timeline : all.deliveries.timelineOf(ids)
  const matches = matchesIn(range, survey?.matches ?? null)
  return { register, matches, isExact, range, figures, deliveries, ids, looked }
}

/** A test for both; null: every one fits. */
export const matchesIn =
  (range: TimeRange, fits: Matches | null): Matches =>
  (counted) =>
    isWithin(range, counted.transaction.createdAt) && (fits === null || fits(counted))

/** What to search for the transactions that pass the filters: the function that tests each, null without filters, and the time range. */
export function filtered(context: PagesContext, { since, until, ...others }: TransactionFilterQuery) {
  const all = context.statistics.current
  const isSearch = others.q !== '' && others.match === ''
  const exact = isSearch ? findExactly(context.engine.state.ledgers.values(), all, others.q) : undefined
  return {
    range: rangeOf({ since, until }, todayOf(context)),
    register: exact ?? all,
    fits: isFiltered(others) ? matcherOf(others, exact === undefined) : null,
    others,
  }
}

/** Now, and where its days are. */
export const todayOf = (context: PagesContext): Today => ({
  now: context.clock.now(),
  timeZone: defaultTimeZone(context),
})
