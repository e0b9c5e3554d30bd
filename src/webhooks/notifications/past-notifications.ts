import type { Ledger } from '../../domain/model/ledger.ts'
import { hasMoment, visitMoments } from '../../domain/model/timeline.ts'
import type { Screen, Transaction } from '../../domain/model/transaction.ts'
import { type NotificationEvents, notificationsAt } from '../../domain/notifications.ts'
import { screenAfterTip, verificationOf } from '../../domain/screen-flow.ts'
import type { ReadonlyState } from '../../domain/state.ts'
import {
  keyOfNotification,
  type NotificationKey,
  notificationId,
  type OrderedNotification,
  statusWhen,
} from './notification.ts'

/** A notification read from the timeline of its transaction. */
export interface PastNotification extends OrderedNotification {
  /** Position among the notifications of its transaction, from 0. */
  readonly index: number
}

/** All notifications of a transaction, in order, from its timeline: nothing else is stored. assumption: event-stream */
export function pastNotifications(ledger: Ledger, transaction: Transaction): PastNotification[] {
  const { merchantId } = ledger.settings
  const { id: transactionId, tip } = transaction
  const past: PastNotification[] = []
  visitNotifications(ledger, transaction, (events, journalOrder, createdAt, what) => {
    const status = statusWhen(what, transaction.status)
    for (const event of events)
      past.push({
        merchantId,
        transactionId,
        event,
        createdAt,
        journalOrder,
        status,
        tip,
        index: past.length,
      })
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
    const isOwn = notificationId(ledger.settings.merchantId, key) === id
    const notification = isOwn ? pastNotification(ledger, key) : undefined
    if (notification !== undefined) return { ledger, notification }
  }
  return undefined
}

/** The facts of a transaction that determine its notifications, except their times. */
type NotifiedFacts = Pick<
  Transaction,
  | 'timeline'
  | 'originalId'
  | 'tip'
  | 'inCloud'
  | 'screen'
  | 'card'
  | 'entry'
  | 'online'
  | 'instructions'
  | 'setBack'
>

/** Visits each moment at which a transaction had a notification. */
function visitNotifications(
  ledger: Ledger,
  transaction: NotifiedFacts & Pick<Transaction, 'createdAt'>,
  visit: (events: NotificationEvents, journalOrder: number, at: number, what: string) => void,
): void {
  visitMoments(transaction, (at, what, journalOrder) => {
    const events = notificationsAt(what, screenAfter(ledger, what, transaction), transaction)
    if (events.length > 0) visit(events, journalOrder, at, what)
  })
}

/** The screen after a moment, as far as its notifications depend on it. */
function screenAfter(ledger: Ledger, moment: string, transaction: NotifiedFacts): Screen | undefined {
  if (moment === 'approved') return asksForSignature(transaction) ? 'signature' : 'done'
  if (moment !== 'card-presented' && moment !== 'tip-chosen') return undefined
  return pinFollows(ledger, transaction) === moment ? 'pin' : undefined
}

const asksForSignature = (transaction: NotifiedFacts): boolean =>
  transaction.screen === 'signature' ||
  hasMoment(transaction, 'signed') ||
  hasMoment(transaction, 'signature-skipped')

/** The moment after which the terminal asked for the PIN; null if it did not. */
function pinFollows(ledger: Ledger, transaction: NotifiedFacts): 'card-presented' | 'tip-chosen' | null {
  if (screenAfterTip(verificationOf(ledger, transaction)) !== 'pin') return null
  if (hasMoment(transaction, 'tip-chosen')) return 'tip-chosen'
  if (hasMoment(transaction, 'pin-entered') || transaction.screen === 'pin') return 'card-presented'
  const atTip =
    transaction.screen === 'tip' || (transaction.tip === 0 && transaction.instructions?.tip !== undefined)
  return atTip ? null : 'card-presented'
}
