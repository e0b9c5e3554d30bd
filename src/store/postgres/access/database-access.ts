import { randomUUID } from 'node:crypto'
import { Access } from '../../../access/access.ts'
import { type AuditLog, refusedAccess } from '../../../access/audit-log.ts'
import type { TokenOptions } from '../../../access/token-registry.ts'
import type { AuditEntry, AuditKind } from '../../../contract/sandbox/tokens.ts'
import type { Database } from '../connection/database.ts'
import { refuseAway } from '../connection/database-errors.ts'
import { RecordLog } from '../record-log.ts'
import { databaseTokens } from './database-tokens.ts'

/** Tokens and audit log of a database, for all spaces of a node. `startToken`: as in `Access`; each node has its own. */
export const databaseAccess = (
  options: TokenOptions & { readonly database: Database },
  startToken: string | null,
): Access => {
  const { database, report } = options
  return new Access(databaseTokens(database), new DatabaseAudit(database, report), startToken, options)
}

/** Fewest changes, and fewest refusals, that are kept. assumption: audit-log */
const defaultMinLines = 100_000

/** A line, and its number at this node. */
interface NumberedLine {
  readonly line: number
  readonly entry: AuditEntry
}

/** The audit log in a database, which several nodes write; changes and refusals have a quota each. assumption: audit-log */
export class DatabaseAudit implements AuditLog {
  readonly #database: Database
  readonly #log: RecordLog<NumberedLine>
  /** Identifies a line together with its number, so that a repeated write adds it only once. */
  readonly #node = randomUUID()
  #line = 0

  /** `report`: called for lines that cannot be written. */
  constructor(database: Database, report: (error: Error) => void, minLines = defaultMinLines) {
    this.#database = database
    this.#log = new RecordLog({
      write: (lines) => this.#write(lines),
      trim: () => this.#trim(minLines),
      report,
    })
  }

  add(entry: AuditEntry): void {
    this.#line += 1
    this.#log.add({ line: this.#line, entry })
  }

  async latest(limit: number, space: string | null, only?: AuditKind): Promise<readonly AuditEntry[]> {
    await this.written()
    const asked = this.#database.run<{ body: AuditEntry }>(
      `select body from audit where ($2::text is null or space = $2)
        and ($3::boolean is null or refused = $3::boolean) order by id desc limit $1`,
      [limit, space, only === undefined ? null : String(only === 'refusals')],
    )
    const { rows } = await refuseAway(asked)
    const entries = rows.map(({ body }) => body).reverse()
    return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
  }

  written(): Promise<void> {
    return this.#log.written()
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  #write(lines: readonly NumberedLine[]): Promise<unknown> {
    return this.#database.run(
      `insert into audit (node, line, refused, space, body)
        select $1, e.line, e.refused::boolean, e.space, e.body from rows from (
          unnest($2::bigint[]), unnest($3::text[]), unnest($4::text[]), json_array_elements($5::json)
        ) as e(line, refused, space, body) order by e.line on conflict do nothing`,
      [
        this.#node,
        lines.map(({ line }) => line),
        lines.map(({ entry: { code } }) => String(refusedAccess.has(code))),
        lines.map(({ entry: { space } }) => space),
        JSON.stringify(lines.map(({ entry }) => entry)),
      ],
    )
  }

  /** Of changes, and of refusals. */
  #trim(minLines: number): Promise<unknown> {
    const oldest = (refused: boolean) =>
      `refused = ${refused} and id <= (select id from audit where refused = ${refused} order by id desc offset $1 limit 1)`
    return this.#database.run(`delete from audit where ${oldest(true)} or ${oldest(false)}`, [minLines])
  }
}
