import type { TerminalEventName } from '../contract/control/webhooks.ts'
import type { Endpoint } from './model/endpoint.ts'
import type { DeliveryPosted, Event } from './model/events.ts'
import type { Ledger } from './model/ledger.ts'
import { enterDelivery, type Notification, type NotificationFacts } from './model/outbox.ts'
import type { Transaction } from './model/transaction.ts'

/** Endpoints that may have new deliveries after the event. */
export function affectedEndpoints({ transactions, outbox }: Ledger, event: Event): readonly Endpoint[] {
  if (event.type === 'delivery-posted') return [event]
  if (event.type === 'delivery-again') return [outbox.deliveries.get(event.number) ?? []].flat()
  const transaction = 'id' in event ? transactions.get(event.id) : undefined
  if (transaction === undefined) return []
  const { notifyUrl, terminalEventNotifyUrl } = transaction
  return [notifyUrl, terminalEventNotifyUrl].flatMap((url) => (url === null ? [] : [{ url }]))
}

/** An endpoint that gets every notification it wants: of `--forward-to`, or of a connected listener. */
export interface Follower extends Endpoint {
  readonly wants: (ledger: Ledger, notification: Notification) => boolean
}

/** The deliveries of an applied event to followers, but for those that its request already sends there. */
export function deliveriesToFollowers(
  ledger: Ledger,
  event: Event,
  at: number,
  followers: readonly Follower[],
): DeliveryPosted[] {
  const transaction = 'id' in event ? ledger.transactions.get(event.id) : undefined
  if (transaction === undefined || followers.length === 0) return []
  const { id: transactionId, status, tip } = transaction
  return eventNotifications(event, transaction).flatMap((what) =>
    followers
      .filter(({ url, listener }) => listener !== undefined || url !== namedUrl(transaction, what))
      .filter((each) => each.wants(ledger, { transactionId, event: what, createdAt: at, status, tip }))
      .map(({ url, listener }) => ({
        type: 'delivery-posted',
        transactionId,
        event: what,
        url,
        listener,
        facts: { createdAt: at, status, tip },
      })),
  )
}

/** The URL that the request names for a notification. */
const namedUrl = (
  { notifyUrl, terminalEventNotifyUrl }: Pick<Transaction, 'notifyUrl' | 'terminalEventNotifyUrl'>,
  what: TerminalEventName | null,
): string | null => (what === null ? notifyUrl : terminalEventNotifyUrl)

/** Adds the notifications of an event for the endpoints named by its transaction's request. */
export function notify(ledger: Ledger, event: Event & { readonly id: string }, at: number): void {
  const transaction = ledger.transactions.get(event.id)
  if (transaction === undefined) return
  if (transaction.notifyUrl === null && transaction.terminalEventNotifyUrl === null) return
  for (const what of eventNotifications(event, transaction)) {
    const url = namedUrl(transaction, what)
    if (url !== null) addDelivery(ledger, transaction, what, { url }, at)
  }
}

/** Notifications by their event: a terminal event by name, null for the result. */
export type NotificationEvents = readonly (TerminalEventName | null)[]

/** The notifications of an event, in order, after it was applied. */
export const eventNotifications = (event: Event, transaction: Transaction): NotificationEvents =>
  notificationsAt(event.type, transaction)

const nothing: NotificationEvents = []
const result: NotificationEvents = [null]
const received: NotificationEvents = ['ORDER_RECEIVED']
const presented: NotificationEvents = ['PAYMENT_PRESENTED']
const pin: NotificationEvents = ['PIN_ENTERING']
const presentedForPin: NotificationEvents = [...presented, ...pin]
const processing: NotificationEvents = ['PAYMENT_PROCESSING']
const ended: NotificationEvents = ['TRANSACTION_ENDED']
const resultAndEnd: NotificationEvents = [...result, ...ended]
const resultAndPrint: NotificationEvents = [...result, 'PRINTING', 'PRINT_COMPLETED', ...ended]

/**
 * The notifications of a moment of a transaction, in order; the same at any time after it. A terminal
 * notifies only of transactions that it runs, and prints a receipt after success if the request asked for
 * one. docs/api.md#events. public: terminal-events
 */
export function notificationsAt(moment: string, transaction: Transaction): NotificationEvents {
  const { inCloud, instructions, pinAfter } = transaction
  const prints = instructions?.print === true
  switch (moment) {
    case 'approved':
      if (inCloud) return result
      return prints ? resultAndPrint : resultAndEnd
    case 'declined':
    case 'closed':
      return inCloud ? result : resultAndEnd
  }
  if (inCloud) return nothing
  switch (moment) {
    case 'taken-up':
      return received
    case 'card-presented':
      return pinAfter === moment ? presentedForPin : presented
    case 'tip-chosen':
      return pinAfter === moment ? pin : nothing
    case 'host-asked':
      return processing
    case 'signed':
      return ['SIGNATURE_CAPTURED']
    default:
      return nothing
  }
}

/** Adds the delivery of a notification to an endpoint. */
export function addDelivery(
  { outbox }: Ledger,
  { id, status, tip }: Transaction,
  event: TerminalEventName | null,
  { url, listener }: Endpoint,
  at: number,
  facts: NotificationFacts = { createdAt: at, status, tip },
): void {
  const number = outbox.lastNumber + 1
  enterDelivery(outbox, {
    number,
    transactionId: id,
    event,
    url,
    ...(listener !== undefined && { listener }),
    createdAt: facts.createdAt,
    status: facts.status,
    tip: facts.tip,
    attempts: 0,
    nextAt: at,
    last: null,
    fault: null,
    delivered: false,
  })
}
