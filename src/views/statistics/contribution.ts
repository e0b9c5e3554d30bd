import { moneyDirection, type Status } from '../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../domain/model/transaction.ts'

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
