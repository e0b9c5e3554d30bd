import type { ErrorCode } from '../errors.ts'
import type { OperationName } from '../operations.ts'
import type { TransactionType } from '../statuses.ts'

/** How a situation of the exam is described: what happens, what to do then, how it is seen and tried. */

/** A situation that the code of a merchant meets sooner or later. docs/exam.md */
export interface Situation {
  readonly title: string
  /** What to do then: a sentence that says it to whoever writes the code. */
  readonly advice: string
  /** Commands that make it happen in a sandbox; undefined: only the attack does. */
  readonly how?: string
  /** How it is seen in requests, and which rule judges it; undefined: only orders show what came of it. */
  readonly seen?: Seen
  /** How the attack brings it about around a step of a drive; undefined: the drive itself has to. */
  readonly moves?: readonly MoveRow[]
}

/** Situations of one kind. */
export interface SituationGroup {
  readonly title: string
  /** The laws that tell, of orders that are listed, whether the code is right. */
  readonly laws: readonly Law[]
  readonly situations: Readonly<Record<string, Situation>>
}

/**
 * Results with these properties, which the merchant's code must learn, and act on only where they are
 * approved.
 */
export interface SeenResult {
  readonly type?: TransactionType
  readonly status?: 'SUCCESS' | 'FAIL' | 'CLOSED'
  /** What the host or the terminal decided, one of these. */
  readonly outcomes?: readonly string[]
  /** What closed it. */
  readonly closedBy?: string
  /** A step of its timeline. */
  readonly moment?: 'abort-too-late'
  /** Paid on the hosted page, or after a card that was declined there; or in person. */
  readonly page?: 'paid' | 'tried-again' | 'none'
  /** Less than the original. */
  readonly isPart?: true
  /** A part of the amount. */
  readonly has?: 'tip' | 'tax' | 'surcharge'
  /** Decimals of the currency. */
  readonly decimals?: number
}

/** What becomes of a notification, where a fault of this name hit an attempt, or something else befell it. */
export interface SeenWebhook {
  readonly webhook: string | 'resent' | 'overtaken' | 'failed'
  /** Acknowledged once, its result learned, refused each time; `harmless`: refused, or acknowledged. */
  readonly judged: 'acknowledged' | 'learned' | 'refused' | 'harmless'
}

/** How a situation is seen in requests. */
export type Seen =
  | { readonly result: SeenResult }
  /** A refusal with this code, which is final. */
  | { readonly refusal: ErrorCode; readonly operation?: OperationName }
  /** A refusal that asks for patience: a few tries are no fault. */
  | { readonly busy: ErrorCode }
  /** A refusal with this code, which is to be corrected. */
  | { readonly correction: ErrorCode }
  /** An answer to what changes something that a fault of this name spoilt. */
  | { readonly spoilt: string }
  /** A look-up whose answer a fault spoilt. */
  | { readonly lookUp: 'spoilt' }
  /** An answer that a fault of this name held until something else had happened. */
  | { readonly held: 'after-webhook' | 'after-end' }
  | SeenWebhook
  /** Accepted requests. */
  | { readonly accepted: OperationName }
  | { readonly settledInPart: true }

/**
 * Steps of a drive at which a move fits, by what they led to while nothing went wrong: requests that change
 * something, open a transaction, open one without a page, or look one up; notifications; a payment at a
 * terminal; a hosted page that is paid, or left before another one is paid; a request of a customer, or a
 * look at a page of the merchant; any step.
 */
export type Place =
  | ('changing' | 'opening' | 'direct' | 'look-up')
  | ('webhook' | 'terminal' | 'page' | 'left-page' | 'request' | 'visit' | 'step')

/**
 * A step of a scenario; `$operation`, `$command`, `$terminal`, `$session`, and `$request` of a customer stand
 * for those of the place.
 */
export interface MoveStep {
  readonly action: string
  readonly value: unknown
}

/**
 * How a customer's request is changed: sent several times, together with the next one or with held webhooks,
 * or with another amount or currency.
 */
export type Twist =
  | { readonly together: number | 'webhooks' | 'next' }
  | { readonly amount: string }
  | { readonly currency: string }

/** What the attack does around a step. */
export interface Around {
  readonly before?: readonly MoveStep[]
  readonly instead?: readonly MoveStep[] | Twist
  readonly after?: readonly MoveStep[]
}

/** A move: what is done around each step of a drive at which it fits. */
export interface MoveRow extends Around {
  readonly at: Place
  /** Only where the server can be started, or reconciles. */
  readonly needs?: 'start' | 'reconcile'
  /** Around the step before, the one after, or the one that pays the other page; all must be there. */
  readonly previous?: Around
  readonly next?: Around
  readonly later?: Around
  /** Differs from another one by its name alone: it is tried once all others were. */
  readonly isAlike?: true
}

/** A move for each of these faults of an answer. */
export const disturbed = (at: Place, ...kinds: readonly string[]): MoveRow[] =>
  kinds.map((kind) => ({ at, before: [{ action: 'fault', value: { kind, operation: '$operation' } }] }))

/** A move for a fault of the webhooks that follow. */
export const webhookFault = (kind: string): MoveRow[] => [{ at: 'webhook', before: [nextWebhook(kind)] }]

/** A fault of the webhooks that follow. */
export const nextWebhook = (kind: string): MoveStep => ({ action: 'fault', value: { kind } })

/** Rules that orders and payments must keep at the end, whatever happened before. assumption: laws */
export const laws = {
  'ordered-once': 'No more orders are charged than customers placed',
  'charged-once': 'An order is charged once',
  'amount-charged': 'The charged amount is the price of the order',
  'refunds-asked': 'No more is refunded than was requested',
  'refunds-agree': 'The refunds in the orders match the refunds of the service',
  'shipped-if-paid': 'An order is shipped only after an approved payment or pre-authorisation',
  'shipped-when-paid': 'Every paid order is shipped, if the server ships automatically',
  'shipped-once': 'An order is shipped once',
  'paid-if-approved': 'An order is marked as paid only if a payment was approved',
  'approved-known': 'Every order with an approved payment is marked as paid',
  'ends-known': 'No order stays pending after its payments are final',
  'totals-agree': 'The totals of the orders match the totals of the service',
} as const
export type Law = keyof typeof laws
