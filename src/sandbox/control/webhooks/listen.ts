import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import {
  type Followed,
  type HandedDelivery,
  listenEvents,
  type Superseded,
} from '../../../contract/control/webhook-stream.ts'
import { sandboxHeaders } from '../../../contract/headers.ts'
import { parseStatuses, statusLetters, typeNamed } from '../../../contract/statuses.ts'
import type { Ledger } from '../../../domain/model/ledger.ts'
import type { Notification } from '../../../domain/model/outbox.ts'
import { clearInterval, setInterval, untilAborted } from '../../../shared/timers.ts'
import type { Call } from '../../http/call.ts'
import { heartbeat, type OpenStream, openStream } from '../../http/live-stream.ts'
import type { FollowingEndpoint } from '../../webhooks/followers.ts'
import { toHandedDelivery } from '../../webhooks/handed-deliveries.ts'
import { Feed } from '../../webhooks/notifications/feed.ts'
import { notificationView, type OrderedNotification } from '../../webhooks/notifications/notification.ts'
import type { ControlContext } from '../control-context.ts'
import { requireUrl } from './resend.ts'

/**
 * Streams notifications to `tillbox listen`. With a URL it is an endpoint of the outbox: the courier hands it
 * deliveries, which it posts and reports. Without one it only reads. Both continue where they ended before.
 * assumption: event-stream, followers
 */
export function listen(context: ControlContext, wanted: ControlInput<'listen'>, call: Call): Response {
  const { url } = wanted
  if (url != null) requireUrl(url, 'url')
  const last = call.req.header('last-event-id')
  return openStream(context, call, async (open) => {
    const writer = writerTo(open)
    try {
      if (url == null) await read(context, wanted, last, writer, open.ended)
      else await handOver(context, wanted, url, writer, open)
    } finally {
      writer.end()
    }
  })
}

/** Writes events one after another, and keeps the stream alive between them. */
function writerTo({ send }: OpenStream) {
  let writing: Promise<void> = Promise.resolve()
  let waiting = 0
  const text = (content: string): Promise<void> => {
    waiting += 1
    writing = writing
      .then(() => send(content))
      .finally(() => {
        waiting -= 1
      })
    return writing
  }
  const beat = setInterval(() => {
    if (waiting === 0) void text(': still here\n\n')
  }, heartbeat)
  return {
    text,
    event: (name: string, data: object, id?: string) =>
      text(`event: ${name}\ndata: ${JSON.stringify(data)}\n${id === undefined ? '' : `id: ${id}\n`}\n`),
    end: () => clearInterval(beat),
  }
}

type Writer = ReturnType<typeof writerTo>

/** A test for the notifications that a listener wants. */
function wantedBy({ events, status, types, merchant, terminal }: ControlInput<'listen'>) {
  const letters = status == null ? undefined : parseStatuses(status)?.map((each) => statusLetters[each])
  const typeNames = types?.map(typeNamed)
  return (ledger: Ledger, notification: Notification): boolean => {
    const { kind, event, transactionStatus, transactionType } = notificationView(ledger, notification)
    return (
      (events == null || events.includes(kind) || (event !== null && events.includes(event))) &&
      (letters === undefined || letters.includes(transactionStatus)) &&
      (typeNames === undefined || typeNames.includes(transactionType)) &&
      (merchant == null || merchant === ledger.settings.merchantId) &&
      (terminal == null || terminal === ledger.transactions.get(notification.transactionId)?.terminalSn)
    )
  }
}

/** Follows as an endpoint until the stream ends. */
async function handOver(
  { courier, followers, handedDeliveries }: ControlContext,
  wanted: ControlInput<'listen'>,
  url: string,
  writer: Writer,
  { ended, drop }: OpenStream,
): Promise<void> {
  const { listener, retries, addedHeaders, fromNow } = wanted
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  // The courier may begin while the endpoint is still being added: `followed` comes first.
  const send = (handed: HandedDelivery) => void begun.then(() => writer.event(listenEvents.handed, handed))
  const stream = { send, ended, drop, addedHeaders: addedHeaders ?? [] }
  const endpoint: FollowingEndpoint = {
    url,
    listener,
    wants: wantedBy(wanted),
    transport: handedDeliveries.transport(stream),
    retries: retries ?? null,
    isPatient: retries == null || retries.length > 0,
    dropped: (ready) => send(toHandedDelivery(ready)),
    superseded: (isSuperseded) =>
      void begun.then(() =>
        writer.event(listenEvents.superseded, { superseded: isSuperseded } satisfies Superseded),
      ),
    ended,
  }
  const missed = await followers.follow(endpoint, fromNow ?? false)
  try {
    await writer.event(listenEvents.followed, { missed } satisfies Followed)
    begin()
    courier.runAt(endpoint)
    await untilAborted(ended)
  } finally {
    await followers.leave(endpoint)
  }
}

/** Streams notifications after `last`, or after those that it got before; keeps the position at the end. */
async function read(
  context: ControlContext,
  wanted: ControlInput<'listen'>,
  last: string | undefined,
  writer: Writer,
  ended: AbortSignal,
): Promise<void> {
  const { announcer, engine, followers } = context
  const place = { url: '', listener: wanted.listener }
  const kept = wanted.fromNow ? undefined : followers.positionOf(place)
  const wants = wantedBy(wanted)
  const written = (ordered: OrderedNotification) => {
    const ledger = engine.state.ledgers.get(ordered.merchantId)
    return {
      ordered,
      text: ledger && wants(ledger, ordered) ? announcer.text(engine.state, ordered) : undefined,
    }
  }
  const feed = new Feed(context, last ?? kept, written)
  let position = feed.begins
  const missed = last === undefined && kept === undefined ? 0 : feed.remaining
  try {
    await writer.event(listenEvents.followed, { missed } satisfies Followed, position)
    for await (const slice of feed.slices(ended)) {
      await writer.text(slice.map(({ text }) => text ?? '').join(''))
      if (ended.aborted) break // the reader left before it took the slice
      for (const { ordered } of slice) position = announcer.idOf(ordered)
    }
  } finally {
    await followers.savePosition(place, position)
  }
}

/**
 * Streams notifications as server-sent events, beginning with missed ones. They are written and signed in
 * slices, as fast as the reader takes them. A reader that asks for missed notifications gets their number in
 * a header. Any other reader first gets an id without data, the start of the stream, so that it loses nothing
 * if the stream breaks before the first notification. assumption: event-stream
 */
export function streamEvents(context: ControlContext, call: Call): Response {
  const last = call.req.header('last-event-id')
  const feed = new Feed(context, last, (ordered) => context.announcer.text(context.engine.state, ordered))
  if (last !== undefined) call.header(sandboxHeaders.missed, String(feed.remaining))
  return openStream(context, call, async (open) => {
    const writer = writerTo(open)
    try {
      if (last === undefined) await writer.text(`id: ${feed.begins}\n\n`)
      for await (const messages of feed.slices(open.ended)) await writer.text(messages.join(''))
    } finally {
      writer.end()
    }
  })
}
