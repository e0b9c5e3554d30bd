import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import { durationInWords } from '../../text/duration-words.ts'
import { elapsedTime } from '../../timers.ts'

/** Time after which an equal message is reported again. Milliseconds. */
const reminder = 30_000

/**
 * Limits the messages of a node: while its database is away, or a right is missing, everything that needs it fails each
 * second. An outage is reported when it begins and when it ends; any other message at most every 30 s. `elapsed`: a
 * monotonic clock, in milliseconds.
 */
export function outageReport(tell: (message: string) => void, elapsed = elapsedTime) {
  /** When each message was last reported. */
  const reportedAt = new Map<string, number>()
  let outage: { readonly since: number; readonly database: string } | null = null
  const report = (message: string, error?: Error): void => {
    const away = outageBehind(error)
    const now = elapsed()
    if (away !== undefined) {
      if (outage === null) tell(`${away.message}. Requests are refused with 503 until it does`)
      outage ??= { since: now, database: away.shown }
      return
    }
    for (const [reported, at] of reportedAt) if (now - at >= reminder) reportedAt.delete(reported)
    if (reportedAt.has(message)) return
    tell(message)
    reportedAt.set(message, now)
  }
  /** The database answered again. */
  const answered = (): void => {
    if (outage === null) return
    const { since, database } = outage
    outage = null
    tell(`the database ${database} answers again, after ${durationInWords(elapsed() - since)}`)
  }
  return { report, answered }
}

/** The DatabaseAway that caused an error. */
function outageBehind(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DatabaseAway ? error : outageBehind(error.cause)
}
