import type { Status, TransactionType } from '../api/statuses.ts'
import type { ApplicationProfile, MerchantProfile, TerminalProfile } from '../fixtures.ts'
import type { OutcomeRule } from './outcomes.ts'
import type { Timeline } from './timeline.ts'

/** Where a transaction stands on its way: the screen of the terminal, or the host. */
export type Screen = 'waiting' | 'present-card' | 'tip' | 'pin' | 'processing' | 'host' | 'signature' | 'done'

/** What a request asked of the terminal. Absent members were not asked for. */
export interface Wishes {
  readonly category?: string
  readonly method?: string
  readonly cardNetworkType?: string
  /** Ask for a tip on the screen; `withTax`: tax counts into the base of a percentage. */
  readonly tip?: { readonly withTax: boolean }
  /** Ask for a signature from this amount on. */
  readonly signatureFrom?: number
  /** Outcome by name, from the request header. */
  readonly outcome?: string
}

/** What later transactions did to this one. Amounts in minor units; `…ing` counts what is still in flight. */
export interface Aftermath {
  voided: boolean
  voiding: boolean
  captured: boolean
  capturing: boolean
  increments: number
  incrementing: number
  /** Sum of the increments: successful, and in flight. */
  raised: number
  raising: number
  refunded: number
  refundedTip: number
  refunding: number
  refundingTip: number
  /** Ids of the transactions that act on this one, in order. */
  readonly children: string[]
}

/** A line of an order. `amount`: of one, in minor units. */
export interface Product {
  readonly name: string
  readonly amount: number
  readonly num: number
}

/** What only an online payment has. */
export interface Online {
  /** Its hosted page; null for a direct payment and an online refund. */
  readonly sessionId: string | null
  readonly wallet: 'GOOGLE_PAY' | 'APPLE_PAY' | null
  readonly returnUrl: string | null
  readonly products: readonly Product[]
  readonly collectsBillingAddress: boolean
  readonly collectsShippingAddress: boolean
  /** Tries on the hosted page that were declined, and what the host said to the last one. */
  tries: number
  declined: { readonly code: string; readonly message: string } | null
}

/** One transaction. Times in milliseconds of the sandbox clock, amounts in minor units of `currency`. */
export interface Transaction {
  readonly id: string
  readonly requestId: string
  readonly orderId: string | null
  readonly type: TransactionType
  status: Status
  /** Tells whether a repeated request is the same request. */
  readonly fingerprint: string
  readonly currency: string
  readonly order: number
  tip: number
  readonly tax: number
  readonly surcharge: number
  readonly cashback: number
  readonly createdAt: number
  completedAt: number | null
  /** Null for an online payment. */
  readonly terminalSn: string | null
  readonly inCloud: boolean
  readonly originalId: string | null
  readonly expiresAt: number | null
  readonly description: string | null
  readonly attach: string | null
  readonly notifyUrl: string | null
  readonly terminalEventNotifyUrl: string | null
  readonly wishes: Wishes | null
  readonly stan: string
  readonly voucherNo: string
  readonly rrn: string
  authCode: string | null
  /** Name of the card in the fixture, once presented. */
  card: string | null
  resultCode: string | null
  resultMsg: string | null
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: string | null
  rule: OutcomeRule | null
  screen: Screen
  /** When it acts by itself next; null when nothing is due. */
  wakeAt: number | null
  batchNo: number | null
  after: Aftermath | null
  /** Of an online payment; null in person. */
  readonly online: Online | null
  readonly timeline: Timeline
}

/** An outcome that waits on a terminal for the next transactions. */
interface QueuedOutcome {
  readonly outcome: string
  times: number
}

/** A terminal: what it is set to, who stands in line, and what is queued on it. */
export interface Terminal {
  readonly terminalSn: string
  profile: TerminalProfile
  /** Transactions in line; the first one has the terminal. */
  readonly line: string[]
  readonly queue: QueuedOutcome[]
  /** Number of the last batch. */
  batchNo: number
  /** Number of the last voucher. */
  voucherNo: number
  /** When it was registered on first sight; null for one of the fixture. */
  readonly registeredAt: number | null
}

