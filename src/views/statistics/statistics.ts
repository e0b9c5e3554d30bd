import type { Event } from '../../domain/model/events.ts'
import type { BatchClose, Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { State } from '../../domain/state.ts'
import type { LedgerDelivery } from '../../webhooks/deliveries.ts'
import { type Contribution, contributionOf } from './contribution.ts'
import { DeliveryRegister } from './delivery-register.ts'
import { add, type Figures, noFigures } from './figures.ts'

/** A transaction, its ledger, and its contribution when it was last counted. */
export interface CountedTransaction {
  readonly ledger: Ledger
  readonly transaction: Transaction
  contribution: Contribution
}

/** A batch close and its ledger. */
export interface CountedClose {
  readonly ledger: Ledger
  readonly close: BatchClose
}

/** Records of one ledger that changed since they were last counted. */
interface UncountedChanges {
  readonly ledger: Ledger
  readonly transactions: Set<string>
  /** Numbers of deliveries. */
  readonly deliveries: Set<number>
  /** Request ids of closes. */
  readonly closes: Set<string>
}

const noChanges = (ledger: Ledger): UncountedChanges => ({
  ledger,
  transactions: new Set(),
  deliveries: new Set(),
  closes: new Set(),
})

function addChange({ transactions, deliveries, closes }: UncountedChanges, event: Event): void {
  if (event.type === 'batch-closed') closes.add(event.transactionRequestId)
  else if (event.type === 'delivery-attempted' || event.type === 'delivery-again')
    deliveries.add(event.number)
  else if ('id' in event) transactions.add(event.id)
}

/** Transactions, deliveries and closes in their order, with their sums: pages read them without a scan. */
class TransactionRegister {
  /** Oldest first; ids ascend. */
  readonly transactions: CountedTransaction[] = []
  readonly figures: Figures = noFigures()
  readonly deliveries: DeliveryRegister
  /** Oldest first. */
  readonly closes: CountedClose[] = []
  /** Counts up whenever a transaction changed: what was worked out of them is as it was while it stays. */
  revision = 0
  readonly #closed = new Set<BatchClose>()
  /** By order; most orders have one. Made when one is first looked for. */
  #byOrder: Map<string, CountedTransaction | CountedTransaction[]> | null = null

  constructor({ ledgers }: State, listened: readonly LedgerDelivery[]) {
    for (const ledger of ledgers.values())
      for (const transaction of ledger.transactions.values())
        this.transactions.push({ ledger, transaction, contribution: contributionOf(transaction) })
    if (ledgers.size > 1)
      this.transactions.sort((one, other) => Number(one.transaction.id) - Number(other.transaction.id))
    for (const { transaction, contribution } of this.transactions)
      add(this.figures, contribution, transaction.createdAt, 1)
    this.deliveries = new DeliveryRegister(ledgers.values(), listened)
    for (const ledger of ledgers.values())
      for (const close of ledger.closes.values()) this.#enterClose(ledger, close)
    this.closes.sort((one, other) => one.close.closedAt - other.close.closedAt)
  }

  /** Index of the transaction with that id in `transactions`, or the index it would have. */
  indexOf(id: string): number {
    const wanted = Number(id)
    const last = this.transactions.at(-1)
    if (last === undefined || Number(last.transaction.id) < wanted) return this.transactions.length
    let [low, high] = [0, this.transactions.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (Number(this.transactions[middle]?.transaction.id) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The transaction with that id. */
  find(id: string): CountedTransaction | undefined {
    const counted = this.transactions[this.indexOf(id)]
    return counted?.transaction.id === id ? counted : undefined
  }

  /** The transactions of that order, oldest first. */
  ofOrder(orderId: string): readonly CountedTransaction[] {
    if (this.#byOrder === null) {
      this.#byOrder = new Map()
      for (const counted of this.transactions) this.#enterOrder(counted)
    }
    const found = this.#byOrder.get(orderId) ?? []
    return Array.isArray(found) ? found : [found]
  }

  #enterOrder(counted: CountedTransaction): void {
    const { orderId } = counted.transaction
    if (orderId === null || this.#byOrder === null) return
    const known = this.#byOrder.get(orderId)
    if (known === undefined) this.#byOrder.set(orderId, counted)
    else if (Array.isArray(known)) known.push(counted)
    else this.#byOrder.set(orderId, [known, counted])
  }

  /** Counts changed records again. Repeating a change does not alter the sums. */
  update({ ledger, transactions, deliveries, closes }: UncountedChanges): void {
    this.deliveries.update(ledger, deliveries)
    for (const requestId of closes) this.#enterClose(ledger, ledger.closes.get(requestId))
    if (transactions.size > 0) this.revision += 1
    for (const id of transactions) {
      const transaction = ledger.transactions.get(id)
      if (transaction === undefined) continue
      this.#count(ledger, transaction)
      const original = transaction.originalId && ledger.transactions.get(transaction.originalId)
      if (original) this.#count(ledger, original)
    }
  }

  #count(ledger: Ledger, transaction: Transaction): void {
    const index = this.indexOf(transaction.id)
    const contribution = contributionOf(transaction)
    const counted = this.transactions[index]
    if (counted?.transaction === transaction) {
      add(this.figures, counted.contribution, transaction.createdAt, -1)
      counted.contribution = contribution
    } else {
      const added = { ledger, transaction, contribution }
      if (index === this.transactions.length) this.transactions.push(added)
      else this.transactions.splice(index, 0, added)
      this.#enterOrder(added)
    }
    add(this.figures, contribution, transaction.createdAt, 1)
  }

  #enterClose(ledger: Ledger, close: BatchClose | undefined): void {
    if (close === undefined || this.#closed.has(close)) return
    this.#closed.add(close)
    this.closes.push({ ledger, close })
  }
}

/** With more uncounted events than this, no page has asked for long. */
const mostUncounted = 20_000

/**
 * Sums and sorted records for pages. They are built from the whole state when a page first asks. Later changes are
 * only noted, and counted when a page asks again; after too many of them everything is dropped until the next request.
 * assumption: dashboard-figures
 */
export class Statistics {
  readonly #book: () => State
  readonly #listened: () => readonly LedgerDelivery[]
  readonly #limit: number
  #register: TransactionRegister | null = null
  readonly #changes = new Map<Ledger, UncountedChanges>()
  #waiting = 0

  /** `listened`: deliveries of listeners, as they were reported. */
  constructor(
    book: () => State,
    listened: () => readonly LedgerDelivery[] = () => [],
    limit = mostUncounted,
  ) {
    this.#book = book
    this.#listened = listened
    this.#limit = limit
  }

  /** The register with every durable change counted. */
  get current(): TransactionRegister {
    this.#register ??= new TransactionRegister(this.#book(), this.#listened())
    for (const changes of this.#changes.values()) this.#register.update(changes)
    this.#changes.clear()
    this.#waiting = 0
    return this.#register
  }

  /** Notes events that became durable. */
  note(ledger: Ledger, events: readonly Event[]): void {
    if (this.#register === null) return
    const changes = this.#changes.get(ledger) ?? noChanges(ledger)
    this.#changes.set(ledger, changes)
    for (const event of events) addChange(changes, event)
    this.#waiting += events.length
    if (this.#waiting > this.#limit) this.forget()
  }

  /** A listener reported an attempt of that delivery. */
  noteListened(listened: LedgerDelivery): void {
    this.#register?.deliveries.noteListened(listened)
  }

  /** Drops the register: the state was replaced, or no page asks any more. */
  forget(): void {
    this.#register = null
    this.#changes.clear()
    this.#waiting = 0
  }
}
