import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '../../../contract/control/tokens.ts'
import { RecordLog } from '../../../shared/files/record-log.ts'
import { type AuditLog, refusedAccess } from '../../access/audit-log.ts'
import type { StoredToken, TokenStorage } from '../../access/token-registry.ts'
import { type Database, isoTime } from './connection/database.ts'
import { recordWait, refuseAway } from './connection/database-errors.ts'
import type { RunStatement } from './connection/statement.ts'

/** Fewest changes, and fewest refusals, that are kept. assumption: audit-log */
const defaultMinLines = 100_000

const insertion = `insert into audit (node, line, refused, space, body)
  select $1, e.line, e.refused::boolean, e.space, e.body from rows from (
    unnest($2::bigint[]), unnest($3::text[]), unnest($4::text[]), json_array_elements($5::json)
  ) as e(line, refused, space, body) order by e.line on conflict do nothing`

const selection = `select body from audit where ($2::text is null or space = $2)
  and ($3::boolean is null or refused = $3::boolean) order by id desc limit $1`

/** The oldest lines of changes, or of refusals. */
const oldest = (refused: boolean) =>
  `refused = ${refused} and id <= (select id from audit where refused = ${refused} order by id desc offset $1 limit 1)`

const deletion = `delete from audit where ${oldest(true)} or ${oldest(false)}`

/**
 * The audit log in a database, which several nodes write; changes and refusals have a quota each. `report`:
 * called for lines that cannot be written. assumption: audit-log
 */
export function databaseAudit(
  { run }: Database,
  report: (error: Error) => void,
  minLines = defaultMinLines,
): AuditLog {
  /** Identifies a line together with its number, so that a repeated write adds it only once. */
  const node = randomUUID()
  let last = 0
  const log = new RecordLog<{ readonly line: number; readonly entry: AuditEntry }>({
    write: (lines) =>
      run(insertion, [
        node,
        lines.map(({ line }) => line),
        lines.map(({ entry: { code } }) => String(refusedAccess.has(code))),
        lines.map(({ entry: { space } }) => space),
        JSON.stringify(lines.map(({ entry }) => entry)),
      ]),
    trim: () => run(deletion, [minLines]),
    report,
    ...recordWait,
  })
  return {
    add(entry) {
      last += 1
      log.add({ line: last, entry })
    },
    async latest(limit, space, only) {
      await log.written()
      const values = [limit, space, only === undefined ? null : String(only === 'refusals')]
      const { rows } = await refuseAway(run<{ body: AuditEntry }>(selection, values))
      const entries = rows.map(({ body }) => body).reverse()
      return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    },
    written: () => log.written(),
    close: () => log.close(),
  }
}

/** Said to callers whose token is looked up. */
const away = 'the database that has the tokens does not answer'

/** Tokens in a database, which several nodes read and change. assumption: sandbox-token */
export const databaseTokens = (database: Database): TokenStorage => ({
  read: (hashes) => refuseAway(readTokens(database.run, hashes), hashes === null ? undefined : away),
  change: (change) =>
    refuseAway(
      database.transaction(async (run) => {
        await run('lock table tokens in share row exclusive mode') // reading goes on
        const tokens = change(await readTokens(run, null))
        await run('delete from tokens')
        await run(tokenInsertion, [JSON.stringify(tokens)])
        return tokens
      }),
    ),
})

async function readTokens(run: RunStatement, hashes: readonly string[] | null): Promise<StoredToken[]> {
  const text = `select id, name, scope, space, hash, ${isoTime('created_at')} as "createdAt",
      ${isoTime('expires_at')} as "expiresAt", ${isoTime('last_used_at')} as "lastUsedAt",
      ${isoTime('revoked_at')} as "revokedAt"
    from tokens where $1::text[] is null or hash = any($1) order by number`
  return (await run<StoredToken>(text, [hashes])).rows
}

const tokenInsertion = `insert into tokens (id, name, scope, space, hash, created_at, expires_at, last_used_at, revoked_at)
  select * from json_to_recordset($1) as token(id text, name text, scope text, space text, hash text,
    "createdAt" timestamptz, "expiresAt" timestamptz, "lastUsedAt" timestamptz, "revokedAt" timestamptz)`
