import type { Ledger } from '../../../domain/model/ledger.ts'
import type { CountedTransaction } from '../../../views/statistics/counted-transaction.ts'
import type { Register } from '../../../views/statistics/filter-survey.ts'
import type { Statistics } from '../../../views/statistics/statistics.ts'
import { type Cursor, scan } from '../lists/list-page.tsx'
import type { QueryReader } from '../lists/list-query.ts'

/** One page of a search, newest first. */
export interface SearchResult {
  readonly rows: readonly CountedTransaction[]
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

/** Searches from the cursor on, up to the limit, or until `most` are found. It goes by ids: what is stored meanwhile moves nothing. */
export async function search(
  register: Register,
  matches: (counted: CountedTransaction) => boolean,
  { before, after = null }: Cursor,
  most?: number,
): Promise<SearchResult> {
  const { transactions } = register
  const step = after === null ? -1 : 1
  const begin = startOf(register, before, after)
  const firstId = transactions[begin]?.id
  const indexOf = ({ id }: CountedTransaction) => register.indexOf(id)
  const { rows, last, isStopped } = await scan(transactions, begin, step, matches, indexOf, most)
  const start = firstId === undefined ? begin : register.indexOf(firstId)
  const idAt = (index: number) => transactions[index]?.id ?? null
  const [lowest, highest] = step === 1 ? [start, last] : [last, start]
  const [hasOlder, hasNewer] = [lowest > 0, highest < transactions.length - 1]
  return {
    rows: step === 1 ? rows.toReversed() : rows,
    older: hasOlder && (step === 1 || !isStopped) ? idAt(lowest) : null,
    newer: hasNewer && (step === -1 || !isStopped) ? idAt(highest) : null,
    stoppedAt: isStopped ? idAt(last) : null,
  }
}

function startOf(register: Register, before: string | null, after: string | null): number {
  const { transactions } = register
  if (before !== null) return register.indexOf(before) - 1
  if (after === null) return transactions.length - 1
  const index = register.indexOf(after)
  return transactions[index]?.id === after ? index + 1 : index
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
  for (const { transactions } of ledgers) {
    const id = (transactions.get(text) ?? transactions.withTransactionRequestId(text))?.id
    const counted = id === undefined ? undefined : register.find(id)
    if (counted !== undefined) found.add(counted)
  }
  if (found.size === 0) return undefined
  const transactions = [...found].sort((one, other) => Number(one.id) - Number(other.id))
  const indexOf = (id: string) => {
    const index = transactions.findIndex((each) => Number(each.id) >= Number(id))
    return index === -1 ? transactions.length : index
  }
  return { transactions, indexOf }
}
