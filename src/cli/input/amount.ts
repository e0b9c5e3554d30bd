import { readAmount } from '../../contract/written-amount.ts'
import { UsageError } from '../errors/usage-error.ts'

/** An amount of a flag in minor units. `otherwise`: what a whole number may be instead. Errors: UsageError. */
export function parseAmount(text: string, currency: string, flag: string, otherwise = ''): number {
  const amount = readAmount(text, currency, 'refused')
  if (typeof amount === 'number') return amount
  const { kind, wrong, remedy } = amount
  if (kind === 'currency') throw new UsageError(wrong, remedy, 'priceCurrency')
  throw new UsageError(`--${flag} ${text} ${wrong}`, kind === 'bare' ? remedy + otherwise : remedy, flag)
}
