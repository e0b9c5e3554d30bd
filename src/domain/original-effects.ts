import type { RelatedStatus } from '../contract/statuses.ts'
import type { Ledger } from './model/ledger.ts'
import { minus, plus, totalOrZero } from './model/parts.ts'
import { addMoment } from './model/timeline.ts'
import { leaveTotals } from './model/totals.ts'
import { amountOf, type FollowUps, noFollowUps, type Transaction } from './model/transaction.ts'

/**
 * The effects of a follow-up on its original: it holds its share while in flight, keeps it on success, and
 * releases it on FAIL or CLOSED. The original's status never changes. docs/api.md#refund; assumption: refunds
 */

/** The original of a follow-up; undefined for other transactions. */
const findOriginal = (ledger: Ledger, transaction: Transaction): Transaction | undefined =>
  transaction.originalId === null ? undefined : ledger.transactions.get(transaction.originalId)

function ensureFollowUps(transaction: Transaction): FollowUps {
  transaction.followUps ??= noFollowUps()
  return transaction.followUps
}

const add = (sums: Map<string, number>, currency: string, amount: number): void => {
  sums.set(currency, (sums.get(currency) ?? 0) + amount)
}

/** Holds the share of an accepted follow-up. */
export function holdOriginal(ledger: Ledger, transaction: Transaction): void {
  hold(ledger, transaction, 1)
  const original = findOriginal(ledger, transaction)
  if (original !== undefined) ensureFollowUps(original).children.push(transaction.id)
}

/** Releases the share of a follow-up that failed or was closed. */
export const releaseOriginal = (ledger: Ledger, transaction: Transaction): void =>
  hold(ledger, transaction, -1)

function hold(ledger: Ledger, transaction: Transaction, sign: 1 | -1): void {
  const change = sign === 1 ? plus : minus
  if (transaction.type === 'REFUND') add(ledger.holds, transaction.currency, sign * amountOf(transaction))
  const original = findOriginal(ledger, transaction)
  if (original === undefined) return
  const followUps = ensureFollowUps(original)
  switch (transaction.type) {
    case 'REFUND':
      followUps.refunding = change(followUps.refunding, transaction)
      break
    case 'VOID':
      followUps.voiding = sign === 1
      break
    case 'POST_AUTH':
      followUps.capturing = sign === 1
      break
    case 'INCREMENTAL':
      followUps.raising = change(followUps.raising, transaction)
      break
  }
}

/** Keeps the share of a follow-up that succeeded. */
export function settleOriginal(ledger: Ledger, transaction: Transaction, at: number): void {
  hold(ledger, transaction, -1)
  const original = findOriginal(ledger, transaction)
  if (original === undefined) return
  const followUps = ensureFollowUps(original)
  switch (transaction.type) {
    case 'REFUND':
      followUps.refunded = plus(followUps.refunded, transaction)
      break
    case 'VOID':
      followUps.voided = true
      undo(ledger, original)
      break
    case 'POST_AUTH':
      followUps.captured = true
      break
    case 'INCREMENTAL':
      followUps.increments += 1
      followUps.raised = plus(followUps.raised, transaction)
      break
  }
  addMoment(original, at, transaction.type.toLowerCase().replace('_', '-'), transaction.id)
}

/** Removes a voided transaction from the totals, and returns its share of its original. assumption: voids */
function undo(ledger: Ledger, voided: Transaction): void {
  leaveTotals(ledger, voided)
  const original = findOriginal(ledger, voided)
  if (original === undefined) return
  const followUps = ensureFollowUps(original)
  if (voided.type === 'REFUND') followUps.refunded = minus(followUps.refunded, voided)
  if (voided.type === 'POST_AUTH') followUps.captured = false
}

/** The mark that follow-ups left on a transaction; null for none. assumption: statuses */
export function relatedStatusOf(transaction: Transaction): RelatedStatus | null {
  const { followUps } = transaction
  if (followUps === null) return null
  if (followUps.voided) return 'VOIDED'
  const refunded = totalOrZero(followUps.refunded)
  if (refunded > 0) return refunded >= amountOf(transaction) ? 'REFUNDED' : 'PART_REFUNDED'
  if (followUps.captured) return 'CAPTURE'
  return followUps.increments > 0 ? 'INCREMENTAL' : null
}
