import type { IncomingMessage } from 'node:http'
import { limits } from '../../contract/headers.ts'
import { readBounded } from '../../contract/transport/bounded-body.ts'
import { nextTick } from '../../shared/timers.ts'
import type { Call } from './call.ts'
import type { ReceivedRequest } from './received-request.ts'

const none = Buffer.alloc(0)

/**
 * Calls `handle` for a request. A body that arrived whole with the headers, as nearly all do, is read first,
 * without a stream or promise; the handler reads any other body.
 */
export function withBody(incoming: ReceivedRequest, handle: () => unknown): void {
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

/** True for a body that is read in parts: it is long, or of unknown length. */
const isLong = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.body

/** Reads a body whole, for whoever handles the request; null for a long one. */
export async function wholeBody(incoming: ReceivedRequest): Promise<Buffer | null> {
  if (incoming.rawBody === undefined && isLong(incoming)) return null
  if (incoming.rawBody === undefined && !incoming.readableEnded)
    incoming.rawBody = await readBounded(incoming, { maxBytes: limits.body })
  return incoming.rawBody ?? none
}

/** The body that `withBody` has read. */
export const bodyThatCame = (call: Call): Buffer | undefined => call.env?.incoming?.rawBody
