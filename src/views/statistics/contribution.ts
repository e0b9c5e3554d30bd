import { moneyDirection, type Status } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { type Counters, sumOf } from './timeline.ts'

/** Statuses as totals and charts group them. */
export type StatusGroup = 'success' | 'fail' | 'closed' | 'open'

/** Every group, in the order of the charts. */
export const statusGroups: readonly StatusGroup[] = ['success', 'fail', 'closed', 'open']

const groupByStatus: Readonly<Record<Status, StatusGroup>> = {
  SUCCESS: 'success',
  FAIL: 'fail',
  CLOSED: 'closed',
  INITIAL: 'open',
  PROCESSING: 'open',
}

/** Both statuses before the final ones count as open. */
export const statusGroupOf = (status: Status): StatusGroup => groupByStatus[status]

/**
 * What is counted of transactions: how many by group, how many were declined by outcome, and by currency how many move
 * money, and the amounts that were taken and refunded, in minor units. Voided payments were not taken.
 */
export type Counter = StatusGroup | `declined ${string}` | `${'payments' | 'taken' | 'refunded'} ${string}`

/** What one transaction adds to the figures. */
export type Contribution = Counters<Counter>

/** The contribution of a transaction in its present state. */
export function contributionOf(transaction: Transaction): Contribution {
  const { status, type, currency, outcome, followUps } = transaction
  const group = statusGroupOf(status)
  const direction = moneyDirection[type]
  const counters = new Map<Counter, number>([[group, 1]])
  if (group === 'fail') counters.set(`declined ${outcome}`, 1)
  if (direction !== 0) counters.set(`payments ${currency}`, 1)
  if (direction !== 0 && group === 'success' && followUps?.voided !== true)
    counters.set(`${direction === 1 ? 'taken' : 'refunded'} ${currency}`, amountOf(transaction))
  return counters
}

/** Most contributions that are shared. */
const mostShared = 50_000

/** Makes contributions; equal ones mostly share one object, because most transactions are alike. */
export function sharedContributions(): typeof contributionOf {
  const known = new Map<string, Contribution>()
  return (transaction) => {
    const { type, status, currency, outcome, followUps } = transaction
    const key = `${type} ${status} ${currency} ${outcome} ${followUps?.voided} ${amountOf(transaction)}`
    const shared = known.get(key) ?? contributionOf(transaction)
    if (known.size < mostShared) known.set(key, shared)
    return shared
  }
}

/** Number of transactions of every status. */
export const total = (counters: Counters<Counter>): number =>
  statusGroups.reduce((sum, group) => sum + sumOf(counters, group), 0)

/** The currencies of payments and refunds, that of the most first. */
export const currenciesOf = (counters: Counters<Counter>): string[] =>
  [...counters]
    .filter(([name, count]) => name.startsWith('payments ') && count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name]) => name.slice('payments '.length))
