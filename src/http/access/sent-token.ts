import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Access } from '../../access/access.ts'
import type { EndedToken, Grant } from '../../access/token-registry.ts'
import { bearerPattern, sandboxHeaders } from '../../contract/headers.ts'
import { isMadeToken } from '../../contract/sandbox/access/token.ts'
import { type Call, headerOf, originOf } from '../call.ts'

/** The grant of the first known token outside the URL, or whether only an unknown token was sent. */
export async function sentToken(access: Access, call: Call): Promise<Grant | 'unknown' | 'none'> {
  const { header, bearer, cookie } = tokensOf(call)
  for (const token of [header, bearer, cookie]) {
    const grant = token && (await access.find(token))
    if (grant) return grant
  }
  // A bearer token of another form is taken for an application's API key.
  return header || cookie || isMadeToken(bearer ?? '') ? 'unknown' : 'none'
}

/** The expired or revoked token of a call; undefined where none is known. */
export async function endedToken(access: Access, call: Call): Promise<EndedToken | undefined> {
  for (const token of Object.values(tokensOf(call))) {
    const ended = token && (await access.ended(token))
    if (ended) return ended
  }
  return undefined
}

const tokensOf = (call: Call) => ({
  header: headerOf(call, sandboxHeaders.token),
  bearer: bearerPattern.exec(headerOf(call, 'authorization') ?? '')?.[1],
  cookie: getCookie(call, cookieName(call)),
})

/** Redirects to the same URL without the token, and sets the token as a session cookie. */
export function keepInCookie(call: Call, token: string): Response {
  const url = new URL(call.req.url)
  url.searchParams.delete('token')
  const secure = originOf(call).startsWith('https:')
  setCookie(call, cookieName(call), token, { httpOnly: true, sameSite: 'Strict', path: '/', secure })
  call.header('Cache-Control', 'no-store')
  call.header('Referrer-Policy', 'no-referrer')
  return call.redirect(url.pathname.replace(/^\/+/, '/') + url.search, 303) // two slashes would name another host
}

/** Deletes the browser's cookie of a token that is no longer valid. */
export function forgetCookie(call: Call): void {
  if (getCookie(call, cookieName(call)) !== undefined) deleteCookie(call, cookieName(call), { path: '/' })
}

/**
 * Cookies ignore ports, so each sandbox of a host has its own cookie name: by the port that the browser called, whichever
 * node serves the space.
 */
const cookieName = (call: Call): string => {
  const origin = originOf(call) // may be no URL: the Host is checked later
  return `tillbox_token_${/:(\d+)$/.exec(origin)?.[1] ?? (origin.startsWith('https:') ? 443 : 80)}`
}
