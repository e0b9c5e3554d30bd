import { setMaxListeners } from 'node:events'
import type { Retries } from '../contract/sandbox/retries.ts'
import { type DeliveryOrder, placesOf } from '../contract/sandbox/webhooks.ts'
import type { RecordAttempt } from '../domain/model/commands.ts'
import type { Ledger } from '../domain/model/ledger.ts'
import type { Delivery } from '../domain/model/outbox.ts'
import { addressesOf } from '../domain/notifications.ts'
import type { JournalEntry, State } from '../domain/state.ts'
import type { ReadableClock } from '../engine/clock.ts'
import type { EngineAccess } from '../engine/engine.ts'
import { Schedule } from '../engine/schedule.ts'
import type { BackgroundWork, Replacement } from '../engine/subscriptions.ts'
import { type Signing, webhookHeaders } from '../signature/signature.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { DeliveryFaults } from './delivery-faults.ts'
import { faultsFor, type InjectedFaults, namesOf, signedWithFaults } from './faults.ts'
import type { HeldDeliveries } from './held-deliveries.ts'
import { isListened } from './listener-record.ts'
import { notificationBody, notificationId } from './notifications/notification.ts'
import { type Posted, type PostLimits, post } from './post.ts'
import { onTime, type Turn, type TurnRules, turnOf } from './turn.ts'

/** What came of an attempt; `round`: of the delivery, in which the attempt began. */
type AttemptResult = Omit<RecordAttempt, 'type' | 'number'>

export interface CourierOptions {
  readonly engine: EngineAccess
  readonly clock: ReadableClock
  readonly log: AttemptLog
  readonly retries: Retries
  /** How deliveries go to one address now. */
  readonly order: () => DeliveryOrder
  /** Whether deliveries are held back now. assumption: webhook-hold */
  readonly isHolding: () => boolean
  readonly limits: PostLimits
  /** The faults that a delivery meets now, in its order, its delay or an attempt. */
  readonly faults: DeliveryFaults
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly report: (error: Error) => void
}

/** The delivery that an address gets now, and whose it is. */
interface Attempted extends Pick<Turn, 'delivery' | 'timing'> {
  readonly ledger: Ledger
  /** It goes out although deliveries are held back. */
  readonly isReleased: boolean
}

/** Attempts under way at the same time, over all addresses. */
const mostAtOnce = 64

/** Where nothing is under way. */
const nothing: ReadonlySet<number> = new Set()

/**
 * Takes what is due from the outboxes, signs it, posts it, and records the attempt. To one address one at a time, in
 * order while attempts succeed, or with the concurrent order so many at once; addresses do not wait for each other.
 * assumption: webhook-delivery
 */
export class Courier implements BackgroundWork, HeldDeliveries {
  readonly #options: CourierOptions
  readonly #schedule: Schedule
  /** Attempts under way. */
  readonly #attempts = new Set<Promise<void>>()
  /** Numbers of their deliveries, by merchant and address. */
  readonly #underWay = new Map<string, Set<number>>()
  /** Addresses for which there was no place, first come first served. */
  readonly #waiting = new Map<string, readonly [merchantId: string, url: string]>()
  readonly #cutting = new AbortController()
  #stopped = false
  /** Counts up when another state is put in place. */
  #generation = 0
  #held: NodeJS.Timeout | undefined

