import { get, type IncomingHttpHeaders } from 'node:http'
import { readBounded } from './bounded-body.ts'

/** Limits of an answer: bytes, and milliseconds without data. */
interface Limits {
  readonly maxBytes: number
  readonly timeout: number
  readonly headers?: Readonly<Record<string, string>>
  /** False for an answer of another server; absent: any server's counts. */
  readonly isProved?: (answer: IncomingHttpHeaders) => boolean
}

/**
 * Requests JSON of another tillbox server, over a new connection. Errors: those of the connection, ETIMEDOUT for
 * silence; a SyntaxError for invalid JSON; BodyLimitError; an Error for an answer of another server.
 */
export function getJson(url: URL, { maxBytes, isProved = () => true, ...options }: Limits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { ...options, agent: false }, (incoming) => {
      const fail = (error: Error) => {
        incoming.destroy()
        reject(error)
      }
      if (!isProved(incoming.headers)) fail(new Error(`another server has the address ${url.origin}`))
      else
        readBounded(incoming, { maxBytes })
          .then((body) => resolve(JSON.parse(body.toString())))
          .catch(fail)
    })
    outgoing.once('timeout', () => {
      reject(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
      outgoing.destroy()
    })
    outgoing.once('error', reject)
  })
}
