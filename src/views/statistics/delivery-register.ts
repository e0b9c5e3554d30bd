import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'
import { addTo, createTimeline, type Timeline, tally } from './timeline.ts'

/** Every delivery, oldest first: found by transaction, and counted by state over time. */
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
}

const stateTimeline = (deliveries: readonly LedgerDelivery[]): Timeline<DeliveryState> =>
  createTimeline(
    deliveries,
    ({ delivery }) => delivery.createdAt,
    (sums, { delivery }) => addTo(sums, deliveryState(delivery), 1),
  )
