import { type StatusGroup, statusGroupOf, statusGroups } from '../../../contract/presentation/status.ts'
import { moneyDirection } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/model/transaction.ts'
import { firstIndex } from '../../../shared/first-index.ts'
import type { OwnedTransaction } from '../transaction-text.ts'

/**
 * What is counted of transactions: how many by group, and by currency the amounts that were taken, in minor
 * units; 0 where no payment was approved. Voided payments were not taken.
 */
export type Counter = StatusGroup | `taken ${string}`

/** Sums by name. */
export type Counters = ReadonlyMap<Counter, number>

/** A sum; 0 for one that was never counted. */
export const tally = (counters: Counters, name: Counter): number => counters.get(name) ?? 0

/** From a time up to another, which is excluded. Milliseconds of sandbox time, at whole minutes. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

/** Sums over time. */
export interface Figures {
  readonly all: Counters
  /** From the first minute in which something was counted to the last; null for none. */
  readonly extent: TimeRange | null
  readonly between: (range: TimeRange) => Counters
}

/** The figures of transactions at the times of their opening. */
export function figuresOf(transactions: readonly OwnedTransaction[]): Figures {
  const at = ({ transaction }: OwnedTransaction) => transaction.createdAt
  const sorted = transactions.toSorted((one, other) => at(one) - at(other))
  const [first, last] = [sorted[0], sorted.at(-1)]
  const all = count(sorted)
  return {
    all,
    extent: first && last ? { from: minuteStart(at(first)), until: minuteStart(at(last)) + minute } : null,
    between: ({ from, until }) => {
      const [start, end] = [firstIndex(sorted, from, at), firstIndex(sorted, until, at)]
      return start === 0 && end === sorted.length ? all : count(sorted.slice(start, end))
    },
  }
}

function count(transactions: readonly OwnedTransaction[]): Counters {
  const groups = new Map<StatusGroup, number>()
  const taken = new Map<string, number>()
  for (const { transaction } of transactions) {
    const { status, type, currency, followUps } = transaction
    const group = statusGroupOf(status)
    groups.set(group, (groups.get(group) ?? 0) + 1)
    const isTaken = group === 'success' && followUps?.voided !== true
    if (moneyDirection[type] === 1)
      taken.set(currency, (taken.get(currency) ?? 0) + (isTaken ? amountOf(transaction) : 0))
  }
  return new Map<Counter, number>([
    ...groups,
    ...[...taken].map(([currency, sum]) => [`taken ${currency}` as const, sum] as const),
  ])
}

const minute = 60_000
const minuteStart = (at: number): number => Math.floor(at / minute) * minute

/** Number of transactions of every status. */
export const total = (counters: Counters): number =>
  statusGroups.reduce((sum, group) => sum + tally(counters, group), 0)
