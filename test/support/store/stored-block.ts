import type { Transaction } from '../../../src/domain/model/transaction.ts'
import type { StoredTransactions, Transactions } from '../../../src/domain/model/transactions.ts'

/** A block that counts how often it is read. */
export class CountingBlock implements StoredTransactions {
  reads = 0
  constructor(readonly records: readonly Transaction[]) {}
  read() {
    this.reads += 1
    return structuredClone(this.records)
  }
}

/** Adds a block of these. */
export function addBlock(transactions: Transactions, records: readonly Transaction[]): CountingBlock {
  const block = new CountingBlock(records)
  transactions.addStored(block, {
    ids: records.map(({ id }) => id),
    transactionRequestIds: records.map(({ transactionRequestId }) => transactionRequestId),
    sessionIds: records.map(({ online }) => online?.sessionId ?? null),
    wakeTimes: records.map(({ wakeAt }) => wakeAt),
    statuses: records.map(({ status }) => status),
  })
  return block
}
