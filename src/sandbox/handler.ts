import type { RequestListener } from 'node:http'
import { type FaultAnswers, malformedRequest } from '../http/http-faults.ts'
import { logMalformed } from '../request-log/log-request.ts'
import { createApp } from './app.ts'
import type { Sandbox } from './sandbox.ts'

/** Loading this module takes a sixth of the start-up time, so it happens after the start or with the first request. */
const loadServer = () => import('@hono/node-server')

/** How requests reach a sandbox. */
export interface SandboxHandler {
  readonly handle: RequestListener
  /** Loads the modules that the first request would otherwise wait for. */
  readonly prepare: () => Promise<unknown>
}

/** How requests that no handler sees are answered, and logged in a sandbox. */
export const faultAnswersOf = (sandbox: Sandbox): FaultAnswers => ({
  ...{ newTraceId: sandbox.identifiers.traceId, extras: sandbox.options.extras },
  log: (...refused) => logMalformed(sandbox, ...refused),
})

/** Answers requests with the app of a sandbox. `host` and `forOthers`: see `createApp`. */
export function createHandler(sandbox: Sandbox, host: string, forOthers: boolean): SandboxHandler {
  const { fetch } = createApp(sandbox, host, forOthers)
  const answers = faultAnswersOf(sandbox)
  let listener: RequestListener | undefined
  const prepare = async (): Promise<RequestListener> => {
    const { getRequestListener } = await loadServer()
    listener ??= getRequestListener(fetch, { errorHandler: (error) => malformedRequest(answers, error) })
    return listener
  }
  /** A stop waits for a request that came while the listener was loading, too. */
  const handleLoading: RequestListener = async (incoming, outgoing) => {
    sandbox.running += 1
    try {
      const loaded = await prepare()
      void loaded(incoming, outgoing)
    } finally {
      sandbox.running -= 1
    }
  }
  const handle: RequestListener = (incoming, outgoing) => (listener ?? handleLoading)(incoming, outgoing)
  return { handle, prepare }
}
