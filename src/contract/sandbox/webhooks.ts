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

/** Events of a terminal while a transaction runs on it, in this order; only those that happen are sent. */
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

/** Encoding of the HMAC. */
export type SignatureEncoding = 'hex' | 'base64'

/**
 * Order of deliveries to one URL: one at a time, where later ones overtake a failed one (relaxed) or wait until it is
 * delivered or given up (strict); or several at once (concurrent). assumption: webhook-delivery
 */
export const webhookOrders = ['relaxed', 'strict', 'concurrent'] as const
export type WebhookOrder = (typeof webhookOrders)[number]

/** How deliveries go to one URL; `concurrency`: attempts at once with the concurrent order. */
export interface DeliveryOrder {
  readonly order: WebhookOrder
  readonly concurrency: number
}

/** How many attempts to one URL may be under way at once. */
export const concurrencyOf = ({ order, concurrency }: DeliveryOrder): number =>
  order === 'concurrent' ? concurrency : 1

/** Default number of attempts to one URL at once with the concurrent order. */
export const usualConcurrency = 8

/** Maximum of `concurrency`. */
export const mostConcurrency = 50

/** Faults that are injected into webhooks. The same seed repeats the same faults. */
export const webhookFaults = shape({
  ...forEachShare(() => amount),
  /** Delay of the first attempt, from and to, in milliseconds of the sandbox clock. */
  delayMs: v.nullable(v.pipe(v.tuple([amount, amount], 'is not a pair of numbers'), v.readonly())),
  /** Window size: a random one of this many waiting notifications is sent next; 1 keeps the order. */
  reorder: amount,
  seed: amount,
})
export type WebhookFaults = v.InferOutput<typeof webhookFaults>

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryStateSchema = one(deliveryStates)

const notificationMembers = {
  /** X-Client-Request-Id of the notification. */
  id: text,
  kind: word<'payment' | 'terminal'>(),
  /** Name of a terminal event; null for a result. */
  event: v.nullable(word<TerminalEventName>()),
  merchantId: text,
  transactionId: text,
  /** Initial, processing, successful, failed or closed. */
  transactionStatus: word<StatusLetter>(),
  transactionType: word<TransactionType>(),
  /** Minor units, at the time of the notification. */
  amount,
  currency: text,
}

/** HTTP status of the last attempt, or why there was none. */
export const lastResult = v.nullable(v.union([amount, text], 'is neither text nor a number'))

const deliveryMembers = {
  ...notificationMembers,
  url: text,
  /** True for a delivery that `tillbox listen` posts; false for one that the sandbox posts itself. */
  listener: whether,
  /** Pending until it is acknowledged or given up. */
  state: deliveryStateSchema,
  /** True while it is pending and `webhook hold` holds it back. */
  held: whether,
  /** Attempts since it was last resent. */
  attempts: amount,
  /** All attempts, those before a resend included. */
  totalAttempts: amount,
  last: lastResult,
  /** The faults that were injected at the last attempt. */
  fault: textOrNull,
  createdAt: text,
  /** Next attempt, by the sandbox clock. */
  nextAt: textOrNull,
}

/** A delivery as the control interface lists it. Times in ISO 8601. */
const deliveryView = shape(deliveryMembers)
export type DeliveryView = v.InferOutput<typeof deliveryView>

/** Answer of `webhooks`: the newest last. */
export const deliveryList = shape({ deliveries: list(deliveryView) })
export type DeliveryList = v.InferOutput<typeof deliveryList>

/** One attempt, with the whole request and its response. Time in ISO 8601; the first 8 KB of the response. */
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

/** Answer of `webhook`: the notification's deliveries, and every attempt that the record still has. */
export const webhookStory = shape({
  deliveries: list(shape({ ...deliveryMembers, tries: list(attemptViewSchema) })),
})
export type WebhookStory = v.InferOutput<typeof webhookStory>

/** Answer of `resend-webhooks`: ids of the notifications, one for each delivery. */
export const resent = shape({ resent: list(text) })
export type Resent = v.InferOutput<typeof resent>

