import { clearTimeout, setTimeout } from '../../shared/timers.ts'

/** Pauses between attempts while a receiver is down: the first, and the longest. Milliseconds. */
const [firstPause, longestPause] = [250, 5_000]

/**
 * Endpoints whose deliveries wait for a receiver that is down: they rest, and one delivery is tried after
 * each pause. assumption: followers
 */
export class RestingEndpoints {
  /** An ended rest stays until an attempt succeeds, as the next pause is longer. */
  readonly #rests = new Map<string, { readonly pause: number; readonly timer: NodeJS.Timeout }>()
  readonly #resting = new Set<string>()

  /** True while no attempt is made. */
  isResting(key: string): boolean {
    return this.#resting.has(key)
  }

  /** Starts a rest after a failed connection; calls `resume` at its end. True for the first of several. */
  rest(key: string, resume: () => void): boolean {
    const before = this.#rests.get(key)
    if (this.#resting.has(key)) return false
    const pause = before === undefined ? firstPause : Math.min(before.pause * 2, longestPause)
    const timer = setTimeout(() => {
      this.#resting.delete(key)
      resume()
    }, pause)
    this.#rests.set(key, { pause, timer })
    this.#resting.add(key)
    return before === undefined
  }

  /** The receiver took a connection, or another follows: no rest. Returns true if there was one. */
  end(key: string): boolean {
    clearTimeout(this.#rests.get(key)?.timer)
    this.#resting.delete(key)
    return this.#rests.delete(key)
  }

  /** Ends all rests; nothing is resumed. */
  stop(): void {
    for (const key of [...this.#rests.keys()]) this.end(key)
  }
}
