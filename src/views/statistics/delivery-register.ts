import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'

/** A delivery, its ledger, and its state when it was last counted. */
export interface CountedDelivery {
  readonly ledger: Ledger
  readonly delivery: Delivery
  state: DeliveryState
}

/** Every delivery, oldest first; found by transaction, and counted by state. */
export class DeliveryRegister {
  readonly all: CountedDelivery[] = []
  readonly counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, failed: 0 }
  readonly #byTransaction = new Map<string, CountedDelivery[]>()
  readonly #byNumber = new Map<Ledger, Map<number, CountedDelivery>>()
  readonly #lastNumbers = new Map<Ledger, number>()

  /** `listened`: deliveries of listeners. */
  constructor(ledgers: Iterable<Ledger>, listened: Iterable<LedgerDelivery>) {
    for (const ledger of ledgers) this.#addNew(ledger)
    for (const { ledger, delivery } of listened) this.#add(ledger, delivery)
    this.all.sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
  }

  /** Deliveries of a transaction's notifications. */
  ofTransaction(transactionId: string): readonly CountedDelivery[] {
    return this.#byTransaction.get(transactionId) ?? []
  }

  /** Deliveries of the notifications of these transactions, by state. */
  countsOf(transactionIds: Iterable<string>): Readonly<Record<DeliveryState, number>> {
    const counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, failed: 0 }
    for (const id of transactionIds) for (const { state } of this.ofTransaction(id)) counts[state] += 1
    return counts
  }

  /** Adds new deliveries, and counts those with these numbers again. */
  update(ledger: Ledger, numbers: Iterable<number>): void {
    this.#addNew(ledger)
    for (const number of numbers) this.#recount(ledger, number)
  }

  /** A listener reported an attempt: adds its delivery, or counts it again. */
  noteListened({ ledger, delivery }: LedgerDelivery): void {
    if (this.#byNumber.get(ledger)?.has(delivery.number)) this.#recount(ledger, delivery.number)
    else this.#add(ledger, delivery)
  }

  #recount(ledger: Ledger, number: number): void {
    const counted = this.#byNumber.get(ledger)?.get(number)
    if (counted === undefined) return
    const state = deliveryState(counted.delivery)
    this.counts[counted.state] -= 1
    this.counts[state] += 1
    counted.state = state
  }

  /** Adds the deliveries since the last call: numbers only ever count up. */
  #addNew(ledger: Ledger): void {
    const { last, deliveries } = ledger.outbox
    const known = this.#lastNumbers.get(ledger)
    if (known === last) return
    const added =
      known === undefined
        ? [...deliveries.values()]
        : Array.from({ length: last - known }, (_, index) => deliveries.get(known + 1 + index))
    for (const delivery of added) if (delivery !== undefined) this.#add(ledger, delivery)
    this.#lastNumbers.set(ledger, last)
  }

  #add(ledger: Ledger, delivery: Delivery): void {
    const counted: CountedDelivery = { ledger, delivery, state: deliveryState(delivery) }
    this.all.push(counted)
    this.counts[counted.state] += 1
    const own = this.#byTransaction.get(delivery.transactionId)
    if (own === undefined) this.#byTransaction.set(delivery.transactionId, [counted])
    else own.push(counted)
    const numbers = this.#byNumber.get(ledger) ?? new Map<number, CountedDelivery>()
    this.#byNumber.set(ledger, numbers.set(delivery.number, counted))
  }
}
