import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { Grant } from '../access/grants.ts'
import type { InjectedFault } from '../faults/fault-rules.ts'
import type { ReceivedRequest } from './received-request.ts'

/** A request's connection, if there is one, and its variables. */
export interface Env {
  Bindings: {
    incoming?: ReceivedRequest
    outgoing?: ServerResponse
    /** Name of the MCP client for whose tool the sandbox sends the request to itself. */
    agent?: string
  }
  Variables: {
    /** True if the caller may be another machine. */
    mayBeRemote?: boolean
    /** Origin at which a reverse proxy serves the sandbox. */
    publicUrl?: string
    /** Base path of the space, such as `/s/ci-1`; absent for the first space. assumption: spaces */
    basePath?: string
    grant?: Grant
    hasUnknownToken?: boolean
    /** Name of the token or space that the request created; it completes the path in the audit log. */
    made?: string
    /** Code of an answer outside the payment API; `refused` if a page refused an action. */
    answered?: string
    /** The fault that hits a request of the payment API. */
    injectedFault?: InjectedFault
  }
}

/** The context of a request. */
export type Call = Context<Env>

/** The id that the path names; empty where it names none. */
export const idInPath = (call: Call): string => call.req.param('id') ?? ''

/** A request as it is answered and logged, from a client or from a form of a page. */
export interface SeenRequest {
  readonly method: string
  /** Decoded. */
  readonly path: string
  readonly url: string
  /** Path of the sandbox; empty for the first space. */
  readonly basePath: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly address: string
  readonly userAgent: string | undefined
  /** True when the client closed the connection before it had sent the whole request. assumption: leaving */
  readonly hasLeft: () => boolean
}

export const seen = (call: Call): SeenRequest => ({
  method: call.req.method,
  path: call.req.path,
  url: call.req.url,
  basePath: basePathOf(call),
  headers: call.env?.incoming?.rawHeaders ?? [...call.req.raw.headers].flat(),
  address: callerAddress(call),
  userAgent: headerOf(call, 'user-agent'),
  hasLeft: () => call.env?.incoming?.destroyed === true && !call.env.incoming.complete,
})

/** A header by its name, in any case; taken from Node's parsed headers if there is a connection. */
export function headerOf(call: Call, name: string): string | undefined {
  const headers = call.env?.incoming?.headers
  return headers === undefined ? call.req.header(name) : (headers[name.toLowerCase()] as string | undefined)
}

/** The origin that the caller used; if its Host is that of the public URL, the public URL. */
export function originOf(call: Call): string {
  const { url } = call.req
  if (isPublic(call)) return call.get('publicUrl') as string
  return `${url.slice(0, url.indexOf(':'))}://${headerOf(call, 'host') ?? new URL(url).host}`
}

/** Path of the sandbox, without a trailing slash; empty for the first space. assumption: spaces */
export const basePathOf = (call: Call): string => call.get('basePath') ?? ''

/** URL of the sandbox as the caller reached it, without a slash at its end. */
export const baseUrlOf = (call: Call): string => originOf(call) + basePathOf(call)

/** The base URL to give to other machines: that of the public URL, if there is one. assumption: public-url */
export const sharedBaseUrlOf = (call: Call): string => sharedOriginOf(call) + basePathOf(call)

/** The origin to give to other machines: the public URL, if there is one. */
export const sharedOriginOf = (call: Call): string => call.get('publicUrl') ?? originOf(call)

/** True when the request's Host is that of the public URL. */
export function isPublic(call: Call): boolean {
  const publicUrl = call.get('publicUrl')
  if (publicUrl === undefined) return false
  const { protocol, host } = new URL(publicUrl)
  const named = `${protocol}//${headerOf(call, 'host') ?? ''}`
  return URL.canParse(named) && new URL(named).host === host
}

/** Address of the caller; a request without a connection counts as loopback. */
export const callerAddress = (call: Call): string =>
  call.env?.incoming?.forwarded?.address ?? addressOfPeer(call.env?.incoming)

/** Address at the other end of a connection. */
export const addressOfPeer = (incoming: Pick<IncomingMessage, 'socket'> | undefined): string =>
  (incoming?.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
