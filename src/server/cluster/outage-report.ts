import { DatabaseAway } from '../../store/postgres/connection/database-errors.ts'
import { durationInWords } from '../../text/duration-words.ts'
import { elapsedTime } from '../../timers.ts'

/** Time after which an equal message is reported again. Milliseconds. */
const reminder = 30_000

/**
 * Limits the messages of a node: while its database is away, or a right is missing, everything that needs it fails each
 * second. An outage is reported once, then every 30 s, and when it ends; any other message at most every 30 s.
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
    for (const [reported, at] of this.#reportedAt) if (now - at >= reminder) this.#reportedAt.delete(reported)
    const key = away === undefined ? message : away.shown
    if (this.#reportedAt.has(key)) return
    this.#reportedAt.set(key, now)
    if (away === undefined) return this.#tell(message)
    const since = this.#outage?.since
    this.#outage ??= { since: now, database: away.shown }
    const more =
      since === undefined
        ? 'Requests are refused with 503 until it does'
        : `It has not for ${durationInWords(now - since)}`
    this.#tell(`${away.message}. ${more}`)
  }

  /** The database answered again. */
  readonly answered = (): void => {
    if (this.#outage === null) return
    const { since, database } = this.#outage
    this.#outage = null
    this.#reportedAt.delete(database)
    this.#tell(`the database ${database} answers again, after ${durationInWords(this.#elapsed() - since)}`)
  }
}

/** The DatabaseAway that caused an error. */
function outageBehind(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error)) return undefined
  return error instanceof DatabaseAway ? error : outageBehind(error.cause)
}
