import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

/** Connections to an endpoint that successive attempts share. Close them when no attempt follows. */
export class KeptConnections {
  #agent: HttpAgent | null = null
  #isKeptAlive = true

  /** The agent that reuses or opens a connection; false when none is kept. */
  agentFor({ protocol }: URL): HttpAgent | false {
    if (!this.#isKeptAlive) return false
    this.#agent ??= new (protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true })
    return this.#agent
  }

  /** Stops reusing connections: the other side closes them without notice. */
  keepNone(): void {
    this.#isKeptAlive = false
  }

  close(): void {
    this.#agent?.destroy()
  }
}
