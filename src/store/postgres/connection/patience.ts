import { clearImmediate, clearTimeout, elapsedTime, setImmediate, setTimeout } from '../../../timers.ts'

/** Interval at which the time is counted. Milliseconds. */
const step = 100

/**
 * Time limit for an answer, in milliseconds, including the work that it needs. A pause of this process counts as two
 * steps at most: a node that was stopped, or whose machine slept, could not read answers.
 */
export class Patience {
  readonly milliseconds: number
  #left: number

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
    this.#left = milliseconds
  }

  /** Milliseconds that are left. */
  get left(): number {
    return this.#left
  }

  /**
   * Starts counting, and calls `late` when the time is over and everything that has arrived was read. Returns a
   * function that stops it.
   */
  start(late: () => void): () => void {
    let timer: NodeJS.Timeout
    let last: NodeJS.Immediate | undefined
    let counted = elapsedTime()
    const count = () => {
      const now = elapsedTime()
      this.#left -= Math.min(now - counted, 2 * step)
      counted = now
    }
    const wait = () => {
      timer = setTimeout(
        () => {
          count()
          if (this.#left > 0) wait()
          else last = setImmediate(late)
        },
        Math.min(this.#left, step),
      )
    }
    wait()
    return () => {
      count()
      clearTimeout(timer)
      clearImmediate(last)
    }
  }
}
