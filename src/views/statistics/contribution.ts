import { moneyDirection } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { type StatusGroup, statusGroupOf, statusGroups } from '../../presentation/status.ts'

/** What one transaction adds to the figures. Amount in minor units. */
export interface Contribution {
  readonly group: StatusGroup
  readonly currency: string
  readonly amount: number
  /** Whether money comes in or goes out; null when it does not move: an authorisation, a void. */
  readonly flow: 'payment' | 'refund' | null
  /** True for a successful transaction that was not voided. */
  readonly effective: boolean
  /** Outcome by name, once it is final; `closed` for an undecided transaction. */
  readonly outcome: string | null
}

const flows = { 1: 'payment', 0: null, [-1]: 'refund' } as const

/** The contribution of a transaction in its present state. */
export function contributionOf(transaction: Transaction): Contribution {
  const group = statusGroupOf(transaction.status)
  return {
    group,
    currency: transaction.currency,
    amount: amountOf(transaction),
    flow: flows[moneyDirection[transaction.type]],
    effective: group === 'success' && transaction.followUps?.voided !== true,
    outcome: group === 'open' ? null : group === 'closed' ? 'closed' : transaction.outcome,
  }
}

/** Maximum cached amounts, and cached contributions of one amount. */
const [mostAmounts, mostOfOne] = [10_000, 32]

/** Makes contributions; equal ones mostly share one object, because most transactions are alike. */
export function sharedContributions(): typeof contributionOf {
  const byAmount = new Map<number, Contribution[]>()
  return (transaction) => {
    const made = contributionOf(transaction)
    const known = byAmount.get(made.amount)
    const same = known?.find((each) => isSame(each, made))
    if (known === undefined && byAmount.size < mostAmounts) byAmount.set(made.amount, [made])
    else if (known !== undefined && same === undefined && known.length < mostOfOne) known.push(made)
    return same ?? made
  }
}

const isSame = (one: Contribution, other: Contribution): boolean =>
  one.group === other.group &&
  one.outcome === other.outcome &&
  one.currency === other.currency &&
  one.flow === other.flow &&
  one.effective === other.effective

/** Payments and refunds in one currency. Amounts in minor units. */
interface CurrencyTotals {
  taken: number
  refunded: number
  /** Payments and refunds of any status. */
  count: number
}

/** Transactions that were opened within one interval. */
export interface Bucket {
  readonly counts: Record<StatusGroup, number>
  /** Amounts of payments by currency, in minor units. */
  readonly amounts: Map<string, Record<StatusGroup, number>>
}

/** Lengths of the intervals of the time line, in milliseconds: a minute, half an hour, six hours. */
export const bucketLengths = [60_000, 1_800_000, 21_600_000] as const

/** Length of an interval in milliseconds. */
export type BucketLength = (typeof bucketLengths)[number]

/** Sums over all transactions. */
export interface Figures {
  readonly counts: Record<StatusGroup, number>
  readonly outcomes: Map<string, number>
  readonly byCurrency: Map<string, CurrencyTotals>
  /** Buckets by length, then by number of the interval since 1970. */
  readonly timeline: ReadonlyMap<BucketLength, Map<number, Bucket>>
}

const noCounts = (): Record<StatusGroup, number> => ({ success: 0, fail: 0, closed: 0, open: 0 })

/** Sums of no transactions. */
export const noFigures = (): Figures => ({
  counts: noCounts(),
  outcomes: new Map(),
  byCurrency: new Map(),
  timeline: new Map(bucketLengths.map((length) => [length, new Map()])),
})

/** Adds a contribution; with −1 removes it. `openedAt`: sandbox time in milliseconds. */
export function add(figures: Figures, contribution: Contribution, openedAt: number, sign: 1 | -1): void {
  const { group, outcome, flow, currency, amount } = contribution
  figures.counts[group] += sign
  if (outcome !== null) figures.outcomes.set(outcome, (figures.outcomes.get(outcome) ?? 0) + sign)
  if (flow !== null) {
    const totals = getOrCreate(figures.byCurrency, currency, () => ({ taken: 0, refunded: 0, count: 0 }))
    totals.count += sign
    if (contribution.effective) totals[flow === 'payment' ? 'taken' : 'refunded'] += sign * amount
  }
  for (const length of bucketLengths) {
    const buckets = figures.timeline.get(length) as Map<number, Bucket>
    const bucket = getOrCreate(buckets, Math.floor(openedAt / length), () => ({
      counts: noCounts(),
      amounts: new Map(),
    }))
    bucket.counts[group] += sign
    if (flow === 'payment') getOrCreate(bucket.amounts, currency, noCounts)[group] += sign * amount
  }
}

function getOrCreate<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const value = map.get(key) ?? create()
  map.set(key, value)
  return value
}

/** Number of transactions of every status. */
export const total = ({ counts }: Pick<Bucket, 'counts'>): number =>
  statusGroups.reduce((sum, group) => sum + counts[group], 0)
