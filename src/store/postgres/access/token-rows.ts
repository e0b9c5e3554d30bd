import { endedRetentionMs, type WantedToken } from '../../../access/token-registry.ts'
import type { TokenView } from '../../../contract/sandbox/access/access-answers.ts'
import type { Scope } from '../../../contract/sandbox/access/token.ts'
import type { QueryResult, RunStatement } from '../connection/connection.ts'
import { noticeOn } from '../connection/listening-connection.ts'

/** Channel on which nodes announce changed tokens. */
export const tokensChannel = 'tillbox_tokens'

/** A token as found by its hash. */
export interface KnownToken {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  readonly space: string | null
  readonly hash: string
  /** Milliseconds until it expires, by the clock of the database; null: never; less than 0: expired. */
  readonly leftMs: number | null
  /** True for a token that is only known to be refused. */
  readonly isRevoked: boolean
}

/** A token to make. */
export type NewToken = WantedToken & Pick<KnownToken, 'id' | 'hash'>

/** The tokens that `selectKnown` found. */
export const knownTokens = ({ rows }: QueryResult): KnownToken[] =>
  rows.map((row) => ({
    ...factsOf(row),
    hash: row.hash ?? '',
    leftMs: row.left_ms == null ? null : Number(row.left_ms),
    isRevoked: row.revoked === 't',
  }))

/** A token in a list, with times in milliseconds since 1970. */
const viewed = `id, name, scope, space, ${['created', 'expires', 'last_used']
  .map((what) => `(extract(epoch from ${what}_at) * 1000)::bigint as ${what}_ms`)
  .join(', ')}, case when expires_at <= now() then 'expired' else 'valid' end as state`

const retention = `now() - interval '${endedRetentionMs} ms'`

/** A token is known, and refused by name, for a while after its end. */
const knownCondition = `(expires_at is null or expires_at > ${retention}) and (revoked_at is null or revoked_at > ${retention})`

/** Every valid token, and those that ended lately. */
export const selectKnown = `select id, name, scope, space, hash, extract(epoch from expires_at - now()) * 1000 as left_ms,
    revoked_at is not null as revoked
  from tokens where ${knownCondition}`

/** Every token, the oldest first; without those that expired long ago. Errors: as `Run`. */
export async function listTokens(run: RunStatement, patience: number): Promise<TokenView[]> {
  const { rows } = await run(
    `select ${viewed} from tokens where revoked_at is null and ${knownCondition} order by created_at, id`,
    [],
    patience,
  )
  return rows.map(viewOf)
}

/**
 * Adds a token, or replaces an expired one with its name; undefined when a valid one exists. Safe to repeat. Errors: as
 * `Run`.
 */
export async function insertToken(
  run: RunStatement,
  { id, name, scope, space, hash, ttlMs }: NewToken,
  patience: number,
): Promise<TokenView | undefined> {
  const { rows } = await run(
    `with made as (
      insert into tokens as earlier (id, name, scope, space, hash, expires_at)
        values ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')
      on conflict (name) where revoked_at is null do update set (id, scope, space, hash, created_at, expires_at, last_used_at)
        = (excluded.id, excluded.scope, excluded.space, excluded.hash, excluded.created_at, excluded.expires_at, null)
        where earlier.expires_at <= now() or earlier.id = excluded.id
      returning *)
    select ${viewed}, ${noticeOn(tokensChannel)} from made`,
    [id, name, scope, space, hash, ttlMs],
    patience,
  )
  return rows.map(viewOf)[0]
}

/** Removes tokens that ended long ago: users are no longer told how. Errors: as `Run`. */
export async function forgetEnded(run: RunStatement, patience: number): Promise<void> {
  await run(`delete from tokens where not (${knownCondition})`, [], patience)
}

/** Revokes a token; false when no valid or expired one has that name. Errors: as `Run`. */
export async function revokeToken(run: RunStatement, name: string, patience: number): Promise<boolean> {
  const { rows } = await run(
    `with gone as (update tokens set revoked_at = now() where name = $1 and revoked_at is null returning name)
      select name, ${noticeOn(tokensChannel)} from gone`,
    [name],
    patience,
  )
  return rows.length > 0
}

/** Notes when tokens were last used, by id, in milliseconds since 1970; the latest use counts. Errors: as `Run`. */
export async function noteUses(
  run: RunStatement,
  uses: ReadonlyMap<string, number>,
  patience: number,
): Promise<void> {
  await run(
    `update tokens set last_used_at = greatest(last_used_at, to_timestamp(used.at / 1000.0))
      from unnest($1::text[], $2::bigint[]) as used(id, at) where tokens.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
    patience,
  )
}

type TokenRow = QueryResult['rows'][number]

/** The database accepts only these scopes. */
const factsOf = ({ id, name, scope, space }: TokenRow) => ({
  id: id ?? '',
  name: name ?? '',
  scope: scope as Scope,
  space: space ?? null,
})

const viewOf = (row: TokenRow): TokenView => ({
  ...factsOf(row),
  createdAt: timeOf(row.created_ms) ?? '',
  expiresAt: timeOf(row.expires_ms),
  lastUsedAt: timeOf(row.last_used_ms),
  state: row.state === 'expired' ? 'expired' : 'valid',
})

const timeOf = (ms: string | null | undefined): string | null =>
  ms == null ? null : new Date(Number(ms)).toISOString()
