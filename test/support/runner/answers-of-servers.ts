import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { isStreamType, noteAnswer } from './held-answers.ts'

/**
 * Every answer that a sandbox of this process sends over a port, by whatever it was started: source, library, or the built
 * command line. Node itself tells of them, so that no helper can forget it.
 */

/** What Node tells when a server has read the head of a request. */
interface RequestStartMessage {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly server: Server
}

/** True for the server of a sandbox: no server of a test sets this (src/http/http-faults.ts). */
const isSandbox = (server: Server): boolean =>
  'httpAllowHalfOpen' in server && server.httpAllowHalfOpen === true

subscribe('http.server.request.start', (message) => {
  const { request, response, server } = message as RequestStartMessage
  if (isSandbox(server)) noteWhenSent(request, response)
})

/** Notes an answer when its end is written; a stream, which may have none, with its head. */
function noteWhenSent(request: IncomingMessage, response: ServerResponse): void {
  const { writeHead, write, end } = response
  const chunks: Uint8Array[] = []
  const typeSent = () => String(response.getHeader('content-type') ?? '')
  let type: string | null = null
  const note = () => {
    const { method = '', url = '' } = request
    noteAnswer({ method, url, status: response.statusCode, type, text: Buffer.concat(chunks).toString() })
  }
  Object.assign(response, {
    writeHead(...all: Parameters<typeof writeHead>) {
      const returned = writeHead.apply(response, all)
      type = contentTypeIn(all.at(-1)) ?? typeSent()
      if (isStreamType(type)) note()
      return returned
    },
    write(...all: Parameters<typeof write>) {
      if (type === null || !isStreamType(type)) keepChunk(chunks, all[0])
      return write.apply(response, all)
    },
    end(...all: Parameters<typeof end>) {
      keepChunk(chunks, all[0])
      type ??= typeSent()
      if (!isStreamType(type)) note()
      return end.apply(response, all)
    },
  })
}

function keepChunk(chunks: Uint8Array[], given: unknown): void {
  if (typeof given === 'string') chunks.push(Buffer.from(given))
  else if (given instanceof Uint8Array) chunks.push(given)
}

function contentTypeIn(headers: unknown): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')
  return found === undefined ? undefined : String(found[1])
}
