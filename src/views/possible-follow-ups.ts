import { Refusal } from '../contract/errors.ts'
import type { ChangeName, Command, Request } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import { decide } from '../domain/rules/decide.ts'

/** The least that each follow-up could ask for: where it is refused, so is every other. Amounts in minor units. */
const leastInputs = {
  refund: ({ id }) => ({ ...ofOriginal(id), amount: 1, pushToTerminal: false }),
  'online-refund': ({ id }) => ({ ...ofOriginal(id), amount: 1 }),
  void: ({ id }) => ({ ...ofOriginal(id), pushToTerminal: false }),
  'post-auth': ({ id }) => ({ ...ofOriginal(id), amount: 1, pushToTerminal: false }),
  'incremental-auth': ({ id }) => ({ ...ofOriginal(id), amount: 1, pushToTerminal: false }),
  'tip-adjust': ({ id, tip }) => ({ originalTransactionId: id, tipAmount: tip }),
  abort: ({ id }) => ({ originalTransactionId: id }),
  'expire-session': ({ transactionRequestId }) => ({ transactionRequestId }),
} satisfies { readonly [N in ChangeName]?: (transaction: Transaction) => Request<N>['input'] }

/** An operation that acts on a transaction. */
export type FollowUpName = keyof typeof leastInputs

/** A request id that nobody can send: it is of no earlier request. */
const ofOriginal = (originalTransactionId: string) => ({ originalTransactionId, transactionRequestId: '' })

/**
 * Why the rules are against an operation on the transaction now; null when they are not. It asks the rules themselves, and
 * changes nothing. `at`: sandbox time in milliseconds.
 */
export function refusalOfFollowUp(
  ledger: Ledger,
  transaction: Transaction,
  name: FollowUpName,
  at: number,
): Refusal | null {
  const command = { type: name, input: leastInputs[name](transaction), fingerprint: '', outcome: null }
  const stamp = { at, setBack: 0, transactionId: '0'.repeat(16), authCode: '0'.repeat(6) }
  try {
    decide(ledger, command as Command, stamp)
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
