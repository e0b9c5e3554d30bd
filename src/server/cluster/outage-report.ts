import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import { durationInWords } from '../../text/duration-words.ts'
import { elapsedTime } from '../../timers.ts'

/** Time after which a continuing outage is reported again. Milliseconds. */
const reminder = 30_000

/**
 * Limits the messages of a node: while its database is away, everything that needs it fails each second. The outage is
 * reported once, then every 30 s, and when it ends. Any other message is reported at most every 30 s: a missing right
 * also fails each second.
 */
export class OutageReport {
  readonly #tell: (message: string) => void
  readonly #elapsed: () => number
  /** When each other message was last reported, the earliest first. */
  readonly #reportedAt = new Map<string, number>()
  #outage: { readonly since: number; readonly database: string; reportedAt: number } | null = null

  /** `elapsed`: a monotonic clock, in milliseconds. */
  constructor(tell: (message: string) => void, elapsed = elapsedTime) {
    this.#tell = tell
    this.#elapsed = elapsed
  }

  readonly report = (message: string, error?: Error): void => {
    const away = outageBehind(error)
    const now = this.#elapsed()
    if (away === undefined) return this.#tellAnother(message, now)
    if (this.#outage === null) {
      this.#outage = { since: now, database: away.shown, reportedAt: now }
      this.#tell(`${away.message}. Requests are refused with 503 until it does`)
    } else if (now - this.#outage.reportedAt >= reminder) {
      this.#outage.reportedAt = now
      this.#tell(`${away.message}. It has not for ${durationInWords(now - this.#outage.since)}`)
    }
  }

  #tellAnother(message: string, now: number): void {
    for (const [reported, at] of this.#reportedAt) {
      if (now - at < reminder) break // the earliest comes first
      this.#reportedAt.delete(reported)
    }
    if (this.#reportedAt.has(message)) return
    this.#reportedAt.set(message, now)
    this.#tell(message)
  }

  /** The database answered again. */
  readonly answered = (): void => {
    if (this.#outage === null) return
    const { since, database } = this.#outage
    this.#outage = null
    this.#tell(`the database ${database} answers again, after ${durationInWords(this.#elapsed() - since)}`)
  }
}

/** The DatabaseAway that caused an error. */
function outageBehind(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DatabaseAway ? error : outageBehind(error.cause)
}
