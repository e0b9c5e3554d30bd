import type { Status } from '../../contract/statuses.ts'
import { RowIndex } from '../../text/row-index.ts'
import type { Transaction } from './transaction.ts'

/** Consecutive transactions in their stored form. */
export interface StoredTransactions {
  /** All transactions of the block in order; new objects on each call. */
  read(): readonly Transaction[]
}

/** Facts about a block's transactions that need no parsing, each list in the order of the block. */
export interface StoredFacts {
  readonly ids: readonly string[]
  readonly transactionRequestIds: readonly string[]
  /** Null for one without a hosted page. */
  readonly sessionIds: readonly (string | null)[]
  /** Null when nothing is due. */
  readonly wakeTimes: readonly (number | null)[]
  readonly statuses: readonly Status[]
}

/**
 * Number of transactions taken from a block at which all others become objects too: each take may read the whole block
 * again, which costs half a millisecond.
 */
const mostTaken = 4

/** Most blocks that stay in memory after a read: a few more than the search of one page needs. */
const mostRead = 50

/** A block, and the position of its first transaction. */
interface StoredBlock {
  readonly stored: StoredTransactions
  readonly begin: number
  /** The number of transactions taken from the block; 0: it is as it was stored. */
  taken: number
}

/**
 * The transactions of a merchant, in the order of opening. Those of a snapshot stay in stored form until they are used:
 * otherwise each garbage collection would visit a million objects, which slows down every request.
 * docs/decisions.md#design
 */
export class Transactions {
  readonly #blocks: StoredBlock[] = []
  /** Number of transactions in blocks. */
  #inBlocks = 0
  /** Number of transactions by status that are still in stored form. */
  readonly #storedByStatus = new Map<Status, number>()
  /** Rows of blocks, by each of their keys. */
  readonly #rows = new RowIndex()
  /** Transactions opened since, or stored one by one. */
  readonly #added: Transaction[] = []
  /** Transactions that are objects: added, or taken from their block. */
  readonly #byId = new Map<string, Transaction>()
  readonly #byTransactionRequestId = new Map<string, Transaction>()
  readonly #bySessionId = new Map<string, Transaction>()
  /** The last blocks read, the earliest first: reads of the same block tend to follow each other. */
  readonly #lookedIn = new Map<StoredBlock, readonly Transaction[]>()
  #greatestId = ''

  /** The greatest id; empty without transactions. */
  get greatestId(): string {
    return this.#greatestId
  }

