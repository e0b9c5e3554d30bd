import type { TerminalEventName } from '../../contract/control/webhooks.ts'
import type { Wallet } from '../../contract/fields.ts'
import type { CardRead } from '../fixtures.ts'
import type { Endpoint } from './endpoint.ts'
import type { UsedId } from './ledger.ts'
import type { NotificationFacts } from './outbox.ts'
import type { TerminalProfile } from './terminal-profile.ts'
import type { Given, OnlineOrder, OutcomeRule, Screen } from './transaction.ts'

/** Something that happened to a transaction. */
type TransactionEvent<T extends string, Members = unknown> = Members & {
  readonly type: T
  readonly id: string
}

/** `screen`: the transaction's screen after the event; `wakeAt`: when it acts by itself; absent: at once. */
type ScreenEvent<T extends string, Members = unknown> = TransactionEvent<T, Members> & {
  readonly screen: Screen
  readonly wakeAt?: number | null | undefined
}

/** Members of a transaction that every opening has. */
type AlwaysGiven = 'transactionRequestId' | 'fingerprint' | 'currency' | 'order' | 'stan' | 'voucherNo'

/** Its other members are absent where there is no value. */
type SometimesGiven = Exclude<keyof Given, AlwaysGiven | 'id' | 'type' | 'createdAt' | 'online'>

/**
 * A request was accepted and opened a transaction. Absent and zero values are left out, which keeps the
 * journal short.
 */
export type Opened = TransactionEvent<'opened'> &
  Pick<Given, AlwaysGiven> & {
    readonly [M in SometimesGiven]?: Exclude<Given[M], null | false> | undefined
  } & {
    readonly kind: Given['type']
    readonly tip?: number | undefined
    readonly traceparent?: string | undefined
    readonly online?: OnlineOrder | undefined
    /** Name of the card, when it came with the request, and what was read of it. */
    readonly card?: string | undefined
    readonly cardRead?: CardRead | undefined
    /** Absent: immediately. */
    readonly wakeAt?: number | undefined
  }

/** A card was tapped, inserted or swiped, or a code was shown. */
interface CardPresented extends ScreenEvent<'card-presented'> {
  /** Name of the card in the fixture. */
  readonly card: string
  readonly cardRead: CardRead
  /** Present when a person did it at an attended terminal. */
  readonly byPerson?: true | undefined
  /** Outcome by name that the person chose. */
  readonly outcome?: string | undefined
  /** On a hosted page: the wallet that held the card. */
  readonly wallet?: Wallet | undefined
}

/** The host approved, and the last screen is over: PROCESSING → SUCCESS. */
export interface Approved extends TransactionEvent<'approved'> {
  readonly authCode: string
  readonly code: string
  readonly message: string
}

/** The host declined, or did not answer in time: PROCESSING → FAIL. */
export interface Declined extends TransactionEvent<'declined'> {
  /** The rule that decided it, if not the requested outcome. */
  readonly rule?: OutcomeRule | undefined
  readonly outcome?: string | undefined
  readonly code: string
  readonly message: string
}

/** Closed unpaid: INITIAL or PROCESSING → CLOSED. */
export interface Closed extends TransactionEvent<'closed'> {
  readonly reason: 'abort' | 'cancel' | 'expiry' | 'expired'
}

/** A terminal was seen for the first time, or its settings changed. */
export interface TerminalSet {
  readonly type: 'terminal-set'
  readonly profile: TerminalProfile
  /** New time to act for the transactions in line. */
  readonly wakeAt: number | null
}

/** A terminal was paired with the merchant by its code; it may have left another ledger. */
export interface TerminalPaired {
  readonly type: 'terminal-paired'
  readonly profile: TerminalProfile
  readonly code: string
}

/** Outcomes were queued on a terminal; `times` 0 clears its queue. */
export interface OutcomeQueued {
  readonly type: 'outcome-queued'
  readonly terminalSn: string
  readonly outcome: string
  readonly times: number
}

