import { setTimeout as sleep } from 'node:timers/promises'
import type { Retries } from '../../../contract/sandbox/retries.ts'
import type { DeliveryOrder, StreamedNotification } from '../../../contract/sandbox/webhooks.ts'
import {
  concurrencyOf,
  droppedByFault,
  mostWaiting,
  type TakenWebhook,
} from '../../../contract/sandbox/webhooks.ts'
import type { ListenerState, UndeliveredNotification } from '../../../files/positions.ts'
import type { ForwardAnswer } from '../forward-webhook.ts'
import type { ListenerLink } from './listener-link.ts'

/** An attempt that was made, and what follows. */
export interface ForwardAttempt {
  readonly notification: StreamedNotification
  /** Counts from 1. */
  readonly attempt: number
  readonly answer: ForwardAnswer
  readonly fault: string | null
  /** Wall clock of the next attempt; null when there is none. */
  readonly nextAt: number | null
}

/** What a delivery line needs. */
export interface LineOptions {
  readonly url: URL
  readonly link: Pick<ListenerLink, 'take' | 'report'>
  readonly retries: Retries
  /** At first; afterwards as the sandbox says with each notification. */
  readonly order: DeliveryOrder
  readonly signal: AbortSignal
  readonly post: (notification: StreamedNotification) => Promise<ForwardAnswer>
  /** Headers that are added to each notification, as they are reported. */
  readonly added: Readonly<Record<string, string>>
  /** Resolves when the receiver takes connections, or when the signal aborts. */
  readonly untilPresent: () => Promise<void>
  /** Something is to be delivered, or is not any more. */
  readonly changed: () => void
  /** Shows an attempt. */
  readonly tell: (forwarded: ForwardAttempt) => Promise<void>
  /** Called with the reason when the receiver does not answer, and with null when it is back. */
  readonly presence: (gone: string | null) => void
}

/** Notifications that may wait: beyond these the line reads no further. */
const mostUnsettled = 1_000

/** Maximum pause between checks of a notification that a fault delays. Milliseconds. */
const longestHold = 500

/**
 * Notifications for one endpoint. First attempts are in order, one at a time or, with the concurrent order, several.
 * Retries follow the wall clock, between later notifications or, with the strict order, before them. While the receiver
 * does not answer, the line waits, because later notifications would fail too. assumption: listener-delivery
 */
export class DeliveryLine {
  readonly #options: LineOptions
  /** Notifications without an attempt, in order. */
  readonly #fresh: UndeliveredNotification[] = []
  /** Notifications that wait for their retry, by id. */
  readonly #retries = new Map<string, UndeliveredNotification>()
  /** Attempts under way, by id. */
  readonly #underWay = new Map<string, { readonly number: number; readonly over: Promise<void> }>()
  #order: DeliveryOrder
  #isGone = false
  #failure: { readonly error: unknown } | undefined
  #number: number
  /** Numbers of notifications that overtook the first in line. */
  #overtaken: readonly number[] = []
  /** Until then no first attempt is made: a fault delays it. Wall clock. */
  #heldUntil = 0
  #wake = () => {}
  #room = () => {}

  constructor(options: LineOptions, left: Pick<ListenerState, 'number' | 'unsettled'>) {
    this.#options = options
    this.#order = options.order
    this.#number = left.number
    for (const each of left.unsettled) {
      if (each.dueAt === 0) this.#fresh.push(each)
      else this.#retries.set(each.id, each)
    }
  }

  /** Notifications that are still to be delivered. */
  get left(): Pick<ListenerState, 'number' | 'unsettled'> {
    return { number: this.#number, unsettled: [...this.#fresh, ...this.#retries.values()] }
  }

  /** True when every notification was attempted, or settled. */
  get isCaughtUp(): boolean {
    return this.#fresh.length === 0
  }

  /** Enters a notification at the end of the line. */
  enter(id: string): void {
    this.#number += 1
    this.#fresh.push({ id, number: this.#number, attempts: 0, failures: 0, dueAt: 0 })
    this.#wake()
  }

  /** Resolves when there is room for another one, or when the signal aborts. */
  async room(): Promise<void> {
    while (this.#isFull && !this.#options.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#room = resolve
      })
  }

