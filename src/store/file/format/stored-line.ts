import { sharedTimeline } from '../../../domain/model/timeline.ts'
import type { Timeline, Transaction } from '../../../domain/model/transaction.ts'
import type { StoredFacts, StoredTransactions } from '../../../domain/model/transactions.ts'
import { type Columns, recordsFrom, valuesOf } from './columns.ts'

/** A snapshot line with transactions as columns: kept as bytes, and parsed when one of them is read. */
export class StoredLine implements StoredTransactions {
  /** `bytes`: the line with its checksum, without its newline, sound. */
  constructor(readonly bytes: Buffer) {}

  read(): readonly Transaction[] {
    const { transactions: columns } = JSON.parse(this.bytes.toString('utf8'))
    const transactions = recordsFrom<Transaction>(columns)
    shareTimelines(transactions)
    return transactions
  }
}

/** Facts about the transactions of a line, collected while it is parsed. */
export const storedFacts = (columns: Columns<Transaction>): StoredFacts => ({
  ids: valuesOf(columns, 'id'),
  transactionRequestIds: valuesOf(columns, 'transactionRequestId'),
  sessionIds: valuesOf(columns, 'online').map((online) => online?.sessionId ?? null),
  wakeTimes: valuesOf(columns, 'wakeAt'),
  statuses: valuesOf(columns, 'status'),
})

/** Equal timelines are already one object within the line; shares them with other lines. */
function shareTimelines(transactions: readonly Transaction[]): void {
  const shared = new Map<Timeline, Timeline>()
  for (const transaction of transactions) {
    const { timeline } = transaction
    const known = shared.get(timeline) ?? sharedTimeline(timeline)
    shared.set(timeline, known)
    transaction.timeline = known
  }
}
