import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

/** Connections to one endpoint, which one attempt hands on to the next. Close them when no other attempt follows. */
export class KeptConnections {
  #agent: HttpAgent | null = null
  #areKept = true

  /** Lends a connection that is open, or opens one, and takes it back after the answer; false when none is kept. */
  agentFor({ protocol }: URL): HttpAgent | false {
    if (!this.#areKept) return false
    this.#agent ??= new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true })
    return this.#agent
  }

  /** The other side closes connections without saying so: from now on each is used once. */
  keepNone(): void {
    this.#areKept = false
  }

  close(): void {
    this.#agent?.destroy()
  }
}
