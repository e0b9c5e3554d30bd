/** Runs what it is given one after the other, in the order in which it came; a failure holds nothing up. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves, or fails, as the work does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }
}
