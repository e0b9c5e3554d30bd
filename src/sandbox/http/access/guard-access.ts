import type { MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { firstSpace } from '../../../contract/control/spaces.ts'
import { isMadeToken } from '../../../contract/control/tokens.ts'
import { Refusal } from '../../../contract/errors.ts'
import { bearerPattern, sandboxHeaders } from '../../../contract/headers.ts'
import { command } from '../../../shared/text/commands.ts'
import type { Access } from '../../access/access.ts'
import {
  type AccessRequest,
  type EndedToken,
  type Grant,
  isControlPath,
  isServerPath,
  type MadeSpace,
  missingAccess,
  type RequiredAccess,
} from '../../access/grants.ts'
import { type Call, type Env, headerOf, originOf } from '../call.ts'
import { guardOrigin } from '../origin.ts'

/** Paths of the service, which are open to everyone and protected by API keys. */
export const ofService = /^\/(v1|api)(\/|$)/

/** Paths of shoppers, who have neither key nor token. */
export const ofShoppers = /^\/(checkout|_assets)\//

/**
 * Checks the token of a request to the control interface or a page. If the server was started with a token,
 * every request needs one; otherwise only a sent token is checked. A page accepts a token in its URL and
 * keeps it in a cookie. A request with a token may come from another machine; so may a shopper's, if the
 * server has a token. `space`: the space of the requests; `host`: the address that the sandbox is bound to;
 * `refuse`: answers a request that is refused for its token. assumption: sandbox-token, token-scopes
 */
export function guardAccess(
  access: Access,
  space: MadeSpace,
  host: string,
  refuse: (call: Call, refusal: Refusal) => Promise<Response>,
): MiddlewareHandler<Env> {
  return async (call, next) => {
    const { path } = call.req
    if (ofService.test(path)) return next()
    if (ofShoppers.test(path)) {
      if (access.isRequired) call.set('mayBeRemote', true)
      return next()
    }
    const inUrl = call.req.method === 'GET' && !isControlPath(path) ? call.req.query('token') : undefined
    const looking =
      inUrl === undefined ? accessRefusal(access, space, call) : refusalOfUrl(access, inUrl, call, host)
    const refusal = await looking.catch((error: unknown) => unsureRefusal(call, error))
    if (refusal !== undefined) return refuse(call, refusal)
    return inUrl === undefined ? next() : keepInCookie(call, inUrl)
  }
}

/** While tokens cannot be checked, requests with one are refused, with the reason: the token may be valid. */
function unsureRefusal(call: Call, error: unknown): Refusal {
  if (!(error instanceof Refusal)) throw error
  call.set('hasUnknownToken', true)
  call.set('mayBeRemote', true)
  return error
}

/** Why a token in a URL is refused; undefined for a valid one. */
async function refusalOfUrl(access: Access, token: string, call: Call, host: string) {
  const grant = await access.find(token)
  if (grant) {
    call.set('mayBeRemote', true)
    guardOrigin(call, host, true)
    const held = await sentToken(access, call)
    return held === 'unknown' || held === 'none' || held.name === grant.name
      ? undefined
      : otherLogin(held, grant)
  }
  call.set('hasUnknownToken', true)
  return tokenRefusal(access, await access.tokens.ended(token))
}

/** Why a request is refused for its token or for having none; undefined when it may pass. */
async function accessRefusal(access: Access, space: MadeSpace, call: Call): Promise<Refusal | undefined> {
  const sent = await sentToken(access, call)
  if (sent === 'unknown' || (sent === 'none' && access.isRequired)) {
    if (sent === 'unknown') forgetCookie(call)
    call.set('hasUnknownToken', sent === 'unknown')
    return tokenRefusal(access, await endedToken(access, call))
  }
  const isOfTool = call.env?.agent !== undefined
  const request = { method: call.req.method, path: call.req.path, space, isOfTool }
  if (sent !== 'none') {
    call.set('grant', sent)
    call.set('mayBeRemote', true)
    access.used(sent)
    const needed = missingAccess(sent, request)
    if (needed !== undefined) {
      if (sent.space !== null) call.header(sandboxHeaders.tokenSpace, sent.space)
      return scopeRefusal(sent, needed)
    }
  }
  return space.name !== firstSpace && isServerPath(request.path) ? serverPathRefusal(request) : undefined
}

/** A link must not exchange the token of a browser: what its user does would count as another's. */
const otherLogin = (held: Grant, { name }: Grant): Refusal =>
  new Refusal('SBX_TOKEN', {
    field: 'token',
    message: 'This browser has another token already',
    detail: `the URL has the token ${name}, and the browser that of ${held.name}`,
    remedy: 'Delete the cookie of the sandbox, or use a private window, then open the URL again',
  })

function tokenRefusal(access: Access, ended: EndedToken | undefined): Refusal {
  if (ended !== undefined) return endedRefusal(ended)
  if (access.isRequired) return new Refusal('SBX_TOKEN', { field: 'token' })
  return new Refusal('SBX_TOKEN', {
    field: 'token',
    message: 'The sandbox does not know the token of this request',
    detail: 'it belongs to another sandbox, or was revoked or expired some time ago',
    remedy:
      'Leave it out: on this machine the sandbox needs none; or make one: `tillbox token create <name> --scope admin`',
  })
}

/** Says whether the token has expired or was revoked; only its holder can get this answer. */
function endedRefusal({ name, scope, space, end }: EndedToken): Refusal {
  const flags = space === null ? [] : ['--space', space]
  const what = end === 'expired' ? 'has expired' : 'was revoked'
  return new Refusal('SBX_TOKEN', {
    field: 'token',
    message: `The token of this request ${what}`,
    detail: `the token ${name} ${what}`,
    remedy: `Use another one. An admin makes it: ${command('token create', name, '--scope', scope, ...flags)}`,
  })
}

function scopeRefusal({ name, scope, space }: Grant, needed: RequiredAccess): Refusal {
  const grantedScope = space === null ? `scope ${scope}` : `scope ${scope} for the space ${space}`
  const wanted =
    needed.space === null ? `scope ${needed.scope}` : `scope ${needed.scope} for the space ${needed.space}`
  const flags = needed.space === null ? [] : ['--space', needed.space]
  const isElsewhere = space !== null && needed.space !== null && space !== needed.space
  const advice = isElsewhere ? `Ask its own space: --space ${space}. Or use` : 'Use'
  return new Refusal('SBX_SCOPE', {
    field: 'token',
    detail: `the token ${name} has ${grantedScope}; this needs ${wanted}`,
    remedy: `${advice} a token with that scope: ${command('token create <name> --scope', needed.scope, ...flags)}`,
  })
}

const serverPathRefusal = ({ method, path, space: { name } }: AccessRequest): Refusal =>
  new Refusal('SBX_SCOPE', {
    field: 'path',
    message: 'The path belongs to the server, not to a space',
    detail: `the space ${name} has no ${path.slice(0, 100)}`,
    remedy: `Ask the server itself, without /s/${name}: ${method} ${path.slice(0, 100)}`,
  })

/** The grant of the first known token outside the URL, or whether only an unknown token was sent. */
async function sentToken(access: Access, call: Call): Promise<Grant | 'unknown' | 'none'> {
  const { header, bearer, cookie } = sentTokens(call)
  for (const token of [header, bearer, cookie]) {
    const grant = token && (await access.find(token))
    if (grant) return grant
  }
  // A bearer token of another form is taken for an application's API key.
  return header || cookie || isMadeToken(bearer ?? '') ? 'unknown' : 'none'
}

/** The expired or revoked token of a call; undefined where none is known. */
async function endedToken(access: Access, call: Call): Promise<EndedToken | undefined> {
  for (const token of Object.values(sentTokens(call))) {
    const ended = token && (await access.tokens.ended(token))
    if (ended) return ended
  }
  return undefined
}

const sentTokens = (call: Call) => ({
  header: headerOf(call, sandboxHeaders.token),
  bearer: bearerPattern.exec(headerOf(call, 'authorization') ?? '')?.[1],
  cookie: getCookie(call, cookieName(call)),
})

/** Redirects to the same URL without the token, and sets the token as a session cookie. */
function keepInCookie(call: Call, token: string): Response {
  const url = new URL(call.req.url)
  url.searchParams.delete('token')
  const secure = originOf(call).startsWith('https:')
  setCookie(call, cookieName(call), token, { httpOnly: true, sameSite: 'Strict', path: '/', secure })
  call.header('Cache-Control', 'no-store')
  call.header('Referrer-Policy', 'no-referrer')
  return call.redirect(url.pathname.replace(/^\/+/, '/') + url.search, 303) // two slashes would name another host
}

/** Deletes the browser's cookie of a token that is no longer valid. */
function forgetCookie(call: Call): void {
  if (getCookie(call, cookieName(call)) !== undefined) deleteCookie(call, cookieName(call), { path: '/' })
}

/**
 * Cookies ignore ports, so each sandbox of a host has its own cookie name: by the port that the browser
 * called, whichever node serves the space.
 */
const cookieName = (call: Call): string => {
  const origin = originOf(call) // may be no URL: the Host is checked later
  return `tillbox_token_${/:(\d+)$/.exec(origin)?.[1] ?? (origin.startsWith('https:') ? 443 : 80)}`
}
