import { concurrencyOf, type DeliveryOrder } from '../contract/sandbox/webhook-delivery.ts'
import { isOfSameTransaction } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import { type Delivery, type Endpoint, endpointKey } from '../domain/model/outbox.ts'
import { affectedEndpoints } from '../domain/notifications.ts'
import type { JournalEntry, State } from '../domain/state.ts'
import type { BackgroundWork, Replacement } from '../engine/changes.ts'
import { type DueEndpoint, Schedule } from '../engine/schedule.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import { onTime } from './delivery-faults.ts'
import { type Line, Lines, lineKey, RestingEndpoints } from './line.ts'
import { findNextDelivery, type NextDeliveries, type NextDeliveryRules } from './next-delivery.ts'
import { withoutRequest } from './post.ts'
import { type Begin, type SendEnd, Sender, type SenderOptions } from './sender.ts'
import {
  deliveriesTogether,
  type FailedConnection,
  hasWaitedFor,
  UnreachableEndpoints,
} from './unreachable.ts'

export interface CourierOptions extends SenderOptions {
  /** The current order of deliveries to one endpoint. */
  readonly deliveryOrder: () => DeliveryOrder
}

/** Most concurrent attempts to all endpoints. */
const mostAtOnce = 64

/** Most of them when the next one is the only one to its endpoint: endpoints that hang must not stop others. */
const mostWithFirst = 256

/**
 * Takes due deliveries from the outboxes, signs and posts them, and records the attempts. Deliveries to one URL go one
 * after another, in order while attempts succeed; with the concurrent order, several at the same time. URLs do not wait
 * for each other. assumption: webhook-delivery
 */
export class Courier implements BackgroundWork {
  readonly #schedule: Schedule<DueEndpoint>
  /** Attempts under way. */
  readonly #attempts = new Set<Promise<void>>()
  readonly #sender: Sender
  readonly #lines = new Lines()
  readonly #unreachable = new UnreachableEndpoints()
  readonly #resting = new RestingEndpoints()
  /** Endpoints that wait for a free place, in order. */
  readonly #waiting = new Map<string, readonly [merchantId: string, endpoint: Endpoint]>()
  #held: NodeJS.Timeout | undefined

  constructor(private readonly options: CourierOptions) {
    this.#sender = new Sender(options)
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
    for (const { settings, outbox } of this.options.engine.state.ledgers.values())
      for (const { endpoint } of outbox.queues.values()) this.#serve(settings.merchantId, endpoint)
  }

  /** Serves an endpoint of every merchant: a follower is there, or its receiver may be back. */
  runAt(endpoint: Endpoint): void {
    const key = endpointKey(endpoint)
    for (const { settings, outbox } of this.options.engine.state.ledgers.values())
      if (outbox.queues.has(key)) this.#serve(settings.merchantId, endpoint)
  }

  /** True for an endpoint whose deliveries wait for its receiver to take connections. */
  isResting(endpoint: Endpoint): boolean {
    return this.#resting.isResting(endpointKey(endpoint))
  }

  /** Serves only the endpoints for which these events may have added a delivery. */
  durable(ledger: Ledger, { events }: Pick<JournalEntry, 'events'>): void {
    const { settings, outbox } = ledger
    if (outbox.queues.size === 0) return
    for (const [index, event] of events.entries()) {
      if (isOfSameTransaction(event, events[index - 1])) continue
      for (const endpoint of affectedEndpoints(ledger, event))
        if (outbox.queues.has(endpointKey(endpoint))) this.#serve(settings.merchantId, endpoint)
    }
  }

