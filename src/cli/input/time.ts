import { isMoment } from '../../contract/member-kinds.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A time as it was typed. Errors: UsageError when it is none. */
export function momentFrom(text: string, flag: string): string {
  if (isMoment(text)) return text
  const message = `Cannot read the time --${flag} ${text}`
  throw new UsageError(message, 'Use ISO 8601 with an offset, such as 2026-01-31T12:00:00Z', flag)
}

/** The duration of a flag in milliseconds. Errors: UsageError. */
export function durationOf(text: string, flag: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  throw new UsageError(`--${flag} ${text} is not a duration`, 'Use 500ms, 90s, 5m, 2h or 181d', flag)
}
