import type { GenericSchema } from 'valibot'
import { Refusal } from '../../contract/errors.ts'
import { memberSchemas, needs } from '../../contract/operation-members.ts'
import type { FollowUpName } from '../../contract/operations.ts'
import type { Command } from '../../domain/model/commands.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Transaction } from '../../domain/model/transaction.ts'
import { decide } from '../../domain/rules/decide.ts'

/**
 * The smallest possible request of a follow-up: if it is refused, every other one is. Amounts in minor units;
 * no client can send its request id, so it never is a duplicate.
 */
function leastInput(name: FollowUpName, { id, tip, online }: Transaction): object {
  const entries = memberSchemas(name)
  const needed = Object.entries(entries).filter(([member]) => needs(name, member))
  return {
    ...Object.fromEntries(needed.map(([member, schema]) => [member, leastValue(schema)])),
    ...('sessionId' in entries ? { sessionId: online?.sessionId ?? '' } : { originalTransactionId: id }),
    ...('amount' in entries && { amount: 1 }),
    ...(needs(name, 'tipAmount') && { tipAmount: tip }),
    ...('pushToTerminal' in entries && { pushToTerminal: false }),
  }
}

/** A value of a member that a request must have. */
function leastValue(schema: GenericSchema): unknown {
  if ('options' in schema) return (schema.options as readonly string[])[0]
  return { string: '', number: 1, boolean: false, array: [] }[schema.type] ?? {}
}

/**
 * Why the rules refuse an operation on the transaction now; null when they allow it. It calls the rules, and
 * changes nothing. `at`: sandbox time in milliseconds.
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
