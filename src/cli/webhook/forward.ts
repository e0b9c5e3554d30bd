import { openRequest, reasonOf } from '../../client/http.ts'
import type { StreamedNotification } from '../../contract/sandbox/webhooks.ts'
import { untilAnswered } from '../../until-answered.ts'
import { clean } from '../output/clean.ts'

/** What became of a notification that was forwarded. */
export interface ForwardResult {
  /** HTTP status, or null when no answer came. */
  readonly status: number | null
  readonly durationMs: number
  readonly error: string | null
}

/** How long the receiver may take with all of its answer, in milliseconds. */
const receiverTimeout = 10_000

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
): Promise<ForwardResult> {
  const started = performance.now()
  const result = (status: number | null, error: string | null): ForwardResult => ({
    status,
    durationMs: performance.now() - started,
    error,
  })
  try {
    const answer = await openRequest({ method: 'POST', url, headers, body, signal, timeout })
    const deadline = setTimeout(() => answer.destroy(), timeout - (performance.now() - started))
    await new Promise((resolve) => answer.on('error', resolve).on('close', resolve).resume()) // cut off or late: the status stands
    clearTimeout(deadline)
    return result(answer.statusCode ?? null, null)
  } catch (error) {
    return result(null, reasonOf(error as Error))
  }
}

/** How long a notification is tried as it was signed: receivers refuse old timestamps. Milliseconds. */
const freshFor = 60_000

/**
 * Forwards notifications to a server, each until it answers. One that got no answer for a while comes back with status
 * null, to be asked for anew; so does every one after `signal`. Says on standard error when the server is gone and back.
 */
export function createForwarder(
  target: URL,
  addedHeaders: Readonly<Record<string, string>>,
  signal: AbortSignal,
): (notification: Pick<StreamedNotification, 'headers' | 'body'>) => Promise<ForwardResult> {
  const report = (message: string) => process.stderr.write(`${clean(message)}\n`)
  const retried = untilAnswered(target.href, signal, report, freshFor)
  return ({ headers, body }) =>
    retried(() => forwardOnce(target, { ...headers, ...addedHeaders }, body, signal))
}
