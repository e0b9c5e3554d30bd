import { searchLimit, walk } from '../search-walk.ts'
import type { Contribution, Counter } from './contribution.ts'
import type { CountedTransaction } from './counted-transaction.ts'
import { Timeline } from './timeline.ts'

type Matches = (counted: CountedTransaction) => boolean

/** Transactions in their order, found by id. */
export interface Register {
  readonly transactions: readonly CountedTransaction[]
  indexOf(id: string): number
}

/** A register with a record of changes, which a survey follows. */
interface ChangingRegister extends Register {
  readonly revision: number
  changedSince(revision: number): readonly CountedTransaction[] | undefined
}

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

/** The latest surveys of a register. */
export class Surveys {
  readonly #register: ChangingRegister
  readonly #byView = new Map<string, FilterSurvey>()

  constructor(register: ChangingRegister) {
    this.#register = register
  }

  /** The survey of a view, brought up to date with later changes. `view`: key that identifies it. */
  async of(view: string, matches: Matches): Promise<FilterSurvey> {
    const known = this.#byView
    const last = known.get(view)
    const survey = last?.follow(this.#register) ? last : await new FilterSurvey(matches).fill(this.#register)
    if (survey !== last) survey.follow(this.#register) // what changed while it was filled
    known.delete(view)
    known.set(view, survey)
    for (const oldest of known.keys()) if (known.size > mostSurveys) known.delete(oldest)
    return survey
  }
}
