import { isMoment } from '../../contract/member-kinds.ts'
import { UsageError } from '../errors/usage-error.ts'

/** A time as it was typed. Errors: UsageError when it is none. */
export function momentFrom(text: string, flag: string): string {
  if (isMoment(text)) return text
  throw new UsageError(
    `Cannot read the time --${flag} ${text}`,
    'Use ISO 8601 with an offset, such as 2026-01-31T12:00:00Z',
    flag,
  )
}
