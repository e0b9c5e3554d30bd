import { type AmountParts, totalOf } from '../../contract/amounts.ts'
import type { Product } from '../../contract/answers.ts'
import type { CardEntry } from '../../contract/sandbox/screens.ts'
import type { ChannelCode, Status, TransactionType } from '../../contract/statuses.ts'

/** Progress of a transaction: the screen of its terminal, or the host. */
export type Screen =
  | 'waiting'
  | 'present-card'
  | 'insert-card'
  | 'tip'
  | 'pin'
  | 'processing'
  | 'host'
  | 'signature'
  | 'done'

/** Instructions of a request for the terminal. Absent ones were not requested. */
export interface TerminalInstructions {
  readonly category?: string
  readonly method?: string
  /** Sub-method that was asked for, which the record states. */
  readonly subMethod?: string
  readonly cardNetworkType?: string
  /** Show the tip screen; `withTax`: percentages include tax in their base. */
  readonly tip?: { readonly withTax: boolean; readonly choices?: readonly TipSuggestion[] }
  /** Print a receipt. */
  readonly print?: true
  /** Require a signature from this amount on. */
  readonly signatureFrom?: number
  /** Outcome by name, from the request header. */
  readonly outcome?: string
}

/** A tip that is suggested: a share of the amount in percent, or an amount in minor units. */
export interface TipSuggestion {
  readonly percent?: number
  readonly amount?: number
  readonly name?: string
}

/** The effects of follow-ups on their original. Null: none; `…ing`: of those in flight. */
export interface FollowUps {
  voided: boolean
  voiding: boolean
  captured: boolean
  capturing: boolean
  increments: number
  /** Sum of the increments: successful, and in flight. */
  raised: AmountParts | null
  raising: AmountParts | null
  refunded: AmountParts | null
  refunding: AmountParts | null
  /** Ids of the transactions that act on this one, in order. */
  readonly children: string[]
}

/** Data of an online payment. */
export interface Online {
  /** Its hosted page; null for a direct payment and an online refund. */
  readonly sessionId: string | null
  /** On a hosted page: the wallet of the last try. */
  wallet: 'GOOGLE_PAY' | 'APPLE_PAY' | null
  readonly returnUrl: string | null
  readonly products: readonly Product[]
  readonly collectsBillingAddress: boolean
  readonly collectsShippingAddress: boolean
  /** Number of declined tries on the hosted page, and the host's answer to the last one. */
  tries: number
  declined: { readonly code: string; readonly message: string } | null
}

/** The rule that decided an outcome, in the order they are tried. assumption: outcome-order */
export type OutcomeRule =
  | 'header'
  | 'queue'
  | 'person'
  | 'terminal'
  | 'amount'
  | 'card'
  | 'default'
  | 'settled'

/**
 * The moments of a transaction in a flat list of three entries each: milliseconds since the opening, name, and detail.
 */
export type Timeline = readonly (number | string | null)[]

/** One transaction. Times in milliseconds of the sandbox clock, amounts in minor units of `currency`. */
export interface Transaction {
  readonly id: string
  readonly transactionRequestId: string
  readonly orderId: string | null
  readonly type: TransactionType
  status: Status
  /** Equal for repetitions of the same request. */
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
  readonly instructions: TerminalInstructions | null
  /** Numbers of the system trace and of the voucher; the record writes each with six digits. */
  readonly stan: number
  readonly voucherNo: number
  authCode: string | null
  /** Name of the card in the fixture, once presented. */
  card: string | null
  /** Entry mode, if it is not the card's usual one. */
  entry: CardEntry | null
  resultCode: string | null
  resultMsg: string | null
  /** Outcome by name and the rule that decided it, once the host was asked. */
  outcome: string | null
  rule: OutcomeRule | null
  screen: Screen
  /** When it acts by itself next; null: never. */
  wakeAt: number | null
  batchNo: number | null
  followUps: FollowUps | null
  /** Of an online payment; null in person. */
  readonly online: Online | null
  timeline: Timeline
  /** Settlement channel of the approval; absent: the one of cards. */
  channel?: ChannelCode
  /** Total set-back of the sandbox clock at the last moment; absent: none. Milliseconds. */
  setBack?: number
}

/** The follow-ups of a new transaction. */
export const noFollowUps = (): FollowUps => ({
  voided: false,
  voiding: false,
  captured: false,
  capturing: false,
  increments: 0,
  raised: null,
  raising: null,
  refunded: null,
  refunding: null,
  children: [],
})

/** Transaction amount in minor units: the sum of the parts. */
export const amountOf = (transaction: Transaction): number => totalOf(transaction)
