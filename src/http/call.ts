import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

/** What a request brings along: its connection, where there is one. */
export interface Env {
  Bindings: Partial<HttpBindings>
  Variables: {
    /** True where the caller need not be this machine. */
    mayBeRemote?: boolean
  }
}

/** Every request's context. */
export type Call = Context<Env>

/** A header by its lower-case name. Node has decoded them already where there is a connection. */
export function headerOf(call: Call, name: string): string | undefined {
  const headers = call.env?.incoming?.headers
  return headers === undefined ? call.req.header(name) : (headers[name] as string | undefined)
}

/** The origin that the caller used. */
export function originOf(call: Call): string {
  const { protocol, host } = new URL(call.req.url)
  return `${protocol}//${headerOf(call, 'host') ?? host}`
}

/** True when the client closed the connection before it had sent the whole request. assumption: leaving */
export function hasLeft(call: Call): boolean {
  const incoming = call.env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}

/** Address of the caller; a request without a connection counts as loopback. */
export const addressOf = (call: Call): string =>
  (call.env?.incoming?.socket.remoteAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
