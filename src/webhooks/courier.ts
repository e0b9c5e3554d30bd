import { setMaxListeners } from 'node:events'
import { concurrencyOf, type DeliveryOrder } from '../contract/sandbox/webhooks.ts'
import { type DeliveryAttempted, isOfSameTransaction } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type Delivery, type Endpoint, endpointKey } from '../domain/model/outbox.ts'
import { endpointsOf } from '../domain/notifications.ts'
import type { JournalEntry, State } from '../domain/state.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { type Due, Schedule } from '../engine/schedule.ts'
import type { BackgroundWork, Replacement } from '../engine/subscriptions.ts'
import { clearTimeout, setTimeout, sleep } from '../timers.ts'
import {
  type AttemptOptions,
  type BegunAttempt,
  beginAttempt,
  droppedHanding,
  droppedResult,
  handingOf,
  logAttempt,
  resultOf,
  shareFailure,
} from './attempt.ts'
import { withoutRequest } from './attempt-log.ts'
import { onTime } from './faults/drawn-faults.ts'
import type { Followers, FollowingEndpoint } from './followers.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { type Line, Lines, lineKey } from './line.ts'
import { type NextDeliveries, type NextDeliveryRules, nextDeliveryOf } from './next-delivery.ts'
import type { PostLimits, PostResult } from './post.ts'
import { RestingEndpoints } from './resting-endpoints.ts'
import { postItself } from './transport.ts'
import {
  deliveriesTogether,
  type FailedConnection,
  hasWaitedFor,
  UnreachableEndpoints,
} from './unreachable.ts'

export interface CourierOptions extends AttemptOptions {
  readonly engine: EngineAccess
  /** Endpoints that get every notification; some are reached by a transport of their own. */
  readonly followers: Pick<Followers, 'at' | 'isReachable'>
  readonly limits: PostLimits
  /** True while deliveries are held. assumption: webhook-hold */
  readonly isHolding: () => boolean
  readonly report: (error: Error) => void
  /** The current order of deliveries to one endpoint. */
  readonly deliveryOrder: () => DeliveryOrder
}

/** An endpoint whose next delivery is due later. */
interface DueEndpoint extends Due {
  readonly merchantId: string
  readonly endpoint: Endpoint
}

/** Most concurrent attempts to all endpoints. */
const mostAtOnce = 64

/** Pause between batches of attempts that share a failed connection, so that payments come first. Milliseconds. */
const shareMs = 5

/** How attempts begin. */
interface Begin {
  /** The failed connection that the deliveries waited for: they share its result, and no request is sent. */
  readonly failed?: FailedConnection
  /** True to send them although deliveries are held. */
  readonly isReleased?: boolean
}

/**
 * Takes due deliveries from the outboxes, signs and posts them, and records the attempts. Deliveries to one URL go one
 * after another, in order while attempts succeed; with the concurrent order, several at the same time. URLs do not wait
 * for each other. assumption: webhook-delivery
 */
export class Courier implements BackgroundWork, HeldDeliveries {
  readonly #options: CourierOptions
  readonly #schedule: Schedule<DueEndpoint>
  /** Attempts under way. */
  readonly #attempts = new Set<Promise<void>>()
  readonly #lines = new Lines()
  readonly #unreachable = new UnreachableEndpoints()
  readonly #resting = new RestingEndpoints()
  /** Number up to which the deliveries of a ledger are known to be durable. */
  readonly #durableUpTo = new WeakMap<Ledger, number>()
  /** Endpoints that wait for a free place, in order. */
  readonly #waiting = new Map<string, readonly [merchantId: string, endpoint: Endpoint]>()
  readonly #stop = new AbortController()
  /** Increases when the state is replaced. */
  #generation = 0
  #held: NodeJS.Timeout | undefined

