import { type EndedToken, endGrant, type Grant } from '../../../access/token-registry.ts'
import { clearInterval, elapsedTime, setInterval } from '../../../timers.ts'
import type { Database } from '../connection/database.ts'
import type { ListeningConnection } from '../connection/listening-connection.ts'
import { refuseUnknown } from './refuse-database.ts'
import { type KnownToken, knownTokens, selectKnown, tokensChannel } from './token-rows.ts'

interface KnownTokensOptions {
  readonly database: Database
  /** Called once when tokens cannot be read, until they can be read again. */
  readonly report: (error: Error) => void
  /** A monotonic clock. Milliseconds. */
  readonly elapsed?: (() => number) | undefined
}

/**
 * Maximum age of cached tokens, minimum pause between reads, and time limit of a read. Milliseconds.
 * assumption: token-hash
 */
const follow = 1_000

/** Time for which cached tokens are valid while the database does not answer. Milliseconds. assumption: token-hash */
const cacheMaxAgeMs = 10_000

interface CachedGrant {
  readonly id: string
  readonly grant: Grant
  /** When it expires, by `elapsed`. */
  readonly until: number
  isRevoked: boolean
}

/** The tokens of a database in a node's memory, kept up to date with changes by other nodes. assumption: token-hash */
export class KnownTokens {
  readonly #elapsed: () => number
  readonly #report: (error: Error) => void
  /** A connection of its own: the check of a token must not wait for other work. */
  readonly #connection: ListeningConnection
  readonly #patience: number
  readonly #ids = new WeakMap<Grant, string>()
  readonly #rounds: NodeJS.Timeout
  /** By hash; includes those that ended lately. */
  #known = new Map<string, CachedGrant>()
  /** When the last successful query was sent. */
  #readAt = Number.NEGATIVE_INFINITY
  /** Counts changes: the result of a query that was sent before a change is not used. */
  #version = 0
  #reading: Promise<boolean> | null = null
  /** When the last query failed; null if it succeeded. */
  #failedAt: number | null = null
  #isClosed = false

  constructor({ database, report, elapsed = elapsedTime }: KnownTokensOptions) {
    this.#elapsed = elapsed
    this.#report = report
    this.#connection = database.listening(tokensChannel, () => this.#changed())
    this.#patience = Math.min(follow, database.address.unavailableAfter)
    this.#rounds = setInterval(() => this.#round(), follow).unref()
  }

  /**
   * The grant of the token with that hash; undefined for an unknown token. Errors: SBX_STORE_FAIL when it cannot be
   * read.
   */
  async find(hash: string): Promise<Grant | undefined> {
    const isSure = await this.#followed()
    const now = this.#elapsed()
    const known = this.#known.get(hash)
    const grant = known === undefined || known.isRevoked || known.until <= now ? undefined : known.grant
    if (isSure || (grant !== undefined && now - this.#readAt < cacheMaxAgeMs)) return grant
    return refuseUnknown()
  }

  /** The token with that hash, if it has ended and is still known. */
  ended(hash: string): EndedToken | undefined {
    const known = this.#known.get(hash)
    if (known === undefined) return undefined
    const { name, scope, space } = known.grant
    const end = known.until <= this.#elapsed() ? 'expired' : known.isRevoked ? 'revoked' : undefined
    return end && { name, scope, space, end }
  }

  /** Id of a grant's token. */
  idOf(grant: Grant): string {
    return this.#ids.get(grant) ?? ''
  }

  /** This node made a token. */
  add(token: KnownToken): void {
    this.#version += 1
    this.#known.set(token.hash, this.#knownOf(token, this.#elapsed(), undefined))
  }

  /** This node revoked the token with that name: its event streams end. */
  forget(name: string): void {
    this.#version += 1
    for (const known of this.#known.values()) {
      if (known.grant.name !== name) continue
      known.isRevoked = true
      endGrant(known.grant)
    }
  }

  close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#rounds)
    return this.#connection.close()
  }

  /** Resolves to true when the cache is at most a second old; to false while the database does not answer. */
  async #followed(): Promise<boolean> {
    const now = this.#elapsed()
    if (now - this.#readAt < follow) return true
    if (this.#failedAt !== null && now - this.#failedAt < follow) return false
    return this.#read()
  }

  /** Concurrent callers share one query. */
  #read(): Promise<boolean> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOnce(): Promise<boolean> {
    try {
      for (;;) {
        const [version, sent] = [this.#version, this.#elapsed()]
        const tokens = knownTokens(await this.#connection.run(selectKnown, this.#patience))
        if (version !== this.#version) continue
        this.#take(tokens, sent)
        return true
      }
    } catch (error) {
      if (this.#failedAt === null && !this.#isClosed) this.#report(error as Error)
      this.#failedAt = this.#elapsed()
      return false
    }
  }

  #take(tokens: readonly KnownToken[], sent: number): void {
    const before = this.#known
    this.#known = new Map(
      tokens.map((token) => [token.hash, this.#knownOf(token, sent, before.get(token.hash)?.grant)]),
    )
    for (const [hash, { grant }] of before) {
      const known = this.#known.get(hash)
      if (known === undefined || known.isRevoked || known.grant !== grant) endGrant(grant)
    }
    this.#readAt = sent
    this.#failedAt = null
  }

  #knownOf(
    { id, name, scope, space, leftMs, isRevoked }: KnownToken,
    since: number,
    earlier: Grant | undefined,
  ): CachedGrant {
    const isSame = earlier?.name === name && earlier.scope === scope && earlier.space === space
    const grant =
      isSame && !earlier.isOver
        ? earlier
        : { name, scope, space, isOver: false, whenOver: new Set<() => void>() }
    this.#ids.set(grant, id)
    return { id, grant, until: leftMs === null ? Number.POSITIVE_INFINITY : since + leftMs, isRevoked }
  }

  /** A notice arrived, so the tokens are read earlier. A lost notice delays that by at most a second. */
  #changed(): void {
    this.#version += 1
    void this.#read()
  }

  /** Ends the event streams of expired tokens, and checks for revoked ones. */
  #round(): void {
    const now = this.#elapsed()
    for (const { grant, until } of this.#known.values()) if (until <= now) endGrant(grant)
    if ([...this.#known.values()].some(({ grant }) => grant.whenOver.size > 0)) void this.#read()
  }
}
