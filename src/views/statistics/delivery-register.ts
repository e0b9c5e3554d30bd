import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import { hideInAddress } from '../../http/hide-addresses.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'
import { addTo, createTimeline, type Timeline, tally } from './timeline.ts'

/** Failed deliveries to one URL, as it is shown, whose last attempts had the same result. */
export interface FailureGroup {
  readonly endpoint: string
  /** HTTP status, or why there was no answer. */
  readonly last: number | string | null
  readonly deliveries: LedgerDelivery[]
}

/** Every delivery, oldest first: found by transaction, counted by state over time, and grouped where it failed. */
export class DeliveryRegister {
  #timeline: Timeline<DeliveryState> | undefined

  constructor(readonly all: readonly LedgerDelivery[]) {}

  /** Numbers of deliveries by state, at the times of their events. */
  get timeline(): Timeline<DeliveryState> {
    this.#timeline ??= stateTimeline(this.all)
    return this.#timeline
  }

  /** URLs in the order of their first delivery. */
  get urls(): ReadonlySet<string> {
    return new Set(this.all.map(({ delivery }) => delivery.url))
  }

  count(state: DeliveryState): number {
    return tally(this.timeline.all, state)
  }

  ofTransaction(transactionId: string): readonly LedgerDelivery[] {
    return this.all.filter(({ delivery }) => delivery.transactionId === transactionId)
  }

  /** The deliveries of the notifications of these transactions, counted as all of them are. */
  timelineFor(transactionIds: ReadonlySet<string>): Timeline<DeliveryState> {
    return stateTimeline(this.all.filter(({ delivery }) => transactionIds.has(delivery.transactionId)))
  }

  /** The groups of failed deliveries, the largest first. */
  get failures(): readonly FailureGroup[] {
    const groups = new Map<string, FailureGroup>()
    for (const each of this.all) {
      const { url, last } = each.delivery
      if (deliveryState(each.delivery) !== 'failed') continue
      const endpoint = hideInAddress(url)
      const group = groups.get(`${last} ${endpoint}`) ?? { endpoint, last, deliveries: [] }
      groups.set(`${last} ${endpoint}`, group)
      group.deliveries.push(each)
    }
    return [...groups.values()].sort((one, other) => other.deliveries.length - one.deliveries.length)
  }
}

const stateTimeline = (deliveries: readonly LedgerDelivery[]): Timeline<DeliveryState> =>
  createTimeline(
    deliveries,
    ({ delivery }) => delivery.createdAt,
    (sums, { delivery }) => addTo(sums, deliveryState(delivery), 1),
  )
