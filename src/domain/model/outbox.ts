import * as v from 'valibot'
import { type DeliveryState, terminalEvents } from '../../contract/control/webhooks.ts'
import { statusLetters } from '../../contract/statuses.ts'
import { type Endpoint, endpointKey } from './endpoint.ts'
import { EndpointQueue } from './endpoint-queue.ts'
import * as kind from './kinds.ts'

/**
 * Notifications for the merchant, in the order of their events. The event itself adds the delivery, so it is
 * on disk before the request is answered. docs/api.md#events
 */

export const deliverySchema = v.strictObject({
  /** Counts up in the ledger. */
  number: kind.whole(1, kind.mostCounted),
  transactionId: kind.id,
  /** The terminal event, or null for the result of the transaction. */
  event: kind.orNull(v.picklist(terminalEvents)),
  url: kind.url,
  /** As of an `Endpoint`. */
  listener: v.optional(kind.name),
  createdAt: kind.epochMs,
  /** Values at the time of the event; both may change later. */
  status: kind.nameIn(statusLetters),
  tip: kind.amount,
  /** Number of resends; absent: none. The result of an earlier round's attempt does not end the delivery. */
  round: v.optional(kind.count),
  /** Attempts of this round. */
  attempts: kind.count,
  /** Attempts of earlier rounds; absent: none. */
  earlier: v.optional(kind.count),
  /** Sandbox time of the next attempt; null: none follows. */
  nextAt: kind.orNull(kind.epochMs),
  /** HTTP status of the last attempt, or why there was no answer. */
  last: kind.orNull(v.union([kind.count, kind.text])),
  /** Injected faults of the last attempt, by name. */
  fault: kind.orNull(kind.text),
  delivered: kind.flag,
})
/** One notification to one endpoint. Deliveries of one notification have the same transaction and event. */
export type Delivery = v.InferOutput<typeof deliverySchema>

/** Whether a delivery is pending, delivered or failed. */
export const deliveryState = ({ nextAt, delivered }: Delivery): DeliveryState =>
  nextAt !== null ? 'pending' : delivered ? 'delivered' : 'failed'

/** True when the last attempt failed, whether another one follows or not. */
export const isFailing = (delivery: Delivery): boolean =>
  deliveryState(delivery) === 'failed' || (!delivery.delivered && delivery.attempts > 0)

/** Total number of attempts, including earlier rounds. */
export const attemptsInAll = ({ attempts, earlier = 0 }: Pick<Delivery, 'attempts' | 'earlier'>): number =>
  earlier + attempts

/** Begins a new round: the attempts so far belong to earlier ones. `at`: due time in milliseconds. */
function beginRound(delivery: Delivery, at: number): void {
  if (delivery.attempts > 0) delivery.earlier = attemptsInAll(delivery)
  delivery.attempts = 0
  delivery.nextAt = at
  delivery.delivered = false
}

/** A notification with its facts at the time of the event. */
export type Notification = Pick<Delivery, 'transactionId' | 'event' | 'createdAt' | 'status' | 'tip'>

/** Facts of a notification that may change later, as they were at the event. */
export type NotificationFacts = Pick<Notification, 'createdAt' | 'status' | 'tip'>

/** Every delivery of a ledger, and the pending ones by URL. */
export interface Outbox {
  /** Number of the last delivery. */
  lastNumber: number
  readonly deliveries: Map<number, Delivery>
  /** Pending deliveries by the key of their endpoint; an endpoint without any has no queue. */
  readonly queues: Map<string, EndpointQueue>
}

/** An outbox with nothing in it. */
export const createOutbox = (): Outbox => ({ lastNumber: 0, deliveries: new Map(), queues: new Map() })

/** Adds a delivery, new or read back. */
export function enterDelivery(outbox: Outbox, delivery: Delivery): void {
  outbox.lastNumber = Math.max(outbox.lastNumber, delivery.number)
  outbox.deliveries.set(delivery.number, delivery)
  const { number, attempts, nextAt } = delivery
  if (nextAt === null || attempts > 0) outbox.queues.get(endpointKey(delivery))?.countGone()
  if (nextAt === null) return
  if (attempts > 0) endpointQueue(outbox, delivery).retryAt(number, nextAt)
  else endpointQueue(outbox, delivery).enter(number, nextAt)
}

function endpointQueue({ queues }: Outbox, { url, listener }: Endpoint): EndpointQueue {
  const endpoint = { url, listener }
  const key = endpointKey(endpoint)
  const queue = queues.get(key) ?? new EndpointQueue(endpoint)
  queues.set(key, queue)
  return queue
}

/** Records the result of an attempt: the delivery is over, or due again, also if it was resent meanwhile. */
export function noteAttempt(
  outbox: Outbox,
  number: number,
  result: Pick<Delivery, 'round' | 'last' | 'fault' | 'delivered' | 'nextAt'>,
): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  delivery.last = result.last
  delivery.fault = result.fault
  if (result.round !== delivery.round) {
    delivery.earlier = (delivery.earlier ?? 0) + 1
    return
  }
  delivery.attempts += 1
  delivery.delivered = result.delivered
  delivery.nextAt = result.nextAt
  if (result.nextAt === null) leaveQueue(outbox, delivery)
  else endpointQueue(outbox, delivery).retryAt(number, result.nextAt)
}

function leaveQueue({ queues }: Outbox, delivery: Delivery): void {
  const key = endpointKey(delivery)
  const queue = queues.get(key)
  queue?.leave(delivery.number)
  if (queue?.isEmpty) queues.delete(key)
}

/**
 * Resends a notification to its endpoint, with the same id: at the end of its line; immediately if it waits
 * for a retry, and in its place if it was never tried.
 */
export function resendDelivery(outbox: Outbox, number: number, at: number): void {
  const delivery = outbox.deliveries.get(number)
  if (delivery === undefined) return
  delivery.round = (delivery.round ?? 0) + 1
  beginRound(delivery, at)
  endpointQueue(outbox, delivery).enter(number, at)
}
