import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type https from 'node:https'
import type { Readable } from 'node:stream'
import { BodyLimitError, readBounded } from '../contract/transport/bounded-body.ts'
import { failureReason, notConnected } from '../contract/transport/connection-errors.ts'
import { http } from '../shared/node-http.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../shared/timers.ts'

/** The service did not answer, or not in time. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  constructor(
    readonly url: string,
    readonly reason: string,
    /** True when the connection was not accepted, so that nothing can have been carried out. */
    readonly refused = false,
    /** True when nothing was sent: the connection was not accepted, or its certificate not trusted. */
    readonly unsent = refused,
    /** Code of Node's error, or LATE for an answer that did not come in time; empty for any other reason. */
    readonly code = '',
  ) {
    super(unsent ? `${url} cannot be reached: ${reason}` : `${url} returned no valid response: ${reason}`)
  }

  get wasCut(): boolean {
    return this.code === 'ECONNRESET'
  }

  get isLate(): boolean {
    return this.code === late
  }
}

/** Code of the error of an answer that did not come in time. */
const late = 'LATE'

/** `what`: the part of the answer that did not come within `timeout` milliseconds. */
const tooLate = (what: string, timeout: number): Error =>
  Object.assign(new Error(`no ${what} within ${secondsText(timeout)} s`), { code: late })

/** An answer came, but not one of this API. */
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

/** The service accepted the request, but its answer does not have the expected form. */
export class UnusableAnswer extends ForeignAnswer {
  override readonly name = 'UnusableAnswer'
  constructor(
    url: string,
    status: number,
    reason: string,
    /** The transaction that the answer names nevertheless. */
    readonly transactionId: string | undefined,
  ) {
    super(url, status, reason, `${url} accepted the request, but its answer cannot be used: ${reason}`)
  }
}

/** What to send, and how long to wait. Times in milliseconds. */
export interface HttpRequest {
  readonly method?: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  /** A streamed body, in place of `body`. */
  readonly upload?: Readable | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
  /** Longest wait for the headers of the answer. */
  readonly timeout?: number | undefined
  /** Longest time without data on the connection. */
  readonly idleTimeout?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** An answer that was read completely. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Default time limit of an answer. Milliseconds. */
const usualTimeout = 30_000

/** Most bytes of a service's answer: the longest list of closed batches is less. assumption: cli-answers */
const longestAnswer = 8 * 1024 * 1024

/** Most bytes of a sandbox's answer: a list of 99,999 webhooks takes 43 MB. assumption: cli-answers */
export const longestListing = 48 * 1024 * 1024

/**
 * Sends a request and resolves to its answer, whose body the caller reads; redirects are not followed. Uses
 * node:http, because the first `fetch` of a process costs 75 ms.
 */
export async function openRequest(request: HttpRequest): Promise<IncomingMessage> {
  const { method = 'GET', url, body, upload, ca, timeout = usualTimeout, idleTimeout, signal } = request
  const module = url.protocol === 'https:' ? await import('node:https') : http
  const content = typeof body === 'string' ? Buffer.from(body) : body // a string makes Node send headers as UTF-8 too
  const headers: Record<string, string | number> = {
    ...request.headers,
    ...(content && { 'Content-Length': content.length }),
  }
  const options = {
    ...(ca && { ca }),
    agent: agentFor(module, url, headers.Connection === 'close'),
    ...(signal && { signal }),
    ...(idleTimeout && { timeout: idleTimeout }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = module.request(url, { method, headers, ...options })
    const deadline = setTimeout(() => outgoing.destroy(tooLate('answer', timeout)), timeout)
    const answered = (incoming: IncomingMessage) => {
      clearTimeout(deadline)
      resolve(incoming)
    }
    outgoing.on('response', answered)
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy() // no upgrade was requested
      incoming.push(null)
      answered(incoming)
    })
    // A kept-alive socket has a time limit of its own for idleness, which is not a silent answer.
    if (idleTimeout !== undefined) outgoing.on('timeout', () => outgoing.destroy(new Error('it fell silent')))
    outgoing.on('error', (error) => {
      clearTimeout(deadline)
      reject(error)
    })
    if (upload === undefined) outgoing.end(content)
    else {
      upload.once('error', (error) => outgoing.destroy(error))
      upload.pipe(outgoing)
    }
  })
}

/** Agents that call directly, by protocol; they are as those that Node has. */
const direct: Record<string, Agent> = {}

/**
 * The agent of a request. Of its own for this machine: Node's agent obeys the proxy of the environment. None
 * where the connection ends: Node would keep it, although the server closes it as it was asked.
 */
export function agentFor(
  { Agent }: HttpModule,
  { protocol, hostname }: URL,
  isLast: boolean,
): Agent | false | undefined {
  if (isLast) return false
  if (!thisMachine.test(hostname)) return undefined
  direct[protocol] ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5_000 })
  return direct[protocol]
}

type HttpModule = Pick<typeof http, 'Agent'> | Pick<typeof https, 'Agent'>

/** Hosts that are this machine; URL writes every IPv4 address with four numbers. */
const thisMachine =
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/

/**
 * Sends a request and reads the whole answer, up to `limit` bytes; `timeout` applies to all of it. Errors:
 * Unreachable, also for an answer that is too late; ForeignAnswer for one that is too long.
 */
export async function send(request: HttpRequest, limit?: number): Promise<HttpAnswer> {
  const answer = await sendForBytes(request, limit)
  return { ...answer, body: answer.body.toString() }
}

/** The same, with the body as it came. */
export async function sendForBytes(request: HttpRequest, limit = longestAnswer) {
  const { url, timeout = usualTimeout } = request
  const started = elapsedTime()
  try {
    const incoming = await openRequest(request)
    const timeLeft = Math.max(timeout - (elapsedTime() - started), 0)
    const body = await readBounded(incoming, { maxBytes: limit, timeout: timeLeft }).catch((error: Error) => {
      incoming.destroy()
      if (!(error instanceof BodyLimitError)) throw error
      if (error.status === 408) throw tooLate('whole answer', timeout)
      const reason = `its body is longer than ${limit / 1024 / 1024} MiB`
      throw new ForeignAnswer(url.origin + url.pathname, incoming.statusCode ?? 0, reason)
    })
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body }
  } catch (error) {
    throw error instanceof ForeignAnswer ? error : unreachable(url, error as Error)
  }
}

/** Seconds to a tenth, rounded up. */
const secondsText = (ms: number): string => String(Math.ceil(ms / 100) / 10)

/** Converts the error of a connection. */
export const unreachable = (url: URL, error: NodeJS.ErrnoException): Unreachable =>
  new Unreachable(
    url.origin,
    failureReason(error),
    notConnected.has(error.code ?? ''),
    isUnsent(error) || error.code === 'EPROTO', // EPROTO: the other side does not speak TLS
    error.code,
  )

/** True when nothing was sent: no connection, an untrusted certificate, or a header that Node refuses. */
export const isUnsent = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  notConnected.has(code) || untrusted.test(code) || unwritable.test(code)

const unwritable = /^ERR_(INVALID_CHAR|INVALID_HTTP_TOKEN|HTTP_INVALID_HEADER_VALUE)$/

const untrusted =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)$/
