import { join } from 'node:path'
import * as v from 'valibot'
import { reject } from '../contract/errors.ts'
import { spaceName } from '../contract/sandbox/spaces.ts'
import { type CreatedToken, scopes, type TokenView, tokenName } from '../contract/sandbox/tokens.ts'
import { replaceChecked } from '../files/checked-json.ts'
import { readCheckedAs } from '../files/checked-schema.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
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
} from './token-registry.ts'

/** Options of the tokens in a state folder. */
export interface FileTokensOptions {
  /** State folder of the server. */
  readonly folder: string
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Checks, before each write, that the folder is still ours. Errors: those of a folder that is not. */
  readonly confirm: () => void
  /** Pause between two writes of last uses, in milliseconds; absent: a minute. */
  readonly usesEvery?: number
  /** Called when a last use cannot be written. */
  readonly report: (error: Error) => void
}

/** Longest delay of a timer. Milliseconds. */
const longestDelay = 2 ** 31 - 1

interface TokenWithGrant {
  readonly token: StoredToken
  readonly grant: Grant
}

/** The tokens of a server in a checked file of its state folder. assumption: sandbox-token */
export class FileTokens implements TokenRegistry {
  readonly #options: FileTokensOptions
  /** By hash, the oldest first. */
  readonly #tokensByHash = new Map<string, TokenWithGrant>()
  /** Last uses that are not written yet, by name of the token. Wall clock. */
  readonly #uses = new Map<string, number>()
  #writing: NodeJS.Timeout | undefined
  #expiring: NodeJS.Timeout | undefined

  /** Errors: DamagedFile; an Error of the file system. */
  constructor(options: FileTokensOptions) {
    this.#options = options
    for (const token of readTokens(options.folder)) if (this.#isKnown(token)) this.#keep(token)
    this.#watch()
  }

  async list(): Promise<readonly TokenView[]> {
    return this.#tokens.map((token) => this.#view(token))
  }

  async create({ name, scope, space, ttlMs }: WantedToken): Promise<CreatedToken> {
    const now = this.#options.wall()
    const earlier = this.#tokens.find((each) => each.name === name)
    if (earlier !== undefined && !this.#isExpired(earlier)) rejectTaken(name)
    const secret = newToken(scope)
    const token: StoredToken = {
      ...{ id: newTokenId(), name, scope, space, hash: hashOf(secret) },
      createdAt: new Date(now).toISOString(),
      expiresAt: ttlMs === null ? null : new Date(now + ttlMs).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    }
    this.#replace([...this.#stored.filter((each) => each !== earlier), token])
    return { ...this.#view(token), token: secret }
  }

  async revoke(name: string): Promise<void> {
    const token = this.#tokens.find((each) => each.name === name) ?? rejectUnknown(name)
    const revoked = { ...this.#withUse(token), revokedAt: new Date(this.#options.wall()).toISOString() }
    this.#replace(this.#stored.map((each) => (each === token ? revoked : each)))
  }

  async find(secret: string): Promise<Grant | undefined> {
    const stored = this.#tokensByHash.get(hashOf(secret))
    return stored === undefined || this.#endOf(stored.token) !== undefined ? undefined : stored.grant
  }

  async ended(secret: string): Promise<EndedToken | undefined> {
    const stored = this.#tokensByHash.get(hashOf(secret))
    if (stored === undefined) return undefined
    const { name, scope, space } = stored.token
    const end = this.#endOf(stored.token)
    return end && { name, scope, space, end }
  }

  used({ name }: Grant): void {
    this.#uses.set(name, this.#options.wall())
    const { usesEvery = usesPause } = this.#options
    this.#writing ??= setTimeout(() => this.#writeUses(), usesEvery).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#expiring)
    if (this.#writing !== undefined) this.#writeUses()
  }

  get #stored(): StoredToken[] {
    return [...this.#tokensByHash.values()].map(({ token }) => token)
  }

  /** Those that were not revoked. */
  get #tokens(): StoredToken[] {
    return this.#stored.filter(({ revokedAt }) => revokedAt === null)
  }

  /** Writes the tokens, then applies them; connections of removed tokens end. Errors: SBX_STORE_FAIL. */
  #replace(tokens: readonly StoredToken[]): void {
    const left = tokens.filter((token) => this.#isKnown(token)).map((token) => this.#withUse(token))
    try {
      this.#write(left)
    } catch (error) {
      reject('SBX_STORE_FAIL', { detail: (error as Error).message })
    }
    const hashes = new Set(left.map(({ hash }) => hash))
    for (const [hash, { grant }] of this.#tokensByHash) {
      if (hashes.has(hash)) continue
      this.#tokensByHash.delete(hash)
      endGrant(grant)
    }
    for (const token of left) this.#keep(token)
    this.#watch()
  }

  #keep(token: StoredToken): void {
    const { name, scope, space, revokedAt } = token
    const grant = this.#tokensByHash.get(token.hash)?.grant ?? {
      ...{ name, scope, space, isOver: false },
      whenOver: new Set(),
    }
    if (revokedAt !== null) endGrant(grant)
    this.#tokensByHash.set(token.hash, { token, grant })
  }

  #write(tokens: readonly StoredToken[]): void {
    this.#options.confirm()
    writeTokens(this.#options.folder, tokens)
    this.#uses.clear()
    clearTimeout(this.#writing)
    this.#writing = undefined
  }

  #writeUses(): void {
    clearTimeout(this.#writing)
    this.#writing = undefined
    const tokens = this.#stored.map((token) => this.#withUse(token))
    try {
      this.#write(tokens)
      for (const token of tokens) this.#keep(token)
    } catch (error) {
      this.#options.report(error as Error)
    }
  }

  #withUse(token: StoredToken): StoredToken {
    const used = this.#uses.get(token.name)
    return used === undefined || token.revokedAt !== null
      ? token
      : { ...token, lastUsedAt: new Date(used).toISOString() }
  }

  /** False for a token that ended long ago. */
  #isKnown({ expiresAt, revokedAt }: StoredToken): boolean {
    const forgotten = this.#options.wall() - endedRetentionMs
    return [expiresAt, revokedAt].every((end) => end === null || Date.parse(end) > forgotten)
  }

  #isExpired({ expiresAt }: StoredToken): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.#options.wall()
  }

