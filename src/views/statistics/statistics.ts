import type { Event } from '../../domain/model/events.ts'
import type { BatchClose, Ledger } from '../../domain/model/ledger.ts'
import { allNumbers } from '../../domain/model/outbox.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { State } from '../../domain/state.ts'
import { atOnce, inTurns } from '../event-loop-turns.ts'
import { type Counter, sharedContributions } from './contribution.ts'
import { CountedTransaction } from './counted-transaction.ts'
import { DeliveryRegister } from './delivery-register.ts'
import { Surveys } from './filter-survey.ts'
import { inOrder } from './in-order.ts'
import { Timeline } from './timeline.ts'

/** A batch close and its ledger. */
export interface CountedClose {
  readonly ledger: Ledger
  readonly close: BatchClose
}

/** Changed records of one ledger that are not counted yet. */
interface UncountedChanges {
  readonly ledger: Ledger
  readonly transactions: Set<string>
  /** Numbers of deliveries. */
  readonly deliveries: Set<number>
  /** Transaction request ids of closes. */
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
    for (const number of allNumbers(event)) deliveries.add(number)
  else if ('id' in event) transactions.add(event.id)
}

/** Records that are counted in one turn of the event loop. */
const recordsPerTurn = 500

/** Number of the latest changes that are known one by one. */
const mostRecent = 10_000

/** Transactions, deliveries and closes in their order, with their sums: pages read them without a scan. */
class TransactionRegister {
  /** Oldest first; ids ascend. */
  readonly transactions: CountedTransaction[] = []
  /** Sums at the times of opening. */
  readonly figures = new Timeline<Counter>()
  readonly deliveries = new DeliveryRegister()
  /** Oldest first. */
  readonly closes: CountedClose[] = []
  /** Incremented whenever a transaction changes: results are valid while it is the same. */
  revision = 0
  readonly surveys = new Surveys(this)
  /** The latest that changed, up to that revision. */
  readonly #recent: CountedTransaction[] = []
  readonly #closed = new Set<BatchClose>()
  readonly #byOrder = new Map<string, CountedTransaction[]>()
  readonly #contributionOf = sharedContributions()

  /** What changed after a revision, in its order; undefined where that is too long ago. */
  changedSince(revision: number): readonly CountedTransaction[] | undefined {
    const from = this.#recent.length - (this.revision - revision)
    return from < 0 ? undefined : this.#recent.slice(from)
  }

