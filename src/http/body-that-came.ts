import type { IncomingMessage } from 'node:http'
import { nextTick } from '../timers.ts'
import type { Call } from './call.ts'

/** A request whose body was read; @hono/node-server reads `rawBody`, too. */
export interface WithBody {
  rawBody?: Buffer
}

const none = Buffer.alloc(0)

/**
 * Calls `handle` for a request. A body that arrived whole with the headers, as nearly all do, is read first, without a
 * stream or promise; the handler reads any other body.
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