/** Open batches of a terminal were closed and settled. */
export interface BatchClosed {
  readonly type: 'batch-closed'
  readonly transactionRequestId: string
  readonly fingerprint: string
  readonly terminalSn: string
  readonly batchNos: readonly number[]
}

/** A request without a transaction used this id, which no other request may use. */
export interface IdUsed extends UsedId {
  readonly type: 'id-used'
}

/** An attempt of a webhook, made or impossible. */
export interface DeliveryAttempted {
  readonly type: 'delivery-attempted'
  /** Number of the delivery. */
  readonly number: number
  /** Round in which the attempt began; absent: the first. */
  readonly round?: number | undefined
  /** HTTP status, or why there was no answer. */
  readonly last: number | string
  /** What the copy was answered, where a fault sent two. */
  readonly copy?: number | string | undefined
  readonly fault: string | null
  readonly delivered: boolean
  /** Sandbox time of the next attempt; null: none follows. */
  readonly nextAt: number | null
}

/** A webhook goes to an endpoint that its transaction does not name, or to another one than before. */
export interface DeliveryPosted extends Endpoint {
  readonly type: 'delivery-posted'
  readonly transactionId: string
  readonly event: TerminalEventName | null
  /** Facts at the time of the event; absent: the current ones. */
  readonly facts?: NotificationFacts | undefined
}

/** Every event of a ledger. */
export type Event =
  | Opened
  /** The terminal or the cloud took the transaction up: INITIAL → PROCESSING. */
  | ScreenEvent<'taken-up'>
  | CardPresented
  /** The amount exceeds the contactless limit: the card must be inserted. */
  | ScreenEvent<'insert-asked'>
  /** The cardholder chose a tip, 0 for none. */
  | ScreenEvent<'tip-chosen', { readonly tipAmount: number }>
  /** The cardholder entered a PIN, which is never stored. */
  | ScreenEvent<'pin-entered'>
  /** The cardholder entered a wrong PIN and may try again. */
  | ScreenEvent<'pin-wrong'>
  /** The host was asked; from here an abort comes too late. */
  | ScreenEvent<'host-asked', { readonly outcome: string; readonly rule: OutcomeRule }>
  | Approved
  | Declined
  /** The host declined a try on the hosted page, and tries are left. */
  | ScreenEvent<'try-declined', { readonly code: string; readonly message: string }>
  /** The host approved, and the cardholder has to sign. */
  | ScreenEvent<'signature-asked'>
  /** The cardholder signed. */
  | TransactionEvent<'signed'>
  /** The signature was skipped; the approval stands. */
  | TransactionEvent<'signature-skipped'>
  | Closed
  /** An abort was accepted after the host was asked; the outcome stands. */
  | TransactionEvent<'abort-too-late'>
  /** The tip of a completed transaction was replaced. */
  | TransactionEvent<'tip-adjusted', { readonly tipAmount: number }>
  /** A merchant that no fixture names was added, or seen first; without a name it has only its id. */
  | { readonly type: 'merchant-registered'; readonly appId: string; readonly name?: string | undefined }
  | TerminalSet
  | { readonly type: 'terminal-removed'; readonly terminalSn: string }
  /** A terminal was added without a merchant, or left this one; it shows the code. */
  | { readonly type: 'terminal-unpaired'; readonly profile: TerminalProfile; readonly code: string }
  | TerminalPaired
  | OutcomeQueued
  | BatchClosed
  | IdUsed
  | DeliveryAttempted
  /** A webhook is sent again. */
  | { readonly type: 'delivery-again'; readonly number: number }
  | DeliveryPosted

/** Events in their order. */
export type Events = readonly Event[]

/** True when both events belong to one transaction, as most of a group do: one look-up then serves all. */
export const isOfSameTransaction = (event: Event, before: Event | undefined): boolean =>
  before !== undefined && 'id' in event && 'id' in before && event.id === before.id
