import {
  add,
  type Contribution,
  type Figures,
  noFigures,
  total,
} from '../../../views/statistics/contribution.ts'
import type { CountedTransaction, Statistics } from '../../../views/statistics/statistics.ts'
import { defaultTimeZone, type PagesContext } from '../../frame/page-view.tsx'
import { searchLimit, walk } from '../lists/list-page.tsx'
import { isFiltered } from '../lists/list-query.ts'
import { matcherOf, type TransactionFilterQuery, timeRangeOf } from './transaction-filter-form.tsx'
import { findExactly, type Register } from './transaction-search.ts'

/** What filters leave of the transactions: their sums, and how many. */
export interface Survey {
  readonly figures: Figures
  readonly count: number
  /** Ids that match, newest first; null where every one does. */
  readonly ids: readonly string[] | null
  /** Number of the newest that were read; null: all of them. */
  readonly looked: number | null
}

type Matches = (counted: CountedTransaction) => boolean

/** Transactions with a record of changes, which a survey follows. */
type ChangingRegister = Register & Pick<Statistics['current'], 'revision' | 'changedSince'>

/** The survey of everything: the counters have it. */
const surveyOfAll = ({ figures }: Pick<Statistics['current'], 'figures'>): Survey => ({
  figures,
  count: total(figures),
  ids: null,
  looked: null,
})

/**
 * Sums of the matching transactions among the newest, up to the limit of a search. Each is matched once, and again when
 * it changed.
 */
export class FilterSurvey implements Survey {
  readonly figures = noFigures()
  readonly ids: string[] = []
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

  get count(): number {
    return this.ids.length
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
    add(this.figures, contribution, createdAt, 1)
    this.#added.set(id, { contribution, createdAt })
    this.ids.splice(insertionIndex(this.ids, id), 0, id)
  }

  #remove({ id }: CountedTransaction): void {
    const added = this.#added.get(id)
    if (added === undefined) return
    add(this.figures, added.contribution, added.createdAt, -1)
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

interface LookUpResult {
  readonly register: Register
  readonly matches: ConstructorParameters<typeof FilterSurvey>[0]
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
    : await cachedSurvey(all, JSON.stringify([filters, range]), matches)
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