  constructor(options: CourierOptions) {
    this.#options = options
    setMaxListeners(0, this.#stop.signal) // one for each concurrent attempt
    this.#schedule = new Schedule(options.clock, () => this.runDue())
  }

  /** Serves the endpoints that are due. */
  runDue(): void {
    for (let due = this.#schedule.next(); due !== undefined; due = this.#schedule.next())
      this.#serve(due.merchantId, due.endpoint)
  }

  /** Serves every endpoint: after a start, a failure, or a change of the clock or of the faults. */
  runAll(): void {
    this.runDue()
    for (const { settings, outbox } of this.#options.engine.state.ledgers.values())
      for (const { endpoint } of outbox.queues.values()) this.#serve(settings.merchantId, endpoint)
  }

  /** Serves an endpoint of every merchant: a follower is there, or its receiver may be back. */
  runAt(endpoint: Endpoint): void {
    const key = endpointKey(endpoint)
    for (const { settings, outbox } of this.#options.engine.state.ledgers.values())
      if (outbox.queues.has(key)) this.#serve(settings.merchantId, endpoint)
  }

  isResting(endpoint: Endpoint): boolean {
    return this.#resting.isResting(endpointKey(endpoint))
  }

  /** Serves only the endpoints for which these events may have added a delivery. */
  durable(ledger: Ledger, { events }: Pick<JournalEntry, 'events'>): void {
    const { settings, outbox } = ledger
    if (outbox.queues.size === 0) return
    for (const [index, event] of events.entries()) {
      if (isOfSameTransaction(event, events[index - 1])) continue
      for (const endpoint of endpointsOf(ledger, event))
        if (outbox.queues.has(endpointKey(endpoint))) this.#serve(settings.merchantId, endpoint)
    }
  }

  /** True when a delivery waits that can be sent. */
  get hasWork(): boolean {
    const { engine, followers } = this.#options
    for (const { outbox } of engine.state.ledgers.values())
      for (const { endpoint } of outbox.queues.values()) if (followers.isReachable(endpoint)) return true
    return false
  }

  /** True while an attempt is under way, or deliveries pause after a failed connection. */
  get isBusy(): boolean {
    return this.#attempts.size > 0 || this.#unreachable.isPausing
  }

  /** Sandbox time of the earliest scheduled attempt. */
  earliest(): number | undefined {
    return this.#schedule.earliest()
  }

  /** Resolves when no attempt is under way. Deliveries that wait for a connection are sent immediately. */
  async idle(): Promise<void> {
    while (this.isBusy) {
      if (this.#attempts.size === 0) this.#unreachable.endPauses()
      await Promise.all(this.#attempts)
    }
  }

  /** After a failed write, pauses before new attempts. */
  hold(): void {
    if (this.#stop.signal.aborted) return
    clearTimeout(this.#held)
    this.#held = setTimeout(() => {
      this.#held = undefined
      this.runAll()
    }, pauseAfterFailure)
  }

  /**
   * The whole state was replaced: attempts under way for the old state are not recorded. assumption: restore-deliveries
   */
  replaced(_: State, cause: Replacement): void {
    if (cause === 'other') this.#generation += 1
    this.rearm()
  }

  /** Serves every endpoint again after a change of the clock or of the faults. */
  rearm(): void {
    this.runAll()
    this.#schedule.rearm()
  }

  /** Stops all attempts: their deliveries stay pending and are sent after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#held)
    this.#resting.stop()
    this.#schedule.stop()
    await this.idle()
    await this.#options.log.written()
  }

  isHeld({ settings }: Ledger, delivery: Delivery): boolean {
    const isHolding = this.#options.isHolding() && delivery.nextAt !== null
    return isHolding && !this.#isUnderWay(settings.merchantId, delivery)
  }

  isUnderWay({ settings }: Ledger, delivery: Delivery): boolean {
    return this.#isUnderWay(settings.merchantId, delivery)
  }

  async release(merchantId: string, number: number): Promise<void> {
    const ledger = this.#options.engine.state.ledgers.get(merchantId)
    const delivery = ledger?.outbox.deliveries.get(number)
    if (ledger === undefined || delivery === undefined) return
    while (this.#isUnderWay(merchantId, delivery)) await Promise.race(this.#attempts)
    if (this.#stop.signal.aborted || !this.isHeld(ledger, delivery)) return
    if (!this.#options.followers.isReachable(delivery)) return
    const { url, listener } = delivery
    const next = { delivery, at: this.#options.clock.now(), timing: onTime }
    await this.#begin(ledger, { url, listener }, [next], { isReleased: true })
  }

  #isUnderWay(merchantId: string, delivery: Delivery): boolean {
    return this.#lines.underWay(merchantId, delivery).has(delivery.number)
  }

  /** Starts the due attempts at an endpoint, and schedules later ones. */
  #serve(merchantId: string, endpoint: Endpoint): void {
    const { engine, isHolding, followers } = this.#options
    if (this.#stop.signal.aborted || this.#held !== undefined || isHolding()) return
    const ledger = engine.state.ledgers.get(merchantId)
    if (ledger === undefined || !followers.isReachable(endpoint)) return
    const key = lineKey(merchantId, endpoint)
    while (!this.isResting(endpoint)) {
      const failed = this.#unreachable.get(key)
      if (failed?.isShared) return // wait for the end of the pause
      const rules = this.#rules(ledger, this.#lines.underWay(merchantId, endpoint))
      if (this.#attempts.size >= mostAtOnce) {
        if (rules.free > 0) this.#waiting.set(key, [merchantId, endpoint])
        return
      }
      const next = nextDeliveryOf(ledger.outbox, endpointKey(endpoint), rules)
      if (next === undefined) return
      if (next.at > rules.now) return this.#schedule.add({ at: next.at, key, merchantId, endpoint })
      if (failed === undefined) this.#begin(ledger, endpoint, [next])
      else if (!hasWaitedFor(failed, ledger, next)) failed.isShared = true
      else this.#begin(ledger, endpoint, deliveriesTogether(next, failed, ledger, rules), { failed })
    }
  }

  #begin(ledger: Ledger, endpoint: Endpoint, deliveries: NextDeliveries, begin: Begin = {}): Promise<void> {
    const { merchantId } = ledger.settings
    const line = this.#lines.open(merchantId, endpoint)
    for (const { delivery } of deliveries) line.underWay.add(delivery.number)
    if (begin.failed !== undefined) begin.failed.sharing += 1
    const attempt: Promise<void> = this.#attempt(line, ledger, deliveries, begin)
      .catch((error: Error) => {
        this.#options.report(error)
        this.hold()
      })
      .then(() => {
        this.#attempts.delete(attempt)
        for (const { delivery } of deliveries) line.underWay.delete(delivery.number)
        if (begin.failed !== undefined) begin.failed.sharing -= 1
        this.#serveWaiting()
        this.#serve(merchantId, endpoint)
        this.#lines.closeIfIdle(line)
      })
    this.#attempts.add(attempt)
    return attempt
  }

  /**
   * Makes one attempt at each delivery and records all attempts together; several deliveries only share a failed
   * connection. It does not wait until the record is durable, so that the next delivery can follow immediately. A crash
   * or a failed write loses at most the records of the last attempts, and those webhooks are sent again in the same
   * order, which "at least once" allows. The notified event is always durable before it is sent.
   */
  async #attempt(
    line: Line,
    ledger: Ledger,
    deliveries: NextDeliveries,
    { failed, isReleased = false }: Begin,
  ): Promise<void> {
    const { engine, limits, isHolding, clock, followers } = this.#options
    const generation = this.#generation
    const opened = { ledger, lastNumber: ledger.outbox.lastNumber, at: clock.now() }
    const rounds = deliveries.map(({ delivery }) => delivery.round)
    if (failed !== undefined) await sleep(shareMs)
    if (!(await this.#areDurable(ledger, deliveries))) return this.hold()
    await engine.ready()
    if (limits.mayPost?.() === false) return this.hold()
    const isReplaced = engine.state.ledgers.get(line.merchantId) !== ledger // the new one is served anew
    if (isReplaced || (isHolding() && !isReleased) || !followers.isReachable(line.endpoint)) return
    const follower = followers.at(line.endpoint)
    const retries = follower?.retries ?? null
    if (failed !== undefined) {
      const waited = deliveries.filter(({ delivery }, index) => delivery.round === rounds[index]) // without resent ones
      const begun = waited.map((next) => beginAttempt(this.#options, ledger, next, retries))
      return this.#record(ledger, shareFailure(this.#options, begun, failed.result))
    }
    const begun = beginAttempt(this.#options, ledger, deliveries[0], retries)
    if (begun.times === 0) {
      follower?.dropped?.(droppedHanding(this.#options, begun))
      return this.#record(ledger, [droppedResult(begun)])
    }
    const posted = await this.#post(line, begun, follower, generation)
    await engine.ready()
    if (posted === undefined || generation !== this.#generation) return
    if (posted.unreachable && follower?.isPatient) return this.#rest(line.endpoint, posted, follower)
    if (this.#resting.end(endpointKey(line.endpoint))) follower?.presence?.(null)
    if (!posted.isCutOff || posted.attempt.status !== null)
      this.#record(ledger, [resultOf(this.#options, begun, posted)])
    if (!posted.unreachable) return
    const result = { ...posted, attempt: withoutRequest(posted.attempt) }
    const latest = { ...opened, result, sharing: 0, isShared: false }
    this.#unreachable.add(line.key, latest, () => this.#serve(line.merchantId, line.endpoint))
  }

  /** Posts a delivery as often as its faults say; the first answer counts. Undefined when nothing was posted. */
  async #post(
    line: Line,
    begun: BegunAttempt,
    follower: FollowingEndpoint | undefined,
    generation: number,
  ): Promise<PostResult | undefined> {
    const { clock, limits } = this.#options
    const transport = follower?.transport ?? postItself(limits)
    let first: PostResult | undefined
    for (let sent = 0; sent < begun.times && generation === this.#generation; sent++) {
      const sandboxAt = clock.now()
      const handing = handingOf(this.#options, begun)
      const keep = { connections: line.connections, isLast: !this.#hasDue(begun.ledger, line) }
      const posted = await transport(handing, this.#stop.signal, keep)
      first ??= posted
      if (posted.unreachable && follower?.isPatient) return posted
      if (generation === this.#generation) logAttempt(this.#options, begun, posted.attempt, sandboxAt)
    }
    return first
  }

  /** Lets the deliveries of an endpoint wait until its receiver takes connections. */
  #rest(endpoint: Endpoint, { attempt }: PostResult, { presence }: FollowingEndpoint): void {
    const isFirst = this.#resting.rest(endpointKey(endpoint), () => this.runAt(endpoint))
    if (isFirst) presence?.(attempt.error)
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

  /** Serves waiting endpoints while places are free. */
  #serveWaiting(): void {
    for (const [key, [merchantId, endpoint]] of this.#waiting) {
      if (this.#attempts.size >= mostAtOnce) return
      this.#waiting.delete(key)
      this.#serve(merchantId, endpoint)
    }
  }

  #rules(ledger: Ledger, underWay: ReadonlySet<number>): NextDeliveryRules {
    const { clock, faults } = this.#options
    const deliveryOrder = this.#options.deliveryOrder()
    const free = concurrencyOf(deliveryOrder) - underWay.size
    return { faultsOf: (...of) => faults(ledger, ...of), deliveryOrder, free, now: clock.now(), underWay }
  }
}

/** Pause before a retry when an attempt could not be recorded. Milliseconds. */
const pauseAfterFailure = 1_000
