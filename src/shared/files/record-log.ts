import { clearTimeout, setTimeout } from '../timers.ts'

interface RecordLogOptions<T> {
  readonly write: (records: readonly T[]) => Promise<unknown>
  /** Time during which records are collected: writing costs more than a record in it. Milliseconds. */
  readonly gatherMs: number
  /** Most records that wait to be written; left out, all. */
  readonly mostWaiting?: number
  /** True for an error after which the records are written later; left out: never. */
  readonly isAway?: (error: unknown) => boolean
  /** Removes the oldest records. */
  readonly trim?: () => Promise<unknown>
  readonly report: (error: Error) => void
}

/** Pause before records are tried again. Milliseconds. */
const pause = 1_000

/** Number of new records after which the oldest are removed; also done with the first. */
const trimEvery = 1_000

/** Writes records a moment after they were added, in order. A failure is reported. */
export class RecordLog<T> {
  #waiting: T[] = []
  /** Set while records are collected. */
  #gathering: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #sinceTrim = trimEvery

  constructor(private readonly options: RecordLogOptions<T>) {}

  add(record: T): void {
    this.#waiting.push(record)
    this.#writeIn(this.options.gatherMs)
  }

  /** Resolves when all that was added is written or failed, and `work` is done before what comes next. */
  written(work?: () => Promise<void>): Promise<void> {
    this.#stopGathering()
    this.#writing = this.#writing
      .then(() => this.#write())
      .then(work)
      .catch(this.options.report)
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
    const { write, isAway, mostWaiting, trim, report } = this.options
    this.#keepLatest(mostWaiting ?? Number.POSITIVE_INFINITY)
    const records = this.#waiting
    if (records.length === 0) return
    this.#waiting = []
    try {
      await write(records)
    } catch (error) {
      report(error as Error)
      if (!isAway?.(error)) return
      this.#waiting = [...records, ...this.#waiting]
      this.#stopGathering() // records that came meanwhile wait, too
      return this.#writeIn(pause)
    }
    this.#sinceTrim += records.length
    if (this.#sinceTrim < trimEvery) return
    this.#sinceTrim = 0
    await trim?.().catch(report)
  }

  /** Drops the oldest records that wait. */
  #keepLatest(most: number): void {
    const count = this.#waiting.splice(0, Math.max(0, this.#waiting.length - most)).length
    const records = count === 1 ? '1 record' : `${count} records`
    if (count > 0) this.options.report(new Error(`${records} could not be written to the database`))
  }
}
