import type { Status, TransactionType } from '../statuses.ts'
import type { DeliveryState, TerminalEventName } from '../webhooks.ts'

/** A transaction with those that act on it. Amounts in minor units. */
export interface Branch {
  readonly transactionId: string
  readonly type: TransactionType
  readonly amount: number
  readonly currency: string
  readonly status: Status
  /** Code of the host's answer; null before it, and for what was closed. */
  readonly resultCode: string | null
  /** What may still be refunded, or captured; null where that cannot be. */
  readonly leftToRefund: number | null
  readonly leftToCapture: number | null
  readonly followUps: readonly Branch[]
}

/** An attempt to deliver a webhook. */
export interface ToldAttempt {
  /** Sandbox time of the notification, and what has passed on the wall clock since its first attempt. Milliseconds. */
  readonly at: number
  /** The same as `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
  readonly time: string
  readonly status: number | null
  readonly error: string | null
  readonly fault: string | null
  readonly durationMs: number
}

/** What was told of a transaction, to one address. Times in milliseconds of the sandbox clock. */
export interface ToldDelivery {
  readonly id: string
  /** Name of a terminal event; null for a result. */
  readonly event: TerminalEventName | null
  readonly url: string
  readonly state: DeliveryState
  readonly at: number
  readonly time: string
  readonly nextAt: number | null
  readonly attempts: number
  /** HTTP status of the last attempt, or why there was none. */
  readonly last: number | string | null
  /** Every attempt; only when they are asked for. */
  readonly tries?: readonly ToldAttempt[]
}
