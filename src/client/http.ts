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
  override readonly name = 'ForeignAnswer'
  constructor(
    readonly url: string,
    readonly status: number,
    readonly reason: string,
  ) {
    super(`${url} answered with HTTP ${status}, which is not an answer of this API: ${reason}`)
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
}

/** What came back. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How long to wait for an answer when nobody says otherwise. Milliseconds. */
const usualPatience = 30_000

/** Sends one request. node:http, because the first `fetch` of a process costs 75 ms. Errors: Unreachable. */
export async function send(request: HttpRequest): Promise<HttpAnswer> {
  const { url, method, headers, body, ca, patience = usualPatience } = request
  const start = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const options = {
    method,
    headers: { ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) },
  }
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(
      () => outgoing.destroy(new Error(`no answer within ${Math.ceil(patience / 1000)} s`)),
      patience,
    )
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new Unreachable(url.origin, reasonOf(error), notConnected.has(error.code ?? '')))
    const outgoing: ClientRequest = start(url, { ...options, ...(ca && { ca }) }, (incoming) =>
      collect(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }),
        fail,
      ),
    )
    outgoing.on('close', () => clearTimeout(deadline))
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

async function collect(incoming: IncomingMessage): Promise<string> {
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
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
