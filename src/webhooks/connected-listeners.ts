/** A listener whose stream is open. */
interface ConnectedListener {
  readonly url: string
  /** Tells it to send a notification again; null for one of an earlier version, which cannot. */
  readonly resend: ((id: string) => void) | null
  /** Id of the last notification that it dealt with; null until it says so. */
  lastId: string | null
}

/** The listeners that forward to an endpoint, and how far each has come. */
export class ConnectedListeners {
  readonly #open = new Map<string, ConnectedListener>()

  /** A stream of that listener opened. Returns what to call when it ends. */
  enter(listener: string, url: string, resend: ConnectedListener['resend'] = null): () => void {
    const entry: ConnectedListener = { url, resend, lastId: null }
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

  /** What tells a listener of that endpoint to send a notification again; undefined when none is connected. */
  resenderOf(url: string): ((id: string) => void) | undefined {
    for (const each of this.#open.values()) if (each.url === url && each.resend !== null) return each.resend
    return undefined
  }

  /** Endpoints of listeners that have not reached the last notification. */
  behind(latestId: string): string[] {
    return [...this.#open.values()].filter(({ lastId }) => lastId !== latestId).map(({ url }) => url)
  }
}
