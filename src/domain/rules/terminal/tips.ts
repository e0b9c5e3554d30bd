import { formatAmount } from '../../../contract/currencies.ts'
import { reject, rejectField } from '../../../contract/errors.ts'
import type { Ledger, RuleSettings } from '../../model/ledger.ts'
import type { Transaction } from '../../model/transaction.ts'
import { mostCaptureTip, mostTip } from '../../screen-flow.ts'

/** Errors: SBX_OVER_CAPTURE for a part of a capture beyond its limit; `why`: how the limit is made up. */
export function requireAtMost(
  { currency }: Pick<Transaction, 'currency'>,
  field: string,
  requested: number,
  most: number,
  why: string,
  setting?: string,
): void {
  if (requested <= most) return
  const shown = (amount: number) => formatAmount(amount, currency)
  const detail = `${shown(requested)} requested, at most ${shown(most)} ${currency}: ${why}`
  const remedy =
    setting && `Send at most ${shown(most)}, or start the sandbox with --set ${setting}=<percent>`
  reject('SBX_OVER_CAPTURE', { field, detail, remedy })
}

/** Errors: SBX_OVER_CAPTURE for a tip beyond its share of the capture. assumption: post-auth-limit */
export function requireCaptureTip(
  { captureTip }: Pick<RuleSettings, 'captureTip'>,
  capture: Pick<Transaction, 'order' | 'currency'>,
  tip: number,
): void {
  const most = mostCaptureTip(capture, captureTip)
  requireAtMost(capture, 'tipAmount', tip, most, `${captureTip} % of the order amount`, 'captureTip')
}

/** Errors: SBX_OVER_CAPTURE as above; C17 for a tip that makes the amount too large. assumption: post-auth-limit */
export function requireTip({ settings }: Ledger, transaction: Transaction, tipAmount: number): void {
  if (transaction.type === 'POST_AUTH') requireCaptureTip(settings, transaction, tipAmount)
  const most = mostTip(transaction, settings)
  if (tipAmount > most)
    rejectField('tipAmount', `must be at most ${most} for transaction ${transaction.id}, but is ${tipAmount}`)
}
