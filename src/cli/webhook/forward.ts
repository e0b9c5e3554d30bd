import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { openRequest, reasonOf } from '../../client/http.ts'

/** What became of a notification that was forwarded. */
interface ForwardResult {
  /** HTTP status, or null when no answer came. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** The same with the answer, and whether anybody was there to take the request. */
export interface ForwardAnswer extends ForwardResult {
  readonly responseHeaders: Readonly<Record<string, string>>
  /** The first 8 KB. */
  readonly responseBody: string
  /** True when no connection could be made: nothing was sent. */
  readonly absent: boolean
}

/** How long the receiver may take with all of its answer, in milliseconds. */
const receiverTimeout = 10_000

/** How much of an answer is kept. */
const keptBytes = 8 * 1024

/**
 * Posts a notification once, byte for byte with its headers. The status is the answer: what becomes of the body, or of a
 * protocol that it switches to, changes nothing. Resolves in every case, at once when `signal` says so.
 */
export async function forwardOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal?: AbortSignal,
  timeout = receiverTimeout,
): Promise<ForwardAnswer> {
  const started = performance.now()
  const took = () => Math.round((performance.now() - started) * 10) / 10
  try {
    const answer = await openRequest({ method: 'POST', url, headers, body, signal, timeout })
    const deadline = setTimeout(() => answer.destroy(), timeout - (performance.now() - started))
    const responseBody = await beginningOf(answer)
    clearTimeout(deadline)
    return {
      status: answer.statusCode ?? null,
      durationMs: took(),
      error: null,
      responseHeaders: textsOf(answer.headers),
      responseBody,
      absent: false,
    }
  } catch (error) {
    const why = error as NodeJS.ErrnoException
    return {
      status: null,
      durationMs: took(),
      error: reasonOf(why) || 'no answer',
      responseHeaders: {},
      responseBody: '',
      absent: notConnected.test(why.code ?? ''),
    }
  }
}

/** Nobody listens, nobody is found, or no certificate is trusted: nothing of the request was sent. */
const notConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_\w+)$/

/** The first of a body; what is cut off or late changes nothing: the status stands. */
async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  answer.on('data', (chunk: Buffer) => {
    if (size < keptBytes) chunks.push(chunk)
    size += chunk.length
  })
  await new Promise((resolve) => answer.on('error', resolve).on('close', resolve))
  return Buffer.concat(chunks).subarray(0, keptBytes).toString()
}

const textsOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
