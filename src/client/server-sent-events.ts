import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { mismatchOf, type Shape } from '../contract/answer-schemas.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import type { Place } from './discover.ts'
import { envelopeOf, ServiceRefusal } from './envelope.ts'
import { ForeignAnswer, Unreachable } from './http.ts'

/** One server-sent event. `data`: null for an id that stands alone. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly data: string | null
}

/** Somebody streams, but not what a sandbox streams: to ask again brings the same. */
class ForeignStream extends ForeignAnswer {
  override readonly name = 'ForeignStream'
}

/** Characters that are read of an answer that is no stream, and for how long. */
const longestRefusal = 16 * 1024
const refusalPatience = 10_000

/** Characters of an event: a notification has at most two bodies of 1 MiB in it. assumption: cli-bounds */
const longestEvent = 4 * 1024 * 1024

/** How long the headers of a stream may take, however slowly they come. Milliseconds. */
const headersPatience = 30_000

/** Longest silence of a stream that is alive, in milliseconds: the sandbox gives a sign of life more often. */
const longestSilence = 45_000

/**
 * Reads a stream of a sandbox until it ends. `lastId` asks for what was missed since; `opened` is called when the sandbox
 * has begun to answer. Errors: ServiceRefusal; Unreachable, with the HTTP status of any other answer that is no stream.
 */
export async function* readStream(
  { baseUrl, ca, token }: Place,
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (headers: IncomingHttpHeaders) => void = () => undefined,
): AsyncGenerator<ServerSentEvent> {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  const start = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const headers = {
    Accept: 'text/event-stream',
    ...(lastId && /^[\x20-\x7e]+$/.test(lastId) && { 'Last-Event-ID': lastId }), // another one is none of ours
    ...(token && { [sandboxHeaders.token]: token }),
  }
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = start(url, { headers, signal, timeout: longestSilence, ...(ca && { ca }) }, (answer) => {
      clearTimeout(deadline)
      resolve(answer)
    })
    const fail = (reason: string) => outgoing.destroy(new Error(reason))
    const deadline = setTimeout(() => fail(`no answer within ${headersPatience / 1000} s`), headersPatience)
    outgoing.on('timeout', () => fail('it fell silent'))
    outgoing.on('error', (error) => {
      clearTimeout(deadline)
      reject(new Unreachable(url.origin, error.message))
    })
    outgoing.end()
  })
  const { statusCode = 0, headers: answered } = incoming
  if (statusCode !== 200 || !answered['content-type']?.startsWith('text/event-stream'))
    throw (
      (await refusalIn(incoming, url)) ??
      new Unreachable(url.origin, `it answered with HTTP ${statusCode}, no stream`)
    )
  opened(answered)
  for await (const block of blocksOf(incoming.setEncoding('utf8'), url)) {
    const event = eventOf(block)
    if (event !== undefined) yield event
  }
}

/** The blocks of a stream, which an empty line ends. Errors: ForeignStream for one that is too long. */
async function* blocksOf(chunks: AsyncIterable<string>, url: URL): AsyncGenerator<string> {
  let begun: string[] = [] // joined once its end is here: to search it anew with every chunk would be quadratic
  let [length, last] = [0, '']
  for await (const chunk of chunks) {
    begun.push(chunk)
    length += chunk.length
    if (`${last}${chunk}`.includes('\n\n')) {
      const blocks = begun.join('').split('\n\n')
      const rest = blocks.pop() ?? ''
      yield* blocks
      begun = [rest]
      length = rest.length
    }
    last = chunk.at(-1) ?? last
    if (length > longestEvent) throw new ForeignStream(url.origin + url.pathname, 200, tooLong)
  }
}

const tooLong = `an event is longer than ${longestEvent / 1024 / 1024} MiB`

/** The value of an event, of that shape. Errors: ForeignStream for anything else. */
export function eventValue<T>(place: Place, path: string, data: string, shape: Shape): T {
  const value = parsed(data)
  const why = mismatchOf(value, shape)
  if (why === undefined) return value as T
  throw new ForeignStream(place.baseUrl + path, 200, `an event cannot be used: ${why}`)
}

/** The JSON value of a text; undefined, which fits no shape, for none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why a stream was refused; undefined where nobody says why, or the sandbox is about to stop. */
async function refusalIn(incoming: IncomingMessage, url: URL): Promise<ServiceRefusal | undefined> {
  const status = incoming.statusCode ?? 0
  const late = setTimeout(() => incoming.destroy(new Error('it did not end')), refusalPatience)
  let text = ''
  try {
    for await (const chunk of incoming.setEncoding('utf8')) {
      text += chunk
      if (text.length > longestRefusal) return undefined
    }
  } finally {
    clearTimeout(late)
  }
  const envelope = status >= 500 ? undefined : envelopeOf(text)
  if (envelope?.code === '0') throw new ForeignStream(url.origin + url.pathname, status, 'it is no stream')
  return envelope && new ServiceRefusal(status, envelope)
}

/** The event of a block; undefined for a comment. */
function eventOf(block: string): ServerSentEvent | undefined {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const [id] = valuesOf('id')
  const data = valuesOf('data')
  if (id === undefined && data.length === 0) return undefined
  return { id, data: data.length === 0 ? null : data.join('\n') }
}
