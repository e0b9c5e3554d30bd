import {
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http'

/** Nobody answered, or not in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  constructor(
    readonly url: string,
    readonly reason: string,
    /** True when nobody took the connection, so that nothing can have been carried out. */
    readonly refused = false,
  ) {
    super(`${url} cannot be reached: ${reason}`)
  }
}

/** Somebody answered, but not in the words of this API. */
export class ForeignAnswer extends Error {
  override readonly name: string = 'ForeignAnswer'
  constructor(
    readonly url: string,
    readonly status: number,
    readonly reason: string,
    message = `${url} answered with HTTP ${status}, which is not an answer of this API: ${reason}`,
  ) {
    super(message)
  }
}

/** A request was accepted, but the answer is not what an answer to it must be. */
export class UnusableAnswer extends ForeignAnswer {
  override readonly name = 'UnusableAnswer'
  constructor(
    url: string,
    status: number,
    reason: string,
    /** The transaction that it names all the same. */
    readonly transactionId: string | undefined,
  ) {
    super(url, status, reason, `${url} accepted the request, but its answer cannot be used: ${reason}`)
  }
}

/** What to send. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
  /** How long to wait for an answer, in milliseconds. */
  readonly patience?: number | undefined
  /** Bytes that the body of the answer may have. */
  readonly limit?: number | undefined
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How long to wait for a whole answer when nobody says otherwise. Milliseconds. */
const usualPatience = 30_000

/** Bytes of an answer of the service: the longest list of closed batches has fewer. assumption: cli-bounds */
const longestAnswer = 8 * 1024 * 1024

/** Bytes of an answer of a sandbox: the 99,999 webhooks that a list shows at most take 43 MB. assumption: cli-bounds */
export const longestListing = 48 * 1024 * 1024

/**
 * Sends one request; no redirect is followed. node:http, because the first `fetch` of a process costs 75 ms.
 * Errors: Unreachable, also when the answer is not whole in time; ForeignAnswer for one that is too long.
 */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  const { url, method, headers, body, ca, patience = usualPatience, limit = longestAnswer } = request
  const start = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const options = {
    method,
    headers: { ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) },
  }
  return new Promise((resolve, reject) => {
    let late: Error | undefined
    let what = 'no answer'
    const deadline = setTimeout(() => {
      late = new Error(`${what} within ${Math.ceil(patience / 1000)} s`)
      outgoing.destroy(late)
    }, patience)
    const fail = (error: NodeJS.ErrnoException) => {
      clearTimeout(deadline)
      const reason = reasonOf(late ?? error)
      reject(
        error instanceof ForeignAnswer
          ? error
          : new Unreachable(url.origin, reason, notConnected.has(error.code ?? '')),
      )
    }
    const outgoing: ClientRequest = start(url, { ...options, ...(ca && { ca }) }, (incoming) => {
      what = 'no whole answer'
      const status = incoming.statusCode ?? 0
      collect(incoming, limit, url.origin + url.pathname).then((text) => {
        clearTimeout(deadline)
        resolve({ status, headers: incoming.headers, body: text })
      }, fail)
    })
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

/** The body of an answer. Errors: ForeignAnswer when it is longer than the limit; the one of the connection. */
async function collect(incoming: IncomingMessage, limit: number, url: string): Promise<string> {
  const chunks: Buffer[] = []
  let left = limit
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    left -= chunk.length
    if (left < 0) {
      const reason = `its body is longer than ${limit / 1024 / 1024} MiB`
      throw new ForeignAnswer(url, incoming.statusCode ?? 0, reason)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const notConnected = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'])

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut; if it serves TLS, use https://',
  EPROTO: 'it does not speak TLS; use http://',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed; trust it with NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted; trust its authority with NODE_EXTRA_CA_CERTS',
}

/** Why nobody answered, and what to do where that is known. */
export const reasonOf = (error: NodeJS.ErrnoException): string => reasons[error.code ?? ''] ?? error.message
