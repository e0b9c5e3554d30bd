import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  list,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
  word,
} from '../answer-kinds.ts'
import type { StatusLetter, TransactionType } from '../statuses.ts'
import { forEachShare } from './fault-shares.ts'

/** What a terminal tells while a transaction runs on it, in this order; only what happens is told. */
export const terminalEvents = [
  'ORDER_RECEIVED',
  'PAYMENT_PRESENTED',
  'PIN_ENTERING',
  'PAYMENT_PROCESSING',
  'SIGNATURE_CAPTURED',
  'PRINTING',
  'PRINT_COMPLETED',
  'TRANSACTION_ENDED',
] as const

/** A terminal event by name. */
export type TerminalEventName = (typeof terminalEvents)[number]

/** Members of the body of a terminal event, in its order. */
export const terminalEventMembers = [
  'eventType',
  'eventTime',
  'transactionId',
  'transactionRequestId',
  'referenceOrderId',
  'transactionStatus',
  'transactionResultCode',
  'terminalSn',
] as const satisfies readonly (keyof TerminalEvent)[]

/** Body of a terminal event. `eventTime` is `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone. */
export interface TerminalEvent {
  readonly eventType: TerminalEventName
  readonly eventTime: string
  readonly transactionId: string
  readonly transactionRequestId: string
  readonly referenceOrderId: string | null
  readonly transactionStatus: StatusLetter
  readonly transactionResultCode: string | null
  readonly terminalSn: string | null
}

/** How a webhook is signed. assumption: webhook-signature */
export type SignatureScheme = 'hmac' | 'standard' | 'none'

/** How the HMAC is written. */
export type SignatureEncoding = 'hex' | 'base64'

/**
 * In which order deliveries go to one URL: one after another, where later ones go on while a failed one is retried
 * (relaxed) or wait until it is delivered or given up (strict); or several at once (concurrent).
 * assumption: webhook-delivery
 */
export const webhookOrders = ['relaxed', 'strict', 'concurrent'] as const
export type WebhookOrder = (typeof webhookOrders)[number]

/** How deliveries go to one URL; `concurrency`: attempts at once with the concurrent order. */
export interface DeliveryOrder {
  readonly order: WebhookOrder
  readonly concurrency: number
}

/** How many attempts to one URL may be under way at once. */
export const placesOf = ({ order, concurrency }: DeliveryOrder): number =>
  order === 'concurrent' ? concurrency : 1

/** Attempts to one URL at once with the concurrent order, when nobody says otherwise. */
export const usualConcurrency = 8

/** And at most: no more than a listener reads ahead. */
export const mostConcurrency = 50

/** Faults that are injected into webhooks. The same seed does the same again. */
export const webhookFaults = shape({
  ...forEachShare(() => amount),
  /** Held back before the first attempt, from and to, in milliseconds of the sandbox clock. */
  delayMs: v.nullable(v.pipe(v.tuple([amount, amount], 'is not a pair of numbers'), v.readonly())),
  /** Window size: a random one of this many waiting notifications is sent next; 1 keeps the order. */
  reorder: amount,
  seed: amount,
})
export type WebhookFaults = v.InferOutput<typeof webhookFaults>

/** Where a delivery stands. */
export const deliveryStateSchema = one(['pending', 'delivered', 'failed'])
export type DeliveryState = v.InferOutput<typeof deliveryStateSchema>

const notificationMembers = {
  /** X-Client-Request-Id of the notification. */
  id: text,
  kind: word<'payment' | 'terminal'>(),
  /** Name of a terminal event; null for a result. */
  event: v.nullable(word<TerminalEventName>()),
  merchantId: text,
  transactionId: text,
  transactionStatus: word<StatusLetter>(),
  transactionType: word<TransactionType>(),
  /** Minor units, as they were then. */
  amount,
  currency: text,
}

/** HTTP status of the last attempt, or why there was none. */
export const lastResult = v.nullable(v.union([amount, text], 'is neither text nor a number'))

const deliveryMembers = {
  ...notificationMembers,
  url: text,
  /** True for a delivery that `tillbox listen` makes, and reports; false for one of the sandbox itself. */
  listener: whether,
  state: deliveryStateSchema,
  /** True while it is pending and `webhook hold` holds it back; an older sandbox does not say. */
  held: v.nullish(whether),
  /** Since it was last sent again. */
  attempts: amount,
  /** Those before it was sent again, too; an older sandbox does not say. */
  totalAttempts: v.nullish(amount),
  last: lastResult,
  /** The faults that were injected at the last attempt. */
  fault: textOrNull,
  createdAt: text,
  /** Next attempt, by the sandbox clock; of a listener, by the wall clock. */
  nextAt: textOrNull,
}

/** A delivery as the control interface lists it. Times in ISO 8601. */
const deliveryView = shape(deliveryMembers)
export type DeliveryView = v.InferOutput<typeof deliveryView>

/** What `webhooks` answers: the newest last. */
export const deliveryList = shape({ deliveries: list(deliveryView) })
export type DeliveryList = v.InferOutput<typeof deliveryList>

