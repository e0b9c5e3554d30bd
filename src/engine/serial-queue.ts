/** Runs functions one after another, in the order of the calls; a failure does not stop the queue. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves or rejects as `work` does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined)
    return done
  }

  /** Resolves when every call until now is over. */
  async idle(): Promise<void> {
    await this.#last
  }
}
