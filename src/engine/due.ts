import type { Command } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Transaction } from '../domain/model/transaction.ts'
import { isDue } from '../domain/rules/apply-decision.ts'
import { closeOfDayAt } from '../domain/rules/settlement.ts'
import type { Due } from './schedule.ts'

/** A transaction that acts by itself at a time, by its id, or the end of a merchant's day. */
export interface DueStep extends Due {
  readonly merchantId: string
}

/** The schedule's key of the end of a merchant's day; the other keys are transaction ids. */
const closeKeyOf = (merchantId: string): string => `close-of-day ${merchantId}`

/** The end of the merchant's day, where open batches close by themselves. */
export function closeOfDayOf(ledger: Ledger): DueStep | undefined {
  const { autoClose, merchantId } = ledger.settings
  if (autoClose === null) return undefined
  const at = closeOfDayAt(ledger)
  return Number.isFinite(at) ? { at, merchantId, key: closeKeyOf(merchantId) } : undefined
}

/** The next time at which a transaction acts by itself. */
export const nextDueOf = ({ settings }: Ledger, { id, wakeAt }: Transaction): DueStep | undefined =>
  wakeAt === null ? undefined : { at: wakeAt, merchantId: settings.merchantId, key: id }

/** Expiry of a transaction without an earlier due event: it must end in time even if the fixtures changed. */
export function expiryOf({ settings, transactions }: Ledger, id: string): DueStep | undefined {
  const { expiresAt = null, wakeAt = null } = transactions.get(id) ?? {}
  if (expiresAt === null || wakeAt === null || wakeAt >= expiresAt) return undefined
  return { at: expiresAt, merchantId: settings.merchantId, key: id }
}

/** The command for a due key; undefined when it is no longer due. */
export function dueCommand(ledger: Ledger, key: string, at: number): Command | undefined {
  if (key === closeKeyOf(ledger.settings.merchantId))
    return closeOfDayAt(ledger) <= at ? { type: 'close-of-day' } : undefined
  const transaction = ledger.transactions.get(key)
  return transaction !== undefined && isDue(transaction, at)
    ? { type: 'wake', transactionId: transaction.id }
    : undefined
}
