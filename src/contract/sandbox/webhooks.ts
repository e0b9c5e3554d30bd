import * as v from 'valibot'
import {
  amount,
  amountOrNull,
  described,
  list,
  named,
  one,
  record,
  shape,
  text,
  textOrNull,
  whether,
  word,
} from '../answer-kinds.ts'
import { transactionTypes, wireLetters } from '../statuses.ts'
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

/** Body of a terminal event, with its members in this order. */
export const terminalEvent = named(
  'TerminalEvent',
  "Body of a terminal event. `eventTime` is `yyyy-MM-ddTHH:mm:ss` in the merchant's time zone",
  {
    eventType: one(terminalEvents),
    eventTime: text,
    transactionId: text,
    transactionRequestId: text,
    referenceOrderId: textOrNull,
    transactionStatus: word(wireLetters),
    transactionResultCode: textOrNull,
    terminalSn: textOrNull,
  },
)
export type TerminalEvent = v.InferOutput<typeof terminalEvent>

/** How a webhook is signed. assumption: webhook-signature */
export const signatureSchemes = ['hmac', 'standard', 'none'] as const
export type SignatureScheme = (typeof signatureSchemes)[number]

/** Encoding of the HMAC. */
export const signatureEncodings = ['hex', 'base64'] as const
export type SignatureEncoding = (typeof signatureEncodings)[number]

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

export const webhookFaults = named(
  'WebhookFaults',
  'Faults that are injected into webhooks. The same seed repeats the same faults',
  {
    ...forEachShare(() => amount),
    delayMs: described(
      v.nullable(v.pipe(v.tuple([amount, amount], 'is not a pair of numbers'), v.readonly())),
      'Delay of the first attempt, from and to, in milliseconds of the sandbox clock',
    ),
    reorder: described(
      amount,
      'One of this many waiting notifications is sent next, by chance; 1 keeps the order',
    ),
    seed: amount,
  },
)
export type WebhookFaults = v.InferOutput<typeof webhookFaults>

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryStateSchema = one(deliveryStates)

const notificationMembers = {
  id: described(text, 'X-Client-Request-Id of the notification'),
  kind: word(['payment', 'terminal']),
  event: described(v.nullable(word(terminalEvents)), 'Name of a terminal event; null for a result'),
  merchantId: text,
  transactionId: text,
  transactionStatus: described(word(wireLetters), 'Initial, processing, successful, failed or closed'),
  transactionType: word(transactionTypes),
  amount: described(amount, 'Minor units, at the time of the notification'),
  currency: text,
}

/** HTTP status of the last attempt, or why there was none. */
export const lastResult = v.nullable(v.union([amount, text], 'is neither text nor a number'))

const deliveryMembers = {
  ...notificationMembers,
  url: text,
  listener: described(whether, 'True if `tillbox listen` posts it; false if the sandbox does'),
  state: described(deliveryStateSchema, 'Pending until it is acknowledged or given up'),
  held: described(whether, 'True while it is pending and `webhook hold` holds it back'),
  attempts: described(amount, 'Attempts since it was last resent'),
  totalAttempts: described(amount, 'All attempts, those before a resend included'),
  last: lastResult,
  fault: described(textOrNull, 'The faults that were injected at the last attempt'),
  createdAt: text,
  nextAt: described(textOrNull, 'Next attempt, by the sandbox clock'),
}

const deliveryView = named(
  'DeliveryView',
  'A delivery as the control interface lists it. Times in ISO 8601',
  deliveryMembers,
)
export type DeliveryView = v.InferOutput<typeof deliveryView>

export const deliveryList = named('DeliveryList', 'Answer of `webhooks`: the newest last', {
  deliveries: list(deliveryView),
})
export type DeliveryList = v.InferOutput<typeof deliveryList>

export const attemptViewSchema = named(
  'AttemptView',
  'One attempt, with the whole request and its response. Time in ISO 8601; the first 8 KB of the response',
  {
    at: text,
    url: text,
    requestHeaders: record(text),
    requestBody: text,
    status: described(amountOrNull, 'HTTP status, or null when no answer came'),
    responseHeaders: record(text),
    responseBody: text,
    durationMs: amount,
    error: described(textOrNull, 'Why there was no answer'),
    fault: textOrNull,
  },
)
export type AttemptView = v.InferOutput<typeof attemptViewSchema>

