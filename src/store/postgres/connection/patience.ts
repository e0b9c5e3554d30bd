import { clearImmediate, clearTimeout, elapsedTime, setImmediate, setTimeout } from '../../../timers.ts'

/** So often the time is counted. Milliseconds. */
const step = 100

/**
 * How long an answer is waited for, in milliseconds, with all that has to be done for it. Time in which this process was held
 * up counts as two steps at most: a node that was stopped, or whose machine slept, had no chance to read what came.
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

  /** Counts, and calls `late` when nothing is left and what came until then was read. Returns what ends the count. */
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
