import { clearTimeout, elapsedTime, setTimeout } from '../../shared/timers.ts'
import type { Changes, Topic } from '../engine/changes.ts'
import type { Call } from './call.ts'
import type { StreamTurns } from './stream-turns.ts'

/** What a live stream needs: changes that wake it, and a stop signal that ends it. */
export interface LiveStreams extends OpenStreams {
  readonly changes: Changes
  readonly turns: StreamTurns
}

/** A server-sent event. */
export interface StreamMessage {
  readonly data: string
  readonly event?: string
  readonly id?: string
  /** How soon a reader comes back. Milliseconds. */
  readonly retry?: number
}

type StreamMessages = StreamMessage | readonly StreamMessage[] | 'over' | null

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
 * Streams the current state as server-sent events: immediately, and after each change. A slow reader skips
 * states in between, so nothing is buffered for it. assumption: live-streams
 */
export function streamLatest(
  live: LiveStreams,
  call: Call,
  { topics, pause = 0, show, again = () => null }: StreamView,
): Response {
  return openStream(live, call, async ({ send, over, ended }) => {
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
    ended.addEventListener('abort', () => wake())
    try {
      while (!over()) {
        if (changed) {
          changed = false
          quiet()
          quiet = live.changes.next(topics, look)
          await live.turns.next()
          const shown = await shownUnless(over, show)
          if (shown === 'over') return
          for (const message of [shown ?? []].flat()) await send(messageText(message))
          clearTimeout(alarm)
          const after = again()
          if (after !== null) alarm = setTimeout(look, after)
          const until = elapsedTime() + pause
          while (!over() && elapsedTime() < until) await sleep(until - elapsedTime())
        } else {
          const began = elapsedTime()
          await sleep(heartbeat)
          if (!changed && elapsedTime() - began >= heartbeat - 10) await send(': still here\n\n')
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

/** The lines of a server-sent event. */
function messageText({ data, ...fields }: StreamMessage): string {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return `${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}${lines.join('')}\n`
}

/** Interval of heartbeats, which keep proxies from closing the stream. Milliseconds. */
export const heartbeat = 15_000

/**
 * Time after which a reader that accepts nothing is disconnected; it may reconnect for the current state.
 * Milliseconds.
 */
const usualPatience = 30_000

/** An open stream of server-sent events. */
export interface OpenStream {
  /** Sends a text, and waits until the reader has taken it; a reader that takes too long is disconnected. */
  readonly send: (text: string) => Promise<void>
  /** True when the reader has left, or the sandbox stops. */
  readonly over: () => boolean
  /** Aborts when the reader has left, or is disconnected. */
  readonly ended: AbortSignal
  /** Disconnects the reader. */
  readonly drop: () => void
}

/** The event streams that are open, so that a stop can end them. */
export interface OpenStreams {
  readonly streams: Set<AbortController>
  readonly stopping: boolean
}

const headers = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'Transfer-Encoding': 'chunked',
  'X-Accel-Buffering': 'no',
} as const

const encoder = new TextEncoder()

/** Opens a stream of server-sent events, until `run` or the call's token ends. assumption: live-streams */
export function openStream(
  open: OpenStreams,
  call: Call,
  run: (open: OpenStream) => Promise<void>,
  patience = usualPatience,
): Response {
  const { 'Transfer-Encoding': _, ...withoutBody } = headers
  if (call.req.method === 'HEAD') return call.body(null, 200, withoutBody)
  const { incoming, outgoing } = call.env ?? {}
  const end = new AbortController()
  const { signal: ended } = end
  const over = () => ended.aborted || open.stopping
  let [taken, isCancelled] = [() => {}, false]
  const drop = () => {
    end.abort()
    outgoing?.destroy()
  }
  const follow = async (body: ReadableStreamDefaultController<Uint8Array>) => {
    const grant = call.get('grant')
    if (grant?.isOver) return drop()
    grant?.whenOver.add(drop)
    open.streams.add(end)
    incoming?.socket.once('end', drop) // a reader half-closes its connection only to leave
    ended.addEventListener('abort', () => taken())
    const send = async (text: string) => {
      if (ended.aborted || text === '') return
      const late = setTimeout(drop, patience)
      await new Promise<void>((resolve) => {
        taken = resolve
        body.enqueue(encoder.encode(text))
      })
      clearTimeout(late)
    }
    try {
      await run({ send, over, ended, drop })
    } finally {
      open.streams.delete(end)
      grant?.whenOver.delete(drop)
      incoming?.socket.off('end', drop)
    }
  }
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      follow(controller).then(
        () => isCancelled || controller.close(),
        (error) => controller.error(error),
      )
    },
    pull: () => taken(),
    cancel: () => {
      isCancelled = true
      end.abort()
    },
  })
  return call.body(body, 200, headers)
}
