import type { StoredToken, TokenStorage } from '../../../access/token-registry.ts'
import { type Database, isoTime, type RunStatement } from '../connection/database.ts'
import { refuseAway } from '../connection/database-errors.ts'

/** Said to callers whose token is looked up. */
const away = 'the database that has the tokens does not answer'

/** Tokens in a database, which several nodes read and change. assumption: sandbox-token */
export const databaseTokens = (database: Database): TokenStorage => ({
  read: (hashes) => refuseAway(readTokens(database.run, hashes), hashes === null ? undefined : away),
  change: (change) =>
    refuseAway(
      database.transaction(async (run) => {
        await run('lock table tokens in share row exclusive mode') // reading goes on
        const before = await readTokens(run, null)
        const after = change(before)
        await replace(run, before, after)
        return after
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

/** Deletes, adds and changes rows. Of a token that stays, only the last use and the end change. */
async function replace(run: RunStatement, before: readonly StoredToken[], after: readonly StoredToken[]) {
  const [same, left] = [new Set(before), new Set(after.map(({ hash }) => hash))]
  const gone = before.filter(({ hash }) => !left.has(hash)).map(({ hash }) => hash)
  await run('delete from tokens where hash = any($1)', [gone])
  await run(
    `insert into tokens (id, name, scope, space, hash, created_at, expires_at, last_used_at, revoked_at)
      select * from json_to_recordset($1) as changed(id text, name text, scope text, space text, hash text,
        "createdAt" timestamptz, "expiresAt" timestamptz, "lastUsedAt" timestamptz, "revokedAt" timestamptz)
      on conflict (hash) do update set (last_used_at, revoked_at) = (excluded.last_used_at, excluded.revoked_at)`,
    [JSON.stringify(after.filter((token) => !same.has(token)))],
  )
}
