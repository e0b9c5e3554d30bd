import { rejectField } from '../../../contract/errors.ts'
import type { Ledger } from '../../model/ledger.ts'
import type { Transaction } from '../../model/transaction.ts'
import { mostTip } from '../../screen-flow.ts'

/** Errors: C17 for a tip that is larger than the transaction may have. assumption: post-auth-limit */
export function requireTip({ settings }: Ledger, transaction: Transaction, tipAmount: number): void {
  const most = mostTip(transaction, settings)
  if (tipAmount > most)
    rejectField('tipAmount', `must be at most ${most} for transaction ${transaction.id}, but is ${tipAmount}`)
}
