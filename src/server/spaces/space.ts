import type { RequestListener } from 'node:http'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { elapsedTime, sleep } from '../../timers.ts'

/** A space in memory. */
export interface OpenSpace {
  readonly sandbox: Sandbox
  readonly handle: RequestListener
  /** Stores everything, and gives its folder free. */
  close(): Promise<void>
}

/** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
export const usualIdle = 5 * 60_000

/** How long a stop waits for running requests. Milliseconds. */
export const drainTime = 5_000

interface FinishOptions {
  /** True while other nodes are asked for something. */
  readonly isForwarding?: () => boolean
  /** By `elapsedTime`. */
  readonly until?: number
}

/** Lets running requests of the sandboxes and forwarding finish, and ends their event streams. */
export async function finishRequests(
  sandboxes: readonly Sandbox[],
  { isForwarding = () => false, until = elapsedTime() + drainTime }: FinishOptions = {},
): Promise<void> {
  for (const sandbox of sandboxes) sandbox.stopping = true
  const isBusy = () => sandboxes.some(({ running }) => running > 0) || isForwarding()
  while (isBusy() && elapsedTime() < until) await sleep(10)
  for (const { streams } of sandboxes) for (const stream of streams) stream.abort()
}

/** What falls due sooner than this is waited for in memory. Milliseconds. */
const worthWaiting = 60_000

/** A space, in memory or not. It is opened when it is used and closed when it is idle, never both at the same time. */
export class Space {
  readonly #start: () => Promise<OpenSpace>
  readonly #fallAsleep: (wakesAt: number | null) => void
  #open: OpenSpace | null = null
  #opening: Promise<OpenSpace> | null = null
  #closing: Promise<void> = Promise.resolve()
  #isClosing = false
  #users = 0
  #usedAt = elapsedTime()
  /** Wall-clock time of the next due event in a closed space; null: there is none. */
  #wakesAt: number | null = null

  /**
   * `start` opens it; its errors are those of `enter`. `fallAsleep` is called before it is closed, with the wall-clock
   * time of its next due event, null for none.
   */
  constructor(
    start: () => Promise<OpenSpace>,
    fallAsleep: (wakesAt: number | null) => void = () => undefined,
  ) {
    this.#start = start
    this.#fallAsleep = fallAsleep
  }

  /** The space, while it is in memory. */
  get open(): OpenSpace | null {
    return this.#open
  }

  /** The same, once it is open where that is under way. */
  async opened(): Promise<OpenSpace | null> {
    await this.#opening?.then(undefined, () => undefined) // what could not be opened is not open
    return this.#open
  }

  /** True while something keeps it in memory. */
  get isUsed(): boolean {
    return this.#users > 0
  }

  /** True when it is neither open nor opening, and nothing of it is still being stored. */
  get isClosed(): boolean {
    return this.#open === null && this.#opening === null && !this.#isClosing
  }

  /** Keeps it in memory until the returned function is called. */
  hold(): () => void {
    this.#users += 1
    return () => {
      this.#users -= 1
      this.#usedAt = elapsedTime()
    }
  }

  /** The open space. Errors: those of opening it; then the next call tries again. */
  enter(): OpenSpace | Promise<OpenSpace> {
    if (this.#open !== null) return this.#open
    this.#opening ??= this.#closing
      .then(this.#start)
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

  /** Closes it, even while it is used. Errors: those of closing it. */
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

  /** Takes it out of memory after that time without use, unless something is about to happen in it. Errors: as `close`. */
  async closeIfIdle(idleMs: number): Promise<void> {
    if (this.#open === null || this.#users > 0 || elapsedTime() - this.#usedAt < idleMs) return
    const { sandbox } = this.#open
    const wakesAt = nextEvent(sandbox)
    if (!isAtRest(sandbox) || (wakesAt !== null && wakesAt < sandbox.clock.wall() + worthWaiting)) return
    this.#fallAsleep(wakesAt)
    this.#wakesAt = wakesAt
    await this.close()
  }

  /** Closes it until its next due event; work under way is due immediately. Errors: as `close`. */
  async putToSleep(): Promise<void> {
    const open = await this.opened()
    if (open === null) return this.close()
    const { sandbox } = open
    this.#fallAsleep(isAtRest(sandbox) ? nextEvent(sandbox) : sandbox.clock.wall())
    await this.close()
  }

  /** True for a closed space with a due event. `now`: wall clock. */
  isDue(now: number): boolean {
    return this.#open === null && this.#wakesAt !== null && this.#wakesAt <= now
  }
}

/** No stream is open, no request is running, and no webhook is about to be sent. */
function isAtRest({ streams, running, engine, courier, settings, forwarder }: Sandbox): boolean {
  if (streams.size > 0 || running > 0 || engine.unsettled || courier.isBusy) return false
  if ((forwarder?.left ?? 0) > 0) return false
  return settings.data.webhookHold || !courier.hasWork || courier.earliest() !== undefined
}

/** Wall-clock time of the next due event; null for none, and while the clock is frozen. */
function nextEvent({ engine, clock }: Sandbox): number | null {
  const earliest = engine.earliest()
  return earliest === undefined || clock.frozen ? null : earliest - clock.state.offset
}
