import { setMaxListeners } from 'node:events'
import type { Retries } from '../../contract/control/retries.ts'
import { droppedByFault } from '../../contract/control/webhook-stream.ts'
import type { Signing } from '../../contract/signature/signature.ts'
import type { Endpoint } from '../../domain/model/endpoint.ts'
import type { DeliveryAttempted } from '../../domain/model/events.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import type { EngineAccess } from '../engine/engine.ts'
import type { ReadableClock } from '../engine/identifiers.ts'
import type { AttemptRecord, LoggedAttempt } from '../store/storage.ts'
import { type DeliveryFaults, type InjectedFaults, injectedFaultNames, timesSent } from './delivery-faults.ts'
import type { Followers, FollowingEndpoint } from './followers.ts'
import type { NextDelivery } from './next-delivery.ts'
import { type SignedRequest, signedRequest } from './notifications/notification.ts'
import { type Attempt, type PostLimits, type PostResult, postItself, type ReadyAttempt } from './post.ts'

/** What sending depends on. */
export interface SenderOptions extends AttemptOptions {
  readonly engine: EngineAccess
  /** Endpoints that get every notification; some are reached by a transport of their own. */
  readonly followers: Pick<Followers, 'at' | 'isReachable'>
  readonly limits: PostLimits
  /** Called with the first post of each attempt that counts, before its record is durable. */
  readonly attempted: (attempt: Pick<LoggedAttempt, 'merchantId' | 'number' | 'at'>) => void
  /** True while deliveries are held. assumption: webhook-order */
  readonly isHolding: () => boolean
  readonly report: (error: Error) => void
}

/** How an attempt ended. */
export interface SendEnd {
  /** No attempt was made: the delivery may not be durable, or this sandbox cannot post it now. */
  readonly isTooEarly: boolean
  /** The answer, or why there was none; absent when nothing was posted. */
  readonly posted?: PostResult
  /** The follower that it was posted to. */
  readonly follower?: FollowingEndpoint | undefined
}

const tooEarly: SendEnd = { isTooEarly: true }
const over: SendEnd = { isTooEarly: false }

/** Makes attempts at deliveries, and records them. */
export class Sender {
  readonly #stop = new AbortController()
  /** Number up to which the deliveries of a ledger are known to be durable. */
  readonly #durableUpTo = new WeakMap<Ledger, number>()
  /** Increases when the state is replaced: attempts under way for an earlier one are not recorded. */
  #generation = 0

