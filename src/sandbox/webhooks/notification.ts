import { createHash } from 'node:crypto'
import { statusLetters } from '../../api/statuses.ts'
import type { TerminalEvent } from '../../api/webhooks.ts'
import type { Ledger } from '../../domain/ledger.ts'
import { localDateTime } from '../../domain/local-time.ts'
import type { Delivery } from '../../domain/outbox.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { specRecord } from '../dialect.ts'

/** The id of a notification, a UUID: the same on every retry, and when it is sent again. RFC 9562, version 8 */
export function notificationId({ settings }: Ledger, { source }: Pick<Delivery, 'source'>): string {
  const hash = createHash('sha256').update(`tillbox ${settings.merchantId} ${source}`).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** The body of a delivery, as it was when it happened: the transaction record, or the terminal event. spec: Events */
export function notificationBody(ledger: Ledger, delivery: Delivery): string {
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
  { event, createdAt }: Delivery,
): TerminalEvent => ({
  eventType: event ?? 'TRANSACTION_ENDED',
  eventTime: localDateTime(createdAt, ledger.settings.timeZone),
  transactionId: transaction.id,
  transactionRequestId: transaction.requestId,
  referenceOrderId: transaction.orderId,
  transactionStatus: statusLetters[transaction.status],
  transactionResultCode: event === 'TRANSACTION_ENDED' ? transaction.resultCode : null,
  terminalSn: transaction.terminalSn,
})