  /** Counts the whole state, a part with each step. What changes between the steps has to be counted again. */
  *fill({ ledgers }: State): Generator<void> {
    for (const { ledger, transaction } of inOrder(ledgers.values())) {
      const counted = new CountedTransaction(ledger, transaction.id, this.#contributionOf(transaction))
      this.figures.add(transaction.createdAt, counted.contribution)
      this.#addToOrder(transaction.orderId, counted)
      if (this.transactions.push(counted) % recordsPerTurn === 0) yield
    }
    yield* this.deliveries.fill(ledgers.values(), recordsPerTurn)
    for (const ledger of ledgers.values())
      for (const close of ledger.closes.values()) this.#enterClose(ledger, close)
    this.closes.sort((one, other) => one.close.closedAt - other.close.closedAt)
  }

  /** Index of the transaction with that id in `transactions`, or the index it would have. */
  indexOf(id: string): number {
    const wanted = Number(id)
    const last = this.transactions.at(-1)
    if (last === undefined || Number(last.id) < wanted) return this.transactions.length
    let [low, high] = [0, this.transactions.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (Number(this.transactions[middle]?.id) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The transaction with that id. */
  find(id: string): CountedTransaction | undefined {
    const counted = this.transactions[this.indexOf(id)]
    return counted?.id === id ? counted : undefined
  }

  /** The transactions of that order, oldest first. */
  ofOrder(orderId: string): readonly CountedTransaction[] {
    return this.#byOrder.get(orderId) ?? []
  }

  /** Counts changed records again, some with each step, and takes them from the changes. Repeating a change does not alter the sums. */
  *update({ ledger, transactions, deliveries, closes }: UncountedChanges): Generator<void> {
    this.deliveries.update(ledger, deliveries)
    deliveries.clear()
    for (const transactionRequestId of closes)
      this.#enterClose(ledger, ledger.closes.get(transactionRequestId))
    closes.clear()
    let counted = 0
    for (const id of transactions) {
      transactions.delete(id)
      for (const transaction of withOriginals(ledger, id)) this.#count(ledger, transaction)
      counted += 1
      if (counted % recordsPerTurn === 0) yield
    }
  }

  #count(ledger: Ledger, transaction: Transaction): void {
    const index = this.indexOf(transaction.id)
    const contribution = this.#contributionOf(transaction)
    let counted = this.transactions[index]
    if (counted?.id === transaction.id) {
      this.figures.add(transaction.createdAt, counted.contribution, -1)
      counted.contribution = contribution
    } else {
      counted = new CountedTransaction(ledger, transaction.id, contribution)
      if (index === this.transactions.length) this.transactions.push(counted)
      else this.transactions.splice(index, 0, counted)
      this.#addToOrder(transaction.orderId, counted)
    }
    this.figures.add(transaction.createdAt, contribution)
    this.#noteChange(counted)
  }

  #addToOrder(orderId: string | null, counted: CountedTransaction): void {
    if (orderId === null) return
    const known = this.#byOrder.get(orderId)
    if (known === undefined) this.#byOrder.set(orderId, [counted])
    else known.push(counted)
  }

  #noteChange(counted: CountedTransaction): void {
    this.revision += 1
    if (this.#recent.push(counted) === 2 * mostRecent) this.#recent.splice(0, mostRecent)
  }

  #enterClose(ledger: Ledger, close: BatchClose | undefined): void {
    if (close === undefined || this.#closed.has(close)) return
    this.#closed.add(close)
    this.closes.push({ ledger, close })
  }
}

/** A transaction and its originals: an action on a refund also changes its payment. */
function* withOriginals(ledger: Ledger, id: string): Generator<Transaction> {
  for (
    let transaction = ledger.transactions.get(id);
    transaction !== undefined;
    transaction = ledger.transactions.get(transaction.originalId ?? '')
  )
    yield transaction
}

/** With more uncounted events than this, no page has asked for long. */
const mostUncounted = 20_000

/** A register that is being filled; `filled` resolves when it is, or is not wanted any more. */
interface NextRegister {
  readonly register: TransactionRegister
  readonly filled: Promise<void>
}

/**
 * Sums and sorted records for pages. They are built from the whole state when a page first asks. Later changes are
 * only noted, and counted when a page asks again; after too many of them everything is dropped until the next request.
 * assumption: dashboard-list
 */
export class Statistics {
  readonly #book: () => State
  readonly #limit: number
  #register: TransactionRegister | null = null
  /** The register that is being filled. */
  #next: NextRegister | null = null
  readonly #changes = new Map<Ledger, UncountedChanges>()
  #waiting = 0

  constructor(book: () => State, limit = mostUncounted) {
    this.#book = book
    this.#limit = limit
  }

  /** The register with every durable change counted. Work that `prepare` did not do is done immediately. */
  get current(): TransactionRegister {
    const register = this.#register ?? this.#fillAtOnce()
    atOnce(this.#countChanges(register))
    return register
  }

  /** Builds the register, and counts the changes, in turns of the event loop: payments go on meanwhile. */
  async prepare(): Promise<void> {
    while (this.#register === null) await (this.#next ?? this.#fill()).filled
    const register: TransactionRegister = this.#register
    await inTurns(this.#countChanges(register), () => this.#register === register)
  }

  #fillAtOnce(): TransactionRegister {
    const register = new TransactionRegister()
    atOnce(register.fill(this.#book()))
    return this.#begin(register)
  }

  #fill(): NextRegister {
    const register = new TransactionRegister()
    const isWanted = () => this.#next?.register === register
    const filling = async () => {
      await null // until it is known as the next one
      await inTurns(register.fill(this.#book()), isWanted)
      if (isWanted()) this.#begin(register)
    }
    this.#next = { register, filled: filling() }
    return this.#next
  }

  #begin(register: TransactionRegister): TransactionRegister {
    this.#register = register
    this.#next = null
    return register
  }

  *#countChanges(register: TransactionRegister): Generator<void> {
    this.#waiting = 0
    for (const changes of this.#changes.values()) yield* register.update(changes)
  }

  /** Notes events that became durable. */
  note(ledger: Ledger, events: readonly Event[]): void {
    if (this.#register === null && this.#next === null) return
    const changes = this.#changes.get(ledger) ?? noChanges(ledger)
    this.#changes.set(ledger, changes)
    for (const event of events) addChange(changes, event)
    this.#waiting += events.length
    if (this.#waiting > this.#limit && this.#register !== null) this.forget()
  }

  /** Drops the register: the state was replaced, or no page asks any more. */
  forget(): void {
    this.#register = null
    this.#next = null
    this.#changes.clear()
    this.#waiting = 0
  }
}
