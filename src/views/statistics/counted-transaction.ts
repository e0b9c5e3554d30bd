import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import type { OwnedTransaction } from '../transaction-text.ts'
import type { Contribution } from './contribution.ts'

/** A transaction, its ledger, and its contribution when it was last counted. */
export class CountedTransaction implements OwnedTransaction {
  constructor(
    readonly ledger: Ledger,
    readonly id: string,
    public contribution: Contribution,
  ) {}

  /** The current transaction. */
  get transaction(): Transaction {
    return this.ledger.transactions.get(this.id) as Transaction
  }
}
