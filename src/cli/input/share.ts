import { UsageError } from '../errors/usage-error.ts'

/** A share from 0 to 1. Errors: UsageError. */
export function shareFrom(text: string, flag: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN
  if (share >= 0 && share <= 1) return share
  throw new UsageError(`--${flag} ${text} is not a share`, 'Use a number from 0 to 1, such as 0.2', flag)
}
