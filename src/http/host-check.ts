import type { IncomingMessage } from 'node:http'
import { Refusal } from '../contract/errors.ts'
import { highestPort } from '../contract/headers.ts'
import type { Env } from './call.ts'

/** The host of a request: checked before routing, so that later code never meets an invalid Host. */

/** Host and port of a Host header. */
const authority = /^(\[[\da-f:.]+\]|[\w.-]+)(?::([1-9]\d{0,4}))?$/

/** Maximum lengths of a domain name and of a label. RFC 1035, 2.3.4 */
const [longestName, longestLabel] = [253, 63]

/** The Host of a request as a URL writes it; undefined for a text that names no host. assumption: host-form */
export function hostIn(text: string): string | undefined {
  const [, name, port] = authority.exec(text.toLowerCase()) ?? []
  if (name === undefined || Number(port ?? 1) > highestPort || !URL.canParse(`http://${name}`))
    return undefined
  const { hostname } = new URL(`http://${name}`)
  // A URL changes other notations of an IPv4 address: those are not names.
  if (!name.startsWith('[') && (hostname !== name || !hasLengths(name))) return undefined
  return port === undefined ? hostname : `${hostname}:${port}`
}

const hasLengths = (name: string): boolean =>
  name.length <= longestName && name.split('.').every(({ length }) => length <= longestLabel)

/** Refusals of requests that are let in only to be answered. */
const refusals = new WeakMap<object, Refusal>()

/**
 * Checks the Host of a request, refuses webhooks, and reduces the target to a path. A refused request continues with the sandbox's own
 * Host, so that it can be logged and answered; the handler calls `refusalAtDoor`. `bound`: the address that the sandbox
 * is bound to.
 */
export function checkAtDoor(incoming: IncomingMessage, bound: string): void {
  const sent = incoming.rawHeaders.filter((_, index, all) => isHostAt(all, index))
  const host = sent.length === 1 ? hostIn(sent[0] as string) : undefined
  const detail = host === undefined ? faultOf(sent) : takePath(incoming, host)
  if (detail === undefined) {
    incoming.headers.host = host
    if (signatureHeaders.some((name) => incoming.headers[name] !== undefined))
      refusals.set(incoming, webhookRefusal())
    return
  }
  const own = `${bound}:${incoming.socket.localPort}`
  const remedy = `Send the host and port of the sandbox: Host: ${own}`
  refusals.set(incoming, new Refusal('SBX_BAD_HTTP', { field: 'Host', detail, remedy }))
  incoming.headers.host = own
}

/** Headers of a webhook's signature: the sandbox sends such requests and receives none. assumption: webhook-targets */
const signatureHeaders = ['x-signature', 'webhook-signature'] as const

const webhookRefusal = (): Refusal =>
  new Refusal('SBX_HOST', {
    field: 'X-Signature',
    message: 'A webhook was sent to the sandbox itself',
    detail: 'the request carries the signature of a webhook, and the sandbox receives none',
    remedy: 'Name the URL of your receiver; a request to the sandbox carries no signature',
  })

/** True if `raw`, names and values in turn, has a value of a Host header at this index. */
const isHostAt = (raw: readonly string[], index: number): boolean =>
  index % 2 === 1 && raw[index - 1]?.length === 4 && raw[index - 1]?.toLowerCase() === 'host'

function faultOf(sent: readonly string[]): string {
  if (sent.length > 1) return `it was sent ${sent.length} times`
  const [text] = sent
  if (text === undefined) return 'it is missing'
  return text === '' ? 'it is empty' : `'${text.slice(0, 100)}' is not a host with an optional port`
}

/**
 * Reduces a target that is a whole URL (RFC 9112, 3.2.2) to its path. Returns what is wrong if its host is not `host`.
 */
function takePath(incoming: IncomingMessage, host: string): string | undefined {
  const [, named, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(incoming.url ?? '') ?? []
  if (named === undefined || rest === undefined) return undefined
  incoming.url = rest.startsWith('/') ? rest : `/${rest}`
  return hostIn(named) === host ? undefined : 'it names another host than the target of the request'
}

/** Lets a request in only to be answered with the refusal. */
export const refuseAtDoor = (incoming: IncomingMessage, refusal: Refusal): void => {
  refusals.set(incoming, refusal)
}

/** The refusal by `checkAtDoor` or `refuseAtDoor`, which comes before every other check. */
export const refusalAtDoor = (env: Env['Bindings'] | undefined): Refusal | undefined =>
  env?.incoming && refusals.get(env.incoming)
