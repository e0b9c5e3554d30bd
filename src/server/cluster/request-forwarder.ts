import { Agent, type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connectionHeaders } from '../../contract/headers.ts'
import type { WithBody } from '../../http/body-that-came.ts'
import {
  forwardedHeaders,
  misdirectedHeader,
  misdirectedStatus,
  type ReceivingNode,
} from '../../http/node-to-node.ts'

/** Where a request goes on to. */
export interface ForwardTarget {
  /** Base URL of the node that serves the space. */
  readonly url: string
  /** The path at that node, including the space. */
  readonly path: string
  /** The secret by which the nodes of a database recognise each other. */
  readonly secret: string
  /** Address of the caller. */
  readonly address: string
  /** This node. */
  readonly node: ReceivingNode
  /** Aborts when the node does not serve the space any more. */
  readonly signal: AbortSignal
}

/**
 * Result of forwarding. `answered`: with any answer; `misdirected`: the node no longer serves the space; `unreachable`:
 * the request was not carried out; `lost`: it is unknown whether it was.
 */
export type NodeForwardResult = 'answered' | 'misdirected' | 'unreachable' | 'lost'

/** Headers that are not sent on. */
const notForwarded: ReadonlySet<string> = new Set([
  ...connectionHeaders,
  'proxy-authenticate',
  'proxy-authorization',
])

/** How long a node has to take a connection. Milliseconds. */
const connectTime = 1_000

/** Sends requests on to other nodes, over connections that are kept. */
export class RequestForwarder {
  readonly #agent = new Agent({ keepAlive: true })
  /** Answers that are waited for, event streams left out: those never end by themselves. */
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

  /** True while the answer to a request is waited for. */
  get isBusy(): boolean {
    return this.#waitedFor.size > 0
  }

  /** Ends every connection. */
  close(): void {
    this.#agent.destroy()
  }
}

/** True for a request that changes nothing, and can therefore be sent twice. */
const isHarmless = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

const isMisdirected = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === misdirectedStatus && headers[misdirectedHeader] !== undefined

/** The headers of a message without those of its connection; a repeated header has a list. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [(rawHeaders[index] ?? '').toLowerCase(), rawHeaders[index + 1] ?? '']
    const before = headers[name]
    if (!notForwarded.has(name)) headers[name] = before === undefined ? value : [before, value].flat()
  }
  return headers
}

/** How far a request came. */
interface SendProgress {
  readonly isSent: boolean
  /** Its body was read, and cannot be sent once more. */
  readonly isSpent: boolean
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The body is not read before there is a connection: until then the request can go elsewhere. */
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
