import type { DeliveryState } from '../../../contract/control/webhooks.ts'
import { deliveryState } from '../../../domain/model/outbox.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'

/** Every delivery, oldest first: found by transaction, and counted by state. */
export class DeliveryRegister {
  #states: readonly DeliveryState[] | undefined

  constructor(readonly all: readonly LedgerDelivery[]) {}

  /** URLs in the order of their first delivery. */
  get urls(): ReadonlySet<string> {
    return new Set(this.all.map(({ delivery }) => delivery.url))
  }

  count(state: DeliveryState): number {
    this.#states ??= this.all.map(({ delivery }) => deliveryState(delivery))
    return this.#states.filter((each) => each === state).length
  }

  ofTransaction(transactionId: string): readonly LedgerDelivery[] {
    return this.all.filter(({ delivery }) => delivery.transactionId === transactionId)
  }
}
