import { controls } from '../contract/sandbox/controls/controls.ts'
import { validate } from '../contract/validate.ts'
import type { Call } from '../http/call.ts'
import { type LiveStreams, streamLatest } from '../http/live-stream.ts'
import { secretHiderOf } from './hide-secrets.ts'
import { type ReadableLog, requestFits, summaryOf } from './request-views.ts'

/**
 * Streams the request log as server-sent events. It begins with the last `limit` matches. Last-Event-ID, a trace id,
 * asks for the requests after it; for all of them if it is unknown, as after a restart. A repeated look-up is sent
 * again with its new count. A slow reader misses requests that the log has dropped. assumption: request-log. Errors:
 * C17.
 */
export function streamRequests(source: ReadableLog & LiveStreams, call: Call): Response {
  const { log } = source
  const { limit, ...wanted } = validate(controls['request-events'], call.req.query())
  const matches = requestFits(source, wanted)
  const last = call.req.header('last-event-id')
  let next = last === undefined ? beginningOf(log.list().map(matches), log.total, Number(limit ?? 0)) : 0
  if (last !== undefined) next = (log.numberOf(last) ?? -1) + 1
  let changes = log.changes
  return streamLatest(source, call, {
    topics: ['requests'],
    show: () => {
      const hide = secretHiderOf(source)
      const fresh = log.entriesSince(next, changes).filter(matches)
      next = log.total
      changes = log.changes
      return fresh.map((entry) => ({
        id: entry.traceId,
        event: 'request',
        data: JSON.stringify(summaryOf(source, entry, hide)),
      }))
    },
  })
}

/** Number of the first request to show, so that `limit` matching requests follow. */
function beginningOf(fitting: readonly boolean[], total: number, limit: number): number {
  let left = limit
  let number = total
  for (let index = fitting.length - 1; index >= 0 && left > 0; index--) {
    number -= 1
    if (fitting[index]) left -= 1
  }
  return number
}
