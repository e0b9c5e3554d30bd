import type { DeliveryOrder } from '../../contract/control/webhook-delivery.ts'
import { byTime, type EndpointQueue } from '../../domain/model/endpoint-queue.ts'
import type { Delivery, Outbox } from '../../domain/model/outbox.ts'
import { type LedgerFaults, onTime, reorderIndex, type Timing } from './delivery-faults.ts'

/** The delivery that an endpoint gets next. */
export interface NextDelivery {
  readonly delivery: Delivery
  /** Sandbox time of the attempt. */
  readonly at: number
  readonly timing: Timing
}

/** The rules for choosing the next delivery. */
export interface NextDeliveryRules {
  readonly faults: Pick<LedgerFaults, 'reorder' | 'delay'>
  readonly deliveryOrder: DeliveryOrder
  /** How many attempts may start now. */
  readonly free: number
  /** Sandbox time. */
  readonly now: number
  /** Numbers of the deliveries to this endpoint whose attempts are under way. */
  readonly underWay: ReadonlySet<number>
}

/**
 * The next delivery of an endpoint, by its key: the first in line, or a retry that is due before it. With the
 * strict order the line waits for retries; with the concurrent order every free place is used. Undefined when
 * nothing waits or no place is free. assumption: webhook-delivery
 */
export function findNextDelivery(
  { queues, deliveries }: Outbox,
  endpoint: string,
  rules: NextDeliveryRules,
): NextDelivery | undefined {
  const { deliveryOrder, free, underWay } = rules
  const queue = queues.get(endpoint)
  if (queue === undefined || free <= 0) return undefined
  const retry = queue.retry(underWay)
  const retried = retry && deliveries.get(retry.number)
  if (retry === undefined || retried === undefined) return findNextUntried(queue, deliveries, rules)
  const fresh = deliveryOrder.order === 'strict' ? undefined : findNextUntried(queue, deliveries, rules)
  const isFreshFirst =
    fresh !== undefined && byTime({ at: fresh.at, number: fresh.delivery.number }, retry) < 0
  return isFreshFirst ? fresh : { delivery: retried, at: retry.at, timing: onTime }
}

/** The first in line, or with a fault one of the first few; a delayed one takes one free place. */
function findNextUntried(
  queue: EndpointQueue,
  deliveries: Outbox['deliveries'],
  { faults, free, now, underWay }: NextDeliveryRules,
): NextDelivery | undefined {
  const few = queue.firstFew(free, underWay)
  const first = deliveries.get(few[0] ?? 0)
  if (first === undefined) return undefined
  const reorder = faults.reorder(first)
  const among = reorder === undefined ? [] : queue.firstFew(reorder.among, underWay)
  const chosen =
    (reorder && among[reorderIndex(reorder, among.length, queue.countOvertaking(underWay))]) ?? first.number
  const isReordered = chosen !== first.number
  let earliest: NextDelivery | undefined
  for (const number of isReordered ? [chosen] : few) {
    const delivery = number === first.number ? first : deliveries.get(number)
    if (delivery === undefined) continue
    const next = firstAttempt(delivery, faults.delay(delivery), isReordered, now)
    if (next.at <= now) return next
    if (earliest === undefined || next.at < earliest.at) earliest = next
  }
  return earliest
}

/** The first attempt of a delivery: due immediately, even if the clock was set back since. */
function firstAttempt(delivery: Delivery, delayMs: number, reorder: boolean, now: number): NextDelivery {
  const delay = delayMs > 0
  const at = delay ? delivery.createdAt + delayMs : Math.min(delivery.nextAt ?? now, now)
  return { delivery, at, timing: delay || reorder ? { delay, reorder } : onTime }
}
