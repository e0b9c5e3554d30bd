import { rejectField } from '../../../contract/errors.ts'
import type { ServiceInput } from '../../../contract/operations.ts'
import type { TerminalInstructions, TipSuggestion } from '../../model/transaction.ts'

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

/**
 * The request's instructions for the terminal, or null when there are none. assumption: tip-screen, signature-screen
 * Errors: C17 for a request with both a tip and a tip screen.
 */
export function instructionsOf(
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
  const inside =
    typeof amount === 'object' && amount !== null ? (amount as { tipConfig?: unknown }).tipConfig : null
  const config = (tipConfig ?? inside) as ServiceInput<'sale'>['tipConfig']
  const wanted = config && config.onScreenTip !== false && config.tipMode !== 'AFTER_SALE'
  if (!wanted) return {}
  const choices = [config.suggestions ?? []].flat().flatMap(choicesOf)
  return { tip: { withTax: config.tipWithTax ?? false, ...(choices.length > 0 && { choices }) } }
}

type Suggestion = NonNullable<NonNullable<TerminalInput['tipConfig']>['suggestions']>

/** Percentages, or minor units in mode AMOUNT, with their names. */
const choicesOf = ({ feeMode, values, names }: Exclude<Suggestion, readonly unknown[]>): TipSuggestion[] =>
  (values ?? []).map((value, index) => ({
    ...(feeMode === 'AMOUNT' ? { amount: Math.floor(value) } : { percent: value }),
    ...(names?.[index] && { name: names[index] }),
  }))

function signatureInstructions({ signatureConfig, signatureEntryLocation }: TerminalInput) {
  const own = signatureConfig?.useHostConfig === false && signatureConfig.entryLocation === 'ON_SCREEN'
  if (own) return { signatureFrom: signatureConfig.threshold ?? 0 }
  return signatureEntryLocation === 'ON_SCREEN' ? { signatureFrom: 0 } : {}
}
