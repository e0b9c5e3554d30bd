import type { ScreenView } from '../../contract/sandbox/screens.ts'
import { money } from '../../presentation/money.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseAmount } from '../input/amount.ts'

/** What can be typed of a tip; what is wrong with it is said, not left out. */
export const isTipKey = (key: string): boolean => /^[\d.,]$/.test(key)

/** The longest tip that can be typed, in signs. */
export const longestTip = 15

/** A tip that was typed, in minor units, read as the commands read it; else a word on what is wrong. */
export function readTip(typed: string, { transaction }: ScreenView): number | string {
  if (typed === '') return 'Type the tip: 1.50, or 150 in minor units'
  try {
    return parseAmount(typed, transaction?.currency ?? '', 'amount')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return `${typed}: ${error.remedy}`
  }
}

/** A tip while it is typed, with what it comes to: `150▏ = $1.50`. */
export function showTip(typed: string, view: ScreenView): string {
  const tip = typed === '' ? '' : readTip(typed, view)
  return `${typed}▏${typeof tip === 'number' ? ` = ${money(tip, view.transaction?.currency ?? '')}` : ''}`
}
