import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import { durationInWords } from '../../text/duration-words.ts'
import { elapsedTime } from '../../timers.ts'

/** Time after which an equal message is reported again. Milliseconds. */
const reminder = 30_000

/**
 * Limits the messages of a node: while its database is away, or a right is missing, everything that needs it fails each
 * second. An outage is reported when it begins and when it ends; any other message at most every 30 s.
 */
export class OutageReport {
  readonly #tell: (message: string) => void
  readonly #elapsed: () => number
  /** When each message was last reported. */
  readonly #reportedAt = new Map<string, number>()
  #outage: { readonly since: number; readonly database: string } | null = null

  /** `elapsed`: a monotonic clock, in milliseconds. */
  constructor(tell: (message: string) => void, elapsed = elapsedTime) {
    this.#tell = tell
    this.#elapsed = elapsed
  }

  readonly report = (message: string, error?: Error): void => {
    const away = outageBehind(error)
    const now = this.#elapsed()
    if (away !== undefined) {
      if (this.#outage === null) this.#tell(`${away.message}. Requests are refused with 503 until it does`)
      this.#outage ??= { since: now, database: away.shown }
      return
    }
    for (const [reported, at] of this.#reportedAt) if (now - at >= reminder) this.#reportedAt.delete(reported)
    if (!this.#reportedAt.has(message)) this.#tell(message)
    this.#reportedAt.set(message, this.#reportedAt.get(message) ?? now)
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
