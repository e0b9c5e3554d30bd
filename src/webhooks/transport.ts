import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import type { SignedRequest } from './notifications/signed-request.ts'
import { type ConnectionReuse, type PostLimits, type PostResult, post } from './post.ts'

/** One attempt at a delivery, ready to be posted. */
export interface Handing {
  readonly ledger: Ledger
  readonly delivery: Delivery
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Injected faults, by name; null without one. */
  readonly fault: string | null
  /** Pause before the next attempt if this one fails, in milliseconds of the sandbox clock; null: none follows. */
  readonly retryMs: number | null
  /** Null when a fault drops it: nothing is posted. */
  readonly request: SignedRequest | null
}

/** Posts a request to an endpoint once. Always resolves, soon after `signal`. */
export type Transport = (
  handing: Handing & { readonly request: SignedRequest },
  signal: AbortSignal,
  keep: ConnectionReuse,
) => Promise<PostResult>

/** The transport of the sandbox itself. */
export const postItself =
  (limits: PostLimits): Transport =>
  ({ delivery, request: { requestHeaders, requestBody } }, signal, keep) =>
    post(delivery.url, requestHeaders, requestBody, { ...limits, signal }, keep)
