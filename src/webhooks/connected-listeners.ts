/** A listener whose stream is open. */
interface Connected {
  readonly url: string
  /** Id of the last notification that it dealt with; null until it says so. */
  lastId: string | null
}

/** The listeners that forward to an endpoint, and how far each has come. */
export class ConnectedListeners {
  readonly #open = new Map<string, Connected>()

  /** A stream of that listener opened. Returns what to call when it ends. */
  enter(listener: string, url: string): () => void {
    const entry: Connected = { url, lastId: null }
    this.#open.set(listener, entry)
    return () => {
      if (this.#open.get(listener) === entry) this.#open.delete(listener)
    }
  }

  /** A listener dealt with everything up to that notification. */
  reached(listener: string, lastId: string): void {
    const entry = this.#open.get(listener)
    if (entry !== undefined) entry.lastId = lastId
  }

  /** Endpoints of those that have not come to the last notification. */
  behind(latestId: string): string[] {
    return [...this.#open.values()].filter(({ lastId }) => lastId !== latestId).map(({ url }) => url)
  }
}