  /**
   * True for an id greater than every one here. Ids are compared as texts, which is faster: they are whole numbers
   * without leading zeros.
   */
  isGreaterThanAll(id: string): boolean {
    const { length } = this.#greatestId
    return id.length > length || (id.length === length && id > this.#greatestId)
  }

  get size(): number {
    return this.#inBlocks + this.#added.length
  }

  /** The transaction with that id, to read or to change; it becomes an object. */
  get(id: string): Transaction | undefined {
    return this.#byId.get(id) ?? this.#take(id, idOf)
  }

  /** The transaction with that id, read-only; a stored one stays stored. */
  read(id: string): Readonly<Transaction> | undefined {
    return this.#byId.get(id) ?? this.#find(id, idOf)
  }

  has(id: string): boolean {
    return this.read(id) !== undefined
  }

  /** The transaction that this transactionRequestId opened. */
  withTransactionRequestId(transactionRequestId: string): Transaction | undefined {
    return (
      this.#byTransactionRequestId.get(transactionRequestId) ??
      this.#take(transactionRequestId, transactionRequestIdOf)
    )
  }

  /** The id of the transaction that this transactionRequestId opened; a stored one stays stored. */
  idWithTransactionRequestId(transactionRequestId: string): string | undefined {
    return (
      this.#byTransactionRequestId.get(transactionRequestId) ??
      this.#find(transactionRequestId, transactionRequestIdOf)
    )?.id
  }

  /** The transaction of a hosted page. */
  ofSession(sessionId: string): Transaction | undefined {
    return this.#bySessionId.get(sessionId) ?? this.#take(sessionId, sessionIdOf)
  }

  /** The id of the transaction of a hosted page; a stored one stays stored. */
  idOfSession(sessionId: string): string | undefined {
    return (this.#bySessionId.get(sessionId) ?? this.#find(sessionId, sessionIdOf))?.id
  }

  /** All transactions, read-only, oldest first, including those added during the iteration. */
  *[Symbol.iterator](): Generator<Readonly<Transaction>, undefined> {
    for (const block of this.#blocks) yield* this.#current(block, this.#all(block))
    yield* this.#added
  }

  /** All current transactions, read-only, newest first. */
  *newest(): Generator<Readonly<Transaction>, undefined> {
    for (let index = this.#added.length - 1; index >= 0; index--) yield this.#added[index] as Transaction
    for (const block of this.#blocks.toReversed()) yield* this.#current(block, this.#all(block).toReversed())
  }

  /** All transactions that are objects. Every transaction with a due event is: it is taken when its block is added. */
  inMemory(): Iterable<Transaction> {
    return this.#byId.values()
  }

  /** The transactions of a snapshot: an unchanged block in stored form, otherwise its current transactions. */
  *stored(): Generator<StoredTransactions | readonly Transaction[]> {
    for (const block of this.#blocks)
      yield block.taken === 0 ? block.stored : [...this.#current(block, this.#all(block))]
  }

  /** Transactions outside blocks. */
  get added(): readonly Transaction[] {
    return this.#added
  }

  /** The number of transactions of each status. */
  countByStatus(): Map<Status, number> {
    const counts = new Map(this.#storedByStatus)
    for (const { status } of this.#byId.values()) counts.set(status, (counts.get(status) ?? 0) + 1)
    return counts
  }

  /** Adds a new transaction. */
  add(transaction: Transaction): void {
    this.#added.push(transaction)
    this.#noteId(transaction.id)
    this.#enter(transaction)
  }

  /** Adds a block of a snapshot. */
  addStored(stored: StoredTransactions, facts: StoredFacts): void {
    if (this.#added.length > 0) {
      for (const transaction of stored.read()) this.add(transaction) // blocks come first
      return
    }
    const { ids, transactionRequestIds, sessionIds, wakeTimes, statuses } = facts
    const begin = this.#inBlocks
    this.#blocks.push({ stored, begin, taken: 0 })
    this.#inBlocks += ids.length
    for (const [index, id] of ids.entries()) {
      this.#noteId(id)
      this.#rows.add(id, begin + index)
      this.#rows.add(transactionRequestIds[index] as string, begin + index)
    }
    for (const status of statuses) this.#countStored(status, 1)
    for (const [index, id] of sessionIds.entries()) if (id !== null) this.#rows.add(id, begin + index)
    for (const [index, wakeAt] of wakeTimes.entries()) if (wakeAt !== null) this.get(ids[index] as string)
  }

  #noteId(id: string): void {
    if (this.isGreaterThanAll(id)) this.#greatestId = id
  }

  #enter(transaction: Transaction): void {
    this.#byId.set(transaction.id, transaction)
    this.#byTransactionRequestId.set(transaction.transactionRequestId, transaction)
    const sessionId = sessionIdOf(transaction)
    if (sessionId != null) this.#bySessionId.set(sessionId, transaction)
  }

  #countStored(status: Status, sign: 1 | -1): void {
    this.#storedByStatus.set(status, (this.#storedByStatus.get(status) ?? 0) + sign)
  }

  #take(key: string, keyOf: KeyOf): Transaction | undefined {
    const row = this.#rowOf(key, keyOf)
    if (row === undefined) return undefined
    const block = this.#blockOf(row)
    const transactions = this.#readBlock(block)
    const transaction = transactions[row - block.begin] as Transaction
    block.taken += 1
    for (const each of block.taken < mostTaken ? [transaction] : transactions) {
      if (this.#byId.has(each.id)) continue
      this.#countStored(each.status, -1)
      this.#enter(each)
    }
    return transaction
  }

  /** Finds a stored transaction by a key, read-only. */
  #find(key: string, keyOf: KeyOf): Transaction | undefined {
    const row = this.#rowOf(key, keyOf)
    return row === undefined ? undefined : this.#at(row)
  }

  /** The row in the blocks of the transaction with that key. */
  #rowOf(key: string, keyOf: KeyOf): number | undefined {
    if (this.#blocks.length === 0) return undefined
    return this.#rows.find(key, (row) => keyOf(this.#at(row)) === key)
  }

  #at(row: number): Transaction {
    const block = this.#blockOf(row)
    return this.#readBlock(block)[row - block.begin] as Transaction
  }

  #blockOf(row: number): StoredBlock {
    let [low, high] = [0, this.#blocks.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#blocks[middle] as StoredBlock).begin <= row) low = middle
      else high = middle - 1
    }
    return this.#blocks[low] as StoredBlock
  }

  /** The current transactions of a block, looked up one by one, as some may be taken during the iteration. */
  *#current(block: StoredBlock, transactions: readonly Transaction[]): Generator<Transaction, undefined> {
    for (const each of transactions) yield block.taken === 0 ? each : (this.#byId.get(each.id) ?? each)
  }

  /** Like `#readBlock`, for reading a whole block: the result is not cached. */
  #all(block: StoredBlock): readonly Transaction[] {
    return this.#lookedIn.get(block) ?? block.stored.read()
  }

  /** The transactions of a block as stored; those taken from this read are the current objects. */
  #readBlock(block: StoredBlock): readonly Transaction[] {
    const known = this.#lookedIn.get(block)
    if (known !== undefined) return known
    const transactions = block.stored.read()
    this.#lookedIn.set(block, transactions)
    const [first] = this.#lookedIn.keys()
    if (this.#lookedIn.size > mostRead && first !== undefined) this.#lookedIn.delete(first)
    return transactions
  }
}

type KeyOf = (transaction: Transaction) => string | null | undefined

const idOf: KeyOf = ({ id }) => id
const transactionRequestIdOf: KeyOf = ({ transactionRequestId }) => transactionRequestId
const sessionIdOf: KeyOf = ({ online }) => online?.sessionId