/** A batch of one terminal, channel and currency. Amounts in minor units. */
export interface Batch {
  readonly batchNo: number
  readonly terminalSn: string
  readonly channelCode: string
  readonly currency: string
  readonly openedAt: number
  count: number
  net: number
  tip: number
  surcharge: number
  tax: number
}

/** What one request settled. Batches of one terminal, in their order. */
export interface BatchClose {
  readonly requestId: string
  /** Tells whether a repeated request is the same request. */
  readonly fingerprint: string
  readonly terminalSn: string
  readonly closedAt: number
  readonly batches: readonly Batch[]
}

/** What is set for a merchant and no event changes. */
export interface MerchantSettings {
  readonly appId: string
  readonly merchantId: string
  readonly timeZone: string
  readonly reserve: number
  /** Milliseconds a screen of an automatic terminal that has no pace of its own. */
  readonly pace: number
}

/** Everything about one merchant. Nothing in it refers to another merchant's. */
export interface Ledger {
  readonly settings: MerchantSettings
  /** When the merchant was registered on first sight; null for one of the fixture. */
  registeredAt: number | null
  /** Number of the last entry that was applied. */
  sequence: number
  /** Number of the last system trace number. */
  trace: number
  readonly transactions: Map<string, Transaction>
  /** transactionRequestId → transaction. */
  readonly byRequestId: Map<string, Transaction>
  /** sessionId of a hosted page → its transaction. */
  readonly sessions: Map<string, Transaction>
  readonly terminals: Map<string, Terminal>
  /** Open batches by `batchKey`. */
  readonly batches: Map<string, Batch>
  /** Batch closes by transactionRequestId, in their order. */
  readonly closes: Map<string, BatchClose>
  /** Successes less refunds less pay-outs, by currency. */
  readonly balances: Map<string, number>
  /** Refunds in flight, by currency. */
  readonly holds: Map<string, number>
}

/** An empty ledger with the terminals of the merchant's fixture. */
export function createLedger(
  application: Pick<ApplicationProfile, 'appId'>,
  { merchantId, timeZone, reserve, terminals }: MerchantProfile,
  pace: number,
): Ledger {
  return {
    settings: { appId: application.appId, merchantId, timeZone, reserve, pace },
    registeredAt: null,
    sequence: 0,
    trace: 0,
    transactions: new Map(),
    byRequestId: new Map(),
    sessions: new Map(),
    terminals: new Map(terminals.map((profile) => [profile.terminalSn, createTerminal(profile)])),
    batches: new Map(),
    closes: new Map(),
    balances: new Map(),
    holds: new Map(),
  }
}

/** The terminal of a transaction, while it runs on one. */
export const terminalOf = (ledger: Ledger, { inCloud, terminalSn }: Transaction): Terminal | undefined =>
  inCloud || terminalSn === null ? undefined : ledger.terminals.get(terminalSn)

/** An idle terminal. */
export const createTerminal = (profile: TerminalProfile, registeredAt: number | null = null): Terminal => ({
  terminalSn: profile.terminalSn,
  profile,
  line: [],
  queue: [],
  batchNo: 0,
  voucherNo: 0,
  registeredAt,
})

/** Profile of a terminal that nobody described. assumption: register-on-first-sight */
export const plainTerminal = (terminalSn: string): TerminalProfile => ({
  terminalSn,
  summary: 'registered on first sight; approves by itself',
  mode: 'auto',
})

/** Aftermath of a transaction that nothing acted on yet. */
export const noAftermath = (): Aftermath => ({
  voided: false,
  voiding: false,
  captured: false,
  capturing: false,
  increments: 0,
  incrementing: 0,
  raised: 0,
  raising: 0,
  refunded: 0,
  refundedTip: 0,
  refunding: 0,
  refundingTip: 0,
  children: [],
})

/** Transaction amount in minor units: the sum of the parts. */
export const amountOf = (transaction: Transaction): number =>
  transaction.order + transaction.tip + transaction.tax + transaction.surcharge + transaction.cashback

/** Key of an open batch. One per terminal, channel and currency. assumption: batches */
export const batchKey = (terminalSn: string, channelCode: string, currency: string): string =>
  `${terminalSn}|${channelCode}|${currency}`
