import type { RequestListener } from 'node:http'
import { elapsedTime } from '../../shared/timers.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/** A space in memory. */
export interface OpenSpace {
  readonly sandbox: Sandbox
  readonly handle: RequestListener
  /** Stores everything, and frees its folder. */
  close(): Promise<void>
}

/** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
export const usualIdle = 5 * 60_000

/** A space with an event due within this time stays in memory. Milliseconds. */
const worthWaiting = 60_000

/** A space, open or closed. It is opened when it is used, closed when it is idle; the two never overlap. */
export class Space {
  #open: OpenSpace | null = null
  #opening: Promise<OpenSpace> | null = null
  #closing: Promise<void> = Promise.resolve()
  #isClosing = false
  #users = 0
  #usedAt = elapsedTime()
  #wakesAt: number | null = null

  /** `start` opens the space; its errors are those of `enter`. */
  constructor(private readonly start: () => Promise<OpenSpace>) {}

  /** Wall-clock time of its next due event when it fell asleep, known before it closes; null: none. */
  get wakesAt(): number | null {
    return this.#wakesAt
  }

  /** The space, while it is in memory. */
  get open(): OpenSpace | null {
    return this.#open
  }

  /** The open space, after an opening under way; null when it is closed. */
  async opened(): Promise<OpenSpace | null> {
    await this.#opening?.then(undefined, () => undefined) // it stays closed
    return this.#open
  }

  /** True while something keeps the space in memory. */
  get isUsed(): boolean {
    return this.#users > 0
  }

  /** True when the space is neither open, nor opening, nor closing. */
  get isClosed(): boolean {
    return this.#open === null && this.#opening === null && !this.#isClosing
  }

  /** Keeps the space in memory until the returned function is called. */
  hold(): () => void {
    this.#users += 1
    return () => {
      this.#users -= 1
      this.#usedAt = elapsedTime()
    }
  }

  /** Opens the space if necessary. */
  enter(): OpenSpace | Promise<OpenSpace> {
    if (this.#open !== null) return this.#open
    this.#opening ??= this.#closing
      .then(this.start)
      .then((open) => {
        this.#open = open
        this.#usedAt = elapsedTime()
        return open
      })
      .finally(() => {
        this.#opening = null
      })
    return this.#opening
  }

  /** Closes the space, even while it is used. */
  async close(): Promise<void> {
    const open = await this.opened()
    if (open === null) return this.#closing
    this.#open = null
    const closing = open.close()
    this.#isClosing = true
    this.#closing = closing
      .catch(() => undefined)
      .finally(() => {
        this.#isClosing = false
      })
    return closing
  }

  /** Closes the space after that time without use, unless an event is due soon. */
  async closeIfIdle(idleMs: number): Promise<void> {
    if (this.#open === null || this.#users > 0 || elapsedTime() - this.#usedAt < idleMs) return
    const { sandbox } = this.#open
    const wakesAt = nextEvent(sandbox)
    if (!isAtRest(sandbox) || (wakesAt !== null && wakesAt < sandbox.clock.wall() + worthWaiting)) return
    this.#wakesAt = wakesAt
    await this.close()
  }

  /** Closes the space until its next due event; work under way counts as due. */
  async putToSleep(): Promise<void> {
    const open = await this.opened()
    if (open === null) return this.close()
    const { sandbox } = open
    this.#wakesAt = isAtRest(sandbox) ? nextEvent(sandbox) : sandbox.clock.wall()
    await this.close()
  }

  /** True for a closed space with a due event. `now`: wall clock. */
  isDue(now: number): boolean {
    return this.#open === null && this.#wakesAt !== null && this.#wakesAt <= now
  }
}

/** The parts of a sandbox that keep it busy. */
type Work = Pick<Sandbox, 'streams' | 'running' | 'engine' | 'courier' | 'settings'>

/** True when no stream is open, no request is running, and no webhook is about to be sent. */
function isAtRest({ streams, running, engine, courier, settings }: Work): boolean {
  if (streams.size > 0 || running > 0 || engine.unsettled || courier.isBusy) return false
  return settings.data.webhookHold || !courier.hasWork || courier.earliest() !== undefined
}

/** Wall-clock time of the next due event; null for none, or while the clock is frozen. */
function nextEvent({ engine, clock }: Pick<Sandbox, 'engine' | 'clock'>): number | null {
  const earliest = engine.earliest()
  return earliest === undefined || clock.frozen ? null : clock.wall() + (earliest - clock.now()) / clock.speed
}
