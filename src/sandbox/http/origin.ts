import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isLoopbackAddress } from '../../contract/control/state-folder.ts'
import { Refusal, reject } from '../../contract/errors.ts'
import { highestPort, userAgents } from '../../contract/headers.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { addressOfPeer, type Call, callerAddress, headerOf, isPublic, originOf } from './call.ts'
import type { ReceivedRequest } from './received-request.ts'

/** Loopback as a Host header names it, with or without a port. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** True for a caller of this machine with a loopback name as Host and no Origin. assumption: host-check */
export const isOfThisMachine = ({ headers, socket }: IncomingMessage): boolean =>
  headers.origin === undefined &&
  loopbackHost.test(headers.host ?? '') &&
  isLoopbackAddress(addressOfPeer({ socket }))

/**
 * Protects the control interface. Only this machine may call it, or the holder of the token. The Host must be
 * a loopback name, the address it is bound to (`bound`, as a URL writes it) or the host of the public URL, so
 * that other names that resolve to loopback are refused. An Origin must be the sandbox itself. Requests that
 * browsers send for pages of other sites or ports are refused; `forLinks` admits a person who follows a link
 * from there. assumption: control-interface
 */
export function guardOrigin(call: Call, bound: string, forLinks = false): void {
  const address = callerAddress(call)
  if (!call.get('mayBeRemote') && !isLoopbackAddress(address) && address !== localAddress(call))
    reject('SBX_HOST', { field: 'address', detail: 'the control interface answers only to this machine' })
  const host = guardHost(call, bound)
  const origin = headerOf(call, 'origin')
  const allowedOrigins = isPublic(call) ? [originOf(call)] : [`http://${host}`, `https://${host}`]
  if (origin !== undefined && !allowedOrigins.includes(origin))
    reject('SBX_HOST', { field: 'Origin', detail: 'the request came from a page of another site' })
  const site = headerOf(call, 'sec-fetch-site')
  if (site !== undefined && !allowedSites.includes(site) && !(forLinks && followsLink(call)))
    reject('SBX_HOST', {
      field: 'Sec-Fetch-Site',
      detail: `a browser sent the request for a page of another site or port (${site.slice(0, 100)})`,
    })
}

/**
 * A form acts only for a page of the sandbox: form-encoded, with the sandbox's Origin (checked by
 * `guardOrigin`) or `Sec-Fetch-Site: same-origin`. A notification carries neither. assumption:
 * control-interface
 */
export function guardForm(call: Call): void {
  const type = headerOf(call, 'content-type')
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type ?? ''))
    reject('SBX_MEDIA_TYPE', {
      field: 'Content-Type',
      message: 'The header Content-Type is not application/x-www-form-urlencoded',
      detail: type === undefined ? 'it is missing' : `'${type.slice(0, 100)}' is not a form of a page`,
      remedy: 'Send the form from its page; programs use the control interface, /_sandbox/',
    })
  if (headerOf(call, 'origin') === undefined && headerOf(call, 'sec-fetch-site') !== 'same-origin')
    reject('SBX_HOST', {
      field: 'Origin',
      detail: 'a form names the page that it comes from, by Origin or Sec-Fetch-Site: same-origin',
      remedy: `Send Origin: ${originOf(call)}; programs use the control interface, /_sandbox/`,
    })
}

/** Values of Sec-Fetch-Site for requests of the sandbox's own pages, and for typed addresses. */
const allowedSites = ['same-origin', 'none']

/** True for a navigation of a browser window, such as a followed link. */
const followsLink = (call: Call): boolean =>
  call.req.method === 'GET' &&
  headerOf(call, 'sec-fetch-mode') === 'navigate' &&
  headerOf(call, 'sec-fetch-dest') === 'document'

/**
 * The Host of a request. It must be a loopback name, the address that the sandbox is bound to, or the host of
 * the public URL: a page of another site could use its own name that resolves to loopback. The default port
 * of a scheme may be left out. assumption: host-check
 */
export function guardHost(call: Call, bound: string): string {
  const host = headerOf(call, 'host') ?? new URL(call.req.url).host
  const { socket, forwarded } = call.env?.incoming ?? {}
  if (isPublic(call) || (forwarded?.isOwnHost ?? isOwnHost(host, socket, bound))) return host
  const url = `${(socket as TLSSocket | undefined)?.encrypted ? 'https' : 'http'}://${host.slice(0, 100)}`
  return reject('SBX_HOST', {
    field: 'Host',
    detail: `${host.slice(0, 100)} is not a name of the sandbox`,
    remedy: `Call the sandbox by its URL, or start it with --public-url ${shellQuote(url)} --token generate`,
  })
}

