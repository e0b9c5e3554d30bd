import { formatAmount } from '../../../contract/currencies.ts'
import { reject, rejectField } from '../../../contract/errors.ts'
import type { ServiceInput } from '../../../contract/operations.ts'
import type { Ledger, RuleSettings } from '../../model/ledger.ts'
import type { TerminalInstructions, TipSuggestion, Transaction } from '../../model/transaction.ts'
import { mostCaptureTip, mostTip } from '../../screen-flow.ts'

type TerminalInput = Pick<ServiceInput<'sale'>, 'amount'> &
  Partial<
    Pick<
      ServiceInput<'sale'>,
      | 'tipConfig'
      | 'printReceipt'
      | 'signatureConfig'
      | 'signatureEntryLocation'
      | 'paymentMethod'
      | 'cardNetworkType'
    >
  >

/** The request's instructions for the terminal, or null when there are none. assumption: terminal-screens */
export function terminalInstructions(
  input: TerminalInput,
  tip: number,
  outcome: string | null,
): TerminalInstructions | null {
  const instructions = {
    ...cardInstructions(input),
    ...tipInstructions(input),
    ...signatureInstructions(input),
    ...plainInstructions(input.printReceipt, outcome),
  }
  if (tip > 0 && 'tip' in instructions) rejectField('tipConfig', 'must not be sent together with tipAmount')
  return Object.keys(instructions).length === 0 ? null : instructions
}

/** Instructions of any request: a receipt, and an outcome of the host; null without both. */
export function plainInstructions(
  printReceipt: TerminalInput['printReceipt'],
  outcome: string | null,
): TerminalInstructions | null {
  const prints = printReceipt != null && printReceipt !== 'NONE'
  if (!prints && outcome === null) return null
  return { ...(prints && { print: true }), ...(outcome !== null && { outcome }) }
}

function cardInstructions({ paymentMethod, cardNetworkType }: TerminalInput) {
  return {
    ...(paymentMethod?.category && { category: paymentMethod.category }),
    ...(paymentMethod?.id && { method: paymentMethod.id }),
    ...(paymentMethod?.subId && { subMethod: paymentMethod.subId }),
    ...(cardNetworkType && { cardNetworkType }),
  }
}

/** Public SDKs put tipConfig beside the amount or inside it. */
function tipInstructions({ amount, tipConfig }: TerminalInput) {
  const inside = (amount as { readonly tipConfig?: unknown } | null | undefined)?.tipConfig
  const config = (tipConfig ?? inside) as ServiceInput<'sale'>['tipConfig']
  const wanted = config && config.onScreenTip !== false && config.tipMode !== 'AFTER_SALE'
  if (!wanted) return {}
  const choices = [config.suggestions ?? []].flat().flatMap(tipOptions)
  return { tip: { withTax: config.tipWithTax ?? false, ...(choices.length > 0 && { choices }) } }
}

type Suggestion = NonNullable<NonNullable<TerminalInput['tipConfig']>['suggestions']>

/** Percentages, or minor units in mode AMOUNT, with their names. */
const tipOptions = ({ feeMode, values, names }: Exclude<Suggestion, readonly unknown[]>): TipSuggestion[] =>
  (values ?? []).map((value, index) => ({
    ...(feeMode === 'AMOUNT' ? { amount: value } : { percent: value }),
    ...(names?.[index] && { name: names[index] }),
  }))

function signatureInstructions({ signatureConfig, signatureEntryLocation }: TerminalInput) {
  const config = signatureConfig?.useHostConfig === false ? signatureConfig : null
  const location = config?.entryLocation ?? signatureEntryLocation
  if (location == null) return {}
  return location === 'ON_SCREEN' ? { signatureFrom: config?.threshold ?? 0 } : { signature: location }
}

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
  if (setting === undefined) reject('SBX_OVER_CAPTURE', { field, detail })
  reject('SBX_OVER_CAPTURE', {
    field,
    detail,
    message: `The ${field.replace('Amount', '')} exceeds its limit`,
    remedy: { action: 'capture-less', amount: most, currency, setting },
  })
}

/** Refuses a tip beyond its share of the capture. assumption: capture-limits */
export function requireCaptureTip(
  { captureTip }: Pick<RuleSettings, 'captureTip'>,
  capture: Pick<Transaction, 'order' | 'currency'>,
  tip: number,
): void {
  const most = mostCaptureTip(capture, captureTip)
  requireAtMost(capture, 'tipAmount', tip, most, `${captureTip} % of the order amount`, 'captureTip')
}

/** Refuses such a tip, and one that makes the amount too large. assumption: capture-limits */
export function requireTip({ settings }: Ledger, transaction: Transaction, tipAmount: number): void {
  if (transaction.type === 'POST_AUTH') requireCaptureTip(settings, transaction, tipAmount)
  const most = mostTip(transaction, settings)
  if (tipAmount > most)
    rejectField('tipAmount', `must be at most ${most} for transaction ${transaction.id}, but is ${tipAmount}`)
}
