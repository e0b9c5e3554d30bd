import { mcpPath } from '../../contract/control/mcp.ts'
import { firstSpace } from '../../contract/control/spaces.ts'
import type { Scope } from '../../contract/control/tokens.ts'

/** What the bearer of a valid token may do. */
export interface Grant {
  readonly id: string
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

/** A token that was valid once. */
export interface EndedToken extends Pick<Grant, 'name' | 'scope' | 'space'> {
  readonly end: 'expired' | 'revoked'
}

/** A space, and the id of the token that made it. */
export interface MadeSpace {
  readonly name: string
  readonly madeBy: string | null
}

/** A request: its method, its path without `/s/<space>`, and the space. */
export interface AccessRequest {
  readonly method: string
  readonly path: string
  readonly space: MadeSpace
  /** True when the sandbox sends it to itself for a tool of MCP, which shows no secret. */
  readonly isOfTool?: boolean
}

/** The least access that a token needs for a request. */
export interface RequiredAccess {
  readonly scope: Scope
  /** Null: every space. */
  readonly space: string | null
}

/** True for the control interface, as opposed to pages. */
export const isControlPath = (path: string): boolean => /^\/_sandbox(\/|$)/.test(path)

/** True for a path of the whole server rather than of a space: of the control interface, or a page. */
export const isServerPath = (path: string): boolean => /^(\/_sandbox)?\/(tokens|spaces|stop)(\/|$)/.test(path)

/** Path of the metrics of a server, with all its spaces. */
export const metricsPath = '/metrics'

/** True for a request that changes nothing. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The access that a request needs and the token lacks; undefined: allowed. assumption: token-scopes */
export function missingAccess(
  grant: Pick<Grant, 'id' | 'scope' | 'space'>,
  request: AccessRequest,
): RequiredAccess | undefined {
  const { scope } = grant
  if (scope === 'admin' || isOwnRecord(grant, request)) return undefined
  if (isAboutSpaces(request) && scope === 'spaces') return undefined
  if (isAboutSpaces(request) && request.method === 'POST') return { scope: 'spaces', space: null }
  if (isServerPath(request.path) || sendsAnything(request)) return { scope: 'admin', space: null }
  if (request.path === metricsPath)
    return scope === 'viewer' && grant.space === null ? undefined : { scope: 'viewer', space: null }
  const least = isForViewers(request) ? 'viewer' : 'space'
  return mayUse(grant, request.space) && (scope !== 'viewer' || least === 'viewer')
    ? undefined
    : { scope: least, space: request.space.name }
}

/** True when a token is for a space: of scope spaces only for those it made. assumption: token-scopes */
export const mayUse = (
  { id, scope, space }: Pick<Grant, 'id' | 'scope' | 'space'>,
  { name, madeBy }: MadeSpace,
): boolean => (scope === 'spaces' ? id === madeBy : space === null || space === name)

/** True for an operation on the list of spaces; its handler leaves out those that the token may not use. */
const isAboutSpaces = ({ path, space }: AccessRequest): boolean =>
  space.name === firstSpace && /^\/_sandbox\/spaces(\/|$)/.test(path)

/** True for a request that sends any body and headers in the name of the server, and reads the answer. */
const sendsAnything = ({ method, path }: AccessRequest): boolean =>
  !isReading(method) && /^(\/_sandbox\/webhooks\/[^/]+\/send|\/webhooks\/[^/]+\/edit)$/.test(path)

/** True for a read of the token's own space's record, which the first space serves. */
const isOwnRecord = ({ scope, space }: Pick<Grant, 'scope' | 'space'>, request: AccessRequest): boolean =>
  scope === 'space' &&
  isReading(request.method) &&
  request.space.name === firstSpace &&
  request.path === `/_sandbox/spaces/${space}`

/**
 * True for pages but the audit log, their streams, the health check, and the OpenAPI document, to which a
 * page leads; for MCP, and what its tools read.
 */
const isForViewers = ({ method, path, isOfTool }: AccessRequest): boolean =>
  path === mcpPath ||
  (isReading(method) &&
    !/^\/audit(\/|$)/.test(path) &&
    (!isControlPath(path) || isOfTool === true || /^\/_sandbox\/(health|openapi\.json)$/.test(path)))
