import { openForwarded } from '../store/forwarded.ts'
import { sleep } from '../timers.ts'
import { Feed, type FeedSource, idOf } from './notifications/feed.ts'
import type { OrderedNotification } from './notifications/notification.ts'
import { type Attempt, type PostLimits, post } from './post.ts'

/** Pauses between tries while nobody answers: the first, and the longest. Milliseconds. */
const [shortest, longest] = [250, 5_000]

/** What the forwarder needs. */
export interface ForwarderOptions {
  readonly source: FeedSource
  /** State folder. */
  readonly folder: string
  readonly url: string
  readonly limits: PostLimits
  /** Makes sure that the state folder is still ours. Errors: LostState. */
  readonly confirm: () => void
  readonly report: (message: string) => void
}

/** A forwarder at work. */
export interface Forwarder {
  /** How many notifications it has still to send on. */
  readonly left: number
  stop(): Promise<void>
}

/**
 * Sends every notification on to one address, in order, as the command listen does from a process of its own. While
 * nobody answers there it tries again and goes on when somebody does, over restarts of the sandbox too; an answer that
 * is not 200 is told, and not tried again. assumption: event-stream
 */
export function forwardAll({ source, folder, url, limits, confirm, report }: ForwarderOptions): Forwarder {
  const ended = new AbortController()
  const { signal } = ended
  const forwarded = openForwarded(folder, url, confirm, ({ message }) =>
    report(`the place of --forward-to: ${message}`),
  )
  const feed = new Feed(source, forwarded.last, signal, (news) => news)
  /** Read, and not sent on yet. */
  let ahead = 0
  forwarded.keep(feed.begins)
  forwarded.flush() // at once: without a place a restart would begin with what comes then

  /** Tries until somebody answers; undefined when there is nothing to send, or the sandbox stops. */
  async function send(each: OrderedNotification): Promise<Attempt | undefined> {
    for (let pause = shortest; ; pause = Math.min(pause * 2, longest)) {
      const notification = source.announcer.write(source.engine.state, each)
      if (notification === undefined) return undefined
      const { headers, body } = notification
      const attempt = await post(url, headers, body, { ...limits, signal })
      if (attempt.status !== null || signal.aborted) {
        if (pause > shortest)
          report(
            signal.aborted ? `${url}: what it has not had follows at the next start` : `${url} answers again`,
          )
        return attempt
      }
      if (pause === shortest) report(`${url}: ${attempt.error}; notifications wait, and follow in order`)
      await sleep(pause, signal)
    }
  }

  /** False when the sandbox stops before it was dealt with. */
  async function forward(each: OrderedNotification): Promise<boolean> {
    const attempt = await send(each)
    if (attempt?.status === null) return false
    if (attempt !== undefined && attempt.status !== 200)
      report(`${idOf(each)} was answered ${attempt.status} by ${url}, and is not sent on again`)
    forwarded.keep(idOf(each))
    return true
  }

  const done = (async () => {
    for await (const slice of feed.slices()) {
      ahead = slice.length
      for (const each of slice) {
        if (signal.aborted || !(await forward(each))) return
        ahead -= 1
      }
    }
  })()
  done.catch((error: Error) => report(error.message))
  return {
    get left() {
      return feed.left + ahead
    },
    stop: async () => {
      ended.abort()
      await done
      forwarded.flush()
    },
  }
}
