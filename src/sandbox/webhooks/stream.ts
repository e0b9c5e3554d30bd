import { sandboxHeaders } from '../../api/headers.ts'
import { heartbeat, openStream } from '../event-stream.ts'
import type { Call } from '../guard.ts'
import type { Sandbox } from '../sandbox.ts'
import { follow } from './feed.ts'
import { missedSince } from './missed.ts'

/**
 * Streams notifications as server-sent events, after those that were missed. Each is written and signed when its reader
 * is there for it. Who asks for what was missed is told in a header how many that are; who asks for none is told the place where the stream begins, an id without data, so that nothing is
 * lost when it breaks off before the first one. assumption: event-stream
 */
export function streamEvents(sandbox: Sandbox, call: Call): Response {
  const last = call.req.header('last-event-id')
  if (last !== undefined)
    call.header(sandboxHeaders.missed, String(missedSince(sandbox.engine.book, last).length))
  return openStream(sandbox, call, async ({ stream, send }) => {
    const ended = new AbortController()
    const { begins, news } = follow(sandbox, last, ended.signal)
    stream.onAbort(() => ended.abort())
    let writing = false
    const write = async (text: Promise<unknown>) => {
      writing = true
      await send(text)
      writing = false
    }
    const beat = setInterval(() => {
      if (!writing) void write(stream.write(': still here\n\n'))
    }, heartbeat)
    try {
      if (last === undefined) await write(stream.write(`id: ${begins}\n\n`))
      for await (const each of news) {
        const notification = sandbox.announcer.write(sandbox.engine.book, each)
        if (notification === undefined) continue
        const { id, kind } = notification
        await write(stream.writeSSE({ id, event: kind, data: JSON.stringify(notification) }))
      }
    } finally {
      clearInterval(beat)
      ended.abort()
    }
  })
}
