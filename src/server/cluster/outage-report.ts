import { durationInWords } from '../../text/duration-words.ts'
import { elapsedTime } from '../../timers.ts'

/** An outage that goes on is told again after so long. Milliseconds. */
const reminder = 30_000

/**
 * What a node says while its database is away: everything that needs it fails every second, and the log would be full of
 * that. It is told once, again every 30 s, and when it is over. Anything else is told as it is.
 */
export class OutageReport {
  readonly #tell: (message: string) => void
  readonly #database: string
  readonly #elapsed: () => number
  #outage: { readonly since: number; toldAt: number } | null = null

  /** `database`: as its errors name it. `elapsed`: a clock that nobody sets, in milliseconds. */
  constructor(tell: (message: string) => void, database: string, elapsed = elapsedTime) {
    this.#tell = tell
    this.#database = database
    this.#elapsed = elapsed
  }

  readonly report = (message: string): void => {
    const away = `the database ${this.#database} does not answer`
    const at = message.indexOf(away)
    if (at < 0) return this.#tell(message)
    const now = this.#elapsed()
    if (this.#outage === null) {
      this.#outage = { since: now, toldAt: now }
      this.#tell(`${message.slice(at)}. Requests are refused with 503 until it does`)
    } else if (now - this.#outage.toldAt >= reminder) {
      this.#outage.toldAt = now
      this.#tell(`${message.slice(at)}. It has not for ${durationInWords(now - this.#outage.since)}`)
    }
  }

  /** The database answered. */
  readonly answered = (): void => {
    if (this.#outage === null) return
    const { since } = this.#outage
    this.#outage = null
    this.#tell(
      `the database ${this.#database} answers again, after ${durationInWords(this.#elapsed() - since)}`,
    )
  }
}
