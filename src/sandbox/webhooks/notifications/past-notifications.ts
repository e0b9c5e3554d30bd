import type { Ledger } from '../../../domain/model/ledger.ts'
import { visitMoments } from '../../../domain/model/timeline.ts'
import type { Transaction } from '../../../domain/model/transaction.ts'
import { notificationsAt } from '../../../domain/notifications.ts'
import type { ReadonlyState } from '../../../domain/state.ts'
import {
  keyOfNotification,
  type NotificationKey,
  type OrderedNotification,
  statusWhen,
  webhookId,
} from './notification.ts'

/** A notification read from the timeline of its transaction. */
export interface PastNotification extends OrderedNotification {
  /** Position among the notifications of its transaction, from 0. */
  readonly index: number
}

/** All notifications of a transaction, in order, from its timeline alone. assumption: event-stream */
export function pastNotifications(ledger: Ledger, transaction: Transaction): PastNotification[] {
  const { merchantId } = ledger.settings
  const { id: transactionId, tip } = transaction
  const past: PastNotification[] = []
  visitMoments(transaction, (createdAt, what, journalOrder) => {
    const status = statusWhen(what, transaction.status)
    const facts = { merchantId, transactionId, createdAt, journalOrder, status, tip }
    for (const event of notificationsAt(what, transaction)) past.push({ ...facts, event, index: past.length })
  })
  return past
}

/** One past notification of a transaction in the ledger; undefined when there is none. */
export function pastNotification(
  ledger: Ledger,
  { transactionId, event }: NotificationKey,
): PastNotification | undefined {
  const transaction = ledger.transactions.get(transactionId)
  return transaction && pastNotifications(ledger, transaction).find((past) => past.event === event)
}

/** The notification with that id, and its ledger; undefined for a deleted one. */
export function notificationIn(
  { ledgers }: Pick<ReadonlyState, 'ledgers'>,
  id: string,
): { ledger: Ledger; notification: PastNotification } | undefined {
  const key = keyOfNotification(id)
  if (key === undefined) return undefined
  for (const ledger of ledgers.values()) {
    const isOwn = webhookId(ledger, key) === id
    const notification = isOwn ? pastNotification(ledger, key) : undefined
    if (notification !== undefined) return { ledger, notification }
  }
  return undefined
}
