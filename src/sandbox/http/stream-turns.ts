import { elapsedTime, nextTurn, sleep } from '../../shared/timers.ts'

/** Longest work of streams without a pause, and the pause. Milliseconds. assumption: live-streams */
const [slice, pause] = [1, 3]

/**
 * Gives the streams of a sandbox their turns, one after another. However many there are, they take a quarter
 * of the time of the process at most: payments come first.
 */
export class StreamTurns {
  #waiting: (() => void)[] = []
  #isGiving = false

  /** Resolves when it is the turn of the caller, which is over with the turn of the event loop. */
  next(): Promise<void> {
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (!this.#isGiving) void this.#give()
    return turn
  }

  async #give(): Promise<void> {
    this.#isGiving = true
    await nextTurn()
    let until = elapsedTime() + slice
    for (let begin = this.#waiting.shift(); begin !== undefined; begin = this.#waiting.shift()) {
      begin()
      await nextTurn()
      if (elapsedTime() < until) continue
      await sleep(pause)
      until = elapsedTime() + slice
    }
    this.#isGiving = false
  }
}
