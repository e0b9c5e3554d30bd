import type { StatusLetter } from './statuses.ts'

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

/** What is done wrong with webhooks on purpose. Shares are 0 to 1; the same seed does the same again. */
export interface WebhookFaults {
  /** Sent twice. */
  readonly duplicate: number
  /** Never sent. */
  readonly drop: number
  /** Signed with another secret. */
  readonly badSignature: number
  /** With a timestamp of an hour ago. */
  readonly stale: number
  /** Held back before the first attempt, from and to, in milliseconds of the sandbox clock. */
  readonly delayMs: readonly [number, number] | null
  /** One of the first so many that wait comes next; 1 keeps the order. */
  readonly reorder: number
  readonly seed: number
}

/** Where a delivery stands. */
export type DeliveryState = 'pending' | 'delivered' | 'failed'

/** A delivery as the control interface lists it. Times in ISO 8601. */
export interface DeliveryView {
  /** X-Client-Request-Id of the notification. */
  readonly id: string
  readonly kind: 'payment' | 'terminal'
  /** Name of a terminal event; null for a result. */
  readonly event: TerminalEventName | null
  readonly merchantId: string
  readonly transactionId: string
  readonly transactionStatus: StatusLetter
  readonly url: string
  readonly state: DeliveryState
  readonly attempts: number
  /** HTTP status of the last attempt, or why there was none. */
  readonly last: number | string | null
  /** What was done wrong on purpose at the last attempt. */
  readonly fault: string | null
  readonly createdAt: string
  readonly nextAt: string | null
}

/** What `webhooks` answers: the newest last. */
export interface DeliveryList {
  readonly deliveries: readonly DeliveryView[]
}

/** One attempt with everything that was sent and came back. Time in ISO 8601; the first 8 KB of the response. */
export interface AttemptView {
  readonly at: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
  /** HTTP status, or null when no answer came. */
  readonly status: number | null
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
  readonly durationMs: number
  /** Why there was no answer. */
  readonly error: string | null
  readonly fault: string | null
}

/** What `webhook` answers: the notification's deliveries, and every attempt that the record still has. */
export interface WebhookStory {
  readonly deliveries: readonly (DeliveryView & { readonly tries: readonly AttemptView[] })[]
}

/** What `resend-webhooks` answers. */
export interface Resent {
  readonly resent: readonly string[]
}

/** A notification as listeners get it, ready to be sent on byte for byte. */
export interface StreamedNotification {
  readonly id: string
  readonly kind: 'payment' | 'terminal'
  readonly event: TerminalEventName | null
  readonly merchantId: string
  readonly transactionId: string
  readonly transactionStatus: StatusLetter
  readonly terminalSn: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Faults as they were asked for; what was left out is off. */
export function faultsFrom(
  given: {
    readonly [M in keyof WebhookFaults]?: WebhookFaults[M] | null | undefined
  },
): WebhookFaults {
  const { duplicate, drop, badSignature, stale, delayMs, reorder, seed } = given
  return {
    duplicate: duplicate ?? 0,
    drop: drop ?? 0,
    badSignature: badSignature ?? 0,
    stale: stale ?? 0,
    delayMs: delayMs ?? null,
    reorder: reorder ?? 1,
    seed: seed ?? 1,
  }
}

/** No fault at all. */
export const noFaults: WebhookFaults = faultsFrom({})
