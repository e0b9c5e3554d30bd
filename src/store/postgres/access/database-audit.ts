import { randomUUID } from 'node:crypto'
import type { AuditLog } from '../../../access/audit-log.ts'
import type { AuditEntry } from '../../../contract/sandbox/access/access-answers.ts'
import { clearTimeout, setTimeout } from '../../../timers.ts'
import type { Database } from '../connection/database.ts'
import { DatabaseAway } from '../connection/database-errors.ts'
import { insertEntries, keepLatest, latestEntries, type NumberedEntry } from './audit-rows.ts'
import { retryOrRefuse } from './refuse-database.ts'

interface DatabaseAuditOptions {
  readonly database: Database
  /** Called for lines that cannot be written. */
  readonly report: (error: Error) => void
  /** Fewest lines that are kept. */
  readonly minLines?: number
}

/** Fewest lines that are kept. assumption: audit-log */
const defaultMinLines = 100_000

/** Number of new lines after which the oldest are removed; also done with the first line. */
const trimEvery = 1_000

/**
 * Time during which lines are collected: a statement costs more than a line in it. Milliseconds. assumption: audit-log
 */
const gatherMs = 50

/** Pause before lines are tried again while the database does not answer. Milliseconds. */
const pause = 1_000

/** Most lines that wait for a database that does not answer. assumption: audit-log */
const mostWaiting = 1_000

/** The audit log in a database, which several nodes write. assumption: audit-log */
export class DatabaseAudit implements AuditLog {
  readonly #options: DatabaseAuditOptions
  /** Identifies a line together with its number, so that a repeated write adds it only once. */
  readonly #node = randomUUID()
  #line = 0
  #waiting: NumberedEntry[] = []
  /** Set while lines are collected. */
  #gathering: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #sinceTrim = trimEvery
  /** Number of dropped lines while the database does not answer; null while it does. */
  #leftOut: number | null = null

  constructor(options: DatabaseAuditOptions) {
    this.#options = options
  }

  add(entry: AuditEntry): void {
    this.#line += 1
    this.#waiting.push({ ...entry, line: this.#line })
    if (this.#leftOut !== null) this.#leaveOut()
    this.#gather()
  }

  async latest(limit: number, space: string | null): Promise<readonly AuditEntry[]> {
    await this.written()
    const { database } = this.#options
    return retryOrRefuse(database, (patience) => latestEntries(database.run, limit, space, patience))
  }

  async written(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  async close(): Promise<void> {
    await this.written()
    clearTimeout(this.#gathering)
    const lost = this.#waiting.length + (this.#leftOut ?? 0)
    if (lost > 0) this.#reportLost(lost)
  }

  #gather(): void {
    const isAway = this.#leftOut !== null
    this.#gathering ??= isAway
      ? setTimeout(() => this.#flush(), pause).unref()
      : setTimeout(() => this.#flush(), gatherMs)
  }

  /** Writes one after another, to keep the order. */
  #flush(): void {
    clearTimeout(this.#gathering)
    this.#gathering = undefined
    this.#writing = this.#writing.then(() => this.#write())
  }

  async #write(): Promise<void> {
    const entries = this.#waiting
    if (entries.length === 0) return
    this.#waiting = []
    const { database, report } = this.#options
    try {
      await insertEntries(database.run, this.#node, entries, database.address.unavailableAfter)
      if (this.#leftOut) this.#reportLost(this.#leftOut)
      this.#leftOut = null
      await this.#trim(entries.length)
    } catch (error) {
      if (error instanceof DatabaseAway) this.#keep(entries, error)
      else report(error as Error)
    }
  }

  /** Keeps lines until the database answers again. */
  #keep(entries: readonly NumberedEntry[], error: Error): void {
    if (this.#leftOut === null) this.#options.report(error)
    this.#leftOut ??= 0
    this.#waiting = [...entries, ...this.#waiting]
    this.#leaveOut()
    this.#gather()
  }

  /** Drops the oldest waiting lines. */
  #leaveOut(): void {
    const tooMany = this.#waiting.splice(0, Math.max(0, this.#waiting.length - mostWaiting))
    this.#leftOut = (this.#leftOut ?? 0) + tooMany.length
  }

  #reportLost(count: number): void {
    const { shown } = this.#options.database.address
    const lines = count === 1 ? '1 line' : `${count} lines`
    this.#options.report(
      new Error(`${lines} of the audit log could not be written: the database ${shown} did not answer`),
    )
  }

  async #trim(added: number): Promise<void> {
    this.#sinceTrim += added
    if (this.#sinceTrim < trimEvery) return
    this.#sinceTrim = 0
    const { database, minLines = defaultMinLines, report } = this.#options
    await keepLatest(database.run, minLines).catch(report)
  }
}
