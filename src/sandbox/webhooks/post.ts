import type { AttemptView } from '../../contract/control/webhooks.ts'
import { failureReason, notConnected } from '../../contract/transport/connection-errors.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { elapsedTime, wallTime } from '../../shared/timers.ts'
import { type DeliveryRequest, exchange } from './exchange.ts'
import type { SignedRequest } from './notifications/notification.ts'
import {
  checkedAddresses,
  hasAddress,
  type Resolve,
  TargetRefused,
  type TargetRules,
} from './webhook-target.ts'

/** One attempt to deliver, as it is stored. `at`: wall clock, milliseconds. */
export interface Attempt extends Omit<AttemptView, 'at' | 'fault'> {
  readonly at: number
}

/** The result of an attempt. */
export interface PostResult {
  readonly attempt: Attempt
  /** The address may not be called: another attempt would fail too. */
  readonly refused: boolean
  /** No connection to the URL could be opened. */
  readonly unreachable: boolean
  /** True when the attempt was aborted: it is made again. */
  readonly isCutOff: boolean
  /** True when this process could not make it now, and nothing was sent: it is made again. */
  readonly isNotMade?: boolean
}

/** Limits of an attempt. Times in milliseconds. */
export interface PostLimits
  extends TargetRules,
    Pick<DeliveryRequest, 'connectTimeout' | 'readTimeout' | 'signal'> {
  readonly resolve?: Resolve
  /** False when another sandbox may have taken over these notifications. assumption: postgres-session */
  readonly mayPost?: () => boolean
}

/**
 * Makes one attempt; always resolves. Redirects are not followed, long answers are cut, slow ones given up.
 * Only checked addresses are called; names are looked up and checked for each attempt. assumption:
 * webhook-delivery
 */
export async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { resolve, mayPost, ...limits }: PostLimits,
): Promise<PostResult> {
  const [at, started] = [wallTime(), elapsedTime()]
  const sent = { at, url, requestHeaders: headers, requestBody: body }
  const took = () => ({ durationMs: elapsedTime() - started })
  try {
    if (limits.signal?.aborted) throw cutOff()
    if (mayPost?.() === false)
      throw Object.assign(new Error('another node may serve the space'), { code: notOurs })
    const target = new URL(url)
    const addresses = () => checkedAddresses(target, limits, resolve)
    if (hasAddress(target)) await addresses()
    const answer = await exchange({ url: target, addresses, headers, body, ...limits })
    return { attempt: { ...sent, ...answer, ...took(), error: null }, ...plain }
  } catch (error) {
    const none = { status: null, responseHeaders: {}, responseBody: '' }
    return {
      attempt: { ...sent, ...none, ...took(), error: attemptError(error as Error) },
      refused: error instanceof TargetRefused,
      unreachable: isUnreachable(error as Error),
      isCutOff: limits.signal?.aborted === true,
      isNotMade: notMade.has((error as NodeJS.ErrnoException).code ?? ''),
    }
  }
}

const plain = { refused: false, unreachable: false, isCutOff: false }

const notOurs = 'ENOTOURS'

/** Codes of errors before a connection that are not the receiver's: another holder, no descriptor. */
const notMade: ReadonlySet<string> = new Set([notOurs, 'EMFILE', 'ENFILE'])

const cutOff = () => new Error('cut off: the sandbox was stopped')

/** ETIMEDOUT: the time limit for connecting. */
const isUnreachable = ({ code = '' }: NodeJS.ErrnoException): boolean =>
  notConnected.has(code) || code === 'ETIMEDOUT'

const attemptError = (error: NodeJS.ErrnoException): string =>
  error.name === 'AbortError' ? cutOff().message : failureReason(error)

/** One attempt at a delivery, ready to be posted. */
export interface ReadyAttempt {
  readonly ledger: Ledger
  readonly delivery: Delivery
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Injected faults, by name; null without one. */
  readonly fault: string | null
  /** Pause before the next attempt if this one fails, milliseconds of sandbox time; null: none follows. */
  readonly retryMs: number | null
  /** Null when a fault drops it: nothing is posted. */
  readonly request: SignedRequest | null
}

/** Posts a request to an endpoint once. Always resolves, soon after `signal`. */
export type Transport = (
  ready: ReadyAttempt & { readonly request: SignedRequest },
  signal: AbortSignal,
) => Promise<PostResult>

/** The transport of the sandbox itself. */
export const postItself =
  (limits: PostLimits): Transport =>
  ({ delivery, request: { requestHeaders, requestBody } }, signal) =>
    post(delivery.url, requestHeaders, requestBody, { ...limits, signal })
