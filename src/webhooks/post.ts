import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AttemptView } from '../contract/sandbox/webhooks.ts'
import { clearTimeout, elapsedTime, setTimeout, wallTime } from '../timers.ts'
import { type CheckedAddress, checkedAddresses, type Resolve, TargetRefused } from './target.ts'

/** One attempt to deliver, as it is kept. `at`: milliseconds of the wall clock. */
export interface Attempt extends Omit<AttemptView, 'at' | 'fault'> {
  readonly at: number
}

/** An attempt that was made. */
export interface PostResult extends Attempt {
  /** The address may not be called: another attempt would fail too. */
  readonly refused: boolean
}

/** What limits an attempt. Times in milliseconds. */
export interface PostLimits {
  readonly allowedHosts: readonly string[]
  readonly connectTimeout: number
  readonly readTimeout: number
  readonly resolve?: Resolve
  /** Port at which the sandbox listens, which is never called on this machine; null where it does not. */
  readonly ownPort?: () => number | null
  /** Cuts the attempt off. */
  readonly signal?: AbortSignal
}

/** How much of an answer is kept; what comes after it is not read. */
const keptBytes = 8 * 1024

/**
 * Posts once. Redirects are not followed, long answers are cut, slow ones given up. Resolves in every case.
 * assumption: webhook-delivery
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  limits: PostLimits,
): Promise<PostResult> {
  const [at, started] = [wallTime(), elapsedTime()]
  const sent = { at, url, requestHeaders: headers, requestBody: body }
  const took = () => ({ durationMs: elapsedTime() - started })
  try {
    const target = new URL(url)
    const addresses = await within(limits, () =>
      checkedAddresses(target, limits.allowedHosts, limits.resolve, limits.ownPort?.()),
    )
    const answer = await exchange(target, addresses, headers, body, limits)
    return { ...sent, ...answer, ...took(), error: null, refused: false }
  } catch (error) {
    return {
      ...sent,
      status: null,
      responseHeaders: {},
      responseBody: '',
      ...took(),
      error: whyOf(error as Error),
      refused: error instanceof TargetRefused,
    }
  }
}

const noConnection = (milliseconds: number) => new Error(`no connection within ${milliseconds / 1000} s`)

const cutOff = () => new Error('cut off: the sandbox was stopped')

/** Errors: those of `work`, an Error after the time to connect, or when it is cut off. */
async function within<T>({ connectTimeout, signal }: PostLimits, work: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw cutOff()
  let giveUp = () => {}
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(cutOff())
    timer = setTimeout(() => reject(noConnection(connectTimeout)), connectTimeout)
    signal?.addEventListener('abort', giveUp)
  })
  return Promise.race([work(), late]).finally(() => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  })
}

/** Calls the very addresses that were checked, one after the other until one answers; no connection is kept. */
function exchange(
  url: URL,
  addresses: readonly CheckedAddress[],
  headers: Readonly<Record<string, string>>,
  body: string,
  { connectTimeout, readTimeout, signal }: PostLimits,
): Promise<Pick<Attempt, 'status' | 'responseHeaders' | 'responseBody'>> {
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = start(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
      lookup: (_, __, done) => done(null, [...addresses]),
      ...(signal && { signal }),
    })
    let timer = setTimeout(() => outgoing.destroy(noConnection(connectTimeout)), connectTimeout)
    outgoing.on('socket', (socket) => {
      const connected = () => {
        clearTimeout(timer)
        timer = setTimeout(
          () => outgoing.destroy(new Error(`no answer within ${readTimeout / 1000} s`)),
          readTimeout,
        )
      }
      if (socket.connecting) socket.once('connect', connected)
      else connected()
    })
    const unanswered = () => reject(new Error('the connection was closed without an answer'))
    outgoing.on('close', () => clearTimeout(timer)).on('close', unanswered)
    outgoing.on('error', reject)
    outgoing.on('upgrade', (incoming, socket) => {
      socket.destroy() // nobody asked for another protocol
      resolve({ status: incoming.statusCode ?? null, responseHeaders: headersOf(incoming), responseBody: '' })
    })
    outgoing.on('response', (incoming) => {
      // What comes after it is late or cut: the status stands.
      outgoing.off('close', unanswered).off('error', reject)
      outgoing.on('error', () => undefined)
      collect(incoming, resolve)
    })
    outgoing.end(body)
  })
}

/** The status is the answer; the body is only kept for the record, as far as it came. */
function collect(
  incoming: IncomingMessage,
  resolve: (answer: Pick<Attempt, 'status' | 'responseHeaders' | 'responseBody'>) => void,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const finish = () => {
    const responseBody = Buffer.concat(chunks).subarray(0, keptBytes).toString()
    resolve({ status: incoming.statusCode ?? null, responseHeaders: headersOf(incoming), responseBody })
  }
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > keptBytes) incoming.destroy()
  })
  incoming.on('error', finish) // cut off; what came is what there is
  incoming.on('close', finish)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is unknown',
  ECONNRESET: 'the connection was cut',
}

const whyOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ABORT_ERR' ? cutOff().message : (reasons[error.code ?? ''] ?? error.message)
