import type { SSEMessage } from 'hono/streaming'
import type { Changes, Topic } from '../engine/changes.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../timers.ts'
import type { Call } from './call.ts'
import { heartbeat, type OpenStreams, openStream } from './event-stream.ts'

/** What a live stream needs: changes that wake it, and a stop signal that ends it. */
export interface LiveStreams extends OpenStreams {
  readonly changes: Changes
}

type StreamMessages = SSEMessage | readonly SSEMessage[] | 'over' | null

/** What a live stream shows, and when it changes. */
export interface StreamView {
  readonly topics: readonly Topic[]
  /** Least time between two states; states in between are skipped. Milliseconds. */
  readonly pause?: number
  /** The current state, as one or more messages; null: unchanged; `over`: the stream ends. */
  readonly show: () => StreamMessages | Promise<StreamMessages>
  /** Milliseconds until the view changes without an event; null: never. */
  readonly again?: () => number | null
}

/**
 * Streams the current state as server-sent events: immediately, and after each change. A slow reader skips states in
 * between, so nothing is buffered for it. assumption: live-streams
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
