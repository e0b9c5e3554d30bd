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
