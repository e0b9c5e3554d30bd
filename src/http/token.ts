import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { bearerPattern, sandboxHeaders } from '../contract/headers.ts'
import { type Call, type Env, headerOf, originOf } from './call.ts'

/** What the service offers to everybody; it has keys of its own. */
const ofService = /^\/(v1|api)(\/|$)/

/** What shoppers use, who have neither key nor token. */
const ofShoppers = /^\/(checkout|_assets)\//

/**
 * Wants the token for the control interface and every page, from anywhere; a page takes it once in its URL and keeps it
 * in a cookie. Who has it, and a shopper, may come from another machine. assumption: sandbox-token
 */
export function wantToken(token: string, refuse: (call: Call) => Promise<Response>): MiddlewareHandler<Env> {
  const isToken = sameAs(token)
  return async (call, next) => {
    const { path } = call.req
    if (ofService.test(path)) return next()
    const isPage = !path.startsWith('/_sandbox/')
    const inUrl = isPage && call.req.method === 'GET' ? call.req.query('token') : undefined
    if (!ofShoppers.test(path)) {
      if (inUrl !== undefined && isToken(inUrl)) return keepInCookie(call, token)
      if (inUrl !== undefined || !presented(call).some(isToken)) return refuse(call)
    }
    call.set('mayBeRemote', true)
    return next()
  }
}

/** Every token that came with a request, outside its URL. */
const presented = (call: Call): string[] =>
  [
    headerOf(call, sandboxHeaders.token.toLowerCase()),
    bearerPattern.exec(headerOf(call, 'authorization') ?? '')?.[1],
    getCookie(call, cookieName(call)),
  ].filter((each) => each !== undefined)

/** Cookies know no ports; two sandboxes of one host have a name each. */
const cookieName = (call: Call): string => `tillbox_token_${call.env?.incoming?.socket.localPort ?? 0}`

/** To the same page without the token, which the browser keeps until it is closed. */
function keepInCookie(call: Call, token: string): Response {
  const url = new URL(call.req.url)
  url.searchParams.delete('token')
  const secure = originOf(call).startsWith('https:')
  setCookie(call, cookieName(call), token, { httpOnly: true, sameSite: 'Strict', path: '/', secure })
  call.header('Cache-Control', 'no-store')
  call.header('Referrer-Policy', 'no-referrer')
  return call.redirect(url.pathname.replace(/^\/+/, '/') + url.search, 303) // two slashes would name another host
}

/** Compares in a time that tells nothing of where two texts differ. */
function sameAs(token: string): (other: string) => boolean {
  const digestOf = (text: string) => createHash('sha256').update(text).digest()
  const own = digestOf(token)
  return (other) => timingSafeEqual(digestOf(other), own)
}
