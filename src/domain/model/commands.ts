import type { CardEntry } from '../../contract/control/screens.ts'
import type { Wallet } from '../../contract/fields.ts'
import type { OperationsWith, ServiceInput } from '../../contract/operations.ts'
import type { TransactionType } from '../../contract/statuses.ts'
import type { DeliveryAttempted, DeliveryPosted } from './events.ts'
import type { TerminalProfile } from './terminal-profile.ts'

/** Operations that open a transaction in person: at a terminal, or in the cloud for one. */
export type OpeningName = OperationsWith<{
  readonly opens: TransactionType
  readonly runs: 'terminal' | 'configurable'
}>

/** Operations that change a ledger. */
export type ChangeName = OperationsWith<{ readonly method: 'POST' }>

/** Operations that need nothing beside their request. */
type PlainName = Exclude<ChangeName, 'create-session' | 'direct-payment'>

/** A validated request, as the domain needs it. */
export interface Request<N extends ChangeName> {
  readonly type: N
  readonly input: ServiceInput<N>
  /** Equal for repetitions of the same request. */
  readonly fingerprint: string
  /** Outcome by name, from the request header. */
  readonly outcome: string | null
  /** Outcome by name, from an injected fault; that of the header wins. */
  readonly injected?: string | undefined
  /** Trace and parent of the request; absent for none. assumption: trace-context */
  readonly traceparent?: string | undefined
}

/** Opens a hosted page; its id is random, at least 128 bits. */
export interface CreateSession extends Request<'create-session'> {
  readonly sessionId: string
}

/** A wallet pays; `card` is the test card that its payload holds. */
export interface DirectPayment extends Request<'direct-payment'> {
  readonly card: string
}

/** A shopper pays on the hosted page with a test card, by name. */
export interface PaySession {
  readonly type: 'pay-session'
  readonly sessionId: string
  readonly card: string
  /** Absent for a card that was chosen or typed. */
  readonly wallet?: Wallet | undefined
}

/** A shopper cancels on the hosted page. */
export interface CancelSession {
  readonly type: 'cancel-session'
  readonly sessionId: string
}

/** A transaction is due: its terminal, the host or the expiry acts. */
export interface Wake {
  readonly type: 'wake'
  readonly transactionId: string
}

/** The time of day at which open batches are closed has come. */
export interface CloseOfDay {
  readonly type: 'close-of-day'
}

/** Changes a terminal's settings; absent members are unchanged, null resets one. */
export interface SetTerminal {
  readonly type: 'set-terminal'
  readonly terminalSn: string
  readonly changes: { readonly [M in keyof TerminalProfile]?: TerminalProfile[M] | null | undefined }
}

/** Queues an outcome on a terminal; `times` 0 clears its queue. */
export interface QueueOutcome {
  readonly type: 'queue-outcome'
  readonly terminalSn: string
  readonly outcome: string
  readonly times: number
}

/** Adds a terminal. `code`: it is unpaired, and shows this code. */
export interface AddTerminal {
  readonly type: 'add-terminal'
  readonly profile: TerminalProfile
  readonly code?: string | undefined
}

/** Unpairs a terminal; the code is random and unique. */
export interface UnpairTerminal {
  readonly type: 'unpair-terminal'
  readonly terminalSn: string
  readonly code: string
}

/** Pairs the terminal that shows the code; `profile`: its settings. */
export interface PairTerminal {
  readonly type: 'pair-terminal'
  readonly profile: TerminalProfile
  readonly code: string
}

/** Removes a terminal. */
export interface RemoveTerminal {
  readonly type: 'remove-terminal'
  readonly terminalSn: string
}

/** A person or a script acts at a terminal. `transactionId`: only while the terminal shows that one. */
type ActionAtTerminal<T extends string, Members = unknown> = Members & {
  readonly type: T
  readonly terminalSn: string
  readonly transactionId?: string | undefined
}

/** A test card, by name. Absent members: the card's usual entry mode, and the usual answer of the host. */
interface PresentedCard {
  readonly card: string
  readonly entry?: CardEntry | undefined
  readonly outcome?: string | undefined
}

/** Everything that a person does at a terminal. */
export type TerminalAction =
  | ActionAtTerminal<'present-card', PresentedCard>
  /** A tip in minor units, 0 for none. */
  | ActionAtTerminal<'choose-tip', { readonly tipAmount: number }>
  /** Tells whether the PIN was right; the PIN itself never gets here. */
  | ActionAtTerminal<'enter-pin', { readonly correct: boolean }>
  | ActionAtTerminal<'sign'>
  | ActionAtTerminal<'cancel'>

/** Sends webhooks again, or to another endpoint; without `facts`, with the transaction's current data. */
export interface ResendNotifications {
  readonly type: 'send-again'
  /** True to leave out those that the endpoint got before. */
  readonly onlyMissing?: true
  readonly what: readonly Omit<DeliveryPosted, 'type'>[]
}

/** Every command for a ledger. */
export type Command =
  | { [N in PlainName]: Request<N> }[PlainName]
  | CreateSession
  | DirectPayment
  | PaySession
  | CancelSession
  | Wake
  | CloseOfDay
  | SetTerminal
  | AddTerminal
  /** Adds a merchant with its first terminals; its ledger is new. */
  | { readonly type: 'add-merchant'; readonly profiles: readonly TerminalProfile[] }
  | RemoveTerminal
  | UnpairTerminal
  | PairTerminal
  | TerminalAction
  | QueueOutcome
  /** Webhooks were sent, or could not be. */
  | { readonly type: 'record-attempts'; readonly results: readonly DeliveryAttempted[] }
  | ResendNotifications

/** Time and random values, which enter the domain only here. */
export interface Stamp {
  /** Sandbox time in milliseconds. */
  readonly at: number
  /** Total by which the sandbox clock was set back so far. Milliseconds. */
  readonly setBack: number
  /** 16 digits, new for every command. */
  readonly transactionId: string
  /** 6 characters, new for every command. */
  readonly authCode: string
}
