import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { localDate } from '../model/local-time.ts'
import type { Transaction } from '../model/transaction.ts'
import { acceptFollowUp } from './accept.ts'
import {
  refuseOriginal,
  refuseState,
  refuseWhileRaised,
  requireInPerson,
  requireOpenBatch,
  requireOriginal,
  requireSuccess,
  requireType,
  requireUnrefunded,
} from './originals.ts'

/** docs/api.md#operation-1-7, docs/api.md#limit-void, docs/api.md#ids-2 */
export function voidTransaction(ledger: Ledger, command: Request<'void'>, stamp: Stamp): readonly Event[] {
  const original = requireOriginal(ledger, command.input)
  requireInPerson(original)
  requireType(original, ['SALE', 'AUTH', 'FORCED_AUTH', 'POST_AUTH', 'REFUND'])
  requireSuccess(original)
  requireUnrefunded(original)
  refuseFollowed(original)
  refuseOtherDay(ledger, original, stamp.at)
  requireOpenBatch(ledger, original)
  return acceptFollowUp(ledger, command, original, original, stamp)
}

/** An authorisation with a capture, or with a follow-up in flight, stays. assumption: void-of-auth */
function refuseFollowed(original: Transaction): void {
  if (original.followUps?.captured) refuseState(original, 'has been completed by a post auth; void that one')
  if (original.followUps?.capturing) refuseState(original, 'is being completed by a post auth')
  refuseWhileRaised(original)
}

/** docs/api.md#limit-void; the day is the merchant's. */
function refuseOtherDay({ settings }: Ledger, original: Transaction, at: number): void {
  const paid = localDate(original.completedAt ?? original.createdAt, settings.timeZone)
  const today = localDate(at, settings.timeZone)
  if (paid !== today) refuseOriginal('SBX_VOID_LATE', `it is of ${paid}, today is ${today}`)
}
