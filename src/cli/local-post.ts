import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { reasonOf } from '../client/http.ts'

/** What became of a notification that was sent on. */
export interface SentOn {
  /** HTTP status, or null when no answer came. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** How long the receiver may take, in milliseconds. */
const patience = 10_000

/** Sends a notification on, byte for byte with its headers. Resolves in every case, at once when `signal` says so. */
export function sendOn(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
): Promise<SentOn> {
  const started = performance.now()
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve) => {
    const done = (status: number | null, error: string | null) =>
      resolve({ status, durationMs: performance.now() - started, error })
    const outgoing = start(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
        timeout: patience,
        ...(signal && { signal }),
      },
      (incoming) => {
        incoming.resume()
        incoming.on('error', (error) => done(null, error.message))
        incoming.on('end', () => done(incoming.statusCode ?? null, null))
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${patience / 1000} s`)))
    outgoing.on('error', (error: NodeJS.ErrnoException) => done(null, reasonOf(error)))
    outgoing.end(Buffer.from(body)) // with a text the headers would be written as UTF-8 too
  })
}
