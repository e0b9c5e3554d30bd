import type { Scope } from '../contract/sandbox/access/token.ts'
import { firstSpace } from '../contract/sandbox/spaces/space-name.ts'
import type { Grant } from './token-registry.ts'

/** What is asked for: method, path without `/s/<space>`, and the space. */
export interface AccessRequest {
  readonly method: string
  readonly path: string
  readonly space: string
}

/** The least that a token must have for a request. */
export interface RequiredAccess {
  readonly scope: Scope
  /** Null: every space. */
  readonly space: string | null
}

/** True for the control interface, as opposed to pages. */
export const isControlPath = (path: string): boolean => /^\/_sandbox(\/|$)/.test(path)

/** True for a path that is of the whole server, and of no space. */
export const isServerPath = (path: string): boolean => /^\/_sandbox\/(tokens|spaces)(\/|$)/.test(path)

/** True for a request that changes nothing. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What a token lacks for a request; undefined where it may. assumption: token-scopes */
export function missingAccess(
  grant: Pick<Grant, 'scope' | 'space'>,
  asked: AccessRequest,
): RequiredAccess | undefined {
  const { scope, space } = grant
  if (scope === 'admin' || isOwnRecord(grant, asked)) return undefined
  if (isServerPath(asked.path)) return { scope: 'admin', space: null }
  const least = isForViewers(asked) ? 'viewer' : 'space'
  const isOfSpace = space === null || space === asked.space
  return isOfSpace && (scope === 'space' || least === 'viewer')
    ? undefined
    : { scope: least, space: asked.space }
}

/** A space's own token may look at the record of its space, which is kept with those of the others. */
const isOwnRecord = ({ scope, space }: Pick<Grant, 'scope' | 'space'>, asked: AccessRequest): boolean =>
  scope === 'space' &&
  isReading(asked.method) &&
  asked.space === firstSpace &&
  asked.path === `/_sandbox/spaces/${space}`

/** Pages and the streams that they follow, and whether the sandbox is up. */
const isForViewers = ({ method, path }: AccessRequest): boolean =>
  isReading(method) && (!isControlPath(path) || path === '/_sandbox/health')
