import type { FileTokensOptions } from '../../../access/file-tokens.ts'
import {
  type EndedToken,
  endedRetentionMs,
  endGrant,
  type Grant,
  hashOf,
  newToken,
  newTokenId,
  rejectTaken,
  rejectUnknown,
  type TokenRegistry,
  usesPause,
  type WantedToken,
} from '../../../access/token-registry.ts'
import { type CreatedToken, isMadeToken, type TokenView } from '../../../contract/sandbox/tokens.ts'
import { clearInterval, setInterval } from '../../../timers.ts'
import { type Database, isoTime, type StatementValue } from '../connection/database.ts'
import { refuseAway } from '../connection/database-errors.ts'

/** Options of the tokens in a database. */
export interface DatabaseTokensOptions extends Pick<FileTokensOptions, 'wall' | 'report'> {
  readonly database: Database
}

/** A row of a token. `ended`: null while it is valid. */
interface TokenRow extends Omit<TokenView, 'state'> {
  readonly ended: EndedToken['end'] | null
}

/** Pause between two checks whether open streams may go on. Milliseconds. assumption: sandbox-token */
const checkPause = 1_000

/** A token is known, and refused by name, for a while after its end. */
const isKnown = ['expires_at', 'revoked_at']
  .map((end) => `(${end} is null or ${end} > now() - interval '${endedRetentionMs} ms')`)
  .join(' and ')

/** The columns of a `TokenRow`. */
const columns = `id, name, scope, space, ${isoTime('created_at')} as "createdAt",
  ${isoTime('expires_at')} as "expiresAt", ${isoTime('last_used_at')} as "lastUsedAt",
  case when expires_at <= now() then 'expired' when revoked_at is not null then 'revoked' end as ended`

/** The tokens of a database, for one of its nodes: each look-up asks the database. assumption: sandbox-token */
export class DatabaseTokens implements TokenRegistry {
  readonly #options: DatabaseTokensOptions
  /** Valid grants that were found, by id of the token: what is open with one ends with it. */
  readonly #grants = new Map<string, Grant>()
  /** When this node last wrote a use, by id. Wall clock. */
  readonly #usesWritten = new Map<string, number>()
  #writing: Promise<unknown> = Promise.resolve()
  readonly #checks: NodeJS.Timeout

  constructor(options: DatabaseTokensOptions) {
    this.#options = options
    this.#checks = setInterval(() => void this.#endStreams().catch(options.report), checkPause).unref()
  }

  async list(): Promise<readonly TokenView[]> {
    await this.#writing
    const kept = `revoked_at is null and ${isKnown}`
    const rows = await this.#ask(`select ${columns} from tokens where ${kept} order by created_at, id`)
    return rows.map(viewOf)
  }

  async create({ name, scope, space, ttlMs }: WantedToken): Promise<CreatedToken> {
    const token = newToken(scope)
    await this.#ask(`delete from tokens where not (${isKnown})`)
    const [row] = await this.#ask(
      `insert into tokens as earlier (id, name, scope, space, hash, expires_at)
          values ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms')
        on conflict (name) where revoked_at is null do update set (id, scope, space, hash, created_at, expires_at, last_used_at)
          = (excluded.id, excluded.scope, excluded.space, excluded.hash, excluded.created_at, excluded.expires_at, null)
          where earlier.expires_at <= now()
        returning ${columns}`,
      [newTokenId(), name, scope, space, hashOf(token), ttlMs],
    )
    return row === undefined ? rejectTaken(name) : { ...viewOf(row), token }
  }

  async revoke(name: string): Promise<void> {
    const text = `update tokens set revoked_at = now() where name = $1 and revoked_at is null returning ${columns}`
    const [row] = await this.#ask(text, [name])
    this.#end((row ?? rejectUnknown(name)).id)
  }

  async find(secret: string): Promise<Grant | undefined> {
    const row = await this.#rowOf(secret)
    if (row === undefined || row.ended !== null) return undefined
    const { id, name, scope, space } = row
    const grant = this.#grants.get(id) ?? { name, scope, space, isOver: false, whenOver: new Set() }
    this.#grants.set(id, grant)
    return grant
  }

  async ended(secret: string): Promise<EndedToken | undefined> {
    const row = await this.#rowOf(secret)
    if (row === undefined || row.ended === null) return undefined
    const { name, scope, space, ended: end } = row
    return { name, scope, space, end }
  }

  used(grant: Grant): void {
    const { database, wall, report } = this.#options
    const [id] = [...this.#grants].find(([, each]) => each === grant) ?? []
    if (id === undefined) return // it has ended
    const now = wall()
    if (now - (this.#usesWritten.get(id) ?? Number.NEGATIVE_INFINITY) < usesPause) return
    this.#usesWritten.set(id, now)
    const text =
      'update tokens set last_used_at = greatest(last_used_at, to_timestamp($2::float8 / 1000)) where id = $1'
    this.#writing = database.run(text, [id, now]).catch(report)
  }

  async close(): Promise<void> {
    clearInterval(this.#checks)
    await this.#writing
  }

  /** Errors: SBX_STORE_FAIL. */
  async #ask(text: string, values: readonly StatementValue[] = [], detail?: string): Promise<TokenRow[]> {
    return (await refuseAway(this.#options.database.run<TokenRow>(text, values), detail)).rows
  }

  /** The row of a token that is valid, or ended lately. Errors: SBX_STORE_FAIL, for callers that are not authenticated. */
  async #rowOf(secret: string): Promise<TokenRow | undefined> {
    if (!isMadeToken(secret)) return undefined
    const text = `select ${columns} from tokens where hash = $1 and ${isKnown}`
    const detail = 'the database that has the tokens does not answer'
    return (await this.#ask(text, [hashOf(secret)], detail))[0]
  }

  /** Ends the streams of tokens that expired, or were revoked at another node. Errors: as `RunStatement`. */
  async #endStreams(): Promise<void> {
    if (![...this.#grants.values()].some(({ whenOver }) => whenOver.size > 0)) return
    const known = [...this.#grants.keys()]
    const { rows } = await this.#options.database.run<TokenRow>(
      `select ${columns} from tokens where id = any($1)`,
      [known],
    )
    const valid = new Set(rows.filter(({ ended }) => ended === null).map(({ id }) => id))
    for (const id of known) if (!valid.has(id)) this.#end(id)
  }

  #end(id: string): void {
    const grant = this.#grants.get(id)
    this.#grants.delete(id)
    this.#usesWritten.delete(id)
    if (grant !== undefined) endGrant(grant)
  }
}

const viewOf = ({ ended, ...view }: TokenRow): TokenView => ({
  ...view,
  state: ended === 'expired' ? 'expired' : 'valid',
})
