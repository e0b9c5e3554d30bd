import { moneyDirection } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'
import { type StatusGroup, statusGroupOf, statusGroups } from '../../presentation/status.ts'
import { type Counters, sumOf } from './timeline.ts'

/**
 * What is counted of transactions: how many by group, how many were declined by outcome, and by currency how many move
 * money, and the amounts that were taken and refunded, in minor units. Voided payments were not taken.
 */
export type Counter = StatusGroup | `declined ${string}` | `${'payments' | 'taken' | 'refunded'} ${string}`

/** What one transaction adds to the figures. */
export type Contribution = readonly (readonly [Counter, number])[]

/** What transactions of one kind add. */
interface Kind {
  readonly counts: Contribution
  /** Where their amounts are added; null where they are not. */
  readonly amounts: Counter | null
  /** Their contributions that are shared, by amount. */
  readonly shared: Map<number, Contribution>
}

function kindOf({ status, type, currency, outcome, followUps }: Transaction): Kind {
  const group = statusGroupOf(status)
  const direction = moneyDirection[type]
  const counts: [Counter, number][] = [[group, 1]]
  if (group === 'fail') counts.push([`declined ${outcome}`, 1])
  if (direction !== 0) counts.push([`payments ${currency}`, 1])
  const hasMoved = direction !== 0 && group === 'success' && followUps?.voided !== true
  const amounts: Counter | null = hasMoved ? `${direction === 1 ? 'taken' : 'refunded'} ${currency}` : null
  return { counts, amounts, shared: new Map() }
}

/** Most contributions of one kind that are shared. */
const mostShared = 10_000

/** Makes contributions of transactions in their present state; equal ones mostly share one object, because most transactions are alike. */
export function sharedContributions(): (transaction: Transaction) => Contribution {
  const kinds = new Map<string, Kind>()
  return (transaction) => {
    const { type, status, currency, outcome, followUps } = transaction
    const key = `${type} ${status} ${currency} ${outcome} ${followUps?.voided}`
    const kind = kinds.get(key) ?? kindOf(transaction)
    kinds.set(key, kind)
    const { counts, amounts, shared } = kind
    if (amounts === null) return counts
    const amount = amountOf(transaction)
    const contribution = shared.get(amount) ?? [...counts, [amounts, amount]]
    if (shared.size < mostShared) shared.set(amount, contribution)
    return contribution
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