  #endOf(token: StoredToken): EndedToken['end'] | undefined {
    if (this.#isExpired(token)) return 'expired'
    return token.revokedAt === null ? undefined : 'revoked'
  }

  #view(token: StoredToken): TokenView {
    const { hash: _, revokedAt: __, ...shown } = this.#withUse(token)
    return { ...shown, state: this.#isExpired(token) ? 'expired' : 'valid' }
  }

  /** Waits until the next token expires, to end its connections. Includes tokens that expired since the last call. */
  #watch(): void {
    clearTimeout(this.#expiring)
    const valid = [...this.#tokensByHash.values()].filter(({ grant }) => !grant.isOver)
    const times = valid.flatMap(({ token: { expiresAt } }) =>
      expiresAt === null ? [] : Date.parse(expiresAt),
    )
    const next = Math.min(...times)
    if (!Number.isFinite(next)) return
    const delay = Math.max(0, next - this.#options.wall())
    this.#expiring = setTimeout(() => this.#expire(), Math.min(delay, longestDelay)).unref()
  }

  #expire(): void {
    for (const { token, grant } of this.#tokensByHash.values()) if (this.#isExpired(token)) endGrant(grant)
    this.#watch()
  }
}

const time = v.pipe(v.string(), v.isoTimestamp())

const storedToken = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  name: v.pipe(v.string(), v.regex(tokenName)),
  scope: v.picklist(scopes),
  /** The only space that the token is valid for; null: every space. */
  space: v.nullable(v.pipe(v.string(), v.regex(spaceName))),
  /** SHA-256 of the token, in hexadecimal digits. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  createdAt: time,
  expiresAt: v.nullable(time),
  lastUsedAt: v.nullable(time),
  /** Since when it is refused; null while it is not revoked. */
  revokedAt: v.nullable(time),
})
/** A stored token, or one that ended within the last 7 days. Times in ISO 8601 by the wall clock. */
type StoredToken = v.InferOutput<typeof storedToken>

const schema = v.strictObject({ tokens: v.array(storedToken) })

/** Name of the tokens file in a state folder, a checked file. */
export const tokensFileName = 'tokens.json'

/** The tokens of a state folder; none without a file. Errors: DamagedFile; an Error of the file system. */
export const readTokens = (folder: string): readonly StoredToken[] =>
  readCheckedAs(join(folder, tokensFileName), schema)?.tokens ?? []

/** Replaces the tokens; they are durable when this returns. Errors: an Error of the file system. */
const writeTokens = (folder: string, tokens: readonly StoredToken[]): void =>
  replaceChecked(join(folder, tokensFileName), { tokens })
