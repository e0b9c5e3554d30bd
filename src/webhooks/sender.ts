import { setMaxListeners } from 'node:events'
import type { DeliveryAttempted } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { endpointKey } from '../domain/model/outbox.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { sleep } from '../timers.ts'
import {
  type AttemptOptions,
  type BegunAttempt,
  beginAttempt,
  droppedAttempt,
  droppedResult,
  loggedAttempt,
  readyAttempt,
  resultOf,
  shareFailure,
} from './attempt.ts'
import type { Followers, FollowingEndpoint } from './followers.ts'
import type { Line } from './line.ts'
import type { NextDeliveries } from './next-delivery.ts'
import { type PostLimits, type PostResult, postItself } from './post.ts'
import type { FailedConnection } from './unreachable.ts'

/** What sending depends on. */
export interface SenderOptions extends AttemptOptions {
  readonly engine: EngineAccess
  /** Endpoints that get every notification; some are reached by a transport of their own. */
  readonly followers: Pick<Followers, 'at' | 'isReachable'>
  readonly limits: PostLimits
  /** True while deliveries are held. assumption: webhook-hold */
  readonly isHolding: () => boolean
  readonly report: (error: Error) => void
}

/** How attempts begin. */
export interface Begin {
  /** The failed connection that the deliveries waited for: they share its result, and no request is sent. */
  readonly failed?: FailedConnection
  /** True to send them although deliveries are held. */
  readonly isReleased?: boolean
}

/** How attempts ended. */
export interface SendEnd {
  /** True when a delivery may not be durable, or this sandbox may not or cannot post it now: no attempt was made. */
  readonly isTooEarly: boolean
  /** The answer, or why there was none; absent when nothing was posted. */
  readonly posted?: PostResult
  /** The follower that it was posted to. */
  readonly follower?: FollowingEndpoint | undefined
}

const tooEarly: SendEnd = { isTooEarly: true }
const over: SendEnd = { isTooEarly: false }

/** Pause between batches of attempts that share a failed connection, so that payments come first. Milliseconds. */
const shareMs = 5

/** Makes attempts at deliveries, and records them. */
export class Sender {
  readonly #options: SenderOptions
  readonly #stop = new AbortController()
  /** Number up to which the deliveries of a ledger are known to be durable. */
  readonly #durableUpTo = new WeakMap<Ledger, number>()
  /** Increases when the state is replaced: attempts under way for an earlier one are not recorded. */
  #generation = 0

  constructor(options: SenderOptions) {
    this.#options = options
    setMaxListeners(0, this.#stop.signal) // one for each concurrent attempt
  }

  /** The state was replaced. assumption: restore */
  forget(): void {
    this.#generation += 1
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** Cuts off all attempts. */
  stop(): void {
    this.#stop.abort()
  }

  /**
   * Makes one attempt at each delivery and records all attempts together; several deliveries only share a failed
   * connection. It does not wait until the record is durable, so that the next delivery can follow immediately. A crash
   * or a failed write loses at most the records of the last attempts, and those webhooks are sent again in the same
   * order, which "at least once" allows. The notified event is always durable before it is sent.
   */
  async send(line: Line, ledger: Ledger, deliveries: NextDeliveries, { failed, isReleased = false }: Begin) {
    const { engine, limits, isHolding, followers } = this.#options
    const generation = this.#generation
    const rounds = deliveries.map(({ delivery }) => delivery.round)
    if (failed !== undefined) await sleep(shareMs)
    if (!(await this.#areDurable(ledger, deliveries))) return tooEarly
    await engine.ready()
    if (limits.mayPost?.() === false) return tooEarly
    const isReplaced = engine.state.ledgers.get(line.merchantId) !== ledger // the new one is served anew
    if (isReplaced || (isHolding() && !isReleased) || !followers.isReachable(line.endpoint)) return over
    const follower = followers.at(line.endpoint)
    const retries = follower?.retries ?? null
    if (failed !== undefined) {
      const waited = deliveries.filter(({ delivery }, index) => delivery.round === rounds[index]) // without resent ones
      const begun = waited.map((next) => beginAttempt(this.#options, ledger, next, retries))
      this.#record(ledger, shareFailure(this.#options, begun, failed.result))
      return over
    }
    const begun = beginAttempt(this.#options, ledger, deliveries[0], retries)
    if (begun.times === 0) {
      follower?.dropped?.(droppedAttempt(this.#options, begun))
      this.#record(ledger, [droppedResult(begun)])
      return over
    }
    const posted = await this.#post(line, begun, follower, generation)
    await engine.ready()
    if (posted === undefined || generation !== this.#generation) return over
    if (posted.isNotMade) {
      begun.giveBack()
      return tooEarly
    }
    const isWaiting = posted.unreachable && follower?.isPatient === true
    const isUnknown = posted.isCutOff && posted.attempt.status === null
    if (isWaiting || isUnknown) begun.giveBack()
    else this.#record(ledger, [resultOf(this.#options, begun, posted)])
    return { isTooEarly: false, posted, follower }
  }

  /** Posts a delivery as often as its faults say; the first answer counts. Undefined when nothing was posted. */
  async #post(line: Line, begun: BegunAttempt, follower: FollowingEndpoint | undefined, generation: number) {
    const { clock, limits } = this.#options
    const transport = follower?.transport ?? postItself(limits)
    let first: PostResult | undefined
    for (let sent = 0; sent < begun.times && generation === this.#generation; sent++) {
      const sandboxAt = clock.now()
      const ready = readyAttempt(this.#options, begun)
      const keep = { connections: line.connections, isLast: !this.#hasDue(begun.ledger, line) }
      const posted = await transport(ready, this.#stop.signal, keep)
      first ??= posted
      if (posted.isNotMade) return first
      if (posted.unreachable && follower?.isPatient) return posted
      if (generation === this.#generation) this.#options.log.add(loggedAttempt(begun, posted.attempt, sandboxAt))
    }
    return first
  }

  /** Looks up the ledger again, as it may have been reloaded. */
  #record({ settings }: Ledger, results: readonly DeliveryAttempted[]): void {
    const { engine, report } = this.#options
    const ledger = engine.state.ledgers.get(settings.merchantId)
    const command = { type: 'record-attempts', results } as const
    if (ledger !== undefined && results.length > 0)
      engine.run(ledger, command, undefined, () => ({})).catch(report)
  }

  /** True when a delivery is due, is not under way, and waits only for its turn. */
  #hasDue({ outbox }: Ledger, { endpoint, underWay }: Line): boolean {
    const queue = outbox.queues.get(endpointKey(endpoint))
    if (queue === undefined) return false
    if (queue.firstFew(1, underWay).length > 0) return true
    return (queue.retry(underWay)?.at ?? Number.POSITIVE_INFINITY) <= this.#options.clock.now()
  }

  /** Waits for the disk once, for all deliveries so far. A resent delivery was added earlier, so it is durable. */
  async #areDurable(ledger: Ledger, deliveries: NextDeliveries): Promise<boolean> {
    const highest = Math.max(...deliveries.map(({ delivery }) => delivery.number))
    if (highest <= (this.#durableUpTo.get(ledger) ?? 0)) return true
    const { lastNumber } = ledger.outbox
    const isWritten = await this.#options.engine.written()
    if (isWritten) this.#durableUpTo.set(ledger, lastNumber)
    return isWritten
  }
}
