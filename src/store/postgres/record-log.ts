import { clearTimeout, setTimeout } from '../../timers.ts'
import { DatabaseAway } from './connection/database-errors.ts'

interface RecordLogOptions<T> {
  readonly write: (records: readonly T[]) => Promise<unknown>
  /** Removes the oldest records. */
  readonly trim: () => Promise<unknown>
  /** True: records wait while the database does not answer, to be written once it does. False: they are dropped. */
  readonly waits: boolean
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
  /** Number of records that were dropped, as too many waited. */
  #dropped = 0

  constructor(options: RecordLogOptions<T>) {
    this.#options = options
  }

  add(record: T): void {
    this.#waiting.push(record)
    this.#dropOldest()
    this.#gathering ??= setTimeout(() => this.#flush(), gatherMs)
  }

  /** Resolves when everything that was added is written, or could not be. */
  async written(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  /** Runs `work` after the records that were added before. */
  async after(work: () => Promise<unknown>): Promise<void> {
    this.#flush()
    this.#writing = this.#writing.then(work).then(() => undefined, this.#options.report)
    await this.#writing
  }

  /** Writes what is left, and reports how much could not be written. */
  async close(): Promise<void> {
    await this.written()
    clearTimeout(this.#gathering)
    this.#dropped += this.#waiting.length
    this.#reportDropped()
  }

  #flush(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    this.#writing = this.#writing.then(() => this.#write())
  }

  async #write(): Promise<void> {
    const records = this.#waiting.splice(0)
    if (records.length === 0) return
    const { write, trim, report } = this.#options
    try {
      await write(records)
      this.#reportDropped()
      this.#sinceTrim += records.length
      if (this.#sinceTrim < trimEvery) return
      this.#sinceTrim = 0
      await trim()
    } catch (error) {
      report(error as Error)
      if (this.#options.waits && error instanceof DatabaseAway) this.#keep(records)
    }
  }

  #keep(records: readonly T[]): void {
    this.#waiting = [...records, ...this.#waiting]
    this.#dropOldest()
    clearTimeout(this.#gathering)
    this.#gathering = setTimeout(() => this.#flush(), pause).unref()
  }

  #dropOldest(): void {
    this.#dropped += this.#waiting.splice(0, Math.max(0, this.#waiting.length - mostWaiting)).length
  }

  #reportDropped(): void {
    const count = this.#dropped
    this.#dropped = 0
    if (count > 0)
      this.#options.report(
        new Error(`${count === 1 ? '1 record' : `${count} records`} could not be written to the database`),
      )
  }
}
