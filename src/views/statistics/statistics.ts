import type { Event } from '../../domain/events.ts'
import type { BatchClose, Ledger } from '../../domain/ledger.ts'
import type { Book } from '../../domain/state.ts'
import type { Transaction } from '../../domain/transaction.ts'
import { DeliveryRegister } from './delivery-register.ts'
import { add, type Figures, noFigures } from './figures.ts'
import { type Share, shareOf } from './contribution.ts'

/** A transaction, whose it is, and what it was counted with. */
export interface Counted {
  readonly ledger: Ledger
  readonly transaction: Transaction
  share: Share
}

/** A close and whose it is. */
export interface KnownClose {
  readonly ledger: Ledger
  readonly close: BatchClose
}

/** What events were about since it was last counted. */
interface Touched {
  readonly ledger: Ledger
  readonly transactions: Set<string>
  /** Numbers of deliveries. */
  readonly deliveries: Set<number>
  /** Request ids of closes. */
  readonly closes: Set<string>
}

const nothingTouched = (ledger: Ledger): Touched => ({
  ledger,
  transactions: new Set(),
  deliveries: new Set(),
  closes: new Set(),
})

function touch({ transactions, deliveries, closes }: Touched, event: Event): void {
  if (event.type === 'batch-closed') closes.add(event.requestId)
  else if (event.type === 'delivery-attempted' || event.type === 'delivery-again')
    deliveries.add(event.number)
  else if ('id' in event) transactions.add(event.id)
}

/** The state in the order in which it came about, with its sums: what pages ask for without a scan. */
class Register {
  /** Oldest first; ids ascend. */
  readonly transactions: Counted[] = []
  readonly figures: Figures = noFigures()
  readonly deliveries: DeliveryRegister
  /** Oldest first. */
  readonly closes: KnownClose[] = []
  readonly #closed = new Set<BatchClose>()

  constructor({ ledgers }: Book) {
    for (const ledger of ledgers.values())
      for (const transaction of ledger.transactions.values())
        this.transactions.push({ ledger, transaction, share: shareOf(transaction) })
    if (ledgers.size > 1)
      this.transactions.sort((one, other) => Number(one.transaction.id) - Number(other.transaction.id))
    for (const { transaction, share } of this.transactions) add(this.figures, share, transaction.createdAt, 1)
    this.deliveries = new DeliveryRegister(ledgers.values())
    for (const ledger of ledgers.values())
      for (const close of ledger.closes.values()) this.#enterClose(ledger, close)
    this.closes.sort((one, other) => one.close.closedAt - other.close.closedAt)
  }

  /** Where the transaction of that id stands, or would stand, in `transactions`. */
  placeOf(id: string): number {
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

  /** The transaction of that id. */
  find(id: string): Counted | undefined {
    const counted = this.transactions[this.placeOf(id)]
    return counted?.transaction.id === id ? counted : undefined
  }

  /** Counts anew what was touched. To be told twice of the same comes to the same. */
  take({ ledger, transactions, deliveries, closes }: Touched): void {
    this.deliveries.take(ledger, deliveries)
    for (const requestId of closes) this.#enterClose(ledger, ledger.closes.get(requestId))
    for (const id of transactions) {
      const transaction = ledger.transactions.get(id)
      if (transaction === undefined) continue
      this.#count(ledger, transaction)
      const original = transaction.originalId && ledger.transactions.get(transaction.originalId)
      if (original) this.#count(ledger, original)
    }
  }

  #count(ledger: Ledger, transaction: Transaction): void {
    const place = this.placeOf(transaction.id)
    const share = shareOf(transaction)
    const counted = this.transactions[place]
    if (counted?.transaction === transaction) {
      add(this.figures, counted.share, transaction.createdAt, -1)
      counted.share = share
    } else if (place === this.transactions.length) this.transactions.push({ ledger, transaction, share })
    else this.transactions.splice(place, 0, { ledger, transaction, share })
    add(this.figures, share, transaction.createdAt, 1)
  }

  #enterClose(ledger: Ledger, close: BatchClose | undefined): void {
    if (close === undefined || this.#closed.has(close)) return
    this.#closed.add(close)
    this.closes.push({ ledger, close })
  }
}

/** So much may be waiting to be counted; with more, nobody has looked for long. */
const mostTouched = 20_000

/**
 * Sums and orders for pages. Nothing is kept until a page asks for it; then it is made of the whole state, once. What
 * becomes durable after that is only remembered, and counted when a page asks again, until nobody has asked for long.
 * assumption: dashboard-figures
 */
export class Statistics {
  readonly #book: () => Book
  readonly #limit: number
  #register: Register | null = null
  readonly #touched = new Map<Ledger, Touched>()
  #waiting = 0

  constructor(book: () => Book, limit = mostTouched) {
    this.#book = book
    this.#limit = limit
  }

  /** How things are now. */
  get now(): Register {
    this.#register ??= new Register(this.#book())
    for (const touched of this.#touched.values()) this.#register.take(touched)
    this.#touched.clear()
    this.#waiting = 0
    return this.#register
  }

  /** Events became durable. */
  note(ledger: Ledger, events: readonly Event[]): void {
    if (this.#register === null) return
    const touched = this.#touched.get(ledger) ?? nothingTouched(ledger)
    this.#touched.set(ledger, touched)
    for (const event of events) touch(touched, event)
    this.#waiting += events.length
    if (this.#waiting > this.#limit) this.forget()
  }

  /** The whole state was replaced, or nobody looks any more. */
  forget(): void {
    this.#register = null
    this.#touched.clear()
    this.#waiting = 0
  }
}
