import { setTimeout as sleep } from 'node:timers/promises'
import type { FoundSandbox } from '../../client/discover.ts'
import { Unreachable } from '../../client/http.ts'
import { eventValue, readStream } from '../../client/server-sent-events.ts'
import { controls } from '../../contract/sandbox/controls.ts'
import type { RequestSummary } from '../../contract/sandbox/request-log.ts'
import { requestSummary } from '../../contract/sandbox/request-log.ts'

/** Which requests are meant, as the control interface takes it. */
export type WantedRequests = Readonly<Record<string, string>>

/** Ids that are remembered, so that nothing is told twice: as many as the sandbox keeps. */
const mostRemembered = 1000

/**
 * Requests as they are handled, over restarts of the sandbox; what it handled meanwhile follows. `find` says where it is
 * now, `say` is told of its going and coming. Errors: those of `find` but Unreachable; ForeignStream.
 */
export async function* followRequests(
  find: () => Promise<FoundSandbox>,
  wanted: WantedRequests,
  signal: AbortSignal,
  say: (what: 'open' | 'gone' | 'back') => void,
): AsyncGenerator<RequestSummary> {
  const told = new Set<string>()
  let [last, start]: [string | undefined, string | undefined] = [undefined, undefined]
  let [begun, gone] = [false, false]
  for (let pause = 200; !signal.aborted; pause = Math.min(pause * 2, 2_000)) {
    try {
      const place = await find()
      if (begun && last === undefined && place.id !== start) last = 'before the restart'
      start = place.id
      const limit = begun ? { limit: '0' } : {}
      const path = `${controls['request-events'].path}?${new URLSearchParams({ ...wanted, ...limit })}`
      const opened = () => {
        if (!begun || gone) say(begun ? 'back' : 'open')
        pause = 200
        ;[begun, gone] = [true, false]
      }
      for await (const { id, data } of readStream(place, path, last, signal, opened)) {
        last = id ?? last
        if (data === null || (id !== undefined && told.has(id))) continue
        if (id !== undefined) told.add(id)
        for (const oldest of told) if (told.size > mostRemembered) told.delete(oldest)
        yield eventValue<RequestSummary>(place, controls['request-events'].path, data, requestSummary)
      }
    } catch (error) {
      if (!isLost(error)) throw error
    }
    if (!signal.aborted && begun && !gone) say('gone')
    gone = begun
    await sleep(pause, undefined, { signal }).catch(() => undefined)
  }
}

const isLost = (error: unknown): boolean =>
  error instanceof Unreachable ||
  ['ECONNRESET', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')
