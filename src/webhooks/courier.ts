import { setMaxListeners } from 'node:events'
import { concurrencyOf, type DeliveryOrder } from '../contract/sandbox/webhooks.ts'
import { isOfSameTransaction } from '../domain/model/events.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import { endpointsOf } from '../domain/notifications.ts'
import type { JournalEntry, State } from '../domain/state.ts'
import { type Due, Schedule } from '../engine/schedule.ts'
import type { BackgroundWork, Replacement } from '../engine/subscriptions.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import { type AttemptOptions, attemptDeliveries } from './attempt.ts'
import { withoutRequest } from './attempt-log.ts'
import { KeptConnections } from './exchange/kept-connections.ts'
import { onTime } from './faults/drawn-faults.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { isListened } from './listener-record.ts'
import { type NextDeliveries, type NextDeliveryRules, nextDeliveryOf } from './next-delivery.ts'
import {
  deliveriesTogether,
  type FailedConnection,
  hasWaitedFor,
  UnreachableEndpoints,
} from './unreachable.ts'

export interface CourierOptions extends AttemptOptions {
  /** The current order of deliveries to one endpoint. */
  readonly deliveryOrder: () => DeliveryOrder
}

/** An endpoint whose next delivery is due later. */
interface DueEndpoint extends Due {
  readonly merchantId: string
  readonly url: string
}

/** Most concurrent attempts to all endpoints. */
const mostAtOnce = 64

