import { streamSSE } from 'hono/streaming'
import type { Call } from '../guard.ts'
import type { Sandbox } from '../sandbox.ts'
import { follow } from './feed.ts'

/** A sign of life for what stands between. Milliseconds. */
const heartbeat = 15_000

/**
 * Streams notifications as server-sent events, after those that were missed. Each is written and signed when its reader
 * is there for it. Who asks for none is told the place where the stream begins, an id without data, so that nothing is
 * lost when it breaks off before the first one. assumption: event-stream
 */
export function streamEvents(sandbox: Sandbox, call: Call): Response {
  const last = call.req.header('last-event-id')
  return streamSSE(call, async (stream) => {
    const ended = new AbortController()
    const { begins, news } = follow(sandbox, last, ended.signal)
    stream.onAbort(() => ended.abort())
    sandbox.streams.add(stream)
    const beat = setInterval(() => void stream.write(': still here\n\n'), heartbeat)
    try {
      if (last === undefined) await stream.write(`id: ${begins}\n\n`)
      for await (const each of news) {
        const notification = sandbox.announcer.write(sandbox.engine.book, each)
        if (notification === undefined) continue
        const { id, kind } = notification
        await stream.writeSSE({ id, event: kind, data: JSON.stringify(notification) })
      }
    } finally {
      clearInterval(beat)
      ended.abort()
      sandbox.streams.delete(stream)
    }
  })
}
