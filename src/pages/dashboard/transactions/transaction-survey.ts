import { add, type Figures, noFigures, total } from '../../../views/statistics/figures.ts'
import type { CountedTransaction, Statistics } from '../../../views/statistics/statistics.ts'
import { searchLimit } from '../lists/list.tsx'
import type { Register } from './transaction-search.ts'

/** What filters leave of the transactions: their sums, and how many. */
export interface Survey {
  readonly figures: Figures
  readonly count: number
  /** Ids that match, newest first; null where every one does. */
  readonly ids: readonly string[] | null
  /** So many of the newest were looked at, where it were not all. */
  readonly looked: number | null
}

/** The survey of everything: the counters have it. */
export const surveyOfAll = ({ figures }: Pick<Statistics['current'], 'figures'>): Survey => ({
  figures,
  count: total(figures),
  ids: null,
  looked: null,
})

/** Looks at the newest transactions, up to the limit of a search, and adds up those that match. */
export function surveyOf(
  { transactions }: Pick<Register, 'transactions'>,
  matches: (counted: CountedTransaction) => boolean,
): Survey {
  const figures = noFigures()
  const ids: string[] = []
  const end = Math.max(0, transactions.length - searchLimit)
  for (let index = transactions.length - 1; index >= end; index--) {
    const counted = transactions[index] as CountedTransaction
    if (!matches(counted)) continue
    add(figures, counted.contribution, counted.transaction.createdAt, 1)
    ids.push(counted.transaction.id)
  }
  return { figures, count: ids.length, ids, looked: end === 0 ? null : searchLimit }
}

/** So many surveys are kept: as many views are looked at by turns. */
const kept = 8

/** Surveys by view, each with the revision of the register that it is of. */
const surveys = new WeakMap<object, Map<string, { readonly revision: number; readonly survey: Survey }>>()

/** The survey of a view, made again only when a transaction changed. `view`: what tells it from others. */
export function surveyKept(
  register: Pick<Statistics['current'], 'revision'>,
  view: string,
  make: () => Survey,
): Survey {
  const known = surveys.get(register) ?? new Map()
  surveys.set(register, known)
  const { revision } = register
  const last = known.get(view)
  const survey = last?.revision === revision ? last.survey : make()
  known.delete(view)
  known.set(view, { revision, survey })
  for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest)
  return survey
}
