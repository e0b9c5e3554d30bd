import type { TerminalEventName } from '../contract/sandbox/webhooks.ts'
import type { Event } from './model/events.ts'
import type { Ledger } from './model/ledger.ts'
import { enterDelivery, type NotificationFacts } from './model/outbox.ts'
import type { Transaction } from './model/transaction.ts'

/** Addresses for which there may be something new after the event. */
export function addressesOf({ transactions, outbox }: Ledger, event: Event): readonly (string | null)[] {
  if (event.type === 'delivery-posted') return [event.url]
  if (event.type === 'delivery-again') return [outbox.deliveries.get(event.number)?.url ?? null]
  const transaction = 'id' in event ? transactions.get(event.id) : undefined
  return transaction === undefined ? [] : [transaction.notifyUrl, transaction.terminalEventNotifyUrl]
}

/** Enters the notifications of an event for the addresses that its transaction's request named. */
export function notify(ledger: Ledger, event: Event & { readonly id: string }, at: number): void {
  const transaction = ledger.transactions.get(event.id)
  if (transaction === undefined) return
  const { notifyUrl, terminalEventNotifyUrl } = transaction
  if (notifyUrl === null && terminalEventNotifyUrl === null) return
  for (const what of notificationsOf(event, transaction)) {
    const url = what === null ? notifyUrl : terminalEventNotifyUrl
    if (url !== null) addDelivery(ledger, transaction, what, url, at)
  }
}

/**
 * The notifications of an event, in order: terminal events by name, null for the result. A terminal tells only of what
 * runs on it. docs/api.md#events. assumption: terminal-events
 */
export function notificationsOf(
  event: Event,
  transaction: Transaction,
): readonly (TerminalEventName | null)[] {
  const all = eventsOf(event, transaction)
  return transaction.inCloud ? all.filter((what) => what === null) : all
}

function eventsOf(event: Event, transaction: Transaction): readonly (TerminalEventName | null)[] {
  switch (event.type) {
    case 'opened':
      return ['ORDER_RECEIVED']
    case 'card-presented':
      return event.screen === 'pin' ? ['PAYMENT_PRESENTED', 'PIN_ENTERING'] : ['PAYMENT_PRESENTED']
    case 'tip-chosen':
      return event.screen === 'pin' ? ['PIN_ENTERING'] : []
    case 'host-asked':
      return ['PAYMENT_PROCESSING']
    case 'approved':
      return event.screen === 'done' ? [null, ...endingOf(transaction)] : [null]
    case 'signed':
      return ['SIGNATURE_CAPTURED', ...endingOf(transaction)]
    case 'signature-skipped':
      return endingOf(transaction)
    case 'declined':
    case 'closed':
      return [null, 'TRANSACTION_ENDED']
    default:
      return []
  }
}

/** After success the receipt is printed, when the request asked for one. */
const endingOf = ({ instructions }: Transaction): readonly TerminalEventName[] =>
  instructions?.print ? ['PRINTING', 'PRINT_COMPLETED', 'TRANSACTION_ENDED'] : ['TRANSACTION_ENDED']

/** Enters a notification for an address. */
export function addDelivery(
  { outbox }: Ledger,
  { id, status, tip }: Transaction,
  event: TerminalEventName | null,
  url: string,
  at: number,
  facts: NotificationFacts = { createdAt: at, status, tip },
): void {
  const number = outbox.last + 1
  enterDelivery(outbox, {
    number,
    transactionId: id,
    event,
    url,
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
