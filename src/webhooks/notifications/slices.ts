import { setImmediate, setTimeout } from '../../timers.ts'

/** Pauses after a slice of half a millisecond: normally, and while payments arrive. Milliseconds. */
const [rest, longRest] = [3, 10]

/**
 * Runs work in slices with pauses between them, in the order of the calls. Many readers thus slow down other work no
 * more than one does. `happened` counts work that has priority: while it grows, pauses are longer.
 * assumption: event-stream
 */
export class Slices {
  readonly #happened: () => number
  #seen = 0
  readonly #waiting: (() => void)[] = []
  #resting = false

  constructor(happened: () => number) {
    this.#happened = happened
  }

  /** Resolves to the result once the work was done. */
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

  /** Runs the first waiting slice, then pauses. Late timers may run in the same turn, so it ends the turn first. */
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
