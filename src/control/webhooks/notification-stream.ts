import { sandboxHeaders } from '../../contract/headers.ts'
import type { Call } from '../../http/call.ts'
import { heartbeat, type OpenStreams, openStream } from '../../http/event-stream.ts'
import { clearInterval, setInterval } from '../../timers.ts'
import { Feed, type FeedSource } from '../../webhooks/notifications/feed.ts'
import type { OrderedNotification } from '../../webhooks/notifications/notification.ts'

/**
 * Streams notifications as server-sent events, beginning with missed ones. They are written and signed in slices, as
 * fast as the reader takes them. A reader that asks for missed notifications gets their number in a header. Any other
 * reader first gets an id without data, the start of the stream, so that it loses nothing if the stream breaks before
 * the first notification. assumption: event-stream
 */
export function streamEvents(context: FeedSource & OpenStreams, call: Call): Response {
  const last = call.req.header('last-event-id')
  const ended = new AbortController()
  const feed = new Feed(context, last, ended.signal, (ordered) => messageOf(context, ordered))
  if (last !== undefined) call.header(sandboxHeaders.missed, String(feed.left))
  return openStream(context, call, async ({ stream, send }) => {
    stream.onAbort(() => ended.abort())
    let writing = false
    const write = async (text: string) => {
      writing = true
      await send(stream.write(text))
      writing = false
    }
    const beat = setInterval(() => {
      if (!writing) void write(': still here\n\n')
    }, heartbeat)
    try {
      if (last === undefined) await write(`id: ${feed.begins}\n\n`)
      for await (const messages of feed.slices()) await write(messages.join(''))
    } finally {
      clearInterval(beat)
      ended.abort()
    }
  })
}

/** The notification as a server-sent event; undefined for a deleted one. Its JSON contains no line breaks. */
function messageOf({ announcer, engine }: FeedSource, ordered: OrderedNotification): string | undefined {
  const notification = announcer.write(engine.state, ordered)
  if (notification === undefined) return undefined
  const { id, kind } = notification
  return `event: ${kind}\ndata: ${JSON.stringify(notification)}\nid: ${id}\n\n`
}
