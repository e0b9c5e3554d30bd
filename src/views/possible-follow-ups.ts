import { Refusal } from '../contract/errors.ts'
import { entriesOf, needs } from '../contract/operation-members.ts'
import type { OperationsWith } from '../contract/operations.ts'
import type { Command } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import { decide } from '../domain/rules/decide.ts'

/** An operation that acts on a transaction. */
export type FollowUpName = OperationsWith<{ readonly argument: 'originalTransactionId' | 'sessionId' }>

/**
 * The smallest possible request of a follow-up: if it is refused, every other one is. Amounts in minor units; no client
 * can send its request id, so it never is a duplicate.
 */
function leastInput(name: FollowUpName, { id, tip, online }: Transaction): object {
  const entries = entriesOf(name)
  return {
    ...('sessionId' in entries
      ? { sessionId: online?.sessionId ?? '' }
      : { originalTransactionId: id, transactionRequestId: '' }),
    ...('amount' in entries && { amount: 1 }),
    ...(needs(name, 'tipAmount') && { tipAmount: tip }),
    ...('pushToTerminal' in entries && { pushToTerminal: false }),
  }
}

/**
 * Why the rules refuse an operation on the transaction now; null when they allow it. It calls the rules, and changes
 * nothing. `at`: sandbox time in milliseconds.
 */
export function refusalOfFollowUp(
  ledger: Ledger,
  transaction: Transaction,
  name: FollowUpName,
  at: number,
): Refusal | null {
  const command = { type: name, input: leastInput(name, transaction), fingerprint: '', outcome: null }
  const stamp = { at, setBack: 0, transactionId: '0'.repeat(16), authCode: '0'.repeat(6) }
  try {
    decide(ledger, command as Command, stamp)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