const nothing: ReadonlySet<number> = new Set()

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
  /** Numbers of the deliveries under way, by merchant and endpoint. */
  readonly #underWay = new Map<string, Set<number>>()
  /** Connections to the endpoints at which attempts are under way. */
  readonly #connections = new Map<string, KeptConnections>()
  readonly #unreachable = new UnreachableEndpoints()
  /** Number up to which the deliveries of a ledger are known to be durable. */
  readonly #durableUpTo = new WeakMap<Ledger, number>()
  /** URLs that wait for a free place, in order. */
  readonly #waiting = new Map<string, readonly [merchantId: string, url: string]>()
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
      this.#serve(due.merchantId, due.url)
  }

  /** Serves every endpoint: after a start, a failure, or a change of the clock or of the faults. */
  runAll(): void {
    this.runDue()
    for (const { settings, outbox } of this.#options.engine.state.ledgers.values())
      for (const url of outbox.queues.keys()) this.#serve(settings.merchantId, url)
  }

  /** Serves only the URLs for which these events may have added a delivery. */
  durable(ledger: Ledger, { events }: Pick<JournalEntry, 'events'>): void {
    const { settings, outbox } = ledger
    if (outbox.queues.size === 0) return
    for (const [index, event] of events.entries()) {
      if (isOfSameTransaction(event, events[index - 1])) continue
      for (const url of endpointsOf(ledger, event))
        if (url !== null && outbox.queues.has(url)) this.#serve(settings.merchantId, url)
    }
  }

  /** True when a delivery waits. */
  get hasWork(): boolean {
    for (const { outbox } of this.#options.engine.state.ledgers.values())
      if (outbox.queues.size > 0) return true
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
    this.#schedule.stop()
    await this.idle()
    await this.#options.log.written()
  }

  isHeld({ settings }: Ledger, delivery: Delivery): boolean {
    if (!this.#options.isHolding() || delivery.nextAt === null) return false
    return isListened(delivery) || !this.#isUnderWay(settings.merchantId, delivery)
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
    const next = { delivery, at: this.#options.clock.now(), timing: onTime }
    await this.#begin(ledger, delivery.url, [next], { isReleased: true })
  }

  #isUnderWay(merchantId: string, { url, number }: Delivery): boolean {
    return this.#underWay.get(keyOf(merchantId, url))?.has(number) === true
  }

  /** Starts the due attempts at a URL, and schedules later ones. */
  #serve(merchantId: string, url: string): void {
    if (this.#stop.signal.aborted || this.#held !== undefined || this.#options.isHolding()) return
    const ledger = this.#options.engine.state.ledgers.get(merchantId)
    if (ledger === undefined) return
    const key = keyOf(merchantId, url)
    for (;;) {
      const failed = this.#unreachable.get(key)
      if (failed?.isShared) return // wait for the end of the pause
      const rules = this.#rules(ledger, this.#underWay.get(key) ?? nothing)
      if (this.#attempts.size >= mostAtOnce) {
        if (rules.free > 0) this.#waiting.set(key, [merchantId, url])
        return
      }
      const next = nextDeliveryOf(ledger.outbox, url, rules)
      if (next === undefined) return
      if (next.at > rules.now) return this.#schedule.add({ at: next.at, key, merchantId, url })
      if (failed === undefined) this.#begin(ledger, url, [next])
      else if (!hasWaitedFor(failed, ledger, next)) failed.isShared = true
      else this.#begin(ledger, url, deliveriesTogether(next, failed, ledger, rules), { failed })
    }
  }

  /** `failed`: the connection that the deliveries waited for. */
  #begin(
    ledger: Ledger,
    url: string,
    deliveries: NextDeliveries,
    { failed, isReleased = false }: { failed?: FailedConnection; isReleased?: boolean } = {},
  ): Promise<void> {
    const { merchantId } = ledger.settings
    const opened = { ledger, lastNumber: ledger.outbox.lastNumber, at: this.#options.clock.now() }
    const key = keyOf(merchantId, url)
    const underWay = this.#underWay.get(key) ?? new Set()
    for (const { delivery } of deliveries) underWay.add(delivery.number)
    this.#underWay.set(key, underWay)
    if (failed !== undefined) failed.sharing += 1
    const generation = this.#generation
    const attempt: Promise<void> = attemptDeliveries(this.#options, deliveries, {
      ledger,
      isReleased,
      connections: this.#connectionsOf(key),
      isFollowed: () => this.#hasDue(ledger, url, underWay),
      isDurable: () => this.#areDurable(ledger, deliveries),
      isForgotten: () => this.#generation !== generation,
      signal: this.#stop.signal,
      unreachable: failed?.result,
    })
      .then((end) => {
        if (!end.isDurable) this.hold()
        if (end.unreachable === undefined || failed !== undefined) return
        const result = { ...end.unreachable, attempt: withoutRequest(end.unreachable.attempt) }
        const latest = { ...opened, result, sharing: 0, isShared: false }
        this.#unreachable.add(key, latest, () => this.#serve(merchantId, url))
      })
      .catch((error: Error) => {
        this.#options.report(error)
        this.hold()
      })
      .then(() => {
        this.#attempts.delete(attempt)
        for (const { delivery } of deliveries) underWay.delete(delivery.number)
        if (failed !== undefined) failed.sharing -= 1
        if (underWay.size === 0) this.#underWay.delete(key)
        this.#serveWaiting()
        this.#serve(merchantId, url)
        if (!this.#underWay.has(key)) this.#closeConnections(key)
      })
    this.#attempts.add(attempt)
    return attempt
  }

  #connectionsOf(key: string): KeptConnections {
    const connections = this.#connections.get(key) ?? new KeptConnections()
    this.#connections.set(key, connections)
    return connections
  }

  /** Closes the connection of an endpoint: it stays open only between attempts in direct succession. */
  #closeConnections(key: string): void {
    this.#connections.get(key)?.close()
    this.#connections.delete(key)
  }

  /** True when a delivery is due, is not under way, and waits only for its turn at the URL. */
  #hasDue({ outbox }: Ledger, url: string, underWay: ReadonlySet<number>): boolean {
    const queue = outbox.queues.get(url)
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

  /** Serves waiting URLs while places are free. */
  #serveWaiting(): void {
    for (const [key, [merchantId, url]] of this.#waiting) {
      if (this.#attempts.size >= mostAtOnce) return
      this.#waiting.delete(key)
      this.#serve(merchantId, url)
    }
  }

  #rules(ledger: Ledger, underWay: ReadonlySet<number>): NextDeliveryRules {
    const { clock, faults } = this.#options
    const deliveryOrder = this.#options.deliveryOrder()
    const free = concurrencyOf(deliveryOrder) - underWay.size
    return { faultsOf: (...of) => faults(ledger, ...of), deliveryOrder, free, now: clock.now(), underWay }
  }
}

/** Names an endpoint of a merchant. */
const keyOf = (merchantId: string, url: string): string => `${merchantId} ${url}`

/** Pause before a retry when an attempt could not be recorded. Milliseconds. */
const pauseAfterFailure = 1_000
