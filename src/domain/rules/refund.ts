import {
  type AmountParts,
  type RefundAmountInput,
  readRefundAmounts,
  totalOf,
} from '../../contract/amounts.ts'
import { formatAmount } from '../../contract/currencies.ts'
import { reject, rejectField } from '../../contract/errors.ts'
import { limits } from '../../contract/headers.ts'
import { paymentTypes } from '../../contract/statuses.ts'
import type { Request, Stamp } from '../model/commands.ts'
import type { Events } from '../model/events.ts'
import type { Ledger } from '../model/ledger.ts'
import { leftToRefund, partsInOrder, refundableParts, take } from '../model/parts.ts'
import { availableBalance } from '../model/totals.ts'
import { amountOf, type Transaction } from '../model/transaction.ts'
import { accept, acceptFollowUp, acceptOnline, onlineOrder, readMoney } from './accept.ts'
import {
  followUpInFlight,
  hasReference,
  refuseOriginal,
  requireCurrency,
  requireInPerson,
  requireOnline,
  requireOriginal,
  requireSuccess,
  requireType,
} from './originals.ts'
import { plainInstructions, terminalInstructions } from './terminal/instructions.ts'

/** A refund with reference is a follow-up; one without is independent. docs/api.md#operation-1-6 */
export function refund(ledger: Ledger, command: Request<'refund'>, stamp: Stamp): Events {
  return hasReference(command.input)
    ? referenced(ledger, command, stamp)
    : unreferenced(ledger, command, stamp)
}

/** docs/api.md#ids-2, docs/api.md#refund */
function referenced(ledger: Ledger, command: Request<'refund'>, stamp: Stamp) {
  const { input } = command
  if (input.referenceOrderId != null)
    rejectField('referenceOrderId', 'must not be sent for a refund with reference; the original carries it')
  const original = requireOriginal(ledger, input)
  requireInPerson(original)
  requireType(original, paymentTypes)
  return acceptFollowUp(ledger, command, original, refundParts(ledger, original, input, stamp.at), stamp)
}

/** docs/api.md#operation-2-4, docs/api.md#refund. Without amount, the rest. assumption: refund-parts */
export function refundOnline(
  ledger: Ledger,
  { input, outcome, fingerprint }: Request<'online-refund'>,
  stamp: Stamp,
): Events {
  const original = requireOriginal(ledger, input)
  requireOnline(original)
  requireType(original, ['SALE'])
  const draft = {
    kind: 'REFUND' as const,
    money: { ...refundParts(ledger, original, input, stamp.at), currency: original.currency },
    orderId: original.orderId,
    original,
    instructions: plainInstructions(null, outcome),
    fingerprint,
    online: onlineOrder({ wallet: original.online?.wallet }),
  }
  return acceptOnline(ledger, input, draft, stamp)
}

/**
 * The parts that a refund takes from its original. The order of the checks is fixed. docs/api.md#statuses-1,
 * docs/api.md#statuses-2, docs/api.md#errors. assumption: refund-parts
 */
function refundParts(
  ledger: Ledger,
  original: Transaction,
  input: RefundAmountInput,
  at: number,
): AmountParts {
  requireSuccess(ledger, original)
  refuseRefunded(ledger, original)
  const requested = readRefundAmounts(input)
  requireCurrency(original, requested.currency)
  const remaining = refundableParts(original)
  if ('sum' in requested && (requested.sum ?? 0) > totalOf(remaining))
    refuseExcess(ledger, original, 'amount', `${shown(requested.sum ?? 0, original)} requested`)
  const parts = 'sum' in requested ? take(requested.sum ?? totalOf(remaining), remaining) : requested
  requireParts(ledger, original, parts)
  refuseLate(original, at)
  refuseUncovered(ledger, original.currency, totalOf(parts))
  return parts
}

/** The newest payment of an order of which something can be refunded. assumption: refund-without-reference */
export function paymentOfOrder({ transactions }: Ledger, orderId: string): Readonly<Transaction> | undefined {
  for (const each of transactions.newest())
    if (each.orderId === orderId && (leftToRefund(each) ?? 0) > 0) return each
  return undefined
}

/** docs/api.md#ids-1. assumption: refund-without-reference */
function unreferenced(ledger: Ledger, { input, outcome, fingerprint }: Request<'refund'>, stamp: Stamp) {
  const orderId =
    input.referenceOrderId ??
    rejectField('originalTransactionId', 'is required, or referenceOrderId for a refund without reference')
  if (input.pushToTerminal === false)
    rejectField('pushToTerminal', 'must be true for a refund without reference: the terminal reads the card')
  const money = readMoney(input)
  refuseUncovered(ledger, money.currency, totalOf(money))
  const draft = {
    kind: 'REFUND' as const,
    money,
    orderId,
    instructions: terminalInstructions(input, 0, outcome),
    fingerprint,
    timeExpire: input.timeExpire,
  }
  return accept(ledger, input, draft, stamp)
}

/** docs/api.md#error-sbx-refunded; a refund in flight may fail and release its amount. assumption: refunds */
function refuseRefunded(ledger: Ledger, original: Transaction): void {
  if (totalOf(refundableParts(original)) > 0) return
  const pending = followUpInFlight(ledger, original)
  if (pending !== undefined)
    refuseOriginal(
      'SBX_OVER_REFUND',
      `nothing is left while refund ${pending} is in flight; what it holds comes back if it fails`,
      { action: 'wait', id: pending },
    )
  refuseOriginal('SBX_REFUNDED', `nothing is left of the ${shown(amountOf(original), original)}`)
}

const shown = (amount: number, { currency }: Transaction): string =>
  `${formatAmount(amount, currency)} ${currency}`

/** The member of a request that carries each part of an amount. */
export const partFields = {
  order: 'amount',
  tax: 'taxAmount',
  surcharge: 'surchargeAmount',
  tip: 'tipAmount',
  cashback: 'cashbackAmount',
} as const

/** Limits each part to its rest. docs/api.md#refund-2, docs/api.md#refund-3. assumption: refund-parts */
function requireParts(ledger: Ledger, original: Transaction, parts: AmountParts): void {
  const remaining = refundableParts(original)
  const part =
    totalOf(parts) > totalOf(remaining)
      ? 'order'
      : partsInOrder.find((name) => parts[name] > Math.max(remaining[name], 0))
  if (part !== undefined)
    refuseExcess(ledger, original, partFields[part], inParts(parts, 'requested', original))
}

/** docs/api.md#error-sbx-over-refund. */
function refuseExcess(ledger: Ledger, original: Transaction, field: string, requested: string): never {
  const pending = followUpInFlight(ledger, original)
  const holding = pending === undefined ? '' : ` while refund ${pending} is in flight`
  const remainingText = inParts(refundableParts(original), 'left', original)
  return reject('SBX_OVER_REFUND', { field, detail: `${requested}, ${remainingText}${holding}` })
}

/** An amount in words, with its parts if there are others than the order. */
function inParts(parts: AmountParts, what: string, { currency, ...original }: Transaction): string {
  const each = partsInOrder
    .filter((name) => name === 'order' || parts[name] > 0 || original[name] > 0)
    .map((name) => `${name} ${formatAmount(parts[name], currency)}`)
  const list = each.length > 1 ? ` (${each.join(', ')})` : ''
  return `${formatAmount(totalOf(parts), currency)} ${currency} ${what}${list}`
}

/** docs/api.md#limit-refund-period, docs/api.md#error-sbx-refund-late. assumption: refunds */
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
      detail: `${formatAmount(amount, currency)} requested, the balance is ${formatAmount(available, currency)} ${currency}`,
    })
}
