import { join } from 'node:path'
import { type AuditEntry, type AuditKind, auditKinds } from '../../contract/control/tokens.ts'
import { LineLog } from '../../shared/files/line-log.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'

/** A record of who changed what. assumption: audit-log */
export interface AuditLog {
  /** Adds an entry, which is written soon. */
  add(entry: AuditEntry): void
  /** The latest entries, of one space or of all, of one kind or of both, the newest last. */
  latest(limit: number, space: string | null, only?: AuditKind): Promise<readonly AuditEntry[]>
  /** Resolves when every added entry was written, or could not be. */
  written(): Promise<void>
  /** Writes the remaining entries; nothing may be added afterwards. */
  close(): Promise<void>
}

interface AuditLogOptions {
  readonly folder: string
  readonly report: (error: Error) => void
  readonly confirm: () => void
}

/** Bytes after which the file is rotated; one rotated file is kept. */
const usualLimit = 8 * 1024 * 1024

/** Codes of requests that are refused for their token. */
export const refusedAccess: ReadonlySet<string> = new Set(['SBX_TOKEN', 'SBX_SCOPE'])

/** The audit log in files of the state folder. Refused requests push out no change. assumption: audit-log */
export class FileAuditLog implements AuditLog {
  readonly #logs: Readonly<Record<AuditKind, LineLog<AuditEntry>>>

  /** `confirm` checks, before each write, that the folder is still ours. */
  constructor({ folder, report, confirm }: AuditLogOptions, limit = usualLimit) {
    const logAt = (name: string) => new LineLog<AuditEntry>(join(folder, name), limit, report, confirm)
    this.#logs = { changes: logAt('audit.jsonl'), refusals: logAt('audit-refused.jsonl') } // a quota each
  }

  add(entry: AuditEntry): void {
    this.#logs[refusedAccess.has(entry.code) ? 'refusals' : 'changes'].add(entry)
  }

  async latest(limit: number, space: string | null, only?: AuditKind): Promise<readonly AuditEntry[]> {
    const kinds = only === undefined ? auditKinds : [only]
    const found = await Promise.all(kinds.map((kind) => latestEntries(this.#logs[kind], limit, space)))
    const sorted = found.flat().sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    return limit === 0 ? [] : sorted.slice(-limit)
  }

  async written(): Promise<void> {
    await Promise.all(auditKinds.map((kind) => this.#logs[kind].written()))
  }

  close(): Promise<void> {
    return this.written()
  }
}

/** The latest entries of a file, of one space or of all. */
async function latestEntries(lines: LineLog<AuditEntry>, limit: number, space: string | null) {
  const latest: AuditEntry[] = []
  for await (const entry of lines.all()) {
    if (space !== null && entry.space !== space) continue
    latest.push(entry)
    if (latest.length >= limit * 2) latest.splice(0, latest.length - limit)
  }
  return latest.slice(-limit)
}

/** Time during which equal refusals are counted in one line. Milliseconds. assumption: audit-log */
const countingMs = 60_000

/** Most refusals that are counted at a time. */
const mostRefusals = 1_000

/** Of equal refusals the first is written at once, the others as one counted line. assumption: audit-log */
export class CountedAuditLog implements AuditLog {
  /** Refusals of the last minute: the latest of those that are equal, and how many are not written yet. */
  readonly #counted = new Map<string, { latest: AuditEntry; unwritten: number }>()
  #counting: NodeJS.Timeout | undefined

  /** `lines`: where the lines are kept. */
  constructor(private readonly lines: AuditLog) {}

  add(entry: AuditEntry): void {
    if (refusedAccess.has(entry.code)) this.#count(entry)
    else this.lines.add(entry)
  }

  latest(limit: number, space: string | null, only?: AuditKind): Promise<readonly AuditEntry[]> {
    this.#writeCounts()
    return this.lines.latest(limit, space, only)
  }

  written(): Promise<void> {
    this.#writeCounts()
    return this.lines.written()
  }

  close(): Promise<void> {
    clearTimeout(this.#counting)
    this.#writeCounts()
    return this.lines.close()
  }

  #count(entry: AuditEntry): void {
    const { at: _, ...rest } = entry
    const key = JSON.stringify(rest)
    const counted = this.#counted.get(key)
    if (counted !== undefined) {
      counted.latest = entry
      counted.unwritten += 1
      return
    }
    if (this.#counted.size >= mostRefusals) this.#forgetCounts()
    this.#counted.set(key, { latest: entry, unwritten: 0 })
    this.lines.add(entry)
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
      if (unwritten > 0) this.lines.add(unwritten === 1 ? latest : { ...latest, count: unwritten })
      counted.unwritten = 0
    }
  }
}
