import { createHash, randomBytes } from 'node:crypto'
import { type CreatedToken, isMadeToken, type TokenView, tokenName } from '../../contract/control/tokens.ts'
import { reject } from '../../contract/errors.ts'
import { command } from '../../shared/text/commands.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../../shared/timers.ts'
import type { EndedToken, Grant } from './grants.ts'

/** A token that is valid, or that ended within the last 7 days, as it is stored. */
export interface StoredToken extends Omit<TokenView, 'state'> {
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string
  /** Since when it is refused; null while it is not revoked. */
  readonly revokedAt: string | null
}

/** Makes other tokens of the stored ones. */
export type TokenChange = (tokens: readonly StoredToken[]) => readonly StoredToken[]

/** Where tokens are kept. Each method: */
export interface TokenStorage {
  /** The tokens with these hashes, as they are now; null: all, in the order in which they were created. */
  read(hashes: readonly string[] | null): Promise<readonly StoredToken[]>
  /** Replaces all tokens, while nobody else changes them. Resolves to the new ones when they are durable. */
  change(change: TokenChange): Promise<readonly StoredToken[]>
}

/** Options of the tokens of a server. */
export interface TokenOptions {
  /** Wall clock in milliseconds. */
  readonly wall: () => number
  /** Gets the errors of what no request waits for. */
  readonly report: (error: Error) => void
}

/** Properties of a new token. */
export interface WantedToken extends Pick<Grant, 'name' | 'scope' | 'space'> {
  /** Milliseconds of the wall clock; null: it does not expire. */
  readonly ttlMs: number | null
}

/** How long a token is known after it expired or was revoked. Milliseconds. assumption: sandbox-token */
const endedRetentionMs = 7 * 86_400_000

/** Pause between two writes of last uses; a crash loses those since the last write. Milliseconds. */
const usualUsesPause = 60_000

/** Pause between two checks whether open streams may go on. Milliseconds. assumption: sandbox-token */
const checkPause = 1_000

/** The tokens of a server. Only hashes are stored: who reads them has no token. assumption: sandbox-token */
export class TokenRegistry {
  /** Grants of tokens that were found, by hash: what is open with one ends with it. */
  readonly #grants = new Map<string, Grant>()
  /** When each was last used here. */
  readonly #uses = new WeakMap<Grant, string>()
  /** Set while uses wait to be written. */
  #waiting: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  /** Set once a token was found. */
  #checks: NodeJS.Timeout | undefined

  constructor(
    private readonly storage: TokenStorage,
    private readonly options: TokenOptions,
    private readonly usesPause = usualUsesPause,
  ) {}

  /** Every token that is not revoked, the oldest first. */
  async list(): Promise<readonly TokenView[]> {
    const tokens = (await this.storage.read(null)).filter(this.#isKnown).map(this.#withUse)
    return tokens.filter(({ revokedAt }) => revokedAt === null).map(this.#view)
  }

  /** Makes a token; it is durable when this resolves. */
  async create({ ttlMs, ...wanted }: WantedToken): Promise<CreatedToken> {
    const now = this.options.wall()
    const secret = `tbx_${wanted.scope}_${randomBytes(32).toString('base64url')}`
    const token: StoredToken = {
      id: randomBytes(4).toString('hex'),
      ...wanted,
      hash: tokenHash(secret),
      createdAt: new Date(now).toISOString(),
      expiresAt: ttlMs === null ? null : new Date(now + ttlMs).toISOString(),
      lastUsedAt: null,
      revokedAt: null,
    }
    await this.#change((tokens) => {
      const earlier = tokenNamed(wanted.name, tokens)
      if (earlier !== undefined && !this.#isExpired(earlier)) rejectTaken(wanted.name)
      return [...tokens.filter((each) => each !== earlier), token]
    })
    return { ...this.#view(token), token: secret }
  }

  /** Revokes a token, at once and durably. */
  async revoke(name: string): Promise<void> {
    const revokedAt = new Date(this.options.wall()).toISOString()
    await this.#change((tokens) => {
      const revoked = tokenNamed(name, tokens) ?? rejectNoToken(name)
      return tokens.map((token) => (token === revoked ? { ...token, revokedAt } : token))
    })
  }

