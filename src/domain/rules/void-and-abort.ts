import { isFinal, voidableTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { localDate } from '../model/local-time.ts'
import { authorisedParts } from '../model/parts.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { acceptFollowUp } from './accept.ts'
import {
  commandToPay,
  commandToRefund,
  refuseOriginal,
  refuseState,
  refuseWhileRaised,
  requireInPerson,
  requireOpenBatch,
  requireOriginal,
  requireSameTerminal,
  requireSuccess,
  requireType,
  requireUncaptured,
  requireUnrefunded,
} from './originals.ts'

/** docs/api.md#operation-1-7, docs/api.md#limit-void, docs/api.md#ids-2. assumption: voids */
export function voidTransaction(ledger: Ledger, command: Request<'void'>, stamp: Stamp): readonly Event[] {
  const original = requireOriginal(ledger, command.input)
  requireInPerson(original)
  requireType(original, voidableTypes)
  requireSuccess(ledger, original)
  requireUnrefunded(ledger, original)
  requireUncaptured(ledger, original)
  refuseWhileRaised(ledger, original)
  refuseOtherDay(ledger, original, stamp.at)
  requireOpenBatch(ledger, original, insteadOfVoid(original))
  return acceptFollowUp(ledger, command, original, authorisedParts(original), stamp)
}

/** docs/api.md#limit-void; the day is the merchant's. assumption: voids */
function refuseOtherDay({ settings }: Ledger, original: Transaction, at: number): void {
  const paid = localDate(original.completedAt ?? original.createdAt, settings.timeZone)
  const today = localDate(at, settings.timeZone)
  if (paid !== today)
    refuseOriginal('SBX_VOID_LATE', `it is of ${paid}, today is ${today}`, insteadOfVoid(original))
}

/** The remedy when a transaction can no longer be voided. */
function insteadOfVoid(original: Transaction): string {
  const { type } = original
  if (type === 'AUTH')
    return 'Do not capture it: an authorisation alone charges nothing, and expires by itself'
  if (type === 'REFUND')
    return `A refund of an earlier day or batch stays; take a new payment: ${commandToPay(amountOf(original), original)}`
  return `Refund it instead: ${commandToRefund(original)}`
}

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
