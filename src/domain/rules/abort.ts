import { isFinal } from '../../contract/statuses.ts'
import type { Request } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { refuseState, requireInPerson, requireOriginal, requireSameTerminal } from './originals.ts'

/** docs/api.md#operation-1-8. After the host was asked, the outcome stands. assumption: abort */
export function abort(ledger: Ledger, { input }: Request<'abort'>): readonly Event[] {
  const transaction = requireOriginal(ledger, input)
  requireInPerson(transaction)
  requireSameTerminal(transaction, input.terminalSn)
  if (isFinal(transaction.status))
    refuseState(
      transaction,
      `is ${transaction.status} already; only an unpaid one can be aborted`,
      transaction.status === 'SUCCESS' ? 'Void or refund what was paid' : undefined,
    )
  if (transaction.screen === 'host') return [{ type: 'abort-too-late', id: transaction.id }]
  return [{ type: 'closed', id: transaction.id, reason: 'abort' }]
}
