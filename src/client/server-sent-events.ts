import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { findMismatch, type Shape } from '../contract/answer-shape.ts'
import { type ControlInput, controlPath, controls } from '../contract/control/controls/controls.ts'
import { type ScreenView, screenViewSchema } from '../contract/control/screens.ts'
import {
  type Followed,
  followed,
  type HandedDelivery,
  handedDelivery,
  listenEvents,
  type StreamedNotification,
  type Superseded,
  streamedNotification,
  superseded,
} from '../contract/control/webhook-stream.ts'
import { BodyLimitError, readBounded } from '../contract/transport/bounded-body.ts'
import type { SandboxAddress } from './discover.ts'
import { ForeignAnswer, openRequest, Unreachable, unreachable } from './http.ts'
import { parseEnvelope, refusalBounds, ServiceRefusal } from './read-envelope.ts'
import { controlHeaders, urlAndBody } from './request/service-request.ts'
import { parseJson } from './tolerant.ts'

/** One server-sent event. `data`: null for an id without an event. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | null
}

/** The stream is not one of a sandbox; asking again would not help. */
class ForeignStream extends ForeignAnswer {
  override readonly name = 'ForeignStream'
}

/** Most characters of an event: a notification holds at most two bodies of 1 MiB. assumption: cli-answers */
const longestEvent = 4 * 1024 * 1024

/** Longest time without data, in milliseconds: a live sandbox sends a keep-alive more often. */
const longestSilence = 45_000

/**
 * Reads a stream of a sandbox until it ends; with a JSON `body` it is asked for by POST. With `lastId`, it
 * starts after that id; `opened` is called when the answer begins.
 */
export async function* readStream(
  { baseUrl, ca, token }: SandboxAddress,
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (headers: IncomingHttpHeaders) => void = () => undefined,
  body?: string,
): AsyncGenerator<ServerSentEvent> {
  const { url } = urlAndBody('GET', baseUrl, path)
  const headers = {
    Accept: 'text/event-stream',
    ...(lastId && /^[\x20-\x7e]+$/.test(lastId) && { 'Last-Event-ID': lastId }), // a sandbox sends no other ids
    ...controlHeaders(token, body !== undefined),
  }
  const posting = body === undefined ? {} : ({ method: 'POST', body } as const)
  const incoming = await openRequest({
    url,
    headers,
    ca,
    signal,
    idleTimeout: longestSilence,
    ...posting,
  }).catch((error) => {
    throw unreachable(url, error)
  })
  const { statusCode = 0, headers: answered } = incoming
  if (statusCode !== 200 || !answered['content-type']?.startsWith('text/event-stream'))
    throw (await refusalIn(incoming, url)) ?? notAStream(url, statusCode)
  opened(answered)
  yield* readEvents(incoming.setEncoding('utf8'), url)
}

const notAStream = (url: URL, status: number): Unreachable =>
  new Unreachable(url.origin, `it answered with HTTP ${status}, no stream`)

/** The events of a stream that is open. */
export async function* readEvents(chunks: AsyncIterable<string>, url: URL): AsyncGenerator<ServerSentEvent> {
  let events: ServerSentEvent[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: longestEvent,
    onId: (id) => events.push({ id, event: undefined, data: null }),
    onEvent: ({ id, event, data }) => {
      if (id !== undefined) events.pop() // replaces its id, which was queued just before
      events.push({ id, event, data })
    },
    onError: ({ type }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded' // other errors are unknown fields, which are ignored
    },
  })
  for await (const chunk of chunks) {
    parser.feed(chunk)
    yield* events
    events = []
    if (isTooLong) throw new ForeignStream(url.origin + url.pathname, 200, tooLong)
  }
}

const tooLong = `an event is longer than ${longestEvent / 1024 / 1024} MiB`

/** The value of an event, checked against `shape`. */
export function eventValue<T>(address: SandboxAddress, path: string, data: string, shape: Shape): T {
  const value = parseJson(data)
  const why = findMismatch(value, shape)
  if (why === undefined) return value as T
  throw new ForeignStream(address.baseUrl + path, 200, `an event cannot be used: ${why}`)
}

/** The refusal of a stream; undefined when the answer has none, or the sandbox is stopping. */
async function refusalIn(incoming: IncomingMessage, url: URL): Promise<ServiceRefusal | undefined> {
  const status = incoming.statusCode ?? 0
  const body = await readBounded(incoming, refusalBounds).catch((error) => {
    incoming.destroy()
    throw error instanceof BodyLimitError ? notAStream(url, status) : error
  })
  const envelope = status >= 500 ? undefined : parseEnvelope(body.toString())
  if (envelope?.code === '0') throw new ForeignStream(url.origin + url.pathname, status, 'it is not a stream')
  return envelope && new ServiceRefusal(status, envelope)
}

/** Reads a terminal's screens, now and after each change, until the stream ends. */
export async function* readScreens(
  address: SandboxAddress,
  terminalSn: string,
  signal: AbortSignal,
): AsyncGenerator<ScreenView> {
  const path = controlPath('terminal-events', { sn: terminalSn })
  for await (const { data } of readStream(address, path, undefined, signal)) {
    if (data !== null) yield eventValue<ScreenView>(address, path, data, screenViewSchema)
  }
}

/** What a listener gets: what it missed, then deliveries to post and who gets them, or notifications. */
export type Listened =
  | { readonly followed: Followed; readonly id: string | undefined }
  | { readonly handed: HandedDelivery }
  | Superseded
  | { readonly notification: StreamedNotification }

/** Listens to a sandbox until the stream ends; `lastId`: of the last notification that was read. */
export async function* readListened(
  address: SandboxAddress,
  wanted: ControlInput<'listen'>,
  lastId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Listened> {
  const { path } = controls.listen
  const body = JSON.stringify(wanted)
  for await (const { id, event, data } of readStream(address, path, lastId, signal, undefined, body)) {
    if (data === null) continue
    if (event === listenEvents.followed)
      yield { followed: eventValue<Followed>(address, path, data, followed), id }
    else if (event === listenEvents.handed)
      yield { handed: eventValue<HandedDelivery>(address, path, data, handedDelivery) }
    else if (event === listenEvents.superseded) yield eventValue<Superseded>(address, path, data, superseded)
    else yield { notification: eventValue<StreamedNotification>(address, path, data, streamedNotification) }
  }
}

/** The last `max` ids that were added, so that nothing is handled twice. */
export class RecentIds {
  readonly #ids = new Set<string>()

  constructor(private readonly max = 10_000) {}

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size > this.max) this.#ids.delete(this.#ids.values().next().value ?? '')
  }
}
