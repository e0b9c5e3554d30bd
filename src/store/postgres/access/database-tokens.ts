import { hashOf, newToken, newTokenId } from '../../../access/token-hash.ts'
import {
  type EndedToken,
  type Grant,
  rejectTaken,
  rejectUnknown,
  type TokenRegistry,
  usesPause,
  type WantedToken,
} from '../../../access/token-registry.ts'
import type { CreatedToken, TokenView } from '../../../contract/sandbox/access/access-answers.ts'
import { isMadeToken } from '../../../contract/sandbox/access/token.ts'
import { clearTimeout, setTimeout } from '../../../timers.ts'
import type { Database } from '../connection/database.ts'
import { KnownTokens } from './known-tokens.ts'
import { retryOrRefuse } from './refuse-database.ts'
import { forgetEnded, insertToken, listTokens, noteUses, revokeToken } from './token-rows.ts'

/** Options of the tokens in a database. */
export interface DatabaseTokensOptions {
  readonly database: Database
  /** Wall clock in milliseconds, for last uses. */
  readonly wall: () => number
  /** Called when the last use of a token cannot be written. */
  readonly report: (error: Error) => void
  /** A monotonic clock. Milliseconds. */
  readonly elapsed?: () => number
}

/** The tokens of a database, for one of its nodes. assumption: token-hash */
export class DatabaseTokens implements TokenRegistry {
  readonly #options: DatabaseTokensOptions
  readonly #known: KnownTokens
  /** Last uses that are not written yet, by id. Wall clock. */
  #uses = new Map<string, number>()
  #writing: NodeJS.Timeout | undefined

  constructor(options: DatabaseTokensOptions) {
    this.#options = options
    this.#known = new KnownTokens(options)
  }

  async list(): Promise<readonly TokenView[]> {
    const tokens = await this.#retryOrRefuse((run, patience) => listTokens(run, patience))
    return tokens.map((token) => this.#withUse(token))
  }

  async create(wanted: WantedToken): Promise<CreatedToken> {
    const secret = newToken(wanted.scope)
    const token = { ...wanted, id: newTokenId(), hash: hashOf(secret) }
    await this.#retryOrRefuse(forgetEnded)
    const made = await this.#retryOrRefuse((run, patience) => insertToken(run, token, patience))
    if (made === undefined) return rejectTaken(wanted.name)
    this.#known.add({ ...token, leftMs: wanted.ttlMs, isRevoked: false })
    return { ...made, token: secret }
  }

  async revoke(name: string): Promise<void> {
    let tries = 0
    const isRevoked = await this.#retryOrRefuse((run, patience) => {
      tries += 1
      return revokeToken(run, name, patience)
    })
    this.#known.forget(name)
    // An attempt without an answer may have revoked it.
    if (!isRevoked && tries === 1) rejectUnknown(name)
  }

  async find(secret: string): Promise<Grant | undefined> {
    return isMadeToken(secret) ? this.#known.find(hashOf(secret)) : undefined
  }

  ended(secret: string): EndedToken | undefined {
    return isMadeToken(secret) ? this.#known.ended(hashOf(secret)) : undefined
  }

  used(grant: Grant): void {
    this.#uses.set(this.#known.idOf(grant), this.#options.wall())
    this.#writing ??= setTimeout(() => void this.#writeUses(), usesPause).unref()
  }

  async close(): Promise<void> {
    await this.#writeUses()
    await this.#known.close()
  }

  #retryOrRefuse<T>(work: (run: Database['run'], patience: number) => Promise<T>): Promise<T> {
    const { database } = this.#options
    return retryOrRefuse(database, (patience) => work(database.run, patience))
  }

  /** A failed write is repeated with the next one. */
  async #writeUses(): Promise<void> {
    clearTimeout(this.#writing)
    this.#writing = undefined
    const uses = this.#uses
    if (uses.size === 0) return
    this.#uses = new Map()
    try {
      const { database } = this.#options
      await noteUses(database.run, uses, database.address.unavailableAfter)
    } catch (error) {
      this.#uses = new Map([...uses, ...this.#uses])
      this.#options.report(error as Error)
    }
  }

  #withUse(token: TokenView): TokenView {
    const used = this.#uses.get(token.id)
    const written = token.lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(token.lastUsedAt)
    return used === undefined || used <= written
      ? token
      : { ...token, lastUsedAt: new Date(used).toISOString() }
  }
}
