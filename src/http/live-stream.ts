import { type SSEMessage, type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Changes, Topic } from '../engine/changes.ts'
import { clearTimeout, elapsedTime, setTimeout } from '../timers.ts'
import type { Call } from './call.ts'

/** What a live stream needs: changes that wake it, and a stop signal that ends it. */
export interface LiveStreams extends OpenStreams {
  readonly changes: Changes
}

type StreamMessages = SSEMessage | readonly SSEMessage[] | 'over' | null

/** What a live stream shows, and when it changes. */
interface StreamView {
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
          const shown = await shownUnless(over, show)
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

/** What a view shows; a failure after the stream is over is nobody's: the sandbox may be closing. */
async function shownUnless(over: () => boolean, show: StreamView['show']): Promise<StreamMessages> {
  try {
    return await show()
  } catch (error) {
    if (over()) return 'over'
    throw error
  }
}

/** Interval of heartbeats, which keep proxies from closing the stream. Milliseconds. */
export const heartbeat = 15_000

/**
 * Time after which a reader that accepts nothing is disconnected; it may reconnect for the current state. Milliseconds.
 */
const usualPatience = 30_000

/** An open stream of server-sent events. */
export interface OpenStream {
  readonly stream: SSEStreamingApi
  /** Waits until the reader has taken the write; a reader that takes too long is disconnected. */
  readonly send: (write: Promise<unknown>) => Promise<void>
  /** True when the reader has left, or the sandbox stops. */
  readonly over: () => boolean
}

/** The event streams that are open, so that a stop can end them. */
export interface OpenStreams {
  readonly streams: Set<SSEStreamingApi>
  readonly stopping: boolean
}

/** Opens a stream of server-sent events, which ends with `run` or with the call's token. assumption: live-streams */
export function openStream(
  open: OpenStreams,
  call: Call,
  run: (open: OpenStream) => Promise<void>,
  patience = usualPatience,
): Response {
  call.header('X-Accel-Buffering', 'no')
  if (call.req.method === 'HEAD') return call.body(null, 200, { 'Content-Type': 'text/event-stream' })
  const { incoming, outgoing } = call.env ?? {}
  return streamSSE(call, async (stream) => {
    const over = () => stream.aborted || stream.closed || open.stopping
    const drop = () => {
      stream.abort()
      outgoing?.destroy()
    }
    const send = async (write: Promise<unknown>) => {
      const late = setTimeout(drop, patience)
      try {
        await write
      } finally {
        clearTimeout(late)
      }
    }
    const grant = call.get('grant')
    if (grant?.isOver) return drop()
    grant?.whenOver.add(drop)
    open.streams.add(stream)
    incoming?.socket.once('end', drop) // a reader half-closes its connection only to leave
    try {
      await run({ stream, send, over })
    } finally {
      open.streams.delete(stream)
      grant?.whenOver.delete(drop)
      incoming?.socket.off('end', drop)
    }
  })
}
