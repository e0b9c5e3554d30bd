import type { Status } from '../api/statuses.ts'
import type { TerminalEventName } from '../api/webhooks.ts'
import type { Ledger } from './ledger.ts'
import type { Transaction } from './transaction.ts'

/**
 * What has to be told to the merchant, in the order in which it happened. A delivery is entered by the very event that
 * it tells of, so it is on disk before the request is answered. spec: Events
 */

/** One notification to one address. */
export interface Delivery {
  /** Counts up in the ledger. */
  readonly number: number
  /** The delivery whose notification this one repeats; its own number for a first one. They share their id. */
  readonly source: number
  readonly transactionId: string
  /** What the terminal did, or null for the result of the transaction. */
  readonly event: TerminalEventName | null
  readonly url: string
  readonly createdAt: number
  /** What may change later, as it was then. */
  readonly status: Status
  readonly tip: number
  attempts: number
  /** Sandbox time of the next attempt; null when it is over. */
  nextAt: number | null
  /** HTTP status of the last attempt, or why there was none. */
  last: number | string | null
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

/** The result of a transaction, for the merchant's address if there is one. */
export function postResult(ledger: Ledger, transaction: Transaction, at: number): void {
  if (transaction.notifyUrl !== null) post(ledger, transaction, null, transaction.notifyUrl, at)
}

/** What a terminal does, while the transaction runs on one. assumption: terminal-events */
export function postTerminalEvent(
  ledger: Ledger,
  transaction: Transaction,
  event: TerminalEventName,
  at: number,
): void {
  const { terminalEventNotifyUrl: url, inCloud } = transaction
  if (url !== null && !inCloud) post(ledger, transaction, event, url, at)
}

function post(
  { outbox }: Ledger,
  { id, status, tip }: Transaction,
  event: TerminalEventName | null,
  url: string,
  at: number,
): void {
  const number = outbox.last + 1
  enter(outbox, {
    number,
    source: number,
    transactionId: id,
    event,
    url,
    createdAt: at,
    status,
    tip,
    attempts: 0,
    nextAt: at,
    last: null,
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

/** An attempt was made: it is over, or another one follows. */
export function noteAttempt(
  outbox: Outbox,
  number: number,
  { last, delivered, nextAt }: Pick<Delivery, 'last' | 'delivered' | 'nextAt'>,
): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  delivery.attempts += 1
  delivery.last = last
  delivery.delivered = delivered
  delivery.nextAt = nextAt
  if (nextAt === null) leave(outbox, delivery)
}

function leave(outbox: Outbox, { url, number }: Delivery): void {
  const line = outbox.lines.get(url)
  line?.delete(number)
  if (line?.size === 0) outbox.lines.delete(url)
}

/** Sends a notification again, with the same id: to its own address, or to another one. */
export function sendAgain(outbox: Outbox, number: number, url: string | null, at: number): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  if (url !== null && url !== delivery.url) {
    const { attempts: _, ...again } = delivery
    const next = outbox.last + 1
    enter(outbox, {
      ...again,
      number: next,
      url,
      createdAt: at,
      attempts: 0,
      nextAt: at,
      last: null,
      delivered: false,
    })
    return
  }
  delivery.nextAt = at
  delivery.delivered = false
  queue(outbox, delivery)
}

/** The delivery that an address gets next, or undefined. */
export function firstOf({ lines, deliveries }: Outbox, url: string): Delivery | undefined {
  const first: number | undefined = lines.get(url)?.values().next().value
  return first === undefined ? undefined : deliveries.get(first)
}
