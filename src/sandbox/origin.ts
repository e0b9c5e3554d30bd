import { reject } from '../api/errors.ts'
import type { Call } from './guard.ts'

/** Names of this machine that a browser may have been given. assumption: control-interface */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/

/**
 * Keeps web pages of other sites away from the control interface: the Host must be a loopback name, so that no name
 * that resolves to loopback will do, and an Origin, when sent, must be the sandbox itself. Errors: SBX_HOST.
 */
export function guardOrigin(call: Call): void {
  const host = call.req.header('host') ?? new URL(call.req.url).host
  if (!loopback.test(host) && host !== boundHost(call))
    reject('SBX_HOST', { field: 'Host', detail: `${host.slice(0, 100)} is not a name of the sandbox` })
  const origin = call.req.header('origin')
  if (origin !== undefined && !origin.endsWith(`://${host}`))
    reject('SBX_HOST', { field: 'Origin', detail: 'the request came from a page of another site' })
}

/** The address the connection came in on, as a Host header writes it. */
function boundHost(call: Call): string | undefined {
  const socket = call.env?.incoming?.socket
  if (socket?.localAddress === undefined) return undefined
  const address = socket.localAddress.replace(/^::ffff:/, '')
  return `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`
}
