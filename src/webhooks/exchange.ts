import type { LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from '../timers.ts'
import { asAnswer, type EndpointAnswer, readEndpointAnswer } from '../transport/connection-errors.ts'

/** A request to an endpoint, and how it is made. */
export interface DeliveryRequest {
  readonly url: URL
  /** The checked addresses to call; looked up for each new connection to a name. */
  readonly addresses: () => Promise<readonly LookupAddress[]>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds. */
  readonly connectTimeout: number
  readonly readTimeout: number
  readonly signal?: AbortSignal
  /** Connections to reuse; null: a new connection, closed after the answer. */
  readonly connections: KeptConnections | null
  /** True to close the connection after the answer, as no attempt follows immediately. */
  readonly isLast: boolean
}

/** The receiver closed a kept connection without an answer. */
class ClosedMeanwhile extends Error {
  override readonly name = 'ClosedMeanwhile'
}

/**
 * Posts a request and waits for the answer. A receiver may close a kept connection just when it is reused, without
 * having seen the request, so it is sent again over a new connection. A receiver that read the request and closed
 * without an answer looks the same, and gets it twice, with the same id. The second connection is not kept. Errors: an
 * Error of the network.
 */
export async function exchange(what: DeliveryRequest): Promise<EndpointAnswer> {
  try {
    return await exchangeOnce(what)
  } catch (error) {
    if (!(error instanceof ClosedMeanwhile)) throw error
    what.connections?.keepNone()
    return exchangeOnce(what)
  }
}

function exchangeOnce(what: DeliveryRequest): Promise<EndpointAnswer> {
  const { url, addresses, headers, body, connectTimeout, readTimeout, signal, connections, isLast } = what
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = start(url, {
      method: 'POST',
      headers: {
        ...headers,
        'Content-Length': Buffer.byteLength(body),
        ...(isLast && { Connection: 'close' }),
      },
      agent: connections?.agentFor(url) ?? false,
      // For a name with several addresses: after the usual 250 ms a busy process gives up one that did answer.
      ...{ autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeout / 4) },
      lookup: (_, __, done) => {
        addresses().then(
          (resolved) => done(null, [...resolved]),
          (error) => done(error, []),
        )
      },
    })
    // Not by the option `signal`, with which Node creates another error for each failed connection.
    const abort = () => outgoing.destroy(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort)
    let stopLimit = limit(connectTimeout, () => outgoing.destroy(noConnection(connectTimeout)))
    outgoing.on('socket', (socket) => {
      const connected = () => {
        outgoing.end(body) // only now: a waiting body makes Node create another error for a failed connection
        stopLimit()
        stopLimit = limit(readTimeout, () =>
          outgoing.destroy(new Error(`no answer within ${readTimeout / 1000} s`)),
        )
      }
      if (socket.connecting) socket.once('connect', connected)
      else connected()
    })
    const failed = (error: NodeJS.ErrnoException) =>
      reject(outgoing.reusedSocket && isClosed(error) ? new ClosedMeanwhile() : error)
    const unanswered = () => reject(new Error('the connection was closed without an answer'))
    outgoing.on('close', () => {
      stopLimit()
      signal?.removeEventListener('abort', abort)
    })
    outgoing.on('close', unanswered)
    outgoing.on('error', failed)
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy() // no upgrade was requested
      resolve(asAnswer(incoming, ''))
    })
    outgoing.on('response', (incoming) => {
      // Later errors do not matter: the status decides.
      outgoing.off('close', unanswered).off('error', failed)
      outgoing.on('error', () => undefined)
      resolve(readEndpointAnswer(incoming))
    })
  })
}

/**
 * Calls `giveUp` after that time, but first takes what came meanwhile: after a pause of this process its timers run
 * before its connections are read. Returns what stops it.
 */
function limit(milliseconds: number, giveUp: () => void): () => void {
  let late: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    late = setImmediate(giveUp)
  }, milliseconds)
  return () => {
    clearTimeout(timer)
    clearImmediate(late)
  }
}

const noConnection = (milliseconds: number) =>
  Object.assign(new Error(`no connection within ${milliseconds / 1000} s`), { code: 'ETIMEDOUT' })

const isClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** Connections to an endpoint that successive attempts share. Close them when no attempt follows. */
export class KeptConnections {
  #agent: HttpAgent | null = null
  #isKeptAlive = true

  /** The agent that reuses or opens a connection; false when none is kept. */
  agentFor({ protocol }: URL): HttpAgent | false {
    if (!this.#isKeptAlive) return false
    this.#agent ??= new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true })
    return this.#agent
  }

  /** Stops reusing connections: the other side closes them without notice. */
  keepNone(): void {
    this.#isKeptAlive = false
  }

  close(): void {
    this.#agent?.destroy()
  }
}