  /** What a token grants; undefined for an unknown, revoked or expired one. */
  async find(secret: string): Promise<Grant | undefined> {
    const token = await this.#stored(secret)
    if (token === undefined || this.#endReason(token) !== undefined) return undefined
    const { id, hash, name, scope, space } = token
    const grant = this.#grants.get(hash) ?? { id, name, scope, space, isOver: false, whenOver: new Set() }
    this.#grants.set(hash, grant)
    this.#checks ??= setInterval(() => void this.#endStreams().catch(this.#report), checkPause).unref()
    return grant
  }

  /** A token that expired or was revoked within the last 7 days; undefined for any other. */
  async ended(secret: string): Promise<EndedToken | undefined> {
    const token = await this.#stored(secret)
    if (token === undefined) return undefined
    const { name, scope, space } = token
    const end = this.#endReason(token)
    return end && { name, scope, space, end }
  }

  /** Notes the use of a token, which is written later. */
  used(grant: Grant): void {
    this.#uses.set(grant, new Date(this.options.wall()).toISOString())
    this.#waiting ??= setTimeout(() => this.#writeUses(), this.usesPause).unref()
  }

  /** Writes the remaining uses. */
  async close(): Promise<void> {
    clearInterval(this.#checks)
    if (this.#waiting !== undefined) this.#writeUses()
    await this.#writing
  }

  async #stored(secret: string): Promise<StoredToken | undefined> {
    if (!isMadeToken(secret)) return undefined
    return (await this.storage.read([tokenHash(secret)])).find(this.#isKnown)
  }

  /** Changes the tokens, forgets old ones, and ends what is open with ended ones. */
  async #change(change: TokenChange): Promise<void> {
    const hashes = [...this.#grants.keys()]
    const tokens = await this.storage.change((stored) =>
      change(stored.filter(this.#isKnown).map(this.#withUse)),
    )
    this.#endGrants(hashes, tokens)
  }

  /** Ends the streams of tokens that expired, or were revoked at another node. */
  async #endStreams(): Promise<void> {
    const open = [...this.#grants].flatMap(([hash, { whenOver }]) => (whenOver.size > 0 ? hash : []))
    if (open.length > 0) this.#endGrants(open, await this.storage.read(open))
  }

  /** Of the grants with these hashes, ends those whose token is not valid. */
  #endGrants(hashes: readonly string[], tokens: readonly StoredToken[]): void {
    const valid = new Set(tokens.filter((token) => !this.#endReason(token)).map(({ hash }) => hash))
    for (const hash of hashes) {
      const grant = this.#grants.get(hash)
      if (grant === undefined || valid.has(hash)) continue
      this.#grants.delete(hash)
      grant.isOver = true
      for (const tell of grant.whenOver) tell()
      grant.whenOver.clear()
    }
  }

  #writeUses(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#writing = this.#change((tokens) => tokens).catch(this.#report)
  }

  /** The operator is told the cause, and not how a request would be refused for it. */
  readonly #report = (error: Error) => this.options.report(error.cause instanceof Error ? error.cause : error)

  readonly #withUse = (token: StoredToken): StoredToken => {
    const grant = this.#grants.get(token.hash)
    const used = grant && this.#uses.get(grant)
    return used === undefined || used <= (token.lastUsedAt ?? '') ? token : { ...token, lastUsedAt: used }
  }

  /** False for a token that ended long ago. */
  readonly #isKnown = ({ expiresAt, revokedAt }: StoredToken): boolean => {
    const forgotten = this.options.wall() - endedRetentionMs
    return [expiresAt, revokedAt].every((end) => end === null || Date.parse(end) > forgotten)
  }

  #isExpired({ expiresAt }: StoredToken): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= this.options.wall()
  }

  #endReason(token: StoredToken): EndedToken['end'] | undefined {
    if (this.#isExpired(token)) return 'expired'
    return token.revokedAt === null ? undefined : 'revoked'
  }

  readonly #view = (token: StoredToken): TokenView => {
    const { hash: _, revokedAt: __, ...shown } = token
    return { ...shown, state: this.#isExpired(token) ? 'expired' : 'valid' }
  }
}

/** The token that has a name now: one that was revoked has left it to others. */
const tokenNamed = (name: string, tokens: readonly StoredToken[]): StoredToken | undefined =>
  tokens.find((token) => token.name === name && token.revokedAt === null)

const rejectTaken = (name: string): never =>
  reject('SBX_TOKEN_EXISTS', {
    field: 'name',
    message: `Token ${name} exists already`,
    remedy: `Choose another name, or revoke it first: ${command('token revoke', name)}`,
  })

/** An invalid name may be a token sent by mistake: refusals are logged, so it is not repeated. */
function rejectNoToken(name: string): never {
  const message = tokenName.test(name) ? `There is no token ${name}` : 'A token cannot have that name'
  return reject('SBX_TOKEN_NONE', { field: 'name', message })
}

/**
 * The hash under which a token is stored. A fast hash is enough: a token has 256 random bits, so it cannot be
 * guessed as passwords can. The timing of a look-up reveals at most how a hash begins, and nobody can choose
 * a token by its hash. assumption: sandbox-token
 */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')
