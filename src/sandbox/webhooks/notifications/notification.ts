import { hash } from 'node:crypto'
import {
  type TerminalEvent,
  type TerminalEventName,
  terminalEvents,
} from '../../../contract/control/webhooks.ts'
import { type Signing, webhookHeaders } from '../../../contract/signature/signature.ts'
import { isFinal, type Status, statusLetters } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import { localDateTime } from '../../../domain/model/local-time.ts'
import type { Notification } from '../../../domain/model/outbox.ts'
import { resultMoments, traceparentOf } from '../../../domain/model/timeline.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import { specRecord } from '../../records/transaction-record.ts'
import { type InjectedFaults, signedWithFaults } from '../delivery-faults.ts'
import { otherJson } from './other-json.ts'

/** What identifies a notification. */
export interface NotificationKey {
  readonly transactionId: string
  /** The terminal event, or null for the result. */
  readonly event: TerminalEventName | null
}

/**
 * The id of a notification, a UUID: the same on every retry and resend. It is made from the key and can be
 * decoded back into it. RFC 9562, version 8
 */
export function notificationId(merchantId: string, { transactionId, event }: NotificationKey): string {
  const owner = merchantHash(merchantId)
  const transaction = BigInt(transactionId).toString(16).padStart(15, '0')
  const last = `8${transaction}`
  return [
    owner.slice(0, 8),
    owner.slice(8),
    `8${eventOrdinal(event).toString(16).padStart(3, '0')}`,
    last.slice(0, 4),
    last.slice(4),
  ].join('-')
}

/** The id of a notification of that ledger. */
export const webhookId = ({ settings }: Ledger, notification: NotificationKey): string =>
  notificationId(settings.merchantId, notification)

/** The merchant in an id. */
const merchantHash = (merchantId: string): string => hash('sha256', merchantId).slice(0, 12)

/** Number of a notification within its transaction, which has each event at most once; 0: the result. */
const eventOrdinal = (event: TerminalEventName | null): number =>
  event === null ? 0 : terminalEvents.indexOf(event) + 1

/** The key of the notification with that id; undefined for a foreign id. */
export function keyOfNotification(id: string): NotificationKey | undefined {
  const [, ordinal = '', first = '', rest = ''] =
    /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{12})$/.exec(id) ?? []
  if (ordinal === '') return undefined
  const event = ordinal === '000' ? null : terminalEvents[Number.parseInt(ordinal, 16) - 1]
  return event === undefined ? undefined : { transactionId: BigInt(`0x${first}${rest}`).toString(), event }
}

/** A notification without its content: few members, so that many can wait. */
export interface OrderedNotification extends Notification {
  readonly merchantId: string
  /** Orders notifications: a greater value is later, equal ones are of the same moment. */
  readonly journalOrder: number
}

/** A notification as lists and event streams show it. */
export function notificationView(ledger: Ledger, notification: Notification) {
  const { transactionId, event, status, tip } = notification
  const transaction = ledger.transactions.get(transactionId)
  const { merchantId } = ledger.settings
  return {
    id: notificationId(merchantId, notification),
    kind: event === null ? ('payment' as const) : ('terminal' as const),
    event,
    merchantId,
    transactionId,
    transactionStatus: statusLetters[status],
    transactionType: transaction?.type ?? 'SALE',
    amount: transaction === undefined ? 0 : amountOf({ ...transaction, tip }),
    currency: transaction?.currency ?? '',
  }
}

/** The body of a notification: the transaction record, or the terminal event. docs/api.md#events */
export function notificationBody(ledger: Ledger, delivery: Notification): string {
  const transaction = ledger.transactions.get(delivery.transactionId)
  if (transaction === undefined) return '{}'
  const then: Transaction = { ...transaction, tip: delivery.tip, status: delivery.status }
  return JSON.stringify(
    delivery.event === null ? specRecord(ledger, then) : terminalEvent(ledger, then, delivery),
  )
}

const terminalEvent = (
  ledger: Ledger,
  transaction: Transaction,
  { event, createdAt }: Notification,
): TerminalEvent => ({
  eventType: event ?? 'TRANSACTION_ENDED',
  eventTime: localDateTime(createdAt, ledger.settings.timeZone),
  transactionId: transaction.id,
  transactionRequestId: transaction.transactionRequestId,
  referenceOrderId: transaction.orderId,
  transactionStatus: statusLetters[transaction.status],
  transactionResultCode: event === 'TRANSACTION_ENDED' ? transaction.resultCode : null,
  terminalSn: transaction.terminalSn,
})

/** The status at a moment: INITIAL until the terminal took it up, then PROCESSING until it was final. */
export function statusWhen(what: string, status: Status): Status {
  if (what === 'opened') return 'INITIAL'
  return resultMoments.includes(what) && isFinal(status) ? status : 'PROCESSING'
}

/** The request of an attempt. */
export interface SignedRequest {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
}

/** The `traceparent` of the request that opened a notification's transaction; undefined for none. */
export function findTraceparent(ledger: Ledger, { transactionId }: { readonly transactionId: string }) {
  const transaction = ledger.transactions.get(transactionId)
  return transaction && traceparentOf(transaction)
}

/** The request of a notification, signed at a wall-clock time in milliseconds. */
export function signedRequest(
  signing: Signing,
  ledger: Ledger,
  notification: Notification,
  at: number,
  injected: InjectedFaults = new Set(),
): SignedRequest {
  const id = webhookId(ledger, notification)
  const body = notificationBody(ledger, notification)
  const requestBody = injected.has('other-json') ? otherJson(body) : body
  const signed = { id, at, body: requestBody, traceparent: findTraceparent(ledger, notification) }
  return { requestHeaders: webhookHeaders(...signedWithFaults(injected, signing, signed)), requestBody }
}
