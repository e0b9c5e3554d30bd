import type { Ledger } from '../../../domain/model/ledger.ts'
import { nextTurn } from '../../../timers.ts'
import type { CountedTransaction, Statistics } from '../../../views/statistics/statistics.ts'
import { pageSize, perTurn, searchLimit } from '../lists/list.tsx'
import type { QueryReader } from '../lists/query.ts'

/** Where a page begins: below an id, above one, or at the newest. */
export interface Cursor {
  readonly before: string | null
  readonly after: string | null
}

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
export function readCursor(reader: QueryReader): Cursor {
  const [before, after] = [reader.position('before'), reader.position('after')]
  return { before, after: before === null ? after : null }
}

/** Transactions in their order, found by id. */
export type Register = Pick<Statistics['current'], 'transactions' | 'indexOf'>

/** Start, direction and maximum length of a walk. */
interface Walk {
  readonly start: number
  readonly step: 1 | -1
  readonly most: number
}

/**
 * Visits transactions one by one, in turns of the event loop, until `look` returns false. It follows ids, so new
 * transactions do not affect it. Resolves to the index of the last visited one, or of the one before the first.
 */
export async function walk(
  register: Register,
  { start, step, most }: Walk,
  look: (counted: CountedTransaction) => boolean,
): Promise<number> {
  let index = start
  for (let looked = 1; looked <= most; looked++) {
    const counted = register.transactions[index]
    if (counted === undefined) return index - step
    if (!look(counted)) return index
    if (looked % perTurn === 0) {
      await nextTurn()
      index = register.indexOf(counted.id)
    }
    index += step
  }
  return index - step
}

/** Searches from the cursor on, up to the limit. */
export async function search(
  register: Register,
  matches: (counted: CountedTransaction) => boolean,
  { before, after }: Cursor,
): Promise<SearchResult> {
  const { transactions } = register
  const step = after === null ? -1 : 1
  const begin = startOf(register, before, after)
  const firstId = transactions[begin]?.id
  const rows: CountedTransaction[] = []
  const last = await walk(register, { start: begin, step, most: searchLimit }, (counted) => {
    if (matches(counted)) rows.push(counted)
    return rows.length < pageSize
  })
  const start = firstId === undefined ? begin : register.indexOf(firstId)
  const isStopped = transactions[last + step] !== undefined && rows.length < pageSize
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
    const id = transactions.has(text) ? text : transactions.idWithTransactionRequestId(text)
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