  /** Resends a notification immediately, whatever its state; after an attempt under way. */
  resend(id: string): void {
    if (this.#fresh.some((each) => each.id === id && this.#isFree(each))) return
    const number = this.#retries.get(id)?.number ?? Math.max(this.#number, 1) // it may be of an earlier start
    this.#retries.set(id, { id, number, attempts: 0, failures: 0, dueAt: Date.now() })
    this.#options.changed()
    this.#wake()
  }

  /** Delivers until the signal aborts. Errors: ServiceRefusal; those of `tell`. */
  async run(): Promise<void> {
    const { signal } = this.#options
    const woken = () => {
      this.#wake()
      this.#room()
    }
    signal.addEventListener('abort', woken)
    try {
      while (!signal.aborted && this.#failure === undefined) {
        const next = this.#next(Date.now())
        if (typeof next === 'number') await this.#rest(next)
        else await this.#attempt(next)
      }
    } finally {
      await Promise.all([...this.#underWay.values()].map(({ over }) => over))
      signal.removeEventListener('abort', woken)
      this.#room()
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  get #isFull(): boolean {
    return this.#fresh.length >= mostWaiting || this.#retries.size >= mostUnsettled
  }

  /** The next attempt: a due retry, otherwise the first in line; or the time until one is due. */
  #next(now: number): UndeliveredNotification | number {
    if (this.#isGone || this.#underWay.size >= concurrencyOf(this.#order)) return Number.POSITIVE_INFINITY
    const [retry] = [...this.#retries.values()]
      .filter(this.#isFree)
      .sort((one, other) => one.dueAt - other.dueAt || one.number - other.number)
    if (retry !== undefined && retry.dueAt <= now) return retry
    const untilRetry = retry === undefined ? Number.POSITIVE_INFINITY : retry.dueAt - now
    const first = this.#fresh.find(this.#isFree)
    const mayPass = retry === undefined || this.#order.order !== 'strict'
    if (first === undefined || !mayPass) return untilRetry
    return this.#heldUntil <= now ? first : Math.min(untilRetry, this.#heldUntil - now)
  }

  readonly #isFree = ({ id }: UndeliveredNotification): boolean => !this.#underWay.has(id)

  async #rest(milliseconds: number): Promise<void> {
    const rested = new AbortController()
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    if (this.#options.signal.aborted) return
    const time = Math.min(milliseconds, longestTimeout)
    await Promise.race([woken, sleep(time, undefined, { signal: rested.signal }).catch(() => undefined)])
    rested.abort()
  }

  /** Takes the next notification, and sends it while the line runs. */
  async #attempt(first: UndeliveredNotification): Promise<void> {
    const { link, url } = this.#options
    const isFresh = first.dueAt === 0
    const candidates = isFresh ? this.#fresh.filter(this.#isFree).slice(0, mostWaiting) : [first]
    const waiting = candidates.map(({ id, number }) => ({ id, number }))
    const wanted = { url: url.href, waiting, attempts: isFresh ? 0 : Math.max(first.attempts, 1) }
    const taken = await link.take({ ...wanted, passed: isFresh ? this.#countOvertaking(first) : 0 })
    if (taken === undefined) return
    this.#order = { order: taken.order ?? this.#order.order, concurrency: taken.concurrency ?? 1 }
    if (taken.waitMs > 0) {
      const until = Date.now() + Math.min(taken.waitMs, longestHold)
      if (isFresh) this.#heldUntil = until
      else this.#retries.set(first.id, { ...first, dueAt: until }) // all are held back: it asks again then
      return
    }
    const chosen = candidates.find(({ id }) => id === taken.id) ?? first
    if (taken.notification === null) return this.#settle(chosen, null)
    const { id, number } = chosen
    const over = this.#send(chosen, taken, taken.notification)
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .then(() => {
        this.#underWay.delete(id)
        this.#wake()
      })
    this.#underWay.set(id, { number, over })
  }

  /** How many that came later overtook it, those under way included. */
  #countOvertaking({ number }: UndeliveredNotification): number {
    const underWay = [...this.#underWay.values()].map((each) => each.number)
    return new Set([...this.#overtaken, ...underWay].filter((each) => each > number)).size
  }

  async #send(
    chosen: UndeliveredNotification,
    taken: TakenWebhook,
    notification: StreamedNotification,
  ): Promise<void> {
    const { post, signal, tell, retries, presence, untilPresent } = this.#options
    const once = taken.drop ? dropped : await post(notification)
    const answer = taken.duplicate && !taken.drop && !once.absent ? await post(notification) : once
    if (signal.aborted && answer.status === null) return
    const attempt = chosen.attempts + 1
    const forwarded = { notification, attempt, answer, fault: taken.fault }
    if (answer.absent && retries.length > 0) {
      this.#report({ ...forwarded, nextAt: Date.now() })
      this.#keep({ ...chosen, attempts: attempt }, chosen)
      if (this.#isGone) return
      this.#isGone = true
      presence(answer.error)
      await untilPresent()
      this.#isGone = false
      if (!signal.aborted) presence(null)
      return
    }
    const isOver = answer.status === 200 || taken.drop
    const delay = isOver ? undefined : retries[chosen.failures]
    const nextAt = delay === undefined ? null : Date.now() + delay
    if (answer !== once) this.#report({ ...forwarded, answer: once, nextAt })
    this.#report({ ...forwarded, nextAt })
    const next = { ...chosen, attempts: attempt, failures: chosen.failures + 1, dueAt: nextAt ?? 0 }
    await tell({ ...forwarded, nextAt })
    this.#settle(chosen, nextAt === null ? null : next)
  }

  /** Repeats the attempt without losing its position in line, because the receiver did not answer. */
  #keep(next: UndeliveredNotification, before: UndeliveredNotification): void {
    const index = this.#fresh.indexOf(before)
    if (index === -1) this.#retries.set(next.id, next)
    else this.#fresh[index] = next
    this.#options.changed()
  }

  /** It is over, or waits for its next attempt. */
  #settle(before: UndeliveredNotification, next: UndeliveredNotification | null): void {
    const index = this.#fresh.indexOf(before)
    if (index !== -1) this.#fresh.splice(index, 1)
    const first = this.#fresh[0]?.number ?? Number.POSITIVE_INFINITY
    this.#overtaken = [...this.#overtaken, before.number].filter((number) => number > first)
    if (this.#retries.get(before.id) === before) this.#retries.delete(before.id)
    if (next !== null) this.#retries.set(next.id, next)
    if (!this.#isFull) this.#room()
    this.#options.changed()
  }

  #report({ notification, attempt, answer, fault, nextAt }: ForwardAttempt): void {
    const { link, url, added } = this.#options
    const { status, error, durationMs, responseHeaders, responseBody } = answer
    link.report({
      url: url.href,
      id: notification.id,
      attempt,
      at: new Date(Date.now() - durationMs).toISOString(),
      requestHeaders: { ...notification.headers, ...added },
      requestBody: notification.body,
      responseHeaders,
      responseBody,
      durationMs,
      ...(status !== null && { status }),
      ...(error !== null && { error }),
      ...(fault !== null && { fault }),
      ...(nextAt !== null && { nextAt: new Date(nextAt).toISOString() }),
    })
  }
}

/** Longest pause that a timer takes. Milliseconds. */
const longestTimeout = 2 ** 31 - 1

const dropped: ForwardAnswer = {
  status: null,
  durationMs: 0,
  error: droppedByFault,
  responseHeaders: {},
  responseBody: '',
  absent: false,
}