/** Answer of `webhook-secret` and of its rotation. */
export const webhookSecret = shape({
  appId: text,
  secret: text,
  /** The secret before the last rotation, until when it signs, too. */
  previous: v.nullable(shape({ secret: text, validUntil: text })),
  signature: one(['hmac', 'standard', 'none']),
  signatureEncoding: one(['hex', 'base64']),
})
export type WebhookSecret = v.InferOutput<typeof webhookSecret>

/** A notification as listeners get it, ready to be forwarded byte for byte: an event of `events`. */
export const streamedNotification = shape({
  ...notificationMembers,
  terminalSn: textOrNull,
  headers: record(text),
  /** Byte for byte as it is signed. */
  body: text,
})
export type StreamedNotification = v.InferOutput<typeof streamedNotification>

/** First event of `listen`: how many notifications were missed since the endpoint last followed. */
export const followed = shape({ missed: amount })
export type Followed = v.InferOutput<typeof followed>

/** A delivery that a listener is handed: it posts the notification, and reports what came of it. */
export const handedDelivery = shape({
  /** Names the attempt in the report; null when a fault drops it, and nothing is to be posted. */
  handed: textOrNull,
  /** Number of the attempt, from 1, since it was last resent. */
  attempt: amount,
  /** How often the notification was resent to this endpoint. */
  resends: amount,
  fault: textOrNull,
  /** Pause before the next attempt if this one fails, in milliseconds of the sandbox clock; null: none follows. */
  retryMs: amountOrNull,
  notification: streamedNotification,
})
export type HandedDelivery = v.InferOutput<typeof handedDelivery>

/** Names of the events of `listen`. */
export const listenEvents = { followed: 'followed', handed: 'delivery' } as const

/** Result of a delivery that a fault dropped. */
export const droppedByFault = 'dropped by an injected fault'

/** Answer of `webhook-schedule`. */
export const webhookSchedule = shape({
  /** Pauses between attempts, in milliseconds. */
  retries: list(amount),
  order: one(webhookOrders),
  /** Attempts to one URL at once, with the concurrent order. */
  concurrency: amount,
})
export type WebhookSchedule = v.InferOutput<typeof webhookSchedule>

/** Answer of `webhook-hold`: whether deliveries are held back, and how many wait for their release. */
export const webhookHold = shape({ hold: whether, held: amount })
export type WebhookHold = v.InferOutput<typeof webhookHold>

/** Answer of `release-webhooks`: the attempted deliveries in the order of the request, as they are now. */
export const webhookRelease = shape({ hold: whether, held: amount, released: list(deliveryView) })
export type WebhookRelease = v.InferOutput<typeof webhookRelease>

/** Maximum number of notifications in one release: each may take the time of an attempt. */
export const mostReleased = 100

/** Maximum time of an attempt to send a notification; a fault that duplicates it doubles the time. Milliseconds. */
const longestAttempt = 30_000

/** Time limit for the answer of a receiver. Milliseconds. assumption: webhook-delivery */
export const receiverTimeout = 10_000

/** Length up to which the body of a receiver's answer is kept. */
export const longestAnswer = 8 * 1024

/** Additional time for the answer to a request that waits. Milliseconds. */
export const answerTime = 10_000

/** How long a client waits for the release of named notifications. Milliseconds. */
export const releaseTimeout = (count: number): number => answerTime + count * longestAttempt

/** Maximum number of deliveries that an answer of `wait-for-webhooks` names; the counts cover all. */
export const mostNamed = 100

/** Answer of `wait-for-webhooks`. */
export const webhookWait = shape({
  /** True if the condition was met in time. */
  reached: whether,
  acknowledged: list(deliveryView),
  acknowledgedCount: amount,
  pending: list(deliveryView),
  pendingCount: amount,
  /** Pending deliveries that `webhook hold` holds back: they count as delivered, and are not in `pending`. */
  heldCount: amount,
  /** Transactions that will end by themselves, and send notifications then. */
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

/** The given faults; all others are off. */
export const faultsFrom = (
  given: { readonly [M in keyof WebhookFaults]?: WebhookFaults[M] | null | undefined },
): WebhookFaults => ({
  ...noFaults,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value != null)),
})
