import { join } from 'node:path'
import type { AuditEntry } from '../contract/sandbox/access/access-answers.ts'
import { LineLog } from '../files/line-log.ts'

/** A record of who changed what. assumption: audit-log */
export interface AuditLog {
  /** Adds an entry, which is written soon. */
  add(entry: AuditEntry): void
  /** The latest entries, of one space or of all, the newest last. Errors: SBX_STORE_FAIL. */
  latest(limit: number, space: string | null): Promise<readonly AuditEntry[]>
  /** Resolves when every added entry was written, or could not be. */
  written(): Promise<void>
  /** Writes the remaining entries; nothing may be added afterwards. */
  close(): Promise<void>
}

/** Options of the file. */
interface AuditLogOptions {
  readonly folder: string
  readonly report: (error: Error) => void
  readonly confirm: () => void
}

/** Bytes after which the file is rotated; one rotated file is kept. */
const usualLimit = 8 * 1024 * 1024

/** Name of the audit log in a state folder. */
export const auditFileName = 'audit.jsonl'

/** The audit log in a file of the state folder. assumption: audit-log */
export class FileAuditLog implements AuditLog {
  readonly #lines: LineLog<AuditEntry>

  /** `confirm` checks, before each write, that the folder is still ours. */
  constructor({ folder, report, confirm }: AuditLogOptions, limit = usualLimit) {
    this.#lines = new LineLog(join(folder, auditFileName), limit, report, confirm)
  }

  add(entry: AuditEntry): void {
    this.#lines.add(entry)
  }

  async latest(limit: number, space: string | null): Promise<readonly AuditEntry[]> {
    const latest: AuditEntry[] = []
    for await (const entry of this.#lines.all()) {
      if (space !== null && entry.space !== space) continue
      latest.push(entry)
      if (latest.length >= limit * 2) latest.splice(0, latest.length - limit)
    }
    return limit === 0 ? [] : latest.slice(-limit)
  }

  written(): Promise<void> {
    return this.#lines.written()
  }

  close(): Promise<void> {
    return this.written()
  }
}