  /** True when a delivery waits that can be sent. */
  get hasWork(): boolean {
    const { engine, followers } = this.options
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

  ahead(most: number): DueEndpoint[] {
    return this.#schedule.ahead(most)
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
    if (this.#sender.isStopped) return
    clearTimeout(this.#held)
    this.#held = setTimeout(() => {
      this.#held = undefined
      this.runAll()
    }, pauseAfterFailure)
  }

  /**
   * The whole state was replaced: attempts under way for the old state are not recorded. assumption: restore
   */
  replaced(_: State, cause: Replacement): void {
    if (cause === 'other') this.#sender.forget()
    this.rearm()
  }

  /** Serves every endpoint again after a change of the clock or of the faults. */
  rearm(): void {
    this.runAll()
    this.#schedule.rearm()
  }

  /** Stops all attempts: their deliveries stay pending and are sent after the next start. */
  async stop(): Promise<void> {
    this.#sender.stop()
    clearTimeout(this.#held)
    this.#resting.stop()
    this.#schedule.stop()
    await this.idle()
    await this.options.log.written()
  }

  /** True for a pending delivery that waits for its release; false while an attempt is under way. assumption: webhook-order */
  isHeld(ledger: Ledger, delivery: Delivery): boolean {
    return this.options.isHolding() && delivery.nextAt !== null && !this.isUnderWay(ledger, delivery)
  }

  /** True while an attempt of the sandbox is under way. */
  isUnderWay({ settings }: Ledger, delivery: Delivery): boolean {
    return this.#lines.underWay(settings.merchantId, delivery).has(delivery.number)
  }

  /** Makes one attempt at a held delivery now; resolves when it is recorded. Does nothing if the delivery is not held. */
  async release(merchantId: string, number: number): Promise<void> {
    const ledger = this.options.engine.state.ledgers.get(merchantId)
    const delivery = ledger?.outbox.deliveries.get(number)
    if (ledger === undefined || delivery === undefined) return
    while (this.isUnderWay(ledger, delivery)) await Promise.race(this.#attempts)
    if (this.#sender.isStopped || !this.isHeld(ledger, delivery)) return
    if (!this.options.followers.isReachable(delivery)) return
    const { url, listener } = delivery
    const next = { delivery, at: this.options.clock.now(), timing: onTime }
    await this.#begin(ledger, { url, listener }, [next], { isReleased: true })
  }

  /** Starts the due attempts at an endpoint, and schedules later ones. */
  #serve(merchantId: string, endpoint: Endpoint): void {
    const { engine, isHolding, followers } = this.options
    if (this.#sender.isStopped || this.#held !== undefined || isHolding()) return
    const ledger = engine.state.ledgers.get(merchantId)
    if (ledger === undefined || !followers.isReachable(endpoint)) return
    const key = lineKey(merchantId, endpoint)
    while (!this.isResting(endpoint)) {
      const failed = this.#unreachable.get(key)
      if (failed?.isShared) return // wait for the end of the pause
      const rules = this.#rules(ledger, this.#lines.underWay(merchantId, endpoint))
      const isFirst = rules.free === concurrencyOf(this.options.deliveryOrder())
      if (this.#attempts.size >= (isFirst ? mostWithFirst : mostAtOnce)) {
        if (rules.free > 0) this.#waiting.set(key, [merchantId, endpoint])
        return
      }
      const next = findNextDelivery(ledger.outbox, endpointKey(endpoint), rules)
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
    const opened = { ledger, lastNumber: ledger.outbox.lastNumber, at: this.options.clock.now() }
    const attempt: Promise<void> = this.#sender
      .send(line, ledger, deliveries, begin)
      .then((end) => {
        if (end.isTooEarly) this.hold()
        this.#noteConnection(line, end, opened)
      })
      .catch((error: Error) => {
        this.options.report(error)
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

  /** Notes whether the receiver took a connection, for the deliveries that follow. */
  #noteConnection(
    { endpoint, key, merchantId }: Line,
    { posted, follower }: SendEnd,
    opened: Pick<FailedConnection, 'ledger' | 'lastNumber' | 'at'>,
  ): void {
    if (posted === undefined) return
    const restKey = endpointKey(endpoint)
    if (posted.unreachable && follower?.isPatient) {
      const isFirst = this.#resting.rest(restKey, () => this.runAt(endpoint))
      if (isFirst) follower.presence?.(posted.attempt.error)
      return
    }
    if (this.#resting.end(restKey)) follower?.presence?.(null)
    if (!posted.unreachable) return
    const result = { ...posted, attempt: withoutRequest(posted.attempt) }
    const failed = { ...opened, result, sharing: 0, isShared: false }
    this.#unreachable.add(key, failed, () => this.#serve(merchantId, endpoint))
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
    const { clock, faults } = this.options
    const deliveryOrder = this.options.deliveryOrder()
    const free = concurrencyOf(deliveryOrder) - underWay.size
    return { faults: faults(ledger), deliveryOrder, free, now: clock.now(), underWay }
  }
}

/** Pause before a retry when an attempt could not be recorded. Milliseconds. */
const pauseAfterFailure = 1_000
