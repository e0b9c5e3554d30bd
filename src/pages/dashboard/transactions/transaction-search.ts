import type { Ledger } from '../../../domain/model/ledger.ts'
import { indexOf, type Register, type TransactionList } from '../../../views/statistics/statistics.ts'
import type { OwnedTransaction } from '../../../views/transaction-text.ts'
import { type Cursor, scan } from '../lists/list-page.tsx'
import type { QueryReader } from '../lists/list-query.ts'

/** One page of a search, newest first. */
export interface SearchResult {
  readonly rows: readonly OwnedTransaction[]
  /** Cursors of the neighbouring pages; null when there is none. */
  readonly older: string | null
  readonly newer: string | null
  /** The id at which the search reached its limit; it goes on below it, or above it when it goes upwards. */
  readonly stoppedAt: string | null
}

/** Reads the cursor; `before` wins. Errors are added to the reader's problems. */
export function readCursor(reader: QueryReader): Required<Cursor> {
  const [before, after] = [reader.position('before'), reader.position('after')]
  return { before, after: before === null ? after : null }
}

/** Searches from the cursor on, up to the limit, or until `most` are found. */
export async function search(
  list: TransactionList,
  matches: (owned: OwnedTransaction) => boolean,
  { before, after = null }: Cursor,
  most?: number,
): Promise<SearchResult> {
  const { transactions } = list
  const step = after === null ? -1 : 1
  const start = startOf(list, before, after)
  const { rows, last, isStopped } = await scan(transactions, start, step, matches, most)
  const idAt = (index: number) => transactions[index]?.transaction.id ?? null
  const [lowest, highest] = step === 1 ? [start, last] : [last, start]
  const [hasOlder, hasNewer] = [lowest > 0, highest < transactions.length - 1]
  return {
    rows: step === 1 ? rows.toReversed() : rows,
    older: hasOlder && (step === 1 || !isStopped) ? idAt(lowest) : null,
    newer: hasNewer && (step === -1 || !isStopped) ? idAt(highest) : null,
    stoppedAt: isStopped ? idAt(last) : null,
  }
}

function startOf(list: TransactionList, before: string | null, after: string | null): number {
  const { transactions } = list
  if (before !== null) return indexOf(list, before) - 1
  if (after === null) return transactions.length - 1
  const index = indexOf(list, after)
  return transactions[index]?.transaction.id === after ? index + 1 : index
}

/**
 * The transactions with exactly that id, transaction request id or order, as a list of their own; however old they
 * are, they need no search. Undefined for none.
 */
export function findExactly(
  ledgers: Iterable<Ledger>,
  register: Pick<Register, 'find' | 'ofOrder'>,
  text: string,
): TransactionList | undefined {
  const found = new Set(
    [text, text.toUpperCase(), text.toLowerCase()].flatMap((each) => register.ofOrder(each)),
  )
  for (const { transactions } of ledgers) {
    const id = (transactions.get(text) ?? transactions.withTransactionRequestId(text))?.id
    const owned = id === undefined ? undefined : register.find(id)
    if (owned !== undefined) found.add(owned)
  }
  if (found.size === 0) return undefined
  const transactions = [...found].sort(
    (one, other) => Number(one.transaction.id) - Number(other.transaction.id),
  )
  return { transactions }
}
