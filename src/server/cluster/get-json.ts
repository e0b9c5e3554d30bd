import { get } from 'node:http'
import { readBounded } from '../../contract/transport/bounded-body.ts'

/** Limits of an answer: bytes, and milliseconds without data. */
interface Limits {
  readonly maxBytes: number
  readonly timeout: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Requests JSON of another tillbox server, over a new connection. Errors: those of the connection, ETIMEDOUT
 * for silence; a SyntaxError for invalid JSON; BodyLimitError.
 */
export function getJson(url: URL, { maxBytes, ...options }: Limits): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const outgoing = get(url, { ...options, agent: false }, (incoming) => {
      readBounded(incoming, { maxBytes })
        .then((body) => resolve(JSON.parse(body.toString())))
        .catch((error: Error) => {
          incoming.destroy()
          reject(error)
        })
    })
    outgoing.once('timeout', () => {
      reject(Object.assign(new Error(`${url.origin} does not answer`), { code: 'ETIMEDOUT' }))
      outgoing.destroy()
    })
    outgoing.once('error', reject)
  })
}
