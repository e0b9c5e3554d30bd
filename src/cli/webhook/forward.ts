import { setTimeout as sleep } from 'node:timers/promises'
import { openRequest, reasonOf } from '../../client/http.ts'
import type { StreamedNotification } from '../../contract/sandbox/webhooks.ts'
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

/** Pauses between tries while nobody answers: the first, and the longest. Milliseconds. */
const [minPause, maxPause] = [250, 5_000]

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
  let isGone = false
  return async ({ headers, body }) => {
    const started = performance.now()
    for (let pause = minPause; ; pause = Math.min(pause * 2, maxPause)) {
      const result = await forwardOnce(target, { ...headers, ...addedHeaders }, body, signal)
      if (signal.aborted) return result
      if (result.status !== null) {
        if (isGone) process.stderr.write(`${target.href} answers again\n`)
        isGone = false
        return result
      }
      if (!isGone)
        process.stderr.write(
          `${target.href}: ${clean(result.error ?? '')}; notifications wait, and follow in order\n`,
        )
      isGone = true
      if (performance.now() - started > freshFor) return result
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }
}
