import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Grant } from '../access/token-registry.ts'
import { forwardedAddress } from './node-to-node.ts'

/** The connection of a request, if there is one. */
export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    /** True where the caller need not be this machine. */
    mayBeRemote?: boolean
    /** Origin at which a reverse proxy serves the sandbox. */
    publicUrl?: string
    /** Base path of the space, such as `/s/ci-1`; absent for the first space. assumption: space-paths */
    basePath?: string
    /** The grant of the request's token. */
    grant?: Grant
    /** True when its token is unknown. */
    hasUnknownToken?: boolean
    /** Name of the token or space that it made: below its path it is found. */
    made?: string
    /** Code of the answer outside the payment API; refused: an action of a page was refused. */
    answered?: string
  }
}

/** Every request's context. */
export type Call = Context<Env>

/** A header by its lower-case name. With a connection, Node has decoded it already. */
export function headerOf(call: Call, name: string): string | undefined {
  const headers = call.env?.incoming?.headers
  return headers === undefined ? call.req.header(name) : (headers[name] as string | undefined)
}

/** The origin that the caller used; the public URL where the Host names it, whatever the proxy used. */
export function originOf(call: Call): string {
  const { protocol, host } = new URL(call.req.url)
  return isPublic(call) ? (call.get('publicUrl') as string) : `${protocol}//${headerOf(call, 'host') ?? host}`
}

/** Path below which the sandbox is served, without a slash at its end: empty for the first space. assumption: space-paths */
export const basePathOf = (call: Call): string => call.get('basePath') ?? ''

/** URL of the sandbox as the caller reached it, without a slash at its end. */
export const baseUrlOf = (call: Call): string => originOf(call) + basePathOf(call)

/** The base URL to give to others: below the public URL, if there is one. assumption: public-url */
export const sharedBaseUrlOf = (call: Call): string => sharedOriginOf(call) + basePathOf(call)

/** The URL of the server with all its spaces, to give to others. */
export const sharedOriginOf = (call: Call): string => call.get('publicUrl') ?? originOf(call)

/** True when the request's Host is that of the public URL. */
export function isPublic(call: Call): boolean {
  const publicUrl = call.get('publicUrl')
  if (publicUrl === undefined) return false
  const { protocol, host } = new URL(publicUrl)
  const named = `${protocol}//${headerOf(call, 'host') ?? ''}`
  return URL.canParse(named) && new URL(named).host === host
}

/** True when the client closed the connection before it had sent the whole request. assumption: leaving */
export function isClientGone(call: Call): boolean {
  const incoming = call.env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}

/** Address of the caller; a request without a connection counts as loopback. */
export const addressOf = (call: Call): string =>
  forwardedAddress(call.env?.incoming) ?? addressOfPeer(call.env?.incoming)

/** Address at the other end of a connection. */
export const addressOfPeer = (incoming: Pick<IncomingMessage, 'socket'> | undefined): string =>
  (incoming?.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
