import { moneyDirection } from '../../contract/statuses.ts'
import { amountOf } from '../../domain/model/transaction.ts'
import { type StatusGroup, statusGroupOf, statusGroups } from '../../presentation/status.ts'
import type { OwnedTransaction } from '../transaction-text.ts'
import { addTo, type Counters, createTimeline, type Timeline, tally } from './timeline.ts'

/**
 * What is counted of transactions: how many by group, how many were declined by outcome, and by currency how many move
 * money, and the amounts that were taken and refunded, in minor units. Voided payments were not taken.
 */
export type Counter = StatusGroup | `declined ${string}` | `${'payments' | 'taken' | 'refunded'} ${string}`

/** The figures of transactions at the times of their opening. */
export const figuresOf = (transactions: readonly OwnedTransaction[]): Timeline<Counter> =>
  createTimeline(transactions, ({ transaction }) => transaction.createdAt, add)

function add(sums: Map<Counter, number>, { transaction }: OwnedTransaction): void {
  const { status, type, currency, outcome, followUps } = transaction
  const group = statusGroupOf(status)
  const direction = moneyDirection[type]
  addTo(sums, group, 1)
  if (group === 'fail') addTo(sums, `declined ${outcome}`, 1)
  if (direction === 0) return
  addTo(sums, `payments ${currency}`, 1)
  if (group === 'success' && followUps?.voided !== true)
    addTo(sums, `${direction === 1 ? 'taken' : 'refunded'} ${currency}`, amountOf(transaction))
}

/** Number of transactions of every status. */
export const total = (counters: Counters<Counter>): number =>
  statusGroups.reduce((sum, group) => sum + tally(counters, group), 0)

/** The currencies of payments and refunds, that of the most first. */
export const currenciesByUse = (counters: Counters<Counter>): string[] =>
  [...counters]
    .filter(([name]) => name.startsWith('payments '))
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name.slice('payments '.length))
