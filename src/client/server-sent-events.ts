import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { sandboxHeaders } from '../api/headers.ts'
import type { Envelope } from '../api/records.ts'
import { ServiceRefusal } from './client.ts'
import type { Place } from './discover.ts'
import { Unreachable } from './http.ts'

/** One server-sent event. `data`: null for an id that stands alone. */
export interface ServerSentEvent {
  readonly id: string | undefined
  readonly data: string | null
}

/** Characters that are read of an answer that is no stream. */
const longestRefusal = 16 * 1024

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
    ...(lastId && { 'Last-Event-ID': lastId }),
    ...(token && { [sandboxHeaders.token]: token }),
  }
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = start(url, { headers, signal, timeout: longestSilence, ...(ca && { ca }) }, resolve)
    outgoing.on('timeout', () => outgoing.destroy(new Error('it fell silent')))
    outgoing.on('error', (error) => reject(new Unreachable(url.origin, error.message)))
    outgoing.end()
  })
  const { statusCode = 0, headers: answered } = incoming
  if (statusCode !== 200 || !answered['content-type']?.startsWith('text/event-stream'))
    throw (
      (await refusalIn(incoming)) ??
      new Unreachable(url.origin, `it answered with HTTP ${statusCode}, no stream`)
    )
  opened(answered)
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event !== undefined) yield event
    }
  }
}

/** Why a stream was refused; undefined where nobody says why, or the sandbox is about to stop. */
async function refusalIn(incoming: IncomingMessage): Promise<ServiceRefusal | undefined> {
  const status = incoming.statusCode ?? 0
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text = (text + chunk).slice(0, longestRefusal)
  if (status >= 500) return undefined
  try {
    const envelope = JSON.parse(text) as Envelope
    return typeof envelope.code === 'string' ? new ServiceRefusal(status, envelope) : undefined
  } catch {
    return undefined // no JSON: not the sandbox
  }
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