export const webhookStory = named(
  'WebhookStory',
  "Answer of `webhook`: the notification's deliveries, and every attempt that the record still has",
  {
    deliveries: list(shape({ ...deliveryMembers, tries: list(attemptViewSchema) })),
  },
)
export type WebhookStory = v.InferOutput<typeof webhookStory>

export const resent = named(
  'Resent',
  'Answer of `resend-webhooks`: ids of the notifications, one for each delivery',
  { resent: list(text) },
)
export type Resent = v.InferOutput<typeof resent>

export const webhookSecret = named('WebhookSecret', 'Answer of `webhook-secret` and of its rotation', {
  appId: text,
  secret: text,
  previous: described(
    v.nullable(shape({ secret: text, validUntil: text })),
    'The secret before the last rotation, while it signs, too',
  ),
  signature: one(signatureSchemes),
  signatureEncoding: one(signatureEncodings),
})
export type WebhookSecret = v.InferOutput<typeof webhookSecret>

export const verdict = named(
  'Verdict',
  'What the check of a webhook says: it is good, or why it is not and what to do',
  {
    valid: whether,
    note: v.exactOptional(described(text, 'What to know of a good one')),
    why: v.exactOptional(text),
    remedy: v.exactOptional(text),
  },
)
export type Verdict = v.InferOutput<typeof verdict>

export const streamedNotification = named(
  'StreamedNotification',
  'A notification as listeners get it, ready to be forwarded byte for byte: an event of `events`',
  {
    ...notificationMembers,
    terminalSn: textOrNull,
    headers: record(text),
    body: described(text, 'Byte for byte as it is signed'),
  },
)
export type StreamedNotification = v.InferOutput<typeof streamedNotification>

export const followed = named(
  'Followed',
  'First event of `listen`: how many notifications were missed since the endpoint last followed',
  { missed: amount },
)
export type Followed = v.InferOutput<typeof followed>

export const handedDelivery = named(
  'HandedDelivery',
  'A delivery that a listener is handed: it posts the notification, and reports what came of it',
  {
    handed: described(
      textOrNull,
      'Names the attempt in the report; null when a fault drops it: nothing is posted',
    ),
    attempt: described(amount, 'Number of the attempt, from 1, since it was last resent'),
    resends: described(amount, 'How often the notification was resent to this endpoint'),
    fault: textOrNull,
    retryMs: described(
      amountOrNull,
      'Pause before the next attempt if this one fails, in milliseconds of the sandbox clock; null: none follows',
    ),
    notification: streamedNotification,
  },
)
export type HandedDelivery = v.InferOutput<typeof handedDelivery>

/** Names of the events of `listen`. */
export const listenEvents = { followed: 'followed', handed: 'delivery' } as const

/** Result of a delivery that a fault dropped. */
export const droppedByFault = 'dropped by an injected fault'

export const webhookSchedule = named('WebhookSchedule', 'Answer of `webhook-schedule`', {
  retries: described(list(amount), 'Pauses between attempts, in milliseconds'),
  order: one(webhookOrders),
  concurrency: described(amount, 'Attempts to one URL at once, with the concurrent order'),
})
export type WebhookSchedule = v.InferOutput<typeof webhookSchedule>

export const webhookHold = named(
  'WebhookHold',
  'Answer of `webhook-hold`: whether deliveries are held back, and how many wait for their release',
  { hold: whether, held: amount },
)
export type WebhookHold = v.InferOutput<typeof webhookHold>

export const webhookRelease = named(
  'WebhookRelease',
  'Answer of `release-webhooks`: the attempted deliveries in the order of the request, as they are now',
  { hold: whether, held: amount, released: list(deliveryView) },
)
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

export const webhookWait = named('WebhookWait', 'Answer of `wait-for-webhooks`', {
  reached: described(whether, 'True if the condition was met in time'),
  acknowledged: list(deliveryView),
  acknowledgedCount: amount,
  pending: list(deliveryView),
  pendingCount: amount,
  heldCount: described(
    amount,
    'Held back by `webhook hold`: they count as delivered, and are not in `pending`',
  ),
  processing: described(list(text), 'Transactions that will end by themselves, and send notifications then'),
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
  faults: { readonly [M in keyof WebhookFaults]?: WebhookFaults[M] | null | undefined },
): WebhookFaults => ({
  ...noFaults,
  ...Object.fromEntries(Object.entries(faults).filter(([, value]) => value != null)),
})
