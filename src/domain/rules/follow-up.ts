import { type AmountParts, type Amounts, readAmounts, totalOf } from '../../contract/amounts.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { rejectField, rejectSaying } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import type { Remedy } from '../../contract/remedies.ts'
import { isFinal, paymentTypes, voidableTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Events } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { localDate } from '../model/local-time.ts'
import {
  authorisedAmount,
  authorisedParts,
  authorisedUntil,
  partsInOrder,
  totalOrZero,
} from '../model/parts.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { outcomeStands } from '../screen-flow.ts'
import { acceptFollowUp, refuseCashback } from './accept.ts'
import {
  refundable,
  refuseFor,
  refuseOriginal,
  refuseState,
  refuseWhileRaised,
  requireCurrency,
  requireInPerson,
  requireOpenBatch,
  requireOriginal,
  requireSameTerminal,
  requireSuccess,
  requireType,
  requireUncaptured,
  requireUnrefunded,
  whatFits,
} from './originals.ts'
import {
  requireAtMost,
  requireCaptureTip,
  requireTip,
  terminalInstructions,
} from './terminal/instructions.ts'

/** The original, an authorisation that can still be raised or captured. */
function openAuth(ledger: Ledger, input: Request<'incremental-auth'>['input'], { at }: Pick<Stamp, 'at'>) {
  const auth = requireOriginal(ledger, input)
  requireInPerson(auth)
  requireType(auth, ['AUTH'])
  requireSuccess(ledger, auth)
  requireUncaptured(ledger, auth)
  const until = authorisedUntil(ledger, auth)
  if (at > until) refuseFor('SBX_AUTH_EXPIRED', auth, `was authorised until ${new Date(until).toISOString()}`)
  return auth
}

/** docs/api.md#operation-1-4, docs/api.md#ids-2. Every part counts. assumption: authorisations */
export function incrementalAuth(ledger: Ledger, command: Request<'incremental-auth'>, stamp: Stamp): Events {
  const auth = openAuth(ledger, command.input, stamp)
  const money = readAmounts(command.input)
  requireCurrency(auth, money.currency)
  refuseCashback(money)
  if (authorisedAmount(auth) + totalOrZero(auth.followUps?.raising) + totalOf(money) > limits.amount)
    rejectSaying('amount', `The authorised total must be at most ${limits.amount}`)
  return acceptOnAuth(ledger, command, auth, money, stamp)
}

/**
 * docs/api.md#operation-1-5, docs/api.md#ids-2. Once, and within the authorised total.
 * assumption: authorisations
 */
export function postAuth(ledger: Ledger, command: Request<'post-auth'>, stamp: Stamp): Events {
  const auth = openAuth(ledger, command.input, stamp)
  refuseWhileRaised(ledger, auth)
  const money = readAmounts(command.input)
  requireCurrency(auth, money.currency)
  refuseCashback(money)
  if (money.order < 1)
    rejectSaying('amount', 'The order amount of a capture must be at least 1; a tip alone is not one')
  refuseOverCapture(ledger, auth, money)
  return acceptOnAuth(ledger, command, auth, money, stamp)
}

/** Checks each part of a capture against its limit. assumption: capture-limits */
function refuseOverCapture({ settings }: Ledger, auth: Transaction, money: AmountParts): void {
  const { captureExcess } = settings
  const authorised = authorisedParts(auth)
  const total = totalOf(authorised)
  const shown = (amount: number) => formatAmount(amount, auth.currency)
  const counted = { ...authorised, order: 0 } // an authorised part that the capture names is not in its order, too
  for (const part of partsInOrder) counted[part] = Math.min(counted[part], money[part])
  const named = totalOf(counted)
  const why = named > 0 ? `, less ${shown(named)} that the capture names beside it` : ''
  requireAtMost(auth, 'amount', money.order, total - named, `what was authorised${why}`)
  requireCaptureTip(settings, { ...money, currency: auth.currency }, money.tip)
  for (const [field, part] of [
    ['taxAmount', 'tax'],
    ['surchargeAmount', 'surcharge'],
  ] as const)
    requireAtMost(
      auth,
      field,
      money[part],
      authorised[part] + Math.floor((total * captureExcess) / 100),
      `${shown(authorised[part])} authorised, and ${captureExcess} % of the authorised ${shown(total)}`,
      'captureExcess',
    )
}

function acceptOnAuth(
  ledger: Ledger,
  command: Request<'incremental-auth' | 'post-auth'>,
  auth: Transaction,
  money: Amounts,
  stamp: Stamp,
): Events {
  const instructions = terminalInstructions(command.input, money.tip, command.outcome)
  return acceptFollowUp(ledger, command, auth, money, stamp, instructions)
}

/** The remedy when a tip can no longer be replaced. */
function insteadOfTip({ id, currency, tip: settled }: Transaction, tip: number): Remedy {
  if (tip > settled) return { action: 'pay-tip', amount: tip - settled, currency }
  return tip === settled
    ? { action: 'keep-tip', id }
    : { action: 'refund-tip', id, amount: settled - tip, currency }
}

/** Replaces the tip; opens no transaction. docs/api.md#operation-1-9. assumption: tip-adjust */
export function tipAdjust(ledger: Ledger, { input }: Request<'tip-adjust'>): Events {
  const original = requireOriginal(ledger, input)
  requireInPerson(original)
  requireSameTerminal(original, input.terminalSn)
  requireType(original, paymentTypes)
  requireSuccess(ledger, original)
  requireUnrefunded(ledger, original)
  requireOpenBatch(ledger, original, insteadOfTip(original, input.tipAmount))
  requireTip(ledger, original, input.tipAmount)
  if (amountOf(original) - original.tip + input.tipAmount < 1)
    rejectField('tipAmount', 'must be at least 1 here: the transaction has no other amount')
  return [{ type: 'tip-adjusted', id: original.id, tipAmount: input.tipAmount }]
}

/** docs/api.md#operation-1-7, docs/api.md#limit-void, docs/api.md#ids-2. assumption: voids */
export function voidTransaction(ledger: Ledger, command: Request<'void'>, stamp: Stamp): Events {
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
function insteadOfVoid(original: Transaction): Remedy {
  const { type, currency } = original
  if (type === 'AUTH') return { action: 'let-expire' }
  if (type === 'REFUND') return { action: 'pay-again', amount: amountOf(original), currency }
  return { action: 'refund', ...refundable(original) }
}

/** docs/api.md#operation-1-8. assumption: abort-and-expiry */
export function abort(ledger: Ledger, { input }: Request<'abort'>): Events {
  const transaction = requireOriginal(ledger, input)
  requireInPerson(transaction)
  requireSameTerminal(transaction, input.terminalSn)
  if (isFinal(transaction.status))
    refuseState(
      transaction,
      `is ${transaction.status} already; only an unpaid one can be aborted`,
      transaction.status === 'SUCCESS' ? whatFits(transaction) : undefined,
    )
  if (outcomeStands(transaction)) return [{ type: 'abort-too-late', id: transaction.id }]
  return [{ type: 'closed', id: transaction.id, reason: 'abort' }]
}
