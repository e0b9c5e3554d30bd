import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { clearTimeout, setTimeout } from '../timers.ts'
import type { Call } from './call.ts'

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
