import type { Status } from '../../contract/statuses.ts'
import type { Transaction } from './transaction.ts'

/** The transactions of a merchant, in the order of opening. */
export class Transactions {
  readonly #byId = new Map<string, Transaction>()
  readonly #byTransactionRequestId = new Map<string, Transaction>()
  readonly #bySessionId = new Map<string, Transaction>()
  readonly #inOrder: Transaction[] = []
  #greatestId = ''

  /** The greatest id; empty without transactions. */
  get greatestId(): string {
    return this.#greatestId
  }

  /**
   * True for an id greater than every one here. Ids are compared as texts: they are whole numbers without
   * leading zeros.
   */
  isGreaterThanAll(id: string): boolean {
    const { length } = this.#greatestId
    return id.length > length || (id.length === length && id > this.#greatestId)
  }

  get size(): number {
    return this.#inOrder.length
  }

  get(id: string): Transaction | undefined {
    return this.#byId.get(id)
  }

  has(id: string): boolean {
    return this.#byId.has(id)
  }

  /** The transaction that this transactionRequestId opened. */
  withTransactionRequestId(transactionRequestId: string): Transaction | undefined {
    return this.#byTransactionRequestId.get(transactionRequestId)
  }

  /** The transaction of a hosted page. */
  ofSession(sessionId: string): Transaction | undefined {
    return this.#bySessionId.get(sessionId)
  }

  /** All transactions, oldest first, including those added during the iteration. */
  [Symbol.iterator](): ArrayIterator<Transaction> {
    return this.#inOrder.values()
  }

  /** All current transactions, newest first. */
  *newest(): Generator<Transaction, undefined> {
    for (let index = this.#inOrder.length - 1; index >= 0; index--) yield this.#inOrder[index] as Transaction
  }

  /** Those after the first `count`. */
  since(count: number): readonly Transaction[] {
    return this.#inOrder.slice(count)
  }

  countByStatus(): Map<Status, number> {
    const counts = new Map<Status, number>()
    for (const { status } of this.#inOrder) counts.set(status, (counts.get(status) ?? 0) + 1)
    return counts
  }

  add(transaction: Transaction): void {
    const { id, transactionRequestId, online } = transaction
    if (this.isGreaterThanAll(id)) this.#greatestId = id
    this.#inOrder.push(transaction)
    this.#byId.set(id, transaction)
    this.#byTransactionRequestId.set(transactionRequestId, transaction)
    if (online?.sessionId != null) this.#bySessionId.set(online.sessionId, transaction)
  }
}
