import { parseStatuses, statusLetters, typeNamed } from '../contract/statuses.ts'
import type { notificationView } from './notifications/notification.ts'

/** Which notifications are wanted; an absent member matches all. */
export interface NotificationFilter {
  /** `payment`, `terminal`, or terminal events by name. */
  readonly events?: readonly string[] | null | undefined
  /** Statuses in any form that `parseStatuses` reads. */
  readonly status?: string | null | undefined
  /** Types of transactions in any form that `typeNamed` reads. */
  readonly types?: readonly string[] | null | undefined
  readonly merchant?: string | null | undefined
  readonly terminal?: string | null | undefined
}

/** What a filter looks at. */
type FilteredNotification = Pick<
  ReturnType<typeof notificationView>,
  'kind' | 'event' | 'transactionStatus' | 'transactionType' | 'merchantId'
> & { readonly terminalSn?: string | null }

/** A test for wanted notifications. */
export function fitsFilter({
  events,
  status,
  types,
  merchant,
  terminal,
}: NotificationFilter): (notification: FilteredNotification) => boolean {
  const letters = status == null ? undefined : parseStatuses(status)?.map((each) => statusLetters[each])
  const typeNames = types?.map(typeNamed)
  return ({ kind, event, transactionStatus, transactionType, merchantId, terminalSn }) =>
    (events == null || events.includes(kind) || (event !== null && events.includes(event))) &&
    (letters === undefined || letters.includes(transactionStatus)) &&
    (typeNames === undefined || typeNames.includes(transactionType)) &&
    (merchant == null || merchant === merchantId) &&
    (terminal == null || terminal === terminalSn)
}
