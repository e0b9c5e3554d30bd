import type { IncomingMessage } from 'node:http'
import { nextTick } from '../timers.ts'
import type { Call } from './call.ts'

/** A request whose body was read; @hono/node-server reads it from there too. */
export interface WithBody {
  rawBody?: Buffer
}

const none = Buffer.alloc(0)

/**
 * Hands a request on. A body that came in one piece with the headers, as nearly every body does, is read first: it needs no
 * stream and no promise then. Any other one is left for the handler to read.
 */
export function withBody(incoming: IncomingMessage & WithBody, handle: () => unknown): void {
  const length = incoming.headers['content-length']
  if (length === undefined) handle()
  else
    nextTick(() => {
      if (incoming.readableLength === Number(length)) {
        incoming.rawBody = incoming.read() ?? none
        incoming.resume() // to its end
      }
      handle()
    })
}

/** The body that `withBody` has read. */
export const bodyThatCame = (call: Call): Buffer | undefined =>
  (call.env?.incoming as WithBody | undefined)?.rawBody
