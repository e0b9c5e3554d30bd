import type { DeliveryState } from '../../contract/webhooks.ts'
import type { Ledger } from '../../domain/ledger.ts'
import type { Delivery } from '../../domain/outbox.ts'
import { stateOf } from '../../webhooks/deliveries.ts'

/** A delivery, whose it is, and the state that it was counted with. */
export interface CountedDelivery {
  readonly ledger: Ledger
  readonly delivery: Delivery
  state: DeliveryState
}

/** Every delivery in the order in which they were entered, found by transaction, and counted by state. */
export class DeliveryRegister {
  readonly all: CountedDelivery[] = []
  readonly counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, failed: 0 }
  readonly #byTransaction = new Map<string, CountedDelivery[]>()
  readonly #byNumber = new Map<Ledger, Map<number, CountedDelivery>>()
  readonly #seen = new Map<Ledger, number>()

  constructor(ledgers: Iterable<Ledger>) {
    for (const ledger of ledgers) this.#follow(ledger)
    this.all.sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
  }

  /** Deliveries that tell of a transaction. */
  of(transactionId: string): readonly CountedDelivery[] {
    return this.#byTransaction.get(transactionId) ?? []
  }

  /** Takes in what was entered, and counts anew those of these numbers. */
  take(ledger: Ledger, numbers: Iterable<number>): void {
    this.#follow(ledger)
    for (const number of numbers) this.#recount(ledger, number)
  }

  #recount(ledger: Ledger, number: number): void {
    const counted = this.#byNumber.get(ledger)?.get(number)
    if (counted === undefined) return
    const state = stateOf(counted.delivery)
    this.counts[counted.state] -= 1
    this.counts[state] += 1
    counted.state = state
  }

  /** Takes in what was entered since the last look: numbers only ever count up. */
  #follow(ledger: Ledger): void {
    const { last, deliveries } = ledger.outbox
    const seen = this.#seen.get(ledger)
    if (seen === last) return
    const entered =
      seen === undefined
        ? [...deliveries.values()]
        : Array.from({ length: last - seen }, (_, index) => deliveries.get(seen + 1 + index))
    for (const delivery of entered) if (delivery !== undefined) this.#enter(ledger, delivery)
    this.#seen.set(ledger, last)
  }

  #enter(ledger: Ledger, delivery: Delivery): void {
    const counted: CountedDelivery = { ledger, delivery, state: stateOf(delivery) }
    this.all.push(counted)
    this.counts[counted.state] += 1
    const own = this.#byTransaction.get(delivery.transactionId)
    if (own === undefined) this.#byTransaction.set(delivery.transactionId, [counted])
    else own.push(counted)
    const numbers = this.#byNumber.get(ledger) ?? new Map<number, CountedDelivery>()
    this.#byNumber.set(ledger, numbers.set(delivery.number, counted))
  }
}