  constructor(options: CourierOptions) {
    this.#options = options
    setMaxListeners(0, this.#cutting.signal) // as many as there are attempts at once
    this.#schedule = new Schedule(options.clock, () => this.runDue())
  }

  /** Serves the addresses whose time has come. */
  runDue(): void {
    for (let due = this.#schedule.next(); due !== undefined; due = this.#schedule.next())
      this.#serve(due.stream, due.id.slice(keyOf(due.stream, '').length))
  }

  /** Looks at every address: after a start, a failure, or a change of the clock or of the faults. */
  runAll(): void {
    this.runDue()
    for (const { settings, outbox } of this.#options.engine.state.ledgers.values())
      for (const url of outbox.queues.keys()) this.#serve(settings.merchantId, url)
  }

  /** Serves the addresses for which the events may have entered something: that costs nothing for all others. */
  durable(ledger: Ledger, { events }: Pick<JournalEntry, 'events'>): void {
    const { settings, outbox } = ledger
    if (outbox.queues.size === 0) return
    for (const url of new Set(events.flatMap((event) => addressesOf(ledger, event))))
      if (url !== null && outbox.queues.has(url)) this.#serve(settings.merchantId, url)
  }

  /** True when a delivery waits. */
  get hasWork(): boolean {
    for (const { outbox } of this.#options.engine.state.ledgers.values())
      if (outbox.queues.size > 0) return true
    return false
  }

  /** Sandbox time of the earliest attempt that waits for its time. */
  earliest(): number | undefined {
    return this.#schedule.earliest()
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts)
  }

  /** A write failed: begins nothing new for a while. */
  hold(): void {
    if (this.#stopped) return
    clearTimeout(this.#held)
    this.#held = setTimeout(() => {
      this.#held = undefined
      this.runAll()
    }, pauseAfterFailure)
  }

  /** The whole state is another one. Attempts under way for the one before tell nothing of it. assumption: restore-deliveries */
  replaced(_: State, cause: Replacement): void {
    if (cause === 'other') this.#generation += 1
    this.rearm()
  }

  /** The clock was changed, or the faults. */
  rearm(): void {
    this.runAll()
    this.#schedule.rearm()
  }

  /** Begins nothing new, and cuts off what is under way: it waits as before, and goes out at the next start. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#cutting.abort()
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
    if (this.#stopped || !this.isHeld(ledger, delivery)) return
    await this.#begin({ ledger, delivery, timing: onTime, isReleased: true }, merchantId, delivery.url)
  }

  #isUnderWay(merchantId: string, { url, number }: Delivery): boolean {
    return this.#underWay.get(keyOf(merchantId, url))?.has(number) === true
  }

  #serve(merchantId: string, url: string): void {
    if (this.#stopped || this.#held !== undefined || this.#options.isHolding()) return
    const key = keyOf(merchantId, url)
    for (;;) {
      const underWay = this.#underWay.get(key)
      if (this.#attempts.size >= mostAtOnce) {
        if (underWay === undefined || underWay.size < placesOf(this.#options.order()))
          this.#waiting.set(key, [merchantId, url])
        return
      }
      const next = this.#next(merchantId, url, underWay ?? nothing)
      if (next === undefined) return
      this.#begin(next, merchantId, url)
    }
  }

  #begin(next: Attempted, merchantId: string, url: string): Promise<void> {
    const { number } = next.delivery
    const key = keyOf(merchantId, url)
    const underWay = this.#underWay.get(key) ?? new Set()
    this.#underWay.set(key, underWay.add(number))
    const attempt: Promise<void> = this.#deliver(next)
      .catch((error: Error) => {
        this.#options.report(error)
        this.hold()
      })
      .then(() => {
        this.#attempts.delete(attempt)
        underWay.delete(number)
        if (underWay.size === 0) this.#underWay.delete(key)
        this.#serveWaiting()
        this.#serve(merchantId, url)
      })
    this.#attempts.add(attempt)
    return attempt
  }

  /** Those for which there was no place, as long as there is one. */
  #serveWaiting(): void {
    for (const [key, [merchantId, url]] of this.#waiting) {
      if (this.#attempts.size >= mostAtOnce) return
      this.#waiting.delete(key)
      this.#serve(merchantId, url)
    }
  }

  /** The delivery that an address gets now; one whose time has not come is scheduled. */
  #next(merchantId: string, url: string, underWay: ReadonlySet<number>): Attempted | undefined {
    const { engine, clock, faults, order } = this.#options
    const ledger = engine.state.ledgers.get(merchantId)
    if (ledger === undefined) return undefined
    const now = clock.now()
    const faultsOf = (...of: Parameters<TurnRules['faultsOf']>) => faults(ledger, ...of)
    const turn = turnOf(ledger.outbox, url, { faultsOf, order: order(), now, underWay })
    if (turn === undefined) return undefined
    if (turn.at <= now) return { ledger, ...turn, isReleased: false }
    this.#schedule.add({ at: turn.at, stream: merchantId, id: keyOf(merchantId, url) })
    return undefined
  }

  async #deliver({ ledger, delivery, timing, isReleased }: Attempted): Promise<void> {
    const { engine, clock, retries, faults, isHolding } = this.#options
    const generation = this.#generation
    const isForgotten = () => this.#generation !== generation
    if (!(await engine.written())) return this.hold() // it may not have happened
    await engine.ready()
    if (isForgotten() || (isHolding() && !isReleased)) return
    const { number, round, attempts } = delivery // as they are now: meanwhile it may be sent again
    const injected = faultsFor(faults(ledger, delivery, 'attempt'), number, attempts)
    const fault = namesOf(injected, timing) || null
    if (injected.drop) {
      const dropped = { last: 'dropped by an injected fault', fault, delivered: false, nextAt: null }
      return this.#record(ledger, number, { round, ...dropped }, isForgotten)
    }
    const post = () => this.#post(ledger, delivery, injected, fault, isForgotten)
    const attempt = await post()
    if (injected.duplicate && !isForgotten()) await post()
    if (this.#stopped && attempt.status === null) return
    const delivered = attempt.status === 200
    const delay = delivered || attempt.refused ? undefined : retries[attempts]
    const nextAt = delay === undefined ? null : clock.now() + delay
    const result = { round, last: lastOf(attempt), fault, delivered, nextAt }
    await this.#record(ledger, number, result, isForgotten)
  }

  /** Records an attempt; resolves when the state shows it. The ledger is looked up anew, as it may be read back. */
  async #record(
    { settings }: Ledger,
    number: number,
    result: AttemptResult,
    isForgotten: () => boolean,
  ): Promise<void> {
    const { engine, report } = this.#options
    await engine.ready()
    if (isForgotten()) return
    const ledger = engine.state.ledgers.get(settings.merchantId)
    const command = { type: 'record-attempt', number, ...result } as const
    if (ledger !== undefined) engine.run(ledger, command, undefined, () => ({})).catch(report)
  }

  async #post(
    ledger: Ledger,
    delivery: Delivery,
    injected: InjectedFaults,
    fault: string | null,
    isForgotten: () => boolean,
  ): Promise<Posted> {
    const { clock, log, limits, signingOf } = this.#options
    const { merchantId } = ledger.settings
    const id = notificationId(merchantId, delivery)
    const signed = { id, at: clock.wall(), body: notificationBody(ledger, delivery) }
    const headers = webhookHeaders(...signedWithFaults(injected, signingOf(ledger), signed))
    const signal = this.#cutting.signal
    const sandboxAt = clock.now()
    const posted = await post(delivery.url, headers, signed.body, { ...limits, signal })
    const { refused: _, ...attempt } = posted
    if (!isForgotten()) log.add({ ...attempt, merchantId, number: delivery.number, fault, sandboxAt })
    return posted
  }
}

/** Names an address of a merchant. */
const keyOf = (merchantId: string, url: string): string => `${merchantId} ${url}`

/** What cannot be recorded is not tried again at once. Milliseconds. */
const pauseAfterFailure = 1_000

const lastOf = ({ status, error }: Posted): number | string => status ?? error ?? 'no answer'
