import { type Amounts, readAmounts } from '../../contract/amounts.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { paymentTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { authorisedOf } from '../model/remaining.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { acceptFollowUp } from './accept.ts'
import {
  refuseState,
  refuseWhileRaised,
  requireCurrency,
  requireInPerson,
  requireOpenBatch,
  requireOriginal,
  requireSuccess,
  requireTerminal,
  requireType,
  requireUnrefunded,
} from './originals.ts'
import { instructionsOf } from './terminal/instructions.ts'

/** An authorisation that can still be raised or captured. Errors: Refusal. */
function openAuth(ledger: Ledger, input: Request<'incremental-auth'>['input']): Transaction {
  const auth = requireOriginal(ledger, input)
  requireInPerson(auth)
  requireType(auth, ['AUTH'])
  requireSuccess(auth)
  if (auth.followUps?.captured) refuseState(auth, 'has been completed by a post auth')
  if (auth.followUps?.capturing) refuseState(auth, 'is being completed by a post auth')
  return auth
}

/** docs/api.md#operation-1-4, docs/api.md#ids-2 */
export function incrementalAuth(
  ledger: Ledger,
  command: Request<'incremental-auth'>,
  stamp: Stamp,
): readonly Event[] {
  const auth = openAuth(ledger, command.input)
  const money = readAmounts(command.input)
  requireCurrency(auth, money.currency)
  if (authorisedOf(auth) + (auth.followUps?.raising ?? 0) + money.order > limits.amount)
    rejectField('amount', `the authorised total must be at most ${limits.amount}`)
  return follow(ledger, command, auth, money, stamp)
}

/** docs/api.md#operation-1-5, docs/api.md#ids-2. Once, and within the authorised total. assumption: post-auth-limit */
export function postAuth(ledger: Ledger, command: Request<'post-auth'>, stamp: Stamp): readonly Event[] {
  const auth = openAuth(ledger, command.input)
  refuseWhileRaised(auth)
  const money = readAmounts(command.input)
  requireCurrency(auth, money.currency)
  const authorised = authorisedOf(auth)
  if (money.order > authorised) {
    const [asked, allowed] = [money.order, authorised].map((amount) => formatAmount(amount, auth.currency))
    reject('SBX_OVER_CAPTURE', {
      field: 'amount',
      detail: `${asked} asked, ${allowed} ${auth.currency} authorised`,
    })
  }
  return follow(ledger, command, auth, money, stamp)
}

function follow(
  ledger: Ledger,
  command: Request<'incremental-auth' | 'post-auth'>,
  auth: Transaction,
  money: Amounts,
  stamp: Stamp,
): readonly Event[] {
  const instructions = instructionsOf(command.input, money.tip, command.outcome)
  return acceptFollowUp(ledger, command, auth, money, stamp, instructions)
}

/** Replaces the tip; opens no transaction. docs/api.md#operation-1-9. assumption: tip-adjust */
export function tipAdjust(ledger: Ledger, { input }: Request<'tip-adjust'>): readonly Event[] {
  const original = requireOriginal(ledger, input)
  requireInPerson(original)
  requireTerminal(original, input.terminalSn)
  requireType(original, paymentTypes)
  requireSuccess(original)
  requireUnrefunded(original)
  requireOpenBatch(ledger, original)
  const total = amountOf(original) - original.tip + input.tipAmount
  if (total < 1 || total > limits.amount)
    rejectField('tipAmount', `the transaction amount must be 1 to ${limits.amount}, but would be ${total}`)
  return [{ type: 'tip-adjusted', id: original.id, tipAmount: input.tipAmount }]
}
