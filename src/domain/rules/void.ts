import { voidableTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { localDate } from '../model/local-time.ts'
import { authorisedParts } from '../model/remaining.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { acceptFollowUp } from './accept.ts'
import {
  commandToPay,
  commandToRefund,
  refuseOriginal,
  refuseWhileRaised,
  requireInPerson,
  requireOpenBatch,
  requireOriginal,
  requireSuccess,
  requireType,
  requireUncaptured,
  requireUnrefunded,
} from './originals.ts'

/** docs/api.md#operation-1-7, docs/api.md#limit-void, docs/api.md#ids-2. assumption: void-of-auth */
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
  const money = original.type === 'AUTH' ? authorisedParts(original) : original
  return acceptFollowUp(ledger, command, original, money, stamp)
}

/** docs/api.md#limit-void; the day is the merchant's. assumption: void-day */
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
