import type { Ledger } from '../../../domain/ledger.ts'
import type { Transaction } from '../../../domain/transaction.ts'
import type { CountedTransaction } from '../../../views/statistics/statistics.ts'
import { placeIn } from '../lists/paging.ts'

/** Rows of one page. */
export const pageSize = 25

/** So many transactions a search looks at before it asks whether to go on. assumption: dashboard-list */
export const searchLimit = 5_000

/** Where a page begins: below an id, above one, or at the newest. */
export interface Cursor {
  readonly before: string | null
  readonly after: string | null
}

/** One page of a search, newest first. */
export interface Found {
  readonly rows: readonly CountedTransaction[]
  /** Cursors of the pages beside it; null where there is none. */
  readonly older: string | null
  readonly newer: string | null
  /** The id at which the search stopped for having looked long enough; it goes on below (or above) it. */
  readonly stoppedAt: string | null
}

/** The part of the query that says where a page begins; what is wrong with it is said in `problems`. */
export function cursorOf(query: Readonly<Record<string, string>>, problems: string[]): Cursor {
  const before = placeIn(query, 'before', problems)
  const after = placeIn(query, 'after', problems)
  return { before, after: before === null ? after : null }
}

interface Ordered {
  /** Oldest first. */
  readonly transactions: readonly CountedTransaction[]
  indexOf(id: string): number
}

/** Looks through the transactions from the cursor on, and at no more than the limit. */
export function search(
  register: Ordered,
  fits: (counted: CountedTransaction) => boolean,
  { before, after }: Cursor,
  limit = searchLimit,
): Found {
  const { transactions } = register
  const upwards = after !== null
  const step = upwards ? 1 : -1
  const start = startOf(register, before, after)
  const rows: CountedTransaction[] = []
  let place = start
  let looked = 0
  for (; looked < limit && rows.length < pageSize; place += step, looked++) {
    const counted = transactions[place]
    if (counted === undefined) break
    if (fits(counted)) rows.push(counted)
  }
  const more = transactions[place] !== undefined
  const stopped = more && rows.length < pageSize
  const idAt = (at: number) => transactions[at]?.transaction.id ?? null
  const last = place - step
  if (upwards) rows.reverse()
  const [lowest, highest] = upwards ? [start, last] : [last, start]
  return {
    rows,
    older: (upwards ? start > 0 : more && !stopped) ? idAt(lowest) : null,
    newer: (upwards ? more && !stopped : start < transactions.length - 1) ? idAt(highest) : null,
    stoppedAt: stopped ? idAt(last) : null,
  }
}

function startOf(register: Ordered, before: string | null, after: string | null): number {
  const { transactions } = register
  if (before !== null) return register.indexOf(before) - 1
  if (after === null) return transactions.length - 1
  const place = register.indexOf(after)
  return transactions[place]?.transaction.id === after ? place + 1 : place
}

/** The transaction whose id, or request id, is just that text: however old it is, no search is needed. */
export function exactly(ledgers: Iterable<Ledger>, text: string): Transaction | undefined {
  for (const { transactions, byRequestId } of ledgers) {
    const found = transactions.get(text) ?? byRequestId.get(text)
    if (found !== undefined) return found
  }
  return undefined
}
