import type { AuditEntry, AuditKind } from '../contract/sandbox/access/access-answers.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import { type AuditLog, refusedAccess } from './audit-log.ts'

/** Time during which equal refusals are counted in one line. Milliseconds. assumption: audit-log */
const countingMs = 60_000

/** Most refusals that are counted at a time. */
const mostCounted = 1_000

/** Of equal refusals, writes the first at once, and the others as one line with their number. assumption: audit-log */
export class CountedAuditLog implements AuditLog {
  readonly #lines: AuditLog
  /** Refusals of the last minute: the latest of those that are equal, and how many are not written yet. */
  readonly #counted = new Map<string, { latest: AuditEntry; unwritten: number }>()
  #counting: NodeJS.Timeout | undefined

  /** `lines`: where the lines are kept. */
  constructor(lines: AuditLog) {
    this.#lines = lines
  }

  add(entry: AuditEntry): void {
    if (refusedAccess.has(entry.code)) this.#count(entry)
    else this.#lines.add(entry)
  }

  latest(limit: number, space: string | null, only?: AuditKind): Promise<readonly AuditEntry[]> {
    this.#writeCounts()
    return this.#lines.latest(limit, space, only)
  }

  written(): Promise<void> {
    this.#writeCounts()
    return this.#lines.written()
  }

  close(): Promise<void> {
    clearTimeout(this.#counting)
    this.#writeCounts()
    return this.#lines.close()
  }

  #count(entry: AuditEntry): void {
    const { at: _, ...rest } = entry
    const key = JSON.stringify(rest)
    const known = this.#counted.get(key)
    if (known !== undefined) {
      known.latest = entry
      known.unwritten += 1
      return
    }
    if (this.#counted.size >= mostCounted) this.#forgetCounts()
    this.#counted.set(key, { latest: entry, unwritten: 0 })
    this.#lines.add(entry)
    this.#counting ??= setTimeout(() => this.#forgetCounts(), countingMs).unref()
  }

  #forgetCounts(): void {
    this.#writeCounts()
    this.#counted.clear()
    clearTimeout(this.#counting)
    this.#counting = undefined
  }

  #writeCounts(): void {
    for (const counted of this.#counted.values()) {
      const { latest, unwritten } = counted
      if (unwritten > 0) this.#lines.add({ ...latest, count: unwritten })
      counted.unwritten = 0
    }
  }
}
