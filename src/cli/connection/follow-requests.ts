import type { FoundSandbox } from '../../client/discover.ts'
import { type Connected, reconnecting } from '../../client/reconnect.ts'
import { eventValue, RecentIds, readStream } from '../../client/server-sent-events.ts'
import { controlLimits } from '../../contract/sandbox/control.ts'
import { controls } from '../../contract/sandbox/controls/controls.ts'
import { type RequestSummary, requestSummary } from '../../contract/sandbox/request-log-answers.ts'

/** A request, and whether it was shown before: then it is shown again, with its count. */
interface FollowedRequest {
  readonly request: RequestSummary
  readonly isKnown: boolean
}

/**
 * Requests as the sandbox handles them, over its restarts; those handled while the connection was lost follow. `filter`:
 * query parameters that select requests. `find` finds the sandbox. `say` is called when the connection opens, ends or
 * returns. Errors: those of `find` but Unreachable; ForeignStream.
 */
export function followRequests(
  find: () => Promise<FoundSandbox>,
  filter: Readonly<Record<string, string>>,
  signal: AbortSignal,
  say: (what: 'open' | 'gone' | 'back') => void,
): AsyncGenerator<FollowedRequest> {
  const shown = new RecentIds(controlLimits.requests)
  let [lastId, sandboxId]: [string | undefined, string | undefined] = [undefined, undefined]
  let hasBegun = false
  const session = async function* (connected: Connected): AsyncGenerator<FollowedRequest> {
    const sandbox = await find()
    if (hasBegun && lastId === undefined && sandbox.id !== sandboxId) lastId = 'before the restart'
    sandboxId = sandbox.id
    const limit = hasBegun ? { limit: '0' } : {}
    const { path } = controls['request-events']
    const query = new URLSearchParams({ ...filter, ...limit })
    const opened = () => {
      hasBegun = true
      const kind = connected()
      if (kind !== 'still') say(kind === 'first' ? 'open' : 'back')
    }
    for await (const { id, data } of readStream(sandbox, `${path}?${query}`, lastId, signal, opened)) {
      const isKnown = id !== undefined && shown.has(id)
      if (!isKnown) lastId = id ?? lastId
      if (data === null) continue
      if (id !== undefined) shown.add(id)
      const request = eventValue<RequestSummary>(sandbox, path, data, requestSummary)
      if (!isKnown || (request.times ?? 1) > 1) yield { request, isKnown }
    }
  }
  return reconnecting(session, signal, (wasConnected) => {
    if (wasConnected) say('gone')
  })
}
