import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { connectionHeaders } from '../../contract/headers.ts'
import { isReading } from '../../sandbox/access/grants.ts'
import { wholeBody } from '../../sandbox/http/body-that-came.ts'
import {
  credentialsIn,
  type ForwardedCall,
  isOfNodes,
  misdirectedHeader,
  misdirectedStatus,
  type NodeSeal,
} from '../../sandbox/http/node-to-node.ts'
import type { ReceivedRequest } from '../../sandbox/http/received-request.ts'

/** The destination of a forwarded request. */
export interface ForwardTarget extends Pick<ForwardedCall, 'to' | 'path' | 'address' | 'isOwnHost' | 'node'> {
  /** Seals what the nodes of the database forward. */
  readonly seal: NodeSeal
  /** Aborts when that node no longer serves the space. */
  readonly signal: AbortSignal
}

/**
 * Result of forwarding. `answered`: any answer came; `misdirected`: the node no longer serves the space;
 * `unreachable`: the request was not carried out; `lost`: it may have been.
 */
export type NodeForwardResult = 'answered' | 'misdirected' | 'unreachable' | 'lost'

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

  /**
   * Forwards a request, and sends the answer back: resolves when it has left, or when an event stream begins.
   * After `unreachable` or `misdirected` the request can go elsewhere. An answer counts only from a node that
   * could open the seal.
   */
  async forward(
    incoming: ReceivedRequest,
    outgoing: ServerResponse,
    { seal, signal, ...target }: ForwardTarget,
  ): Promise<NodeForwardResult> {
    const method = incoming.method ?? 'GET'
    const body = await wholeBody(incoming)
    const call = seal.seal({ ...target, method, headers: credentialsIn(incoming.rawHeaders), body })
    const upstream = request(target.to, {
      method,
      path: '/',
      headers: { ...forwardedHeaders(incoming), ...call.headers },
      agent: this.#agent,
      signal,
    })
    const progress = sendBody(incoming, body, upstream)
    const leave = () => upstream.destroy()
    outgoing.once('close', leave)
    return new Promise((resolve) => {
      const end = (result: 'misdirected' | 'unreachable') => {
        outgoing.off('close', leave)
        const isLost = progress.isSpent || (result === 'unreachable' && progress.isSent && !isReading(method))
        resolve(isLost ? 'lost' : result)
      }
      upstream.once('response', (answer) => {
        const isProved = call.isProved(answer.headers)
        if (isProved && !isMisdirected(answer)) {
          passOn(answer, outgoing)
          if (isStream(answer) || outgoing.closed) resolve('answered')
          else outgoing.once('close', () => resolve('answered'))
        } else {
          answer.resume()
          end(isMisdirected(answer) ? 'misdirected' : 'unreachable')
        }
      })
      upstream.on('error', () => end('unreachable'))
    })
  }

  /** Ends every connection. */
  close(): void {
    this.#agent.destroy()
  }
}

const isStream = ({ headers }: IncomingMessage): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

const isMisdirected = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === misdirectedStatus && headers[misdirectedHeader] !== undefined

/** The headers of a message, without those of one hop and of nodes; repeated ones are a list. */
const forwardedHeaders = ({ headersDistinct }: IncomingMessage): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headersDistinct)
      .filter(([name]) => !notForwarded.has(name) && !isOfNodes(name))
      .map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  )

/**
 * Sends a body once connected: until then the request can be sent elsewhere. `body`: null for a stream.
 * `isSpent` of its result: it was streamed, and cannot be sent again.
 */
function sendBody(incoming: IncomingMessage, body: Buffer | null, upstream: ClientRequest) {
  const progress = { isSent: false, isSpent: false }
  upstream.once('socket', (socket) => {
    const send = () => {
      socket.setTimeout(0)
      progress.isSent = true
      if (body !== null) return upstream.end(body)
      progress.isSpent = true
      return incoming.pipe(upstream)
    }
    if (!socket.connecting) return send()
    socket.setTimeout(connectTime, () => socket.destroy(new Error('the node took no connection')))
    socket.once('connect', send)
  })
  return progress
}

function passOn(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, forwardedHeaders(answer))
  outgoing.flushHeaders()
  answer.pipe(outgoing)
  answer.once('error', () => outgoing.destroy())
}
