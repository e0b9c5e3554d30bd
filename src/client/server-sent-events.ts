import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { mismatchOf, type Shape } from '../contract/answer-schemas.ts'
import { sandboxHeaders } from '../contract/headers.ts'
import { BodyLimitError, readBounded } from './bounded-body.ts'
import type { SandboxAddress } from './discover.ts'
import { envelopeOf, ServiceRefusal } from './envelope.ts'
import { ForeignAnswer, openRequest, Unreachable, unreachable } from './http.ts'
import { parseJson } from './tolerant.ts'

/** One server-sent event. `data`: null for an id that stands alone. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string | null
}

/** Somebody streams, but not what a sandbox streams: to ask again brings the same. */
class ForeignStream extends ForeignAnswer {
  static override readonly name = 'ForeignStream'
}

/** Bytes that are read of an answer that is not a stream, and for how long. */
const longestRefusal = 16 * 1024
const refusalPatience = 10_000

/** Characters of an event: a notification has at most two bodies of 1 MiB in it. assumption: cli-bounds */
const longestEvent = 4 * 1024 * 1024

/** Longest silence of a stream that is alive, in milliseconds: the sandbox gives a sign of life more often. */
const longestSilence = 45_000

/**
 * Reads a stream of a sandbox until it ends. `lastId` asks for what was missed since; `opened` is called when the sandbox
 * has begun to answer. Errors: ServiceRefusal; Unreachable, with the HTTP status of any other answer that is not a stream.
 */
export async function* readStream(
  { baseUrl, ca, token }: SandboxAddress,
  path: string,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (headers: IncomingHttpHeaders) => void = () => undefined,
): AsyncGenerator<ServerSentEvent> {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path)
  const headers = {
    Accept: 'text/event-stream',
    ...(lastId && /^[\x20-\x7e]+$/.test(lastId) && { 'Last-Event-ID': lastId }), // another one is none of ours
    ...(token && { [sandboxHeaders.token]: token }),
  }
  const incoming = await openRequest({ url, headers, ca, signal, idleTimeout: longestSilence }).catch(
    (error) => {
      throw unreachable(url, error)
    },
  )
  const { statusCode = 0, headers: answered } = incoming
  if (statusCode !== 200 || !answered['content-type']?.startsWith('text/event-stream'))
    throw (await refusalIn(incoming, url)) ?? notAStream(url, statusCode)
  opened(answered)
  for await (const block of blocksOf(incoming.setEncoding('utf8'), url)) {
    const event = eventOf(block)
    if (event !== undefined) yield event
  }
}

const notAStream = (url: URL, status: number): Unreachable =>
  new Unreachable(url.origin, `it answered with HTTP ${status}, no stream`)

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
export function eventValue<T>(address: SandboxAddress, path: string, data: string, shape: Shape): T {
  const value = parseJson(data)
  const why = mismatchOf(value, shape)
  if (why === undefined) return value as T
  throw new ForeignStream(address.baseUrl + path, 200, `an event cannot be used: ${why}`)
}

/** Why a stream was refused; undefined where nobody says why, or the sandbox is about to stop. */
async function refusalIn(incoming: IncomingMessage, url: URL): Promise<ServiceRefusal | undefined> {
  const status = incoming.statusCode ?? 0
  const body = await readBounded(incoming, { maxBytes: longestRefusal, timeout: refusalPatience }).catch(
    (error) => {
      incoming.destroy()
      throw error instanceof BodyLimitError ? notAStream(url, status) : error
    },
  )
  const envelope = status >= 500 ? undefined : envelopeOf(body.toString())
  if (envelope?.code === '0') throw new ForeignStream(url.origin + url.pathname, status, 'it is not a stream')
  return envelope && new ServiceRefusal(status, envelope)
}

/** The event of a block; undefined for a comment. */
function eventOf(block: string): ServerSentEvent | undefined {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart())
  const [[id], [event]] = [valuesOf('id'), valuesOf('event')]
  const data = valuesOf('data')
  if (id === undefined && data.length === 0) return undefined
  return { id, event, data: data.length === 0 ? null : data.join('\n') }
}
