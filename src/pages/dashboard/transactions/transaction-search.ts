import type { Ledger } from '../../../domain/model/ledger.ts'
import type { CountedTransaction, Statistics } from '../../../views/statistics/statistics.ts'
import { scan } from '../lists/list.tsx'
import type { QueryReader } from '../lists/query.ts'

/** Where a page begins: below an id, above one, or at the newest. */
export interface Cursor {
  readonly before: string | null
  readonly after: string | null
}

/** One page of a search, newest first. */
export interface SearchResult {
  readonly rows: readonly CountedTransaction[]
  /** Cursors of the neighbouring pages; null where there is none. */
  readonly older: string | null
  readonly newer: string | null
  /** The id at which the search reached its limit; it goes on below it, or above it when it goes upwards. */
  readonly stoppedAt: string | null
}

/** Reads the cursor; `before` wins. What is wrong with it joins the reader's problems. */
export function readCursor(reader: QueryReader): Cursor {
  const [before, after] = [reader.position('before'), reader.position('after')]
  return { before, after: before === null ? after : null }
}

/** Transactions in their order, found by id. */
export type Register = Pick<Statistics['current'], 'transactions' | 'indexOf'>

/** Searches from the cursor on, up to the limit. */
export function search(
  register: Register,
  matches: (counted: CountedTransaction) => boolean,
  { before, after }: Cursor,
): SearchResult {
  const { transactions } = register
  const upwards = after !== null
  const start = startOf(register, before, after)
  const { rows, last, isStopped } = scan(transactions, start, upwards ? 1 : -1, matches)
  const idAt = (index: number) => transactions[index]?.transaction.id ?? null
  const [lowest, highest] = upwards ? [start, last] : [last, start]
  const [hasOlder, hasNewer] = [lowest > 0, highest < transactions.length - 1]
  return {
    rows: upwards ? rows.toReversed() : rows,
    older: hasOlder && (upwards || !isStopped) ? idAt(lowest) : null,
    newer: hasNewer && (!upwards || !isStopped) ? idAt(highest) : null,
    stoppedAt: isStopped ? idAt(last) : null,
  }
}

function startOf(register: Register, before: string | null, after: string | null): number {
  const { transactions } = register
  if (before !== null) return register.indexOf(before) - 1
  if (after === null) return transactions.length - 1
  const index = register.indexOf(after)
  return transactions[index]?.transaction.id === after ? index + 1 : index
}

/**
 * The transactions with exactly that id, transaction request id or order, as a register of their own; however old they
 * are, they need no search. Undefined for none.
 */
export function findExactly(
  ledgers: Iterable<Ledger>,
  register: Pick<Statistics['current'], 'find' | 'ofOrder'>,
  text: string,
): Register | undefined {
  const found = new Set(
    [text, text.toUpperCase(), text.toLowerCase()].flatMap((each) => register.ofOrder(each)),
  )
  for (const { transactions, byTransactionRequestId } of ledgers) {
    const transaction = transactions.get(text) ?? byTransactionRequestId.get(text)
    const counted = transaction && register.find(transaction.id)
    if (counted !== undefined) found.add(counted)
  }
  if (found.size === 0) return undefined
  const transactions = [...found].sort(
    (one, other) => Number(one.transaction.id) - Number(other.transaction.id),
  )
  const indexOf = (id: string) => {
    const index = transactions.findIndex(({ transaction }) => Number(transaction.id) >= Number(id))
    return index === -1 ? transactions.length : index
  }
  return { transactions, indexOf }
}
