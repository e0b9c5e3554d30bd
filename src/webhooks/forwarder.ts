import type { ForwardedPosition } from '../store/forwarded-position.ts'
import { untilAnswered } from '../transport/until-answered.ts'
import { Feed, type FeedSource, notificationIdOf } from './notifications/feed.ts'
import type { OrderedNotification } from './notifications/notification.ts'
import { type Attempt, type PostLimits, post } from './post.ts'

/** What the forwarder needs. */
export interface ForwarderOptions {
  readonly source: FeedSource
  /** The stored position. */
  readonly forwarded: ForwardedPosition
  readonly url: string
  readonly limits: PostLimits
  readonly report: (message: string) => void
}

/** A running forwarder. */
export interface Forwarder {
  /** Number of notifications that it has yet to forward. */
  readonly left: number
  /** The state was replaced: forwarding continues with the new state, after a restart too. */
  replaced(): void
  stop(): Promise<void>
}

/**
 * Sends every notification to one URL, in order, as the command `listen` does from its own process. If the receiver
 * does not answer, it retries until it does, over restarts of the sandbox too. An answer other than 200 is reported and
 * not retried. assumption: event-stream
 */
export function forwardAll({ source, forwarded, url, limits, report }: ForwarderOptions): Forwarder {
  const ended = new AbortController()
  const { signal } = ended
  const retried = untilAnswered(url, signal, report)
  const feed = new Feed(source, forwarded.last, signal, (notification) => notification)
  /** Notifications that were read but not forwarded. */
  let ahead = 0
  forwarded.keep(feed.begins)
  void forwarded.flush() // at once: otherwise a restart would skip what comes first

  /** Signs each attempt anew; undefined when there is nothing to send. */
  async function attempt(each: OrderedNotification): Promise<Attempt | undefined> {
    const written = source.announcer.write(source.engine.state, each)
    return written && (await post(url, written.headers, written.body, { ...limits, signal })).attempt
  }

  const isThere = (each: OrderedNotification): boolean =>
    source.announcer.index.isKnown(source.engine.state, notificationIdOf(each))

  /** False when the sandbox stops before the notification was handled. */
  async function forward(each: OrderedNotification): Promise<boolean> {
    const last = await retried(() => attempt(each))
    if (last?.status === null) {
      report(`${url}: the remaining notifications are sent after the next start`)
      return false
    }
    if (last === undefined) return true // it was deleted: its id is no position
    if (last.status !== 200)
      report(`${notificationIdOf(each)} was answered ${last.status} by ${url}, and is not sent on again`)
    if (isThere(each)) forwarded.keep(notificationIdOf(each))
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
    replaced: () => {
      const { index } = source.announcer
      if (index.isKnown(source.engine.state, forwarded.last ?? '')) return
      forwarded.keep(index.latestId(source.engine.state))
      void forwarded.flush()
    },
    stop: async () => {
      ended.abort()
      await done.catch(() => undefined) // already reported
      await forwarded.flush()
    },
  }
}
