import { concurrencyOf, type DeliveryOrder } from '../../contract/control/webhook-delivery.ts'
import type { Endpoint } from '../../domain/model/endpoint.ts'
import { endpointKey } from '../../domain/model/endpoint.ts'
import { isOfSameTransaction } from '../../domain/model/events.ts'
import type { Ledger } from '../../domain/model/ledger.ts'
import type { Delivery } from '../../domain/model/outbox.ts'
import { affectedEndpoints } from '../../domain/notifications.ts'
import type { JournalEntry, State } from '../../domain/state.ts'
import { clearTimeout, setTimeout } from '../../shared/timers.ts'
import type { BackgroundWork, Replacement } from '../engine/changes.ts'
import { type DueEndpoint, Schedule } from '../engine/schedule.ts'
import { onTime } from './delivery-faults.ts'
import { findNextDelivery, type NextDelivery, type NextDeliveryRules } from './next-delivery.ts'
import { RestingEndpoints } from './resting-endpoints.ts'
import { type SendEnd, Sender, type SenderOptions } from './sender.ts'

export interface CourierOptions extends SenderOptions {
  /** The current order of deliveries to one endpoint. */
  readonly deliveryOrder: () => DeliveryOrder
}

/** Most concurrent attempts to all endpoints. */
const mostAtOnce = 64

/** Most of them when the next is the only one to its endpoint: hanging endpoints must not stop others. */
const mostWithFirst = 256

/**
 * Takes due deliveries from the outboxes, signs and posts them, and records the attempts. Deliveries to one
 * URL go one after another, in order while attempts succeed; with the concurrent order, several at the same
 * time. URLs do not wait for each other. assumption: webhook-delivery
 */
export class Courier implements BackgroundWork {
  readonly #schedule: Schedule<DueEndpoint>
  /** Attempts under way. */
  readonly #attempts = new Set<Promise<void>>()
  readonly #sender: Sender
  /** Numbers of the deliveries whose attempts are under way, by merchant and endpoint. */
  readonly #underWay = new Map<string, Set<number>>()
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

  /** True while an attempt is under way. */
  get isBusy(): boolean {
    return this.#attempts.size > 0
  }

  /** Sandbox time of the earliest scheduled attempt. */
  earliest(): number | undefined {
    return this.#schedule.earliest()
  }

  ahead(most: number): DueEndpoint[] {
    return this.#schedule.ahead(most)
  }

  /** Resolves when no attempt is under way. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#attempts)
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

  /**
   * True for a pending delivery that waits for its release; false while an attempt is under way. assumption:
   * webhook-order
   */
  isHeld(ledger: Ledger, delivery: Delivery): boolean {
    return this.options.isHolding() && delivery.nextAt !== null && !this.isUnderWay(ledger, delivery)
  }

  /** True while an attempt of the sandbox is under way. */
  isUnderWay({ settings }: Ledger, delivery: Delivery): boolean {
    return this.#underWay.get(lineKey(settings.merchantId, delivery))?.has(delivery.number) === true
  }

  /** Makes one attempt at a held delivery; resolves when it is recorded. Nothing if it is not held. */
  async release(merchantId: string, number: number): Promise<void> {
    const ledger = this.options.engine.state.ledgers.get(merchantId)
    const delivery = ledger?.outbox.deliveries.get(number)
    if (ledger === undefined || delivery === undefined) return
    while (this.isUnderWay(ledger, delivery)) await Promise.race(this.#attempts)
    if (this.#sender.isStopped || !this.isHeld(ledger, delivery)) return
    if (!this.options.followers.isReachable(delivery)) return
    const { url, listener } = delivery
    const next = { delivery, at: this.options.clock.now(), timing: onTime }
    await this.#begin(ledger, { url, listener }, next, true)
  }

  /** Starts the due attempts at an endpoint, and schedules later ones. */
  #serve(merchantId: string, endpoint: Endpoint): void {
    const { engine, isHolding, followers } = this.options
    if (this.#sender.isStopped || this.#held !== undefined || isHolding()) return
    const ledger = engine.state.ledgers.get(merchantId)
    if (ledger === undefined || !followers.isReachable(endpoint)) return
    const key = lineKey(merchantId, endpoint)
    while (!this.isResting(endpoint)) {
      const rules = this.#rules(ledger, this.#underWay.get(key) ?? none)
      const isFirst = rules.free === concurrencyOf(this.options.deliveryOrder())
      if (this.#attempts.size >= (isFirst ? mostWithFirst : mostAtOnce)) {
        if (rules.free > 0) this.#waiting.set(key, [merchantId, endpoint])
        return
      }
      const next = findNextDelivery(ledger.outbox, endpointKey(endpoint), rules)
      if (next === undefined) return
      if (next.at > rules.now) return this.#schedule.add({ at: next.at, key, merchantId, endpoint })
      this.#begin(ledger, endpoint, next)
    }
  }

  /** `isReleased`: true to send it although deliveries are held. */
  #begin(ledger: Ledger, endpoint: Endpoint, next: NextDelivery, isReleased = false): Promise<void> {
    const { merchantId } = ledger.settings
    const key = lineKey(merchantId, endpoint)
    const underWay = this.#underWay.get(key) ?? new Set()
    this.#underWay.set(key, underWay.add(next.delivery.number))
    const attempt: Promise<void> = this.#sender
      .send(endpoint, ledger, next, isReleased)
      .then((end) => {
        if (end.isTooEarly) this.hold()
        this.#noteConnection(endpoint, end)
      })
      .catch((error: Error) => {
        this.options.report(error)
        this.hold()
      })
      .then(() => {
        this.#attempts.delete(attempt)
        underWay.delete(next.delivery.number)
        this.#serveWaiting()
        this.#serve(merchantId, endpoint)
        if (underWay.size === 0) this.#underWay.delete(key)
      })
    this.#attempts.add(attempt)
    return attempt
  }

  /** Notes whether a follower took a connection, for the deliveries that follow. */
  #noteConnection(endpoint: Endpoint, { posted, follower }: SendEnd): void {
    if (posted === undefined) return
    const restKey = endpointKey(endpoint)
    if (posted.unreachable && follower?.isPatient) {
      const isFirst = this.#resting.rest(restKey, () => this.runAt(endpoint))
      if (isFirst) follower.presence?.(posted.attempt.error)
    } else if (this.#resting.end(restKey)) follower?.presence?.(null)
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

const none: ReadonlySet<number> = new Set()

/** Names an endpoint of a merchant. */
const lineKey = (merchantId: string, endpoint: Endpoint): string => `${merchantId} ${endpointKey(endpoint)}`

/** Pause before a retry when an attempt could not be recorded. Milliseconds. */
const pauseAfterFailure = 1_000
