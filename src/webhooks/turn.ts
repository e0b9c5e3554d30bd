import type { WebhookFaults, WebhookOrder } from '../contract/sandbox/webhooks.ts'
import { type AddressQueue, byTime } from '../domain/model/address-queue.ts'
import type { Delivery, Outbox } from '../domain/model/outbox.ts'
import { delayFor, placeFor, type Timing } from './faults.ts'

/** The delivery that an address gets next. */
export interface Turn {
  readonly delivery: Delivery
  /** Sandbox time before which it is not attempted. */
  readonly at: number
  readonly timing: Timing
}

/**
 * What an address gets next: the first in line, or what waits for its next attempt and is due before that. With the
 * strict order the line waits until no other attempt is to follow. assumption: webhook-delivery
 */
export function turnOf(
  { queues, deliveries }: Outbox,
  url: string,
  faultsOf: (delivery: Delivery, stage: 'order' | 'delay') => WebhookFaults,
  order: WebhookOrder,
  now: number,
): Turn | undefined {
  const queue = queues.get(url)
  if (queue === undefined) return undefined
  const retry = queue.retry()
  const retried = retry && deliveries.get(retry.number)
  const retryTurn = retried && { delivery: retried, at: retry.at, timing: onTime }
  if (retryTurn !== undefined && order === 'strict') return retryTurn
  const first = deliveries.get(queue.first() ?? -1)
  if (first === undefined) return retryTurn
  const chosen = pick(queue, first.number, faultsOf(first, 'order'))
  const fresh = chosen === first.number ? first : (deliveries.get(chosen) ?? first)
  const freshTurn = firstTurn(fresh, faultsOf(fresh, 'delay'), fresh !== first, now)
  return retryTurn === undefined || byTime(placeOf(freshTurn), placeOf(retryTurn)) < 0 ? freshTurn : retryTurn
}

const onTime: Timing = { delay: false, reorder: false }

const placeOf = ({ delivery: { number }, at }: Turn) => ({ number, at })

/** The turn of a delivery that was never tried: at once, even when the clock was set back since it happened. */
function firstTurn(delivery: Delivery, faults: WebhookFaults, reorder: boolean, now: number): Turn {
  const delay = delayFor(faults, delivery.number)
  const at = delay > 0 ? delivery.createdAt + delay : Math.min(delivery.nextAt ?? now, now)
  return { delivery, at, timing: { delay: delay > 0, reorder } }
}

/** The first in line, or with a fault one of the first few. */
function pick(queue: AddressQueue, first: number, faults: WebhookFaults): number {
  if (faults.reorder <= 1) return first
  const few = queue.firstFew(faults.reorder)
  return few[placeFor(faults, first, few.length, queue.passed())] ?? first
}
