import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../errors/usage-error.ts'

/** The duration of a flag in milliseconds. Errors: UsageError. */
export function durationOf(text: string, flag: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  throw new UsageError(`--${flag} ${text} is not a duration`, 'Use 500ms, 90s, 5m, 2h or 181d', flag)
}
