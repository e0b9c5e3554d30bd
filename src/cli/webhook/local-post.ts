import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { reasonOf } from '../../client/http.ts'

/** What became of a notification that was sent on. */
export interface SentOn {
  /** HTTP status, or null when no answer came. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** How long the receiver may take with all of its answer, in milliseconds. */
const usualPatience = 10_000

/**
 * Sends a notification on, byte for byte with its headers. The status is the answer: what becomes of the body, or of a
 * protocol that it switches to, changes nothing. Resolves in every case, at once when `signal` says so.
 */
export function sendOn(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
  patience = usualPatience,
): Promise<SentOn> {
  const started = performance.now()
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    let status: number | null = null
    let error = 'it closed the connection'
    const outgoing = start(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      ...(signal && { signal }),
    })
    const late = () => outgoing.destroy(new Error(`no answer within ${patience / 1000} s`))
    const deadline = setTimeout(late, patience)
    const settle = () => {
      clearTimeout(deadline)
      resolve({ status, durationMs: performance.now() - started, error: status === null ? error : null })
    }
    outgoing.on('response', (incoming) => {
      status = incoming.statusCode ?? null
      incoming.on('error', () => undefined).resume() // cut off or late: the status stands
    })
    outgoing.on('upgrade', (incoming, socket) => {
      status = incoming.statusCode ?? null
      socket.destroy()
      settle()
    })
    outgoing.on('error', (cause) => {
      error = reasonOf(cause)
    })
    outgoing.on('close', settle)
    outgoing.end(Buffer.from(body)) // with a text the headers would be written as UTF-8 too
  })
}
