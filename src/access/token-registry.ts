import { reject } from '../contract/errors.ts'
import type { CreatedToken, TokenView } from '../contract/sandbox/access/access-answers.ts'
import { type Scope, tokenName } from '../contract/sandbox/access/token.ts'

/** What the bearer of a valid token may do. */
export interface Grant {
  /** Of the token. */
  readonly name: string
  readonly scope: Scope
  /** The one space that it is for; null: every space. */
  readonly space: string | null
  /** True once the token is revoked or has expired. */
  isOver: boolean
  /** Called then, once: what is open with it ends. */
  readonly whenOver: Set<() => void>
}

/** Says that a grant is over, to all that is open with it. */
export function endGrant(grant: Grant): void {
  grant.isOver = true
  for (const tell of grant.whenOver) tell()
  grant.whenOver.clear()
}

/** Errors: SBX_TOKEN_EXISTS. */
export const rejectTaken = (name: string): never =>
  reject('SBX_TOKEN_EXISTS', {
    field: 'name',
    detail: `there is a token ${name}`,
    remedy: `Choose another name, or revoke it first: tillbox token revoke ${name}`,
  })

/** Who took a token for its name is not told it again: refusals are logged. Errors: SBX_TOKEN_NONE. */
export function rejectUnknown(name: string): never {
  const detail = tokenName.test(name) ? `there is no token ${name}` : 'a token cannot have that name'
  return reject('SBX_TOKEN_NONE', { field: 'name', detail })
}

/** So long a token that has expired is listed. Milliseconds. assumption: token-hash */
export const expiredKept = 7 * 86_400_000

/** The last use of tokens is written at most so often; a crash loses the rest, which harms nobody. Milliseconds. */
export const usesPause = 60_000

/** What a new token is to be. */
export interface WantedToken {
  readonly name: string
  readonly scope: Scope
  readonly space: string | null
  /** Milliseconds of the wall clock; null: it does not expire. */
  readonly ttlMs: number | null
}

/** A token that was valid once. */
export interface EndedToken extends Pick<Grant, 'name' | 'scope' | 'space'> {
  readonly end: 'expired' | 'revoked'
}

/** Revoked tokens that are remembered at most. */
const mostRevoked = 1_000

/** Tokens that were revoked while the server runs, by hash: who still sends one is told so. */
export class RevokedTokens {
  readonly #tokens = new Map<string, EndedToken>()

  add(hash: string, { name, scope, space }: Grant): void {
    this.#tokens.set(hash, { name, scope, space, end: 'revoked' })
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > mostRevoked && oldest !== undefined) this.#tokens.delete(oldest)
  }

  find(hash: string): EndedToken | undefined {
    return this.#tokens.get(hash)
  }
}

/** Tokens of a server, wherever they are kept: hashes alone, so that nobody who reads them can use one. */
export interface TokenRegistry {
  /** Every token, the oldest first. Errors: SBX_STORE_FAIL. */
  list(): Promise<readonly TokenView[]>
  /** Makes a token; it is durable then. Errors: SBX_TOKEN_EXISTS, SBX_STORE_FAIL. */
  create(wanted: WantedToken): Promise<CreatedToken>
  /** Removes a token, at once and durably. Errors: SBX_TOKEN_NONE, SBX_STORE_FAIL. */
  revoke(name: string): Promise<void>
  /** What a token grants; undefined for one that is unknown, revoked or expired. Errors: SBX_STORE_FAIL when nobody can tell. */
  find(token: string): Promise<Grant | undefined>
  /** Which token it was, where one that is not valid any more is known: expired within 7 days, or revoked since the start. */
  ended(token: string): EndedToken | undefined
  /** Notes that a token was used, which is written later. */
  used(grant: Grant): void
  /** Writes what is left. */
  close(): Promise<void>
}
