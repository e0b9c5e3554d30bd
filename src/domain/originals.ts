import type { RelatedStatus } from '../contract/statuses.ts'
import type { Ledger } from './ledger.ts'
import { note } from './timeline.ts'
import { leaveTotals } from './totals.ts'
import { type Aftermath, amountOf, noAftermath, type Transaction } from './transaction.ts'

/**
 * What a follow-up does to its original: it holds its share while in flight, keeps it on success, gives it back on
 * FAIL or CLOSED. The original's status never changes. spec: Refund rules; assumption: in-flight-refunds
 */

/** The transaction that this one acts on, if any. */
const originalOf = (ledger: Ledger, transaction: Transaction): Transaction | undefined =>
  transaction.originalId === null ? undefined : ledger.transactions.get(transaction.originalId)

function aftermathOf(transaction: Transaction): Aftermath {
  transaction.after ??= noAftermath()
  return transaction.after
}

const add = (sums: Map<string, number>, currency: string, amount: number): void => {
  sums.set(currency, (sums.get(currency) ?? 0) + amount)
}

/** A follow-up was accepted. */
export function holdOriginal(ledger: Ledger, transaction: Transaction): void {
  hold(ledger, transaction, 1)
  const original = originalOf(ledger, transaction)
  if (original !== undefined) aftermathOf(original).children.push(transaction.id)
}

/** A follow-up failed or was closed. */
export const releaseOriginal = (ledger: Ledger, transaction: Transaction): void =>
  hold(ledger, transaction, -1)

function hold(ledger: Ledger, transaction: Transaction, sign: 1 | -1): void {
  if (transaction.type === 'REFUND') add(ledger.holds, transaction.currency, sign * amountOf(transaction))
  const original = originalOf(ledger, transaction)
  if (original === undefined) return
  const after = aftermathOf(original)
  switch (transaction.type) {
    case 'REFUND':
      after.refunding += sign * amountOf(transaction)
      after.refundingTip += sign * transaction.tip
      break
    case 'VOID':
      after.voiding = sign === 1
      break
    case 'POST_AUTH':
      after.capturing = sign === 1
      break
    case 'INCREMENTAL':
      after.incrementing += sign
      after.raising += sign * transaction.order
      break
  }
}

/** A follow-up succeeded. */
export function settleOriginal(ledger: Ledger, transaction: Transaction, at: number): void {
  hold(ledger, transaction, -1)
  const original = originalOf(ledger, transaction)
  if (original === undefined) return
  const after = aftermathOf(original)
  switch (transaction.type) {
    case 'REFUND':
      after.refunded += amountOf(transaction)
      after.refundedTip += transaction.tip
      break
    case 'VOID':
      after.voided = true
      undo(ledger, original)
      break
    case 'POST_AUTH':
      after.captured = true
      break
    case 'INCREMENTAL':
      after.increments += 1
      after.raised += transaction.order
      break
  }
  note(original, at, transaction.type.toLowerCase().replace('_', '-'), transaction.id)
}

/** A voided transaction gives back what it took: its place in the totals, and its share of its original. assumption: void-undo */
function undo(ledger: Ledger, voided: Transaction): void {
  leaveTotals(ledger, voided)
  const original = originalOf(ledger, voided)
  if (original === undefined) return
  const after = aftermathOf(original)
  if (voided.type === 'REFUND') {
    after.refunded -= amountOf(voided)
    after.refundedTip -= voided.tip
  }
  if (voided.type === 'POST_AUTH') after.captured = false
}

/** What an AUTH may capture in all, in minor units. */
export const authorisedOf = (auth: Transaction): number => auth.order + (auth.after?.raised ?? 0)

/** Mark that later transactions left, or null. assumption: related-status */
export function relatedStatusOf(transaction: Transaction): RelatedStatus | null {
  const after = transaction.after
  if (after === null) return null
  if (after.voided) return 'VOIDED'
  if (after.refunded > 0) return after.refunded >= amountOf(transaction) ? 'REFUNDED' : 'PART_REFUNDED'
  if (after.captured) return 'CAPTURE'
  return after.increments > 0 ? 'INCREMENTAL' : null
}
