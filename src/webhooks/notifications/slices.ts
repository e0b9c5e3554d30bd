import { setImmediate, setTimeout } from '../../timers.ts'

/** Pauses after a slice, which takes half a millisecond: while nothing else happens, and while payments come. Milliseconds. */
const [rest, longRest] = [3, 10]

/**
 * Does work in slices with pauses between them, one slice after the other whoever asks, in the order in which they
 * asked. Many readers thus hold up everything else no more than one does. `happened` counts what comes first: while it
 * goes on, slices rest longer. assumption: event-stream
 */
export class Slices {
  readonly #happened: () => number
  #seen = 0
  readonly #waiting: (() => void)[] = []
  #resting = false

  constructor(happened: () => number) {
    this.#happened = happened
  }

  /** Resolves to what the work came to, as soon as it was done. */
  next<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work())
        } catch (error) {
          reject(error)
        }
      })
      if (!this.#resting) this.#one()
    })
  }

  /** Does the first of those that wait, and then rests; timers that are late may run in one turn, so it ends that first. */
  #one(): void {
    const work = this.#waiting.shift()
    this.#resting = work !== undefined
    if (work === undefined) return
    work()
    const count = this.#happened()
    const pause = count === this.#seen ? rest : longRest
    this.#seen = count
    setTimeout(() => setImmediate(() => this.#one()), pause)
  }
}
