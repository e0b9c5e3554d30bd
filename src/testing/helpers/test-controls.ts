import { eventValue, readStream } from '../../client/server-sent-events.ts'
import type { CardName } from '../../contract/built-in-names.ts'
import { controlLimits } from '../../contract/control/control.ts'
import type { SessionView } from '../../contract/control/control-answers.ts'
import { type ControlInput, controls } from '../../contract/control/controls/controls.ts'
import type { FaultView } from '../../contract/control/fault-list.ts'
import type { WrittenFault } from '../../contract/control/faults.ts'
import {
  type RequestStory,
  type RequestSummary,
  requestSummary,
} from '../../contract/control/request-log-answers.ts'
import { whole } from '../../contract/control/sandbox-options.ts'
import type { WhyAnswer } from '../../contract/control/why-answers.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Address, CallControl } from './caller.ts'
import { checkMembers, type Duration, requireMilliseconds } from './options.ts'

/** The sandbox clock. It decides when events are due; header checks use real time. */
export interface TestClock {
  /** Sandbox time. */
  now(): Promise<Date>
  /** Freezes the clock. */
  freeze(): Promise<Date>
  /** Lets the clock run on. */
  resume(): Promise<Date>
  /** Moves the clock forward; resolves when everything that fell due has happened, including its webhooks. */
  advance(span: Duration): Promise<Date>
  /**
   * Sets the clock, forwards or back. Events due by then happen at the new time; `advance` runs each at its
   * own time.
   */
  set(time: Date | string): Promise<Date>
  /** Back to real time. */
  reset(): Promise<Date>
}

/** Time limit of moving the clock: it waits for webhooks under way. Milliseconds. */
export const advanceTimeout = 120_000

export function testClock(call: CallControl): TestClock {
  const order = async (members: object) =>
    new Date((await call('set-clock', { ...members }, {}, advanceTimeout)).now)
  return {
    now: async () => new Date((await call('clock')).now),
    freeze: () => order({ action: 'freeze' }),
    resume: () => order({ action: 'resume' }),
    advance: (span) => order({ action: 'advance', milliseconds: requireMilliseconds(span, 'advance') }),
    set: (time) => order({ action: 'set', time: time instanceof Date ? time.toISOString() : time }),
    reset: () => order({ action: 'reset' }),
  }
}

/** A hosted payment page, as the shopper uses it. */
export interface TestCheckout {
  readonly sessionId: string
  /** Pays with a test card, by name; by default an approved one. */
  pay(card?: CardName): Promise<SessionView>
  /** Cancels the payment. */
  cancel(): Promise<SessionView>
  /** State of the session. */
  state(): Promise<SessionView>
}

/** The default card. */
export const usualCard = 'visa-contactless'

export function testCheckout(call: CallControl, sessionId: string): TestCheckout {
  const names = { id: sessionId }
  return {
    sessionId,
    pay: (card = usualCard) => call('pay-session', { card }, names),
    cancel: () => call('cancel-session', {}, names),
    state: () => call('session', undefined, names),
  }
}

/** Which requests a fault hits, and how often: once, unless `times`, `always`, `share` or `until` is set. */
export type FaultOptions = Omit<ControlInput<'add-fault'>, 'kind'>

/** Faults injected into answers of the payment API, and into webhooks. */
export interface TestFaults {
  /** Injects a fault, such as `lost-answer`, `http-503` or `latency=100-500`. */
  add(kind: WrittenFault, options?: FaultOptions): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

/** `ofMerchant`: the merchant whose requests and webhooks get the faults; absent: all merchants. */
export function testFaults(call: CallControl, ofMerchant?: string): TestFaults {
  const list = async () => {
    const { faults } = await call('faults')
    return ofMerchant === undefined ? faults : faults.filter(({ merchantId }) => merchantId === ofMerchant)
  }
  const remove = async (id: string) => {
    await call('remove-fault', undefined, { id })
  }
  return {
    add: (kind, options) =>
      call('add-fault', { kind, ...options, ...(ofMerchant !== undefined && { merchantId: ofMerchant }) }),
    list,
    remove,
    clear: async () => {
      if (ofMerchant === undefined) await call('clear-faults')
      else for (const { id } of await list()) await remove(id)
    },
  }
}

/** A filter for requests; absent members match all. */
export interface RequestFilter {
  readonly status?: 'accepted' | 'refused'
  readonly operation?: OperationName
  readonly transactionId?: string
  /** That name this order, refused ones, too. */
  readonly order?: string
  readonly limit?: number
}

/** The requests to the payment API that the sandbox answered; the log holds the last 1,000. */
export interface TestRequests {
  /** Matching requests, the newest last. Errors: InvalidOption for a limit other than 1 to 1,000. */
  list(filter?: RequestFilter): Promise<readonly RequestSummary[]>
  /** The last matching request, in full; undefined when there is none. */
  last(filter?: RequestFilter): Promise<RequestStory | undefined>
  /** Refused requests, the newest last. */
  refused(): Promise<readonly RequestSummary[]>
  /** Which rules decided: of a trace id, a transaction, an error code, an operation, a member or a claim. */
  why(about: string): Promise<WhyAnswer>
  /** Calls back for each request to the payment API from now on, until `stop`. Resolves when it listens. */
  on(listener: (request: RequestSummary) => void): Promise<{ stop(): void }>
}

const isOfTheService = ({ operation }: RequestSummary): boolean => operation !== null

export function testRequests(address: Address, call: CallControl): TestRequests {
  const list = async ({ limit, ...filter }: RequestFilter = {}) => {
    checkMembers({ limit }, { limit: whole(1, controlLimits.requests) }, 'a filter of requests')
    const { requests } = await call('requests', filter)
    const listed = requests.filter(isOfTheService)
    return limit === undefined ? listed : listed.slice(-limit)
  }
  return {
    list,
    last: async (filter) => {
      const [newest] = (await list(filter)).slice(-1)
      return newest && call('request', undefined, { traceId: newest.traceId })
    },
    refused: () => list({ status: 'refused' }),
    why: (about) => call('why', { about }),
    on: (listener) => followRequests(address, listener),
  }
}

/**
 * Reads the stream until it is stopped or the sandbox closes. An error of the listener is one of the process,
 * as in an event emitter. Errors: those of the first answer.
 */
function followRequests(
  address: Address,
  listener: (request: RequestSummary) => void,
): Promise<{ stop(): void }> {
  const { path } = controls['request-events']
  const stopped = new AbortController()
  return new Promise((resolve, reject) => {
    const opened = () => resolve({ stop: () => stopped.abort() })
    const read = async () => {
      for await (const { data } of readStream(address, path, undefined, stopped.signal, opened)) {
        if (data === null) continue
        const request = eventValue<RequestSummary>(address, path, data, requestSummary)
        if (isOfTheService(request)) queueMicrotask(() => listener(request))
      }
    }
    read().catch(reject) // a stream that breaks later has ended with its sandbox
  })
}
