import { readAmount } from '../../contract/written-amount.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { sourceOfVariable } from './env-file.ts'

/** An amount of a flag in minor units. `otherwise`: what a whole number may be instead. Errors: UsageError. */
export function parseAmount(text: string, currency: string, flag: string, otherwise = ''): number {
  const amount = readAmount(text, currency, 'refused')
  if (typeof amount === 'number') return amount
  const { kind, wrong, remedy } = amount
  if (kind === 'currency') throw new UsageError(wrong, remedy, 'priceCurrency')
  throw new UsageError(`--${flag} ${text} ${wrong}`, kind === 'bare' ? remedy + otherwise : remedy, flag)
}

/** A share from 0 to 1. Errors: UsageError. */
export function shareFrom(text: string, flag: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (share >= 0 && share <= 1) return share
  throw new UsageError(`--${flag} ${text} is not a share`, 'Use a number from 0 to 1, such as 0.2', flag)
}

/** Checks TILLBOX_PORT, which every search for a sandbox uses. Errors: UsageError. */
export function requirePortVariable(): void {
  const text = process.env.TILLBOX_PORT || '0'
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return
  throw new UsageError(
    `${sourceOfVariable('TILLBOX_PORT')} ${text} is not a port`,
    'Use a number from 1 to 65535, or unset it',
  )
}
