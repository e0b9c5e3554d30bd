import type { Status } from '../contract/statuses.ts'
import type { TerminalEventName } from '../contract/webhooks.ts'
import type { Event, Then } from './events.ts'
import type { Ledger } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/**
 * What has to be told to the merchant, in the order in which it happened. A delivery is entered by the very event that
 * it tells of, so it is on disk before the request is answered. spec: Events
 */

/** One notification to one address. Two may be of the same notification: what it tells of says which. */
export interface Delivery {
  /** Counts up in the ledger. */
  readonly number: number
  readonly transactionId: string
  /** What the terminal did, or null for the result of the transaction. */
  readonly event: TerminalEventName | null
  readonly url: string
  readonly createdAt: number
  /** What may change later, as it was then. */
  readonly status: Status
  readonly tip: number
  /** How often it was sent again; left out: never. What an attempt of an earlier round came to does not end it. */
  round?: number | undefined
  attempts: number
  /** Sandbox time of the next attempt; null when it is over. */
  nextAt: number | null
  /** HTTP status of the last attempt, or why there was none. */
  last: number | string | null
  /** What was done wrong on purpose at the last attempt. */
  fault: string | null
  delivered: boolean
}

/** Every delivery of a ledger, and those that wait, by address. */
export interface Outbox {
  /** Number of the last delivery. */
  last: number
  readonly deliveries: Map<number, Delivery>
  /** Numbers that wait, in their order. Only the first of an address is tried. */
  readonly lines: Map<string, Set<number>>
}

/** An outbox with nothing in it. */
export const createOutbox = (): Outbox => ({ last: 0, deliveries: new Map(), lines: new Map() })

/** Addresses for which there may be something new after the event. */
export function addressesOf({ transactions, outbox }: Ledger, event: Event): readonly (string | null)[] {
  if (event.type === 'delivery-posted') return [event.url]
  if (event.type === 'delivery-again') return [outbox.deliveries.get(event.number)?.url ?? null]
  const transaction = 'id' in event ? transactions.get(event.id) : undefined
  return transaction === undefined ? [] : [transaction.notifyUrl, transaction.terminalEventNotifyUrl]
}

/** Enters what an event of a transaction tells, for the addresses that its request named. */
export function tell(ledger: Ledger, event: Event & { readonly id: string }, at: number): void {
  const transaction = ledger.transactions.get(event.id)
  if (transaction === undefined) return
  const { notifyUrl, terminalEventNotifyUrl } = transaction
  if (notifyUrl === null && terminalEventNotifyUrl === null) return
  for (const what of tells(event, transaction)) {
    const url = what === null ? notifyUrl : terminalEventNotifyUrl
    if (url !== null) post(ledger, transaction, what, url, at)
  }
}

/**
 * What the outside is told when an event has happened, in order; null is the result. A terminal tells only of what runs
 * on it. spec: Events. assumption: terminal-events
 */
export function tells(event: Event, transaction: Transaction): readonly (TerminalEventName | null)[] {
  const all = everything(event, transaction)
  return transaction.inCloud ? all.filter((what) => what === null) : all
}

function everything(event: Event, transaction: Transaction): readonly (TerminalEventName | null)[] {
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
      return event.screen === 'done' ? [null, ...endOf(transaction)] : [null]
    case 'signed':
      return ['SIGNATURE_CAPTURED', ...endOf(transaction)]
    case 'signature-skipped':
      return endOf(transaction)
    case 'declined':
    case 'closed':
      return [null, 'TRANSACTION_ENDED']
    default:
      return []
  }
}

/** After success the receipt is printed, when the request asked for one. */
const endOf = ({ wishes }: Transaction): readonly TerminalEventName[] =>
  wishes?.print ? ['PRINTING', 'PRINT_COMPLETED', 'TRANSACTION_ENDED'] : ['TRANSACTION_ENDED']

/** Enters a notification for an address. */
export function post(
  { outbox }: Ledger,
  { id, status, tip }: Transaction,
  event: TerminalEventName | null,
  url: string,
  at: number,
  then: Then = { createdAt: at, status, tip },
): void {
  const number = outbox.last + 1
  enter(outbox, {
    number,
    transactionId: id,
    event,
    url,
    createdAt: then.createdAt,
    status: then.status,
    tip: then.tip,
    attempts: 0,
    nextAt: at,
    last: null,
    fault: null,
    delivered: false,
  })
}

/** Enters a delivery, new or read back. */
export function enter(outbox: Outbox, delivery: Delivery): void {
  outbox.last = Math.max(outbox.last, delivery.number)
  outbox.deliveries.set(delivery.number, delivery)
  if (delivery.nextAt !== null) queue(outbox, delivery)
}

function queue(outbox: Outbox, { url, number }: Delivery): void {
  const line = outbox.lines.get(url)
  if (line === undefined) outbox.lines.set(url, new Set([number]))
  else line.add(number)
}

/** An attempt was made: it is over, or another one follows, also when it was sent again meanwhile. */
export function noteAttempt(
  outbox: Outbox,
  number: number,
  {
    round,
    last,
    fault,
    delivered,
    nextAt,
  }: Pick<Delivery, 'round' | 'last' | 'fault' | 'delivered' | 'nextAt'>,
): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  delivery.last = last
  delivery.fault = fault
  if (round !== delivery.round) return
  delivery.attempts += 1
  delivery.delivered = delivered
  delivery.nextAt = nextAt
  if (nextAt === null) leave(outbox, delivery)
}

function leave(outbox: Outbox, { url, number }: Delivery): void {
  const line = outbox.lines.get(url)
  line?.delete(number)
  if (line?.size === 0) outbox.lines.delete(url)
}

/** Sends a notification again to its address, with the same id. */
export function sendAgain(outbox: Outbox, number: number, at: number): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  delivery.round = (delivery.round ?? 0) + 1
  delivery.nextAt = at
  delivery.attempts = 0
  delivery.delivered = false
  queue(outbox, delivery)
}

/** The delivery that an address gets next, or undefined. */
export function firstOf({ lines, deliveries }: Outbox, url: string): Delivery | undefined {
  const first: number | undefined = lines.get(url)?.values().next().value
  return first === undefined ? undefined : deliveries.get(first)
}
