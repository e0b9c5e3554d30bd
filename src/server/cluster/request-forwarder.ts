import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connectionHeaders } from '../../contract/headers.ts'
import type { WithBody } from '../../http/body-that-came.ts'
import {
  forwardedHeaders,
  misdirectedHeader,
  misdirectedStatus,
  type ReceivingNode,
} from '../../http/node-to-node.ts'

/** The destination of a forwarded request. */
export interface ForwardTarget {
  /** Base URL of the node that serves the space. */
  readonly url: string
  /** The path at that node, including the space. */
  readonly path: string
  /** The shared secret of the database's nodes. */
  readonly secret: string
  /** Address of the caller. */
  readonly address: string
  /** Facts about this node. */
  readonly node: ReceivingNode
  /** Aborts when that node no longer serves the space. */
  readonly signal: AbortSignal
}

/**
 * Result of forwarding. `answered`: any answer came; `misdirected`: the node no longer serves the space; `unreachable`:
 * the request was not carried out; `lost`: it may have been.
 */
export type NodeForwardResult = 'answered' | 'misdirected' | 'unreachable' | 'lost'

/** Headers that are not forwarded. */
const notForwarded: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  'proxy-authenticate',
  'proxy-authorization',
])

/** Time limit for connecting to a node. Milliseconds. */
const connectTime = 1_000

/** Forwards requests to other nodes, over connections that are reused. */
export class RequestForwarder {
  readonly #agent = new Agent({ keepAlive: true })
  /** Pending answers, without event streams: those never end by themselves. */
  readonly #waitedFor = new Set<ServerResponse>()

  /**
   * Forwards a request, and sends the answer back. After `unreachable` or `misdirected` the request can go elsewhere.
   */
  forward(
    incoming: IncomingMessage & WithBody,
    outgoing: ServerResponse,
    target: ForwardTarget,
  ): Promise<NodeForwardResult> {
    const upstream = request(new URL(target.path, target.url), {
      method: incoming.method ?? 'GET',
      headers: { ...headersOf(incoming), ...forwardedHeaders(target) },
      agent: this.#agent,
      signal: target.signal,
    })
    const progress = sendBody(incoming, upstream)
    const leave = () => upstream.destroy()
    outgoing.once('close', leave)
    const isFirstTry = !this.#waitedFor.has(outgoing)
    this.#waitedFor.add(outgoing)
    if (isFirstTry) outgoing.once('close', () => this.#waitedFor.delete(outgoing))
    return new Promise((resolve) => {
      upstream.once('response', (answer) => {
        if (isMisdirected(answer)) {
          answer.resume()
          outgoing.off('close', leave)
          resolve(progress.isSpent ? 'lost' : 'misdirected')
        } else {
          if (isStream(answer)) this.#waitedFor.delete(outgoing)
          passOn(answer, outgoing)
          resolve('answered')
        }
      })
      upstream.on('error', () => {
        outgoing.off('close', leave)
        const isLost = progress.isSpent || (progress.isSent && !isHarmless(incoming))
        resolve(isLost ? 'lost' : 'unreachable')
      })
    })
  }

  /** True while an answer is pending. */
  get isBusy(): boolean {
    return this.#waitedFor.size > 0
  }

  /** Ends every connection. */
  close(): void {
    this.#agent.destroy()
  }
}

/** True for a request that changes nothing and may therefore be repeated. */
const isHarmless = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

const isMisdirected = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === misdirectedStatus && headers[misdirectedHeader] !== undefined

/** The headers of a message without hop-by-hop ones; the values of a repeated header are a list. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']
    const before = headers[name]
    if (!notForwarded.has(name)) headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

/** Progress of a request. */
interface SendProgress {
  readonly isSent: boolean
  /** True once its body was read, which cannot be sent again. */
  readonly isSpent: boolean
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Reads the body only once connected: until then the request can be sent elsewhere. */
function sendBody(incoming: IncomingMessage & WithBody, upstream: ClientRequest): SendProgress {
  const progress = { isSent: false, isSpent: false }
  upstream.once('socket', (socket) => {
    const send = () => {
      socket.setTimeout(0)
      progress.isSent = true
      if (incoming.rawBody !== undefined || incoming.readableEnded) return upstream.end(incoming.rawBody)
      progress.isSpent = hasBody(incoming)
      return incoming.pipe(upstream)
    }
    if (!socket.connecting) return send()
    socket.setTimeout(connectTime, () => socket.destroy(new Error('the node took no connection')))
    socket.once('connect', send)
  })
  return progress
}

function passOn(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, headersOf(answer))
  outgoing.flushHeaders()
  answer.pipe(outgoing)
  answer.once('error', () => outgoing.destroy())
}
