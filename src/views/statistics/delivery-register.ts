import type { DeliveryState } from '../../contract/sandbox/webhooks.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { deliveryState } from '../../domain/model/outbox.ts'
import { type Counters, sumOf, Timeline } from './timeline.ts'

/** A delivery, its ledger, and its state when it was last counted. */
export interface CountedDelivery {
  readonly ledger: Ledger
  readonly delivery: Delivery
  state: DeliveryState
}

/** Failed deliveries to one URL whose last attempts had the same result. */
export interface FailureGroup {
  readonly url: string
  /** HTTP status, or why there was no answer. */
  readonly last: number | string | null
  readonly deliveries: Set<CountedDelivery>
}

const one: Readonly<Record<DeliveryState, Counters<DeliveryState>>> = {
  pending: new Map([['pending', 1]]),
  delivered: new Map([['delivered', 1]]),
  failed: new Map([['failed', 1]]),
}

/** Every delivery, oldest first; found by transaction, counted by state over time, and grouped where it failed. */
export class DeliveryRegister {
  readonly all: CountedDelivery[] = []
  /** URLs in the order of their first delivery. */
  readonly urls = new Set<string>()
  readonly #failures = new Map<string, FailureGroup>()
  readonly #groupOf = new Map<CountedDelivery, string>()
  /** Numbers of deliveries by state, at the times of their events. */
  readonly timeline = new Timeline<DeliveryState>()
  readonly #byTransaction = new Map<string, CountedDelivery[]>()
  readonly #byNumber = new Map<Ledger, Map<number, CountedDelivery>>()
  readonly #lastNumbers = new Map<Ledger, number>()

  /** Deliveries of a transaction's notifications. */
  ofTransaction(transactionId: string): readonly CountedDelivery[] {
    return this.#byTransaction.get(transactionId) ?? []
  }

  /** Counts every delivery, `recordsPerTurn` with each step. */
  *fill(ledgers: Iterable<Ledger>, recordsPerTurn: number): Generator<void> {
    for (const ledger of ledgers) {
      for (const delivery of ledger.outbox.deliveries.values()) {
        this.#add(ledger, delivery)
        if (this.all.length % recordsPerTurn === 0) yield
      }
      this.#lastNumbers.set(ledger, ledger.outbox.lastNumber)
    }
    this.all.sort((one, other) => one.delivery.createdAt - other.delivery.createdAt)
  }

  /** Number of deliveries in a state. */
  count(state: DeliveryState): number {
    return sumOf(this.timeline.all, state)
  }

  /** The deliveries of the notifications of these transactions, counted as all of them are. */
  timelineOf(transactionIds: Iterable<string>): Timeline<DeliveryState> {
    const timeline = new Timeline<DeliveryState>()
    if (this.all.length === 0) return timeline
    for (const id of transactionIds)
      for (const { delivery, state } of this.ofTransaction(id)) timeline.add(delivery.createdAt, one[state])
    return timeline
  }

  /** The delivery with that number; undefined for an unknown one. */
  numbered(ledger: Ledger, number: number): CountedDelivery | undefined {
    return this.#byNumber.get(ledger)?.get(number)
  }

  /** Failed deliveries by URL and result, the largest group first. */
  get failures(): FailureGroup[] {
    return [...this.#failures.values()].sort((one, other) => other.deliveries.size - one.deliveries.size)
  }

  /** Adds new deliveries, and counts those with these numbers again. */
  update(ledger: Ledger, numbers: Iterable<number>): void {
    this.#addNew(ledger)
    for (const number of numbers) this.#recount(ledger, number)
  }

  #recount(ledger: Ledger, number: number): void {
    const counted = this.#byNumber.get(ledger)?.get(number)
    if (counted === undefined) return
    const state = deliveryState(counted.delivery)
    this.timeline.add(counted.delivery.createdAt, one[counted.state], -1)
    this.timeline.add(counted.delivery.createdAt, one[state])
    counted.state = state
    this.#regroup(counted)
  }

  /** Moves a delivery to the group of its failure, or to none. */
  #regroup(counted: CountedDelivery): void {
    const { url, last } = counted.delivery
    const key = counted.state === 'failed' ? `${last} ${url}` : undefined
    const before = this.#groupOf.get(counted)
    if (before === key) return
    if (before !== undefined) {
      const group = this.#failures.get(before)
      group?.deliveries.delete(counted)
      if (group?.deliveries.size === 0) this.#failures.delete(before)
      this.#groupOf.delete(counted)
    }
    if (key === undefined) return
    const group = this.#failures.get(key) ?? { url, last, deliveries: new Set() }
    group.deliveries.add(counted)
    this.#failures.set(key, group)
    this.#groupOf.set(counted, key)
  }

  /** Adds the deliveries since the last call: numbers only ever count up. */
  #addNew(ledger: Ledger): void {
    const { lastNumber, deliveries } = ledger.outbox
    const known = this.#lastNumbers.get(ledger)
    if (known === lastNumber) return
    const from = known ?? 0
    const added = Array.from({ length: lastNumber - from }, (_, index) => deliveries.get(from + 1 + index))
    for (const delivery of added) if (delivery !== undefined) this.#add(ledger, delivery)
    this.#lastNumbers.set(ledger, lastNumber)
  }

  #add(ledger: Ledger, delivery: Delivery): void {
    const counted: CountedDelivery = { ledger, delivery, state: deliveryState(delivery) }
    this.all.push(counted)
    this.timeline.add(delivery.createdAt, one[counted.state])
    this.urls.add(delivery.url)
    this.#regroup(counted)
    const own = this.#byTransaction.get(delivery.transactionId)
    if (own === undefined) this.#byTransaction.set(delivery.transactionId, [counted])
    else own.push(counted)
    const numbers = this.#byNumber.get(ledger) ?? new Map<number, CountedDelivery>()
    this.#byNumber.set(ledger, numbers.set(delivery.number, counted))
  }
}
