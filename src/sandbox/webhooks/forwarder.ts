import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamedNotification } from '../../api/webhooks.ts'
import { type PostLimits, post } from './post.ts'
import type { Announcer } from './stream.ts'

/** Pauses between tries when nobody answers, in milliseconds. */
const pauses = [250, 500, 1_000, 2_000, 4_000]

/** Sends every notification on to one address, in order, as the command listen does from a process of its own. */
export function forwardAll(
  announcer: Announcer,
  url: string,
  limits: PostLimits,
  report: (message: string) => void,
): () => Promise<void> {
  let tail = Promise.resolve()
  const ended = new AbortController()
  const quiet = announcer.listen((notification) => {
    tail = tail.then(() => (ended.signal.aborted ? undefined : forward(notification)))
  })
  async function forward({ headers, body, id }: StreamedNotification): Promise<void> {
    let attempt = await post(url, headers, body, limits)
    for (const pause of pauses) {
      if (attempt.status !== null || ended.signal.aborted) break
      await sleep(pause, undefined, { signal: ended.signal }).catch(() => undefined)
      if (ended.signal.aborted) break
      attempt = await post(url, headers, body, limits)
    }
    if (attempt.status !== 200) report(`${id} was not taken by ${url}: ${attempt.status ?? attempt.error}`)
  }
  return () => {
    ended.abort()
    quiet()
    return tail
  }
}
