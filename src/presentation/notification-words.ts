import { formatAmount } from '../contract/currencies.ts'
import type { DeliveryView } from '../contract/sandbox/webhooks.ts'
import { statusOf, statusWordOf, typeNames } from '../contract/statuses.ts'

/** Notifications in words. */

/** Recordings of earlier versions have neither type nor amount. */
type NotificationSummary = Pick<DeliveryView, 'event' | 'transactionStatus'> &
  Partial<Pick<DeliveryView, 'transactionType' | 'amount' | 'currency'>>

/** A notification in words: `sale approved 51.94 USD`; of a terminal, its event: `order received`. */
export function notificationInWords(notification: NotificationSummary): string {
  const { event, transactionType, transactionStatus, amount, currency } = notification
  if (event !== null) return event.toLowerCase().replaceAll('_', ' ')
  const known = statusOf(transactionStatus)
  const status = known === undefined ? transactionStatus : statusWordOf(known)
  const type =
    transactionType === undefined ? 'result' : (typeNames[transactionType]?.toLowerCase() ?? transactionType)
  const money =
    amount === undefined || currency === undefined ? [] : [formatAmount(amount, currency), currency]
  return [type, status, ...money].join(' ')
}
