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

/** States of a delivery. */
export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const deliveryStateSchema = one(deliveryStates)

export const notificationMembers = {
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
  givenUpCount: described(
    amount,
    'Given up: of those that `ids` or `transactionIds` name, or else since the wait began',
  ),
  processing: described(list(text), 'Transactions that will end by themselves, and send notifications then'),
})
export type WebhookWait = v.InferOutput<typeof webhookWait>
