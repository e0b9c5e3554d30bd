import { clearTimeout, setTimeout } from '../../timers.ts'
import { DatabaseAway } from './connection/database-errors.ts'

interface RecordLogOptions<T> {
  /** Errors: DatabaseAway, when the records are to be written later. */
  readonly write: (records: readonly T[]) => Promise<unknown>
  /** Removes the oldest records. */
  readonly trim: () => Promise<unknown>
  readonly report: (error: Error) => void
}

/** Time during which records are collected: a statement costs more than a record in it. Milliseconds. */
const gatherMs = 50

/** Pause before records are tried again while the database does not answer. Milliseconds. */
const pause = 1_000

/** Most records that wait to be written. assumption: audit-log */
const mostWaiting = 10_000

/** Number of new records after which the oldest are removed; also done with the first. */
const trimEvery = 1_000

/** Writes the records of a table, a moment after they were added, in order. A failure is reported. */
export class RecordLog<T> {
  readonly #options: RecordLogOptions<T>
  #waiting: T[] = []
  /** Set while records are collected. */
  #gathering: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #sinceTrim = trimEvery

  constructor(options: RecordLogOptions<T>) {
    this.#options = options
  }

  add(record: T): void {
    this.#waiting.push(record)
    this.#writeIn(gatherMs)
  }

  /** Resolves when everything that was added is written, or could not be. */
  written(): Promise<void> {
    this.#stopGathering()
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Writes what is left, and reports how much could not be written. */
  async close(): Promise<void> {
    await this.written()
    this.#stopGathering()
    this.#keepLatest(0)
  }

  #stopGathering(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
  }

  #writeIn(delay: number): void {
    this.#gathering ??= setTimeout(() => void this.written(), delay)
  }

  async #write(): Promise<void> {
    const { write, trim, report } = this.#options
    this.#keepLatest(mostWaiting)
    const records = this.#waiting
    if (records.length === 0) return
    this.#waiting = []
    try {
      await write(records)
    } catch (error) {
      report(error as Error)
      if (!(error instanceof DatabaseAway)) return
      this.#waiting = [...records, ...this.#waiting]
      this.#stopGathering() // records that came meanwhile wait, too
      return this.#writeIn(pause)
    }
    this.#sinceTrim += records.length
    if (this.#sinceTrim < trimEvery) return
    this.#sinceTrim = 0
    await trim().catch(report)
  }

  /** Drops the oldest records that wait. */
  #keepLatest(most: number): void {
    const count = this.#waiting.splice(0, Math.max(0, this.#waiting.length - most)).length
    const records = count === 1 ? '1 record' : `${count} records`
    if (count > 0) this.#options.report(new Error(`${records} could not be written to the database`))
  }
}