  constructor(private readonly options: SenderOptions) {
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
   * Makes one attempt and records it. It does not wait until the record is durable, so that the next delivery
   * can follow immediately. A crash or a failed write loses at most the records of the last attempts, and
   * those webhooks are sent again in the same order, which "at least once" allows. The notified event is
   * always durable before it is sent. `isReleased`: true to send it although deliveries are held.
   */
  async send(endpoint: Endpoint, ledger: Ledger, next: NextDelivery, isReleased: boolean): Promise<SendEnd> {
    const { engine, limits, isHolding, followers } = this.options
    const generation = this.#generation
    if (!(await this.#isDurable(ledger, next))) return tooEarly
    await engine.ready()
    if (limits.mayPost?.() === false) return tooEarly
    const isReplaced = engine.state.ledgers.get(ledger.settings.merchantId) !== ledger // the new one is served anew
    if (isReplaced || (isHolding() && !isReleased) || !followers.isReachable(endpoint)) return over
    const follower = followers.at(endpoint)
    const retries = follower?.retries ?? null
    const begun = beginAttempt(this.options, ledger, next, retries)
    if (begun.times === 0) {
      follower?.dropped?.(droppedAttempt(this.options, begun))
      this.#record(ledger, droppedResult(begun))
      return over
    }
    const posted = await this.#post(begun, follower, generation)
    await engine.ready()
    if (posted === undefined || generation !== this.#generation) return over
    if (posted.isNotMade) {
      begun.giveBack()
      return tooEarly
    }
    const isWaiting = posted.unreachable && follower?.isPatient === true
    const isUnknown = posted.isCutOff && posted.attempt.status === null
    if (isWaiting || isUnknown) begun.giveBack()
    else {
      const { merchantId } = ledger.settings
      this.options.attempted({ merchantId, number: begun.number, at: posted.attempt.at })
      this.#record(ledger, attemptedEvent(this.options, begun, posted))
    }
    return { isTooEarly: false, posted, follower }
  }

  /** Posts a delivery as often as its faults say; the first answer counts. Undefined: nothing was posted. */
  async #post(begun: BegunAttempt, follower: FollowingEndpoint | undefined, generation: number) {
    const { clock, limits } = this.options
    const transport = follower?.transport ?? postItself(limits)
    let first: PostResult | undefined
    let copy: DeliveryAttempted['copy']
    for (let sent = 0; sent < begun.times && generation === this.#generation; sent++) {
      const sandboxAt = clock.now()
      const ready = readyAttempt(this.options, begun)
      const posted = await transport(ready, this.#stop.signal)
      if (first !== undefined) copy = lastOf(posted.attempt)
      first ??= posted
      if (posted.isNotMade) return first
      if (posted.unreachable && follower?.isPatient) return posted
      if (generation !== this.#generation) continue
      this.options.log.add(loggedAttempt(begun, posted.attempt, sandboxAt))
    }
    return first && { ...first, copy }
  }

  /** Looks up the ledger again, as it may have been reloaded. */
  #record({ settings }: Ledger, result: DeliveryAttempted): void {
    const { engine, report } = this.options
    const ledger = engine.state.ledgers.get(settings.merchantId)
    const command = { type: 'record-attempts', results: [result] } as const
    if (ledger !== undefined) engine.run(ledger, command).catch(report)
  }

  /** Waits for the disk once, for all deliveries so far: a resent one is durable already. */
  async #isDurable(ledger: Ledger, { delivery }: NextDelivery): Promise<boolean> {
    if (delivery.number <= (this.#durableUpTo.get(ledger) ?? 0)) return true
    const { lastNumber } = ledger.outbox
    const isWritten = await this.options.engine.written()
    if (isWritten) this.#durableUpTo.set(ledger, lastNumber)
    return isWritten
  }
}

interface AttemptOptions {
  readonly clock: ReadableClock
  readonly log: AttemptRecord
  readonly retries: Retries
  readonly faults: DeliveryFaults
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
}

/** The plan of an attempt, with the delivery's first facts: it may be resent meanwhile. */
interface BegunAttempt extends Pick<Delivery, 'number' | 'round' | 'attempts'> {
  readonly ledger: Ledger
  readonly delivery: Delivery
  readonly injected: InjectedFaults
  /** Names of the faults; null for none. */
  readonly fault: string | null
  /** How often it is sent: 0 when a fault drops it, 2 when one duplicates it. */
  readonly times: 0 | 1 | 2
  /** Pause before the next attempt if this one fails; null: none follows. */
  readonly retryMs: number | null
  /** Takes back the use of the faults, when the attempt was not made. */
  readonly giveBack: () => void
}

/** Begins an attempt; its faults count as used. `retries`: the pauses of its endpoint, if it has its own. */
function beginAttempt(
  { faults, retries: usual }: AttemptOptions,
  ledger: Ledger,
  { delivery, timing }: NextDelivery,
  retries: Retries | null,
): BegunAttempt {
  const { number, round, attempts } = delivery
  const { injected, giveBack } = faults(ledger).draw(delivery)
  const fault = injectedFaultNames(injected, timing)
  const retryMs = (retries ?? usual)[attempts] ?? null
  const times = timesSent(injected)
  return { ledger, delivery, number, round, attempts, injected, fault, times, retryMs, giveBack }
}

/** The attempt as a transport posts it, signed now; without a request when a fault drops it. */
const readyAttempt = (options: AttemptOptions, begun: BegunAttempt) => {
  const { ledger, delivery, attempts, fault, retryMs } = begun
  return { ledger, delivery, attempt: attempts + 1, fault, retryMs, request: attemptRequest(options, begun) }
}

/** A dropped attempt, for an endpoint that shows it. */
const droppedAttempt = (options: AttemptOptions, begun: BegunAttempt): ReadyAttempt => ({
  ...readyAttempt(options, begun),
  retryMs: null,
  request: null,
})

/** The record of an attempt that was posted. */
function attemptedEvent(
  { clock }: AttemptOptions,
  { number, round, retryMs, fault }: BegunAttempt,
  { attempt, refused, copy }: PostResult & Pick<DeliveryAttempted, 'copy'>,
): DeliveryAttempted {
  const delivered = attempt.status === 200
  const nextAt = delivered || refused || retryMs === null ? null : clock.now() + retryMs
  const last = lastOf(attempt)
  return { type: 'delivery-attempted', number, round, last, copy, fault, delivered, nextAt }
}

const lastOf = ({ status, error }: Attempt): number | string => status ?? error ?? 'no answer'

const droppedResult = ({ number, round, fault }: BegunAttempt): DeliveryAttempted => ({
  type: 'delivery-attempted',
  number,
  round,
  fault,
  last: droppedByFault,
  delivered: false,
  nextAt: null,
})

const attemptRequest = (
  { signingOf, clock }: AttemptOptions,
  { ledger, delivery, injected }: BegunAttempt,
): SignedRequest => signedRequest(signingOf(ledger), ledger, delivery, clock.wall(), injected)

/** A posted attempt, for display. `sandboxAt`: sandbox time of its beginning. */
const loggedAttempt = (
  { ledger, number, fault }: BegunAttempt,
  attempt: Attempt,
  sandboxAt: number,
): LoggedAttempt => ({
  merchantId: ledger.settings.merchantId,
  number,
  ...attempt,
  fault,
  sandboxAt,
})
