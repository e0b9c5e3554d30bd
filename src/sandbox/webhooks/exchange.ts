import type { LookupAddress } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import {
  asAnswer,
  type EndpointAnswer,
  readEndpointAnswer,
} from '../../contract/transport/connection-errors.ts'
import { clearImmediate, clearTimeout, setImmediate, setTimeout } from '../../shared/timers.ts'

/** A request to an endpoint, and how it is made. */
export interface DeliveryRequest {
  readonly url: URL
  /** The checked addresses to call. */
  readonly addresses: () => Promise<readonly LookupAddress[]>
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds. */
  readonly connectTimeout: number
  readonly readTimeout: number
  readonly signal?: AbortSignal
}

/** Posts a request over a new connection, and waits for the answer. */
export function exchange(what: DeliveryRequest): Promise<EndpointAnswer> {
  const { url, addresses, headers, body, connectTimeout, readTimeout, signal } = what
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = start(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
      agent: false,
      // For a name with several addresses: a busy process gives up one that answers after the usual 250 ms.
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
      socket.once('connect', () => {
        outgoing.end(body) // only now: a waiting body makes Node create another error for a failed connection
        stopLimit()
        stopLimit = limit(readTimeout, () =>
          outgoing.destroy(new Error(`no answer within ${readTimeout / 1000} s`)),
        )
      })
    })
    const unanswered = () => reject(new Error('the connection was closed without an answer'))
    outgoing.on('close', () => {
      stopLimit()
      signal?.removeEventListener('abort', abort)
    })
    outgoing.on('close', unanswered)
    outgoing.on('error', reject)
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy() // no upgrade was requested
      resolve(asAnswer(incoming, ''))
    })
    outgoing.on('response', (incoming) => {
      // Later errors do not matter: the status decides.
      outgoing.off('close', unanswered).off('error', reject)
      outgoing.on('error', () => undefined)
      resolve(readEndpointAnswer(incoming))
    })
  })
}

/**
 * Calls `giveUp` after that time, but first takes what came meanwhile: after a pause of this process its
 * timers run before its connections are read. Returns what stops it.
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
