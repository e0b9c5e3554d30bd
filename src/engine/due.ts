import type { Command } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import { isDue } from '../domain/rules/apply-decision.ts'
import { closeOfDayAt } from '../domain/rules/settlement.ts'
import type { Due } from './schedule.ts'

/** What falls due by itself: transactions that wait, and the end of a merchant's day. */

/** Under which the end of a merchant's day is scheduled, beside the ids of its transactions. */
const closeIdOf = (merchantId: string): string => `close-of-day ${merchantId}`

/** The end of the merchant's day, where open batches close by themselves. */
export function closeOfDayOf(ledger: Ledger): Due | undefined {
  const { autoClose, merchantId } = ledger.settings
  if (autoClose === null) return undefined
  const at = closeOfDayAt(ledger)
  return Number.isFinite(at) ? { at, stream: merchantId, id: closeIdOf(merchantId) } : undefined
}

/** When a transaction acts next. */
export const nextDueOf = ({ settings }: Ledger, { id, wakeAt }: Transaction): Due | undefined =>
  wakeAt === null ? undefined : { at: wakeAt, stream: settings.merchantId, id }

/**
 * Expiry of a transaction without an earlier due event. If the fixtures changed while it waited, it must still end in
 * time.
 */
export function expiryOf({ settings, transactions }: Ledger, id: string): Due | undefined {
  const { expiresAt = null, wakeAt = null } = transactions.get(id) ?? {}
  if (expiresAt === null || wakeAt === null || wakeAt >= expiresAt) return undefined
  return { at: expiresAt, stream: settings.merchantId, id }
}

/** What falls due under an id; undefined when it is not due any more. */
export function dueCommand(ledger: Ledger, id: string, at: number): Command | undefined {
  if (id === closeIdOf(ledger.settings.merchantId))
    return closeOfDayAt(ledger) <= at ? { type: 'close-of-day' } : undefined
  const transaction = ledger.transactions.get(id)
  return transaction !== undefined && isDue(transaction, at) ? { type: 'wake', transactionId: id } : undefined
}
