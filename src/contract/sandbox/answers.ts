import type { SpecRecord } from '../records.ts'
import type { BatchStatus, RelatedStatus, Status } from '../statuses.ts'
import type { DeliveryState } from '../webhooks.ts'
import type { Branch, ToldDelivery } from './remaining.ts'
import type { ScreenName } from './screens.ts'

/** What `connection` answers, and what `sandbox start --json` prints. */
export interface Connection {
  readonly url: string
  /** Of this start of the sandbox, a UUID; its lock file names it. */
  readonly id: string
  readonly port: number
  readonly pid: number
  readonly apiKey: string
  readonly appId: string
  readonly merchantId: string
  readonly terminals: readonly string[]
  readonly state: string
  /** Where results are sent when a request does not say, and where everything is sent on to; null: nowhere. */
  readonly notifyUrl: string | null
  readonly forwardTo: string | null
}

/** What `health` answers. */
export interface Health {
  readonly status: 'ok'
  readonly version: string
  /** Of this start, as in `connection`. */
  readonly id: string
  readonly pid: number
  readonly uptimeMs: number
}

/** What `state` answers. */
export interface StateSummary {
  readonly merchants: number
  readonly transactions: number
  readonly byStatus: Readonly<Record<string, number>>
  readonly openBatches: number
  /** Webhook deliveries by where they stand. */
  readonly webhooks: Readonly<Record<DeliveryState, number>>
  /** Notifications that `--forward-to` has still to send on; null without it. */
  readonly toForward: number | null
  readonly memoryBytes: number
}

/** What `clock` answers. Times in ISO 8601. */
export interface ClockReading {
  readonly now: string
  readonly wall: string
  readonly offsetMs: number
  readonly frozen: boolean
}

/** What `transaction` answers. Amounts in minor units. */
export interface Story {
  readonly record: SpecRecord
  readonly merchantId: string
  readonly status: Status
  readonly screen: string
  /** True for what no terminal takes part in, though one may be named. */
  readonly inCloud: boolean
  /** Hosted page that it is paid on; null for all others. */
  readonly sessionId: string | null
  /** What it waits for, and when it closes unpaid; null where it waits for nothing. */
  readonly waitsFor: string | null
  readonly expiresAt: string | null
  /** Outcome by name and the rule that decided it, once the host was asked. */
  readonly outcome: string | null
  readonly rule: string | null
  readonly originalTransactionId: string | null
  readonly relatedTransactionStatus: RelatedStatus | null
  readonly transactionBatchStatus: BatchStatus
  /** What an authorisation may capture in all. */
  readonly authorisedAmount?: number
  readonly refundedAmount: number
  /** Transactions that act on this one. */
  readonly children: readonly string[]
  /** The transaction with what acts on it, as a tree. */
  readonly tree: Branch
  /** Notifications of it to the addresses that its request named. */
  readonly deliveries: readonly ToldDelivery[]
  readonly timeline: readonly {
    readonly time: string
    readonly at: number
    readonly what: string
    readonly detail?: string
  }[]
}

/** Path of a hosted payment page. */
export const checkoutPath = (sessionId: string): string => `/checkout/${sessionId}`

/** Where a hosted payment page stands. `failed`: after three tries, or when the host did not answer. */
export type SessionState = 'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'cancelled'

/** What `session`, `pay-session` and `cancel-session` answer. */
export interface SessionView {
  readonly sessionId: string
  readonly merchantId: string
  readonly state: SessionState
  readonly transactionId: string
  readonly transactionRequestId: string
  /** Tries that were declined, and what the host said to the last one. */
  readonly tries: number
  readonly declined: { readonly code: string; readonly message: string } | null
  readonly expiresAt: string
}

/** A terminal of what `terminals` answers: its settings, the screen it shows, who stands in line, what is queued. */
export interface TerminalView {
  readonly appId: string
  readonly merchantId: string
  readonly terminalSn: string
  readonly summary: string
  readonly mode: 'auto' | 'attended'
  readonly online: boolean
  readonly busy?: 'queue' | 'reject'
  readonly pace?: number
  readonly tipPercent?: number
  /** Minor units up to which a tap is taken. */
  readonly contactlessLimit?: number
  readonly card?: string
  readonly outcome?: string
  /** As on the terminal itself. */
  readonly screen: ScreenName
  /** How many of the line wait, counted as on the terminal itself. */
  readonly waiting: number
  readonly line: readonly string[]
  readonly queue: readonly { readonly outcome: string; readonly times: number }[]
}

/** What `terminals` answers. */
export interface TerminalList {
  readonly terminals: readonly TerminalView[]
}