/** One attempt with everything that was sent and came back. Time in ISO 8601; the first 8 KB of the response. */
export const attemptViewSchema = shape({
  at: text,
  url: text,
  requestHeaders: record(text),
  requestBody: text,
  /** HTTP status, or null when no answer came. */
  status: amountOrNull,
  responseHeaders: record(text),
  responseBody: text,
  durationMs: amount,
  /** Why there was no answer. */
  error: textOrNull,
  fault: textOrNull,
})
export type AttemptView = v.InferOutput<typeof attemptViewSchema>

/** What `webhook` answers: the notification's deliveries, and every attempt that the record still has. */
export const webhookStory = shape({
  deliveries: list(shape({ ...deliveryMembers, tries: list(attemptViewSchema) })),
})
export type WebhookStory = v.InferOutput<typeof webhookStory>

/** What `resend-webhooks` answers; an older sandbox says nothing of what is left out. */
export const resent = shape({
  resent: list(text),
  /** Deliveries of a `tillbox listen` that is not connected. */
  leftOut: v.nullish(list(shape({ id: text, url: text }))),
})
export type Resent = v.InferOutput<typeof resent>

/** Name of the server-sent event by which a listener is told to send a notification again, and what it carries. */
export const resendEvent = 'resend'
export const resendOrder = shape({ id: text })

/** What `webhook-secret` answers; an older sandbox leaves some out. */
export const webhookSecret = shape({
  appId: v.nullish(text),
  secret: text,
  previous: v.nullish(shape({ secret: text, validUntil: v.nullish(text) })),
  signature: v.nullish(one(['hmac', 'standard', 'none'])),
  signatureEncoding: v.nullish(one(['hex', 'base64'])),
})

/** A notification as listeners get it, ready to be sent on byte for byte: an event of `events`. */
export const streamedNotification = shape({
  ...notificationMembers,
  terminalSn: textOrNull,
  headers: record(text),
  body: text,
})
export type StreamedNotification = v.InferOutput<typeof streamedNotification>

/** Notifications that a listener names at once: as many as it reads ahead. */
export const mostWaiting = 50

/** What a fault that drops a notification leaves as its result. */
export const droppedByFault = 'dropped by an injected fault'

/** What `webhook-schedule` answers: delays between attempts in milliseconds, and the order; an older sandbox says no concurrency. */
export const webhookSchedule = shape({
  retries: list(amount),
  order: one(webhookOrders),
  concurrency: v.nullish(amount),
})
export type WebhookSchedule = v.InferOutput<typeof webhookSchedule>

/** What `webhook-hold` answers: whether deliveries are held back, and how many wait for their release. */
export const webhookHold = shape({ hold: whether, held: amount })
export type WebhookHold = v.InferOutput<typeof webhookHold>

/** What `release-webhooks` answers: the deliveries that were attempted, in that order, as they stand now. */
export const webhookRelease = shape({ hold: whether, held: amount, released: list(deliveryView) })
export type WebhookRelease = v.InferOutput<typeof webhookRelease>

/** Notifications that one release names at most: each may take the time of an attempt. */
export const mostReleased = 100

/** How long one notification may take to be sent, twice with the fault that duplicates it. Milliseconds. */
export const longestAttempt = 30_000

/** What `take-webhook` answers: which notification the endpoint gets next, and how. */
export const takenWebhook = shape({
  /** One of those that wait. */
  id: text,
  /** Milliseconds until it may be sent; more than 0: ask again then. */
  waitMs: amount,
  /** Injected faults by name; null without one. */
  fault: textOrNull,
  drop: whether,
  duplicate: whether,
  /** Signed now; null while it has to wait, and for one that is forgotten. */
  notification: v.nullable(streamedNotification),
  /** How deliveries go to one URL now; an older sandbox does not say. */
  order: v.nullish(one(webhookOrders)),
  concurrency: v.nullish(amount),
})
export type TakenWebhook = v.InferOutput<typeof takenWebhook>

/** Deliveries that an answer of `wait-for-webhooks` names at most; the counts tell of all. */
export const mostNamed = 100

/** What `wait-for-webhooks` answers. */
export const webhookWait = shape({
  /** True when what was waited for came about in time. */
  reached: whether,
  acknowledged: list(deliveryView),
  acknowledgedCount: amount,
  pending: list(deliveryView),
  pendingCount: amount,
  /** Pending deliveries that `webhook hold` holds back: they count as settled, and are not in `pending`. */
  heldCount: v.nullish(amount),
  /** Endpoints of listeners that have not dealt with every notification yet. */
  behind: list(text),
  /** Transactions that will end by themselves, and tell of it then. */
  processing: list(text),
})
export type WebhookWait = v.InferOutput<typeof webhookWait>

/** No fault at all. */
export const noFaults: WebhookFaults = {
  ...forEachShare(() => 0),
  delayMs: null,
  reorder: 1,
  seed: 1,
}

/** Faults as they were asked for; what was left out is off. */
export const faultsFrom = (
  given: { readonly [M in keyof WebhookFaults]?: WebhookFaults[M] | null | undefined },
): WebhookFaults => ({
  ...noFaults,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)),
})
