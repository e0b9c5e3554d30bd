import type { RequestSummary } from '../../contract/control/request-log-answers.ts'
import { asManyAsPossible, type TransactionRow } from '../../contract/control/transaction-list.ts'
import type { AttemptView, DeliveryView } from '../../contract/control/webhooks.ts'
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
  /** Notifications that were sent, with each attempt. */
  readonly webhooks: readonly { readonly delivery: DeliveryView; readonly tries: readonly AttemptView[] }[]
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
    const tried = deliveries.map(async (delivery) => {
      const { id, url, totalAttempts } = delivery
      const more = totalAttempts - (attempts.get(`${id} ${url}`) ?? 0)
      attempts.set(`${id} ${url}`, totalAttempts)
      if (more <= 0) return []
      const story = await call('webhook', undefined, { id })
      const tries = story.deliveries.find((each) => each.url === url)?.tries ?? []
      return [{ delivery, tries: tries.slice(-more) }]
    })
    return {
      step,
      at: Date.parse(now),
      requests: requests.filter(({ operation, traceId }) => operation !== null && isNew(traceId)),
      webhooks: (await Promise.all(tried)).flat(),
      opened: transactions.filter(({ transactionId }) => isNew(transactionId)).toReversed(),
      payments: transactions,
    }
  }
}

/** Operations of the requests, each once. */
export const operationsIn = ({ requests }: Observed): OperationName[] => [
  ...new Set(requests.map(({ operation }) => operation as OperationName)),
]
