import type { Ledger } from '../../domain/ledger.ts'
import { type Delivery, firstOf } from '../../domain/outbox.ts'
import type { SandboxClock } from '../clock.ts'
import { Schedule } from '../schedule.ts'
import type { AttemptLog } from './attempt-log.ts'
import { notificationBody, notificationId } from './notification.ts'
import { type Attempt, type PostLimits, post } from './post.ts'
import type { Retries } from './retries.ts'
import { type Signing, signatureHeaders } from './signature.ts'

/** What came of an attempt. */
interface Result {
  readonly last: number | string
  readonly delivered: boolean
  readonly nextAt: number | null
}

/** What the courier needs of the engine: the state, and a way to record what it did. */
export interface Records {
  ledgerOf(merchantId: string): Ledger | undefined
  merchants(): Iterable<Ledger>
  /** Records an attempt; resolves when the state shows it. */
  record(ledger: Ledger, number: number, result: Result): Promise<void>
}

export interface CourierOptions {
  readonly records: Records
  readonly clock: SandboxClock
  readonly log: AttemptLog
  readonly retries: Retries
  readonly limits: PostLimits
  /** How the webhooks of a merchant are signed. */
  readonly signingOf: (ledger: Ledger) => Signing
  readonly report: (error: Error) => void
}

/** Attempts under way at the same time, over all addresses. */
const mostAtOnce = 64

/**
 * Takes what is due from the outboxes, signs it, posts it, and records the attempt. To one address in order, one at a
 * time; addresses do not wait for each other. assumption: webhook-delivery
 */
export class Courier {
  readonly #options: CourierOptions
  readonly #schedule: Schedule
  /** Addresses that are being served, by merchant. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** Addresses for which there was no place, first come first served. */
  readonly #waiting = new Map<string, readonly [merchantId: string, url: string]>()
  #stopped = false

  constructor(options: CourierOptions) {
    this.#options = options
    this.#schedule = new Schedule(options.clock, () => this.runDue())
  }

  /** Something may be due: after a start, a change of the clock, or a new delivery. */
  runDue(): void {
    for (let due = this.#schedule.next(); due !== undefined; due = this.#schedule.next());
    for (const ledger of this.#options.records.merchants()) this.notice(ledger)
  }

  /** The ledger's outbox may hold something new, and all of it is durable. */
  notice(ledger: Ledger): void {
    for (const url of ledger.outbox.lines.keys()) this.#serve(ledger.settings.merchantId, url)
  }

  /** Sandbox time of the earliest attempt that waits for its time. */
  earliest(): number | undefined {
    return this.#schedule.earliest()
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values())
  }

  /** The clock was changed. */
  rearm(): void {
    this.runDue()
    this.#schedule.rearm()
  }

  /** Begins nothing new, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#schedule.stop()
    await this.idle()
    await this.#options.log.written()
  }

  #serve(merchantId: string, url: string): void {
    const key = `${merchantId} ${url}`
    if (this.#stopped || this.#underWay.has(key)) return
    if (this.#underWay.size >= mostAtOnce) {
      this.#waiting.set(key, [merchantId, url])
      return
    }
    const next = this.#next(merchantId, url)
    if (next === undefined) return
    const served = this.#deliver(next.ledger, next.delivery)
      .catch(this.#options.report)
      .then(() => {
        this.#underWay.delete(key)
        this.#serveWaiting()
        this.#serve(merchantId, url)
      })
    this.#underWay.set(key, served)
  }

  #serveWaiting(): void {
    for (const [key, [merchantId, url]] of this.#waiting) {
      this.#waiting.delete(key)
      this.#serve(merchantId, url)
      return
    }
  }

  /** The delivery that an address gets now; one whose time has not come is scheduled. */
  #next(merchantId: string, url: string): { ledger: Ledger; delivery: Delivery } | undefined {
    const ledger = this.#options.records.ledgerOf(merchantId)
    const delivery = ledger && firstOf(ledger.outbox, url)
    if (delivery?.nextAt == null || ledger === undefined) return undefined
    if (delivery.nextAt <= this.#options.clock.now()) return { ledger, delivery }
    this.#schedule.add({ at: delivery.nextAt, stream: merchantId, id: `${merchantId} ${url}` })
    return undefined
  }

  async #deliver(ledger: Ledger, delivery: Delivery): Promise<void> {
    const { records, clock, log, retries, limits, signingOf } = this.#options
    const [id, body, at] = [
      notificationId(ledger, delivery),
      notificationBody(ledger, delivery),
      clock.wall(),
    ]
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Client-Request-Id': id,
      'X-Timestamp': String(at),
      ...signatureHeaders(signingOf(ledger), { id, at, body }),
    }
    const attempt = await post(delivery.url, headers, body, limits)
    log.add({ ...attempt, merchantId: ledger.settings.merchantId, number: delivery.number })
    const delivered = attempt.status === 200
    const delay = retries[delivery.attempts]
    const nextAt = delivered || delay === undefined ? null : clock.now() + delay
    await records.record(ledger, delivery.number, { last: lastOf(attempt), delivered, nextAt })
  }
}

const lastOf = ({ status, error }: Attempt): number | string => status ?? error ?? 'no answer'
