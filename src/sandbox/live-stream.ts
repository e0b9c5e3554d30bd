import { type SSEMessage, streamSSE } from 'hono/streaming'
import type { Topic } from './changes.ts'
import type { Call } from './guard.ts'
import type { Sandbox } from './sandbox.ts'

/** A sign of life for what stands between. Milliseconds. */
const heartbeat = 15_000

/** A reader that takes nothing for so long is dropped; it may come back and sees how things are then. Milliseconds. */
const patience = 30_000

type Shown = SSEMessage | readonly SSEMessage[] | null

/** What a stream shows of the topics that it watches. */
export interface Watched {
  readonly topics: readonly Topic[]
  /** Shows the latest: what lies between is left out when it changes faster than this. Milliseconds. */
  readonly pause?: number
  /** How things are now, in one message or several; null: as before, nothing to send. */
  readonly show: () => Shown | Promise<Shown>
  /** After how many milliseconds something looks otherwise by itself, without a change; null: never. */
  readonly again?: () => number | null
}

/**
 * Streams how things are as server-sent events: at once, and after each change. Nothing is kept for a reader but that
 * there is something new, so a slow one misses what lies between and is never buffered for. assumption: live-streams
 */
export function streamLatest(
  sandbox: Sandbox,
  call: Call,
  { topics, pause = 0, show, again = () => null }: Watched,
): Response {
  call.header('X-Accel-Buffering', 'no')
  return streamSSE(call, async (stream) => {
    let [changed, wake, quiet] = [true, () => {}, () => {}]
    let alarm: NodeJS.Timeout | undefined
    const over = () => stream.aborted || stream.closed || sandbox.stopping
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
    const send = async (write: Promise<unknown>) => {
      const late = setTimeout(() => stream.abort(), patience)
      await write
      clearTimeout(late)
    }
    stream.onAbort(() => wake())
    sandbox.streams.add(stream)
    try {
      while (!over()) {
        if (changed) {
          changed = false
          quiet()
          quiet = sandbox.changes.next(topics, look)
          for (const message of [(await show()) ?? []].flat()) await send(stream.writeSSE(message))
          clearTimeout(alarm)
          const after = again()
          if (after !== null) alarm = setTimeout(look, after)
          const until = performance.now() + pause
          while (!over() && performance.now() < until) await sleep(until - performance.now())
        } else {
          const began = performance.now()
          await sleep(heartbeat)
          if (!changed && performance.now() - began >= heartbeat - 10)
            await send(stream.write(': still here\n\n'))
        }
      }
    } finally {
      sandbox.streams.delete(stream)
      clearTimeout(alarm)
      quiet()
    }
  })
}