/** True for a Host that is a loopback name, or the address of the connection or of the sandbox. */
export function isOwnHost(host: string, socket: Socket | undefined, bound: string): boolean {
  if (loopbackHost.test(host)) return true
  const { localPort, encrypted } = (socket ?? {}) as Partial<TLSSocket>
  const usualPort = encrypted ? 443 : 80
  const whole = localPort === usualPort && !/:\d+$/.test(host) ? `${host}:${usualPort}` : host
  return [socket?.localAddress?.replace(/^::ffff:/, ''), bound.toLowerCase()].some(
    (address) => whole === `${address}:${localPort}`,
  )
}

const localAddress = (call: Call): string | undefined =>
  call.env?.incoming?.socket.localAddress?.replace(/^::ffff:/, '')

/** The host of a request: checked before routing, so that later code never meets an invalid Host. */

/** Host and port of a Host header. */
const authority = /^(\[[\da-f:.]+\]|[\w.-]+)(?::([1-9]\d{0,4}))?$/

/** Maximum lengths of a domain name and of a label. RFC 1035, 2.3.4 */
const [longestName, longestLabel] = [253, 63]

/** The Host of a request as a URL writes it; undefined for any other text. assumption: host-check */
export function hostIn(text: string): string | undefined {
  const [, name, port] = authority.exec(text.toLowerCase()) ?? []
  if (name === undefined || Number(port ?? 1) > highestPort) return undefined
  if (name === 'localhost' || name === '127.0.0.1') return text.toLowerCase() // nearly every request: nothing to parse
  if (!URL.canParse(`http://${name}`)) return undefined
  const { hostname } = new URL(`http://${name}`)
  // A URL changes other notations of an IPv4 address: those are not names.
  if (!name.startsWith('[') && (hostname !== name || !hasLengths(name))) return undefined
  return port === undefined ? hostname : `${hostname}:${port}`
}

const hasLengths = (name: string): boolean =>
  name.length <= longestName && name.split('.').every(({ length }) => length <= longestLabel)

/**
 * Checks the Host of a request, refuses webhooks, and reduces the target to a path. A refused request
 * continues with the sandbox's own Host, so that it can be logged and answered; the app answers it with its
 * `refusal`. `bound`: the address that the sandbox is bound to.
 */
export function checkAtDoor(incoming: ReceivedRequest, bound: string): void {
  const sent = incoming.rawHeaders.filter((_, index, all) => isHostAt(all, index))
  const host = sent.length === 1 ? hostIn(sent[0] as string) : undefined
  const detail = host === undefined ? hostProblem(sent) : takePath(incoming, host)
  if (detail === undefined) {
    incoming.headers.host = host
    if (isNotification(incoming)) incoming.refusal = webhookRefusal()
    return
  }
  const expectedHost = `${bound}:${incoming.socket.localPort}`
  const remedy = `Send the host and port of the sandbox: Host: ${expectedHost}`
  incoming.refusal = new Refusal('SBX_BAD_HTTP', { field: 'Host', detail, remedy })
  incoming.headers.host = expectedHost
}

/**
 * True for a notification of any sandbox, or of the service: by the User-Agent that a sandbox always sends,
 * or by a signature. assumption: webhook-targets
 */
const isNotification = ({ headers }: IncomingMessage): boolean =>
  headers['user-agent']?.startsWith(userAgents.webhook) === true ||
  headers['x-signature'] !== undefined ||
  headers['webhook-signature'] !== undefined

const webhookRefusal = (): Refusal =>
  new Refusal('SBX_HOST', {
    field: 'User-Agent',
    message: 'A webhook was sent to a sandbox',
    detail: 'the request carries the User-Agent or the signature of a webhook, and a sandbox receives none',
    remedy: 'Name the URL of your receiver; a request to the sandbox carries neither',
  })

/** True if `raw`, names and values in turn, has a value of a Host header at this index. */
const isHostAt = (raw: readonly string[], index: number): boolean =>
  index % 2 === 1 && raw[index - 1]?.length === 4 && raw[index - 1]?.toLowerCase() === 'host'

function hostProblem(sent: readonly string[]): string {
  if (sent.length > 1) return `it was sent ${sent.length} times`
  const [text] = sent
  if (text === undefined) return 'it is missing'
  return text === '' ? 'it is empty' : `'${text.slice(0, 100)}' is not a host with an optional port`
}

/**
 * Reduces a target that is a whole URL (RFC 9112, 3.2.2) to its path. Returns what is wrong if its host is
 * not `host`.
 */
function takePath(incoming: IncomingMessage, host: string): string | undefined {
  const [, named, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(incoming.url ?? '') ?? []
  if (named === undefined || rest === undefined) return undefined
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`
  return hostIn(named) === host ? undefined : 'it names another host than the target of the request'
}
