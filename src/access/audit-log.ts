import { join } from 'node:path'
import type { AuditEntry } from '../contract/sandbox/access/access-answers.ts'
import { LineLog } from '../files/line-log.ts'

/** Who changed what, wherever it is kept. assumption: audit-log */
export interface AuditLog {
  /** Adds a line at the end; it is written soon. */
  add(entry: AuditEntry): void
  /** The latest lines, of one space or of all, the newest last. Errors: SBX_STORE_FAIL. */
  latest(limit: number, space: string | null): Promise<readonly AuditEntry[]>
  /** Resolves when everything that was added is written, or could not be. */
  written(): Promise<void>
  /** Writes what is left; nothing is added any more. */
  close(): Promise<void>
}

/** Where the file is, and what goes with it. */
interface AuditLogOptions {
  readonly folder: string
  readonly report: (error: Error) => void
  readonly confirm: () => void
}

/** Bytes after which the file is put aside; the one before it is kept, older ones are not. */
const usualLimit = 8 * 1024 * 1024

/** Names of the audit log in a state folder. */
export const auditFileName = 'audit.jsonl'

/** The audit log in a file of the state folder. assumption: audit-log */
export class FileAuditLog implements AuditLog {
  readonly #lines: LineLog<AuditEntry>

  /** `confirm` makes sure, before each write, that the folder is still ours. */
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
