import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamedNotification } from '../../contract/webhooks.ts'
import { clean } from '../output/clean.ts'
import { type SentOn, sendOn } from './local-post.ts'

/** Pauses between tries while nobody answers: the first, and the longest. Milliseconds. */
const [shortest, longest] = [250, 5_000]

/** How long a notification is tried as it was signed: receivers refuse old timestamps. Milliseconds. */
const freshFor = 60_000

/**
 * Sends notifications on to a server, each until it answers. One that got no answer for a while comes back with status
 * null, to be asked for anew; so does every one after `signal`. Says on standard error when the server is gone and back.
 */
export function forwarderTo(
  target: URL,
  added: Readonly<Record<string, string>>,
  signal: AbortSignal,
): (notification: Pick<StreamedNotification, 'headers' | 'body'>) => Promise<SentOn> {
  let gone = false
  return async ({ headers, body }) => {
    const began = performance.now()
    for (let pause = shortest; ; pause = Math.min(pause * 2, longest)) {
      const sent = await sendOn(target, { ...headers, ...added }, body, signal)
      if (signal.aborted) return sent
      if (sent.status !== null) {
        if (gone) process.stderr.write(`${target.href} answers again\n`)
        gone = false
        return sent
      }
      if (!gone)
        process.stderr.write(
          `${target.href}: ${clean(sent.error ?? '')}; notifications wait, and follow in order\n`,
        )
      gone = true
      if (performance.now() - began > freshFor) return sent
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
  }
}
