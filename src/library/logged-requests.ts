import { eventValue, readStream } from '../client/server-sent-events.ts'
import type { OperationName } from '../contract/operations.ts'
import { controls } from '../contract/sandbox/controls/controls.ts'
import {
  type RequestStory,
  type RequestSummary,
  requestSummary,
} from '../contract/sandbox/request-log-answers.ts'
import type { Address, CallControl } from './caller.ts'

/** A filter for requests; absent members match all. */
export interface RequestFilter {
  readonly status?: 'accepted' | 'refused'
  readonly operation?: OperationName
  readonly transactionId?: string
  readonly limit?: number
}

/** The requests that the sandbox answered; the log holds the last 1,000. */
export interface TestRequests {
  /** Matching requests to the payment API, the newest last. */
  list(filter?: RequestFilter): Promise<readonly RequestSummary[]>
  /** The last matching request, in full; undefined when there is none. */
  last(filter?: RequestFilter): Promise<RequestStory | undefined>
  /** Refused requests, the newest last. */
  refused(): Promise<readonly RequestSummary[]>
  /** Calls back for each request from now on, until `stop` is called. Resolves when it listens. */
  on(listener: (request: RequestSummary) => void): Promise<{ stop(): void }>
}

export function requestsOf(address: Address, call: CallControl): TestRequests {
  const list = async ({ limit, ...filter }: RequestFilter = {}) => {
    const { requests } = await call('requests', filter)
    const ofTheService = requests.filter(({ operation }) => operation !== null)
    return limit === undefined ? ofTheService : ofTheService.slice(-limit)
  }
  return {
    list,
    last: async (filter) => {
      const [newest] = (await list(filter)).slice(-1)
      return newest && call('request', undefined, { traceId: newest.traceId })
    },
    refused: () => list({ status: 'refused' }),
    on: (listener) => follow(address, listener),
  }
}

/** Reads the stream until it is stopped or the sandbox closes. Errors: those of the first answer. */
function follow(address: Address, listener: (request: RequestSummary) => void): Promise<{ stop(): void }> {
  const { path } = controls['request-events']
  const stopped = new AbortController()
  return new Promise((resolve, reject) => {
    const opened = () => resolve({ stop: () => stopped.abort() })
    const read = async () => {
      for await (const { data } of readStream(address, path, undefined, stopped.signal, opened))
        if (data !== null) listener(eventValue<RequestSummary>(address, path, data, requestSummary))
    }
    read().catch(reject) // a stream that breaks later has ended with its sandbox
  })
}
