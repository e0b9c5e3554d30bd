import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { reject } from '../contract/errors.ts'
import { firstSpace } from '../contract/sandbox/spaces.ts'
import { type CreatedToken, type Scope, type TokenView, tokenName } from '../contract/sandbox/tokens.ts'

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

/** How long a token is known after it expired or was revoked. Milliseconds. assumption: sandbox-token */
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

/**
 * The hash under which a token is stored. A fast hash is enough: a token has 256 random bits, so it cannot be guessed
 * as passwords can. The timing of a look-up reveals at most how a hash begins, and nobody can choose a token by its
 * hash. assumption: sandbox-token
 */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Compares in constant time: a token that a user chose for `--token` may be weak. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A new token of a scope. */
export const newToken = (scope: Scope): string => `tbx_${scope}_${randomBytes(32).toString('base64url')}`

/** A new token id. */
export const newTokenId = (): string => randomBytes(4).toString('hex')

/** A request: its method, its path without `/s/<space>`, and the space. */
interface AccessRequest {
  readonly method: string
  readonly path: string
  readonly space: string
}

/** The least access that a token needs for a request. */
export interface RequiredAccess {
  readonly scope: Scope
  /** Null: every space. */
  readonly space: string | null
}

/** True for the control interface, as opposed to pages. */
export const isControlPath = (path: string): boolean => /^\/_sandbox(\/|$)/.test(path)

/** True for a path of the whole server rather than of a space. */
export const isServerPath = (path: string): boolean => /^\/_sandbox\/(tokens|spaces)(\/|$)/.test(path)

/** True for a request that changes nothing. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The access that a request needs and the token lacks; undefined when it is allowed. assumption: token-scopes */
export function missingAccess(
  grant: Pick<Grant, 'scope' | 'space'>,
  request: AccessRequest,
): RequiredAccess | undefined {
  const { scope, space } = grant
  if (scope === 'admin' || isOwnRecord(grant, request)) return undefined
  if (isServerPath(request.path) || sendsAnything(request)) return { scope: 'admin', space: null }
  const least = isForViewers(request) ? 'viewer' : 'space'
  const isOfSpace = space === null || space === request.space
  return isOfSpace && (scope === 'space' || least === 'viewer')
    ? undefined
    : { scope: least, space: request.space }
}

/** True for a request that sends any body and headers in the name of the server, and reads the answer. */
const sendsAnything = ({ method, path }: AccessRequest): boolean =>
  !isReading(method) && /^(\/_sandbox\/webhooks\/[^/]+\/send|\/webhooks\/[^/]+\/edit)$/.test(path)

/** True for a read of the token's own space's record, which the first space serves. */
const isOwnRecord = ({ scope, space }: Pick<Grant, 'scope' | 'space'>, request: AccessRequest): boolean =>
  scope === 'space' &&
  isReading(request.method) &&
  request.space === firstSpace &&
  request.path === `/_sandbox/spaces/${space}`

/** True for pages, their streams, the health check, and the OpenAPI document, to which a page leads. */
const isForViewers = ({ method, path }: AccessRequest): boolean =>
  isReading(method) && (!isControlPath(path) || /^\/_sandbox\/(health|openapi\.json)$/.test(path))
