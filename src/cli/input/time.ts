import { isMoment } from '../../contract/member-kinds.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A time as it was typed. Errors: UsageError when it is none. */
export function momentFrom(text: string, flag: string): string {
  if (isMoment(text)) return text
  const message = `Cannot read the time --${flag} ${text}`
  throw new UsageError(message, 'Use ISO 8601 with an offset, such as 2026-01-31T12:00:00Z', flag)
}

/** A time, or how far it is ahead of the sandbox's `now`, as it was typed. Errors: UsageError when it is neither. */
export async function momentOrAhead(text: string, flag: string, now: () => Promise<string>): Promise<string> {
  const ahead = parseDuration(text)
  if (ahead !== undefined) {
    const start = await now()
    const at = new Date(Date.parse(start) + ahead)
    if (!Number.isNaN(at.getTime())) return at.toISOString()
    throw new UsageError(
      `The sandbox clock says '${start}', which is no time`,
      `Pass the time of --${flag} itself, such as 2026-01-31T12:00:00Z`,
      flag,
    )
  }
  if (isMoment(text)) return text
  throw new UsageError(
    `Cannot read the time --${flag} ${text}`,
    'Use ISO 8601 with an offset, such as 2026-01-31T12:00:00Z, or how far ahead, such as 10m',
    flag,
  )
}

/** The duration of a flag in milliseconds. Errors: UsageError. */
export function durationOf(text: string, flag: string): number {
  const duration = parseDuration(text)
  if (duration !== undefined) return duration
  throw new UsageError(`--${flag} ${text} is not a duration`, 'Use 500ms, 90s, 5m, 2h or 181d', flag)
}
