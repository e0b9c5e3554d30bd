import { reject } from '../contract/errors.ts'
import type { CreatedToken, TokenView } from '../contract/sandbox/access/access-answers.ts'
import { type Scope, tokenName } from '../contract/sandbox/access/token.ts'

/** What the bearer of a valid token may do. */
export interface Grant {
  /** Name of the token. */
  readonly name: string
  readonly scope: Scope
  /** The only space that the token is valid for; null: every space. */
  readonly space: string | null
  /** True once the token is revoked or has expired. */
  isOver: boolean
  /** Called once when the grant is over: open connections end. */
  readonly whenOver: Set<() => void>
}

/** Ends a grant, with everything that is open under it. */
export function endGrant(grant: Grant): void {
  grant.isOver = true
  for (const tell of grant.whenOver) tell()
  grant.whenOver.clear()
}

/** Errors: SBX_TOKEN_EXISTS. */
export const rejectTaken = (name: string): never =>
  reject('SBX_TOKEN_EXISTS', {
    field: 'name',
    detail: `token ${name} exists already`,
    remedy: `Choose another name, or revoke it first: tillbox token revoke ${name}`,
  })

/**
 * An invalid name may be a token sent by mistake: refusals are logged, so it is not repeated. Errors: SBX_TOKEN_NONE.
 */
export function rejectUnknown(name: string): never {
  const detail = tokenName.test(name) ? `there is no token ${name}` : 'a token cannot have that name'
  return reject('SBX_TOKEN_NONE', { field: 'name', detail })
}

/** How long a token is known after it expired or was revoked. Milliseconds. assumption: token-hash */
export const endedRetentionMs = 7 * 86_400_000

/** Pause between two writes of last uses; a crash loses those since the last write. Milliseconds. */
export const usesPause = 60_000

/** Properties of a new token. */
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

/** Tokens of a server. Only hashes are stored, so nobody who reads the storage can use a token. */
export interface TokenRegistry {
  /** Every token, the oldest first. Errors: SBX_STORE_FAIL. */
  list(): Promise<readonly TokenView[]>
  /** Makes a token; it is durable when this resolves. Errors: SBX_TOKEN_EXISTS, SBX_STORE_FAIL. */
  create(wanted: WantedToken): Promise<CreatedToken>
  /** Removes a token, at once and durably. Errors: SBX_TOKEN_NONE, SBX_STORE_FAIL. */
  revoke(name: string): Promise<void>
  /** What a token grants; undefined for an unknown, revoked or expired one. Errors: SBX_STORE_FAIL. */
  find(token: string): Promise<Grant | undefined>
  /** A token that expired or was revoked within the last 7 days; undefined for any other. Errors: SBX_STORE_FAIL. */
  ended(token: string): Promise<EndedToken | undefined>
  /** Notes the use of a token, which is written later. */
  used(grant: Grant): void
  /** Writes the remaining uses. */
  close(): Promise<void>
}
