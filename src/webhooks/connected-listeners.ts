/** A listener whose stream is open. */
interface ConnectedListener {
  readonly url: string
  /** Asks the listener to resend a notification; null for an earlier version, which cannot. */
  readonly resend: ((id: string) => void) | null
  /** Id of the last notification that it handled; null until it reports one. */
  lastId: string | null
}

/** The connected listeners, and the position of each. */
export class ConnectedListeners {
  readonly #open = new Map<string, ConnectedListener>()

  /** Adds a listener whose stream opened. Returns a function to call when the stream ends. */
  enter(listener: string, url: string, resend: ConnectedListener['resend'] = null): () => void {
    const entry: ConnectedListener = { url, resend, lastId: null }
    this.#open.set(listener, entry)
    return () => {
      if (this.#open.get(listener) === entry) this.#open.delete(listener)
    }
  }

  /** Notes that a listener handled everything up to a notification. */
  reached(listener: string, lastId: string): void {
    const entry = this.#open.get(listener)
    if (entry !== undefined) entry.lastId = lastId
  }

  /** Asks a listener of that endpoint to resend a notification; undefined when none is connected. */
  resenderOf(url: string): ((id: string) => void) | undefined {
    for (const each of this.#open.values()) if (each.url === url && each.resend !== null) return each.resend
    return undefined
  }

  /** Endpoints of listeners that have not reached the last notification. */
  behind(latestId: string): string[] {
    return [...this.#open.values()].filter(({ lastId }) => lastId !== latestId).map(({ url }) => url)
  }
}
