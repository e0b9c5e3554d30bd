import {
  type Amounts,
  readAmounts,
  readRefundAmounts,
  refundCurrencyOf,
  totalOf,
} from '../../contract/amounts.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { paymentTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Event } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { refundRemainder } from '../model/remaining.ts'
import { availableBalance } from '../model/totals.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { accept, acceptFollowUp, acceptOnline, moneyOf, outcomeAlone, plainOrder } from './accept.ts'
import {
  hasReference,
  refuseOriginal,
  requireCurrency,
  requireInPerson,
  requireOnline,
  requireOriginal,
  requireSuccess,
  requireType,
} from './originals.ts'
import { instructionsOf } from './terminal/instructions.ts'

/** A refund with reference acts on a transaction, one without is a transaction of its own. docs/api.md#operation-1-6 */
export function refund(ledger: Ledger, command: Request<'refund'>, stamp: Stamp): readonly Event[] {
  return hasReference(command.input)
    ? referenced(ledger, command, stamp)
    : unreferenced(ledger, command, stamp)
}

/** The order of the checks is fixed. docs/api.md#statuses-1, docs/api.md#statuses-2, docs/api.md#refund, docs/api.md#errors */
function referenced(ledger: Ledger, command: Request<'refund'>, stamp: Stamp) {
  const { input } = command
  if (input.referenceOrderId != null)
    rejectField('referenceOrderId', 'must not be sent for a refund with reference; the original carries it')
  const original = requireOriginal(ledger, input)
  requireInPerson(original)
  requireType(original, paymentTypes)
  requireSuccess(original)
  refuseRefunded(original)
  const money = readAmounts(input)
  requireRefundable(ledger, original, money, stamp.at)
  return acceptFollowUp(ledger, command, original, money, stamp)
}

/** docs/api.md#operation-2-4, docs/api.md#refund. All that is left when no amount is sent. assumption: online-refund */
export function refundOnline(
  ledger: Ledger,
  { input, outcome, fingerprint }: Request<'online-refund'>,
  stamp: Stamp,
): readonly Event[] {
  const original = requireOriginal(ledger, input)
  requireOnline(original)
  requireType(original, ['SALE'])
  requireSuccess(original)
  refuseRefunded(original)
  const money = readRefundAmounts(input) ?? { ...allThatIsLeft(original), currency: refundCurrencyOf(input) }
  requireRefundable(ledger, original, money, stamp.at)
  const draft = {
    kind: 'REFUND' as const,
    money: { ...money, currency: original.currency },
    orderId: original.orderId,
    original,
    instructions: outcomeAlone(outcome),
    fingerprint,
    online: { ...plainOrder, wallet: original.online?.wallet ?? null },
  }
  return acceptOnline(ledger, input, draft, stamp)
}

function allThatIsLeft(original: Transaction): Omit<Amounts, 'currency'> {
  const { all, tip } = refundRemainder(original)
  return { order: all - tip, tip, tax: 0, surcharge: 0, cashback: 0 }
}

/** The checks that every refund with reference passes, in their order. */
function requireRefundable(ledger: Ledger, original: Transaction, money: Amounts, at: number): void {
  requireCurrency(original, money.currency)
  refuseExcess(original, money)
  refuseLate(original, at)
  refuseUncovered(ledger, original.currency, totalOf(money))
}

/** docs/api.md#ids-1. assumption: refund-without-reference */
function unreferenced(ledger: Ledger, { input, outcome, fingerprint }: Request<'refund'>, stamp: Stamp) {
  const orderId =
    input.referenceOrderId ??
    rejectField('originalTransactionId', 'is required, or referenceOrderId for a refund without reference')
  if (input.pushToTerminal === false)
    rejectField('pushToTerminal', 'must be true for a refund without reference: the terminal reads the card')
  const money = moneyOf(input)
  refuseUncovered(ledger, money.currency, totalOf(money))
  const draft = {
    kind: 'REFUND' as const,
    money,
    orderId,
    instructions: instructionsOf(input, 0, outcome),
    fingerprint,
    timeExpire: input.timeExpire,
  }
  return accept(ledger, input, draft, stamp)
}

/** docs/api.md#error-sbx-refunded */
function refuseRefunded(original: Transaction): void {
  if (refundRemainder(original).all <= 0)
    refuseOriginal(
      'SBX_REFUNDED',
      `nothing is left of the ${formatAmount(amountOf(original), original.currency)} ${original.currency}`,
    )
}

/** docs/api.md#refund-2, docs/api.md#refund-3, docs/api.md#error-sbx-over-refund. assumption: refund-tip */
function refuseExcess(original: Transaction, money: Amounts): void {
  const left = refundRemainder(original)
  const shown = (amount: number) => `${formatAmount(amount, original.currency)} ${original.currency}`
  const excess = (field: string, detail: string) => reject('SBX_OVER_REFUND', { field, detail })
  const total = totalOf(money)
  if (total > left.all) excess('amount', `${shown(total)} asked, ${shown(left.all)} left`)
  if (money.tip > left.tip)
    excess('tipAmount', `tip of ${shown(money.tip)} asked, ${shown(left.tip)} of it left`)
  if (total - money.tip > left.all - left.tip)
    excess(
      'amount',
      `${shown(total - money.tip)} asked without tip, ${shown(left.all - left.tip)} left; ` +
        `the tip of ${shown(left.tip)} goes back only as tipAmount`,
    )
}

/** docs/api.md#limit-refund-period, docs/api.md#error-sbx-refund-late. assumption: refund-period */
function refuseLate(original: Transaction, at: number): void {
  const since = original.completedAt ?? original.createdAt
  if (at - since > limits.refundPeriod)
    refuseOriginal(
      'SBX_REFUND_LATE',
      `paid on ${new Date(since).toISOString().slice(0, 10)}, more than 180 days ago`,
    )
}

/** docs/api.md#error-sbx-no-balance. assumption: balance */
function refuseUncovered(ledger: Ledger, currency: string, amount: number): void {
  const available = availableBalance(ledger, currency)
  if (amount > available)
    reject('SBX_NO_BALANCE', {
      field: 'amount',
      detail: `${formatAmount(amount, currency)} asked, the balance is ${formatAmount(available, currency)} ${currency}`,
    })
}
