import { request as httpRequest } from 'node:http'
import { controls } from '../api/controls.ts'
import type { StreamedNotification } from '../api/webhooks.ts'
import type { Place } from './discover.ts'
import { Unreachable } from './http.ts'

/** Longest silence of a stream that is alive, in milliseconds: the sandbox gives a sign of life more often. */
const longestSilence = 45_000

/**
 * Reads the notifications of a sandbox until the stream ends. `lastId` asks for what was missed since; without it
 * `opened` is told the place where the stream begins.
 * Errors: Unreachable.
 */
export async function* readEvents(
  { baseUrl, ca }: Place,
  lastId: string | undefined,
  signal: AbortSignal,
  opened: (place: string | undefined) => void,
): AsyncGenerator<StreamedNotification> {
  const url = new URL(baseUrl.replace(/\/+$/, '') + controls.events.path)
  const start = url.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const headers = { Accept: 'text/event-stream', ...(lastId && { 'Last-Event-ID': lastId }) }
  const incoming = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const outgoing = start(url, { headers, signal, timeout: longestSilence, ...(ca && { ca }) }, resolve)
    outgoing.on('timeout', () => outgoing.destroy(new Error('it fell silent')))
    outgoing.on('error', (error) => reject(new Unreachable(url.origin, error.message)))
    outgoing.end()
  })
  if (incoming.statusCode !== 200)
    throw new Unreachable(url.origin, `it answered with HTTP ${incoming.statusCode}`)
  if (lastId !== undefined) opened(undefined)
  incoming.setEncoding('utf8')
  let text = ''
  for await (const chunk of incoming) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').filter((line) => line.startsWith('data:'))
      if (data.length === 0 && block.startsWith('id:')) opened(block.slice(3).trim())
      if (data.length > 0)
        yield JSON.parse(data.map((line) => line.slice(5).trimStart()).join('\n')) as StreamedNotification
    }
  }
}
