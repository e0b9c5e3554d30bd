import type { SSEMessage } from 'hono/streaming'
import type { Changes, Topic } from '../engine/changes.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../timers.ts'
import type { Call } from './call.ts'
import { heartbeat, type OpenStreams, openStream } from './event-stream.ts'

/** What a stream of the latest needs: the changes that wake it, and a stop that ends it. */
export interface LiveStreams extends OpenStreams {
  readonly changes: Changes
}

type StreamMessages = SSEMessage | readonly SSEMessage[] | 'over' | null

/** What a stream shows of the topics that it watches. */
export interface StreamView {
  readonly topics: readonly Topic[]
  /** Shows the latest: what lies between is left out when it changes faster than this. Milliseconds. */
  readonly pause?: number
  /** How things are now, in one message or several; null: as before, nothing to send; over: it ends. */
  readonly show: () => StreamMessages | Promise<StreamMessages>
  /** After how many milliseconds something looks otherwise by itself, without a change; null: never. */
  readonly again?: () => number | null
}

/**
 * Streams how things are as server-sent events: at once, and after each change. Nothing is kept for a reader but that
 * there is something new, so a slow one misses what lies between and is never buffered for. assumption: live-streams
 */
export function streamLatest(
  live: LiveStreams,
  call: Call,
  { topics, pause = 0, show, again = () => null }: StreamView,
): Response {
  return openStream(live, call, async ({ stream, send, over }) => {
    let [changed, wake, quiet] = [true, () => {}, () => {}]
    let alarm: NodeJS.Timeout | undefined
    const look = () => {
      changed = true
      wake()
    }
    const sleep = async (milliseconds: number) => {
      const timer = setTimeout(() => wake(), milliseconds)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      clearTimeout(timer)
    }
    stream.onAbort(() => wake())
    try {
      while (!over()) {
        if (changed) {
          changed = false
          quiet()
          quiet = live.changes.next(topics, look)
          const shown = await show()
          if (shown === 'over') return
          for (const message of [shown ?? []].flat()) await send(stream.writeSSE(message))
          clearTimeout(alarm)
          const after = again()
          if (after !== null) alarm = setTimeout(look, after)
          const until = elapsedTime() + pause
          while (!over() && elapsedTime() < until) await sleep(until - elapsedTime())
        } else {
          const began = elapsedTime()
          await sleep(heartbeat)
          if (!changed && elapsedTime() - began >= heartbeat - 10)
            await send(stream.write(': still here\n\n'))
        }
      }
    } finally {
      clearTimeout(alarm)
      quiet()
    }
  })
}
