import type { RequestSummary } from '../../contract/control/request-log-answers.ts'
import { asManyAsPossible, type TransactionRow } from '../../contract/control/transaction-list.ts'
import type { DeliveryView } from '../../contract/control/webhooks.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { CallControl } from '../helpers/caller.ts'
import type { Step } from '../scenario/file/read-scenario.ts'

/** What a step of a drive led to, in the time that follows it. */
export interface Observed {
  readonly step: Step
  /** HTTP status with which the merchant's server refused it. */
  readonly refusedWith?: number | undefined
  /** Sandbox time after it. */
  readonly at: number
  /** Requests of the merchant's server to the payment API. */
  readonly requests: readonly RequestSummary[]
  /** Notifications that were tried, with how often. */
  readonly webhooks: readonly { readonly delivery: DeliveryView; readonly attempts: number }[]
  /** Transactions that are new. */
  readonly opened: readonly TransactionRow[]
  /** All transactions. */
  readonly payments: readonly TransactionRow[]
}

/** Looks at a sandbox after each step; returns what is new. What a server asked when it started is not. */
export async function createObserver(call: CallControl): Promise<(step: Step) => Promise<Observed>> {
  const { requests: before } = await call('requests', {})
  const seen = new Set(before.map(({ traceId }) => traceId))
  const attempts = new Map<string, number>()
  const isNew = (id: string) => !seen.has(id) && seen.add(id) !== undefined
  return async (step) => {
    const [{ now }, { requests }, { deliveries }, { transactions }] = await Promise.all([
      call('clock'),
      call('requests', {}),
      call('webhooks', asManyAsPossible),
      call('transactions', asManyAsPossible),
    ])
    const tried = deliveries.flatMap((delivery) => {
      const key = `${delivery.id} ${delivery.url}`
      const total = delivery.totalAttempts
      const more = total - (attempts.get(key) ?? 0)
      attempts.set(key, total)
      return more > 0 ? [{ delivery, attempts: more }] : []
    })
    return {
      step,
      at: Date.parse(now),
      requests: requests.filter(({ operation, traceId }) => operation !== null && isNew(traceId)),
      webhooks: tried,
      opened: transactions.filter(({ transactionId }) => isNew(transactionId)).toReversed(),
      payments: transactions,
    }
  }
}

/** Operations of the requests, each once. */
export const operationsIn = ({ requests }: Observed): OperationName[] => [
  ...new Set(requests.map(({ operation }) => operation as OperationName)),
]
