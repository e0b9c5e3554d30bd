import { type Share, type Standing, standings } from './contribution.ts'

/** What came in and went out in one currency. Amounts in minor units. */
interface Money {
  taken: number
  refunded: number
  /** Payments and refunds of any standing. */
  count: number
}

/** Transactions that were opened within one step of time. */
export interface Bucket {
  readonly counts: Record<Standing, number>
  /** Amounts of payments by currency, in minor units. */
  readonly amounts: Map<string, Record<Standing, number>>
}

/** Steps of the time line, in milliseconds: a minute, half an hour, six hours. */
const steps = [60_000, 1_800_000, 21_600_000] as const

/** Length of one step. */
export type Step = (typeof steps)[number]

/** Sums over all transactions. */
export interface Figures {
  readonly counts: Record<Standing, number>
  readonly outcomes: Map<string, number>
  readonly money: Map<string, Money>
  /** Buckets by step, then by number of the step since 1970. */
  readonly timeline: ReadonlyMap<Step, Map<number, Bucket>>
}

const noCounts = (): Record<Standing, number> => ({ success: 0, fail: 0, closed: 0, open: 0 })

/** Sums over nothing. */
export const noFigures = (): Figures => ({
  counts: noCounts(),
  outcomes: new Map(),
  money: new Map(),
  timeline: new Map(steps.map((step) => [step, new Map()])),
})

/** Adds a share, or with −1 takes it out again. `openedAt`: sandbox time in milliseconds. */
export function add(figures: Figures, share: Share, openedAt: number, sign: 1 | -1): void {
  const { standing, outcome, flow, currency, amount } = share
  figures.counts[standing] += sign
  if (outcome !== null) figures.outcomes.set(outcome, (figures.outcomes.get(outcome) ?? 0) + sign)
  if (flow !== null) {
    const money = found(figures.money, currency, () => ({ taken: 0, refunded: 0, count: 0 }))
    money.count += sign
    if (share.stands) money[flow === 'payment' ? 'taken' : 'refunded'] += sign * amount
  }
  for (const step of steps) {
    const buckets = figures.timeline.get(step) as Map<number, Bucket>
    const bucket = found(buckets, Math.floor(openedAt / step), () => ({
      counts: noCounts(),
      amounts: new Map(),
    }))
    bucket.counts[standing] += sign
    if (flow === 'payment') found(bucket.amounts, currency, noCounts)[standing] += sign * amount
  }
}

function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** All transactions together. */
export const total = ({ counts }: Pick<Bucket, 'counts'>): number =>
  standings.reduce((sum, standing) => sum + counts[standing], 0)
