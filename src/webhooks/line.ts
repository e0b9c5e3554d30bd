import { type Endpoint, endpointKey } from '../domain/model/outbox.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import { KeptConnections } from './exchange.ts'

/** What is under way at one endpoint of a merchant. */
export interface Line {
  readonly key: string
  readonly merchantId: string
  readonly endpoint: Endpoint
  /** Numbers of the deliveries whose attempts are under way. */
  readonly underWay: Set<number>
  /** Connections that successive attempts share. */
  readonly connections: KeptConnections
}

const nothing: ReadonlySet<number> = new Set()

/** The endpoints at which attempts are under way. */
export class Lines {
  readonly #lines = new Map<string, Line>()

  /** The line to an endpoint, which is open until `close`. */
  open(merchantId: string, endpoint: Endpoint): Line {
    const key = lineKey(merchantId, endpoint)
    const line = this.#lines.get(key) ?? {
      key,
      merchantId,
      endpoint,
      underWay: new Set(),
      connections: new KeptConnections(),
    }
    this.#lines.set(key, line)
    return line
  }

  underWay(merchantId: string, endpoint: Endpoint): ReadonlySet<number> {
    return this.#lines.get(lineKey(merchantId, endpoint))?.underWay ?? nothing
  }

  /** Closes the connections of a line without attempts: they stay open only between attempts in succession. */
  closeIfIdle({ key, underWay, connections }: Line): void {
    if (underWay.size > 0) return
    connections.close()
    this.#lines.delete(key)
  }
}

/** Names an endpoint of a merchant. */
export const lineKey = (merchantId: string, endpoint: Endpoint): string =>
  `${merchantId} ${endpointKey(endpoint)}`

/** Pauses between attempts while a receiver is down: the first, and the longest. Milliseconds. */
const [firstPause, longestPause] = [250, 5_000]

/**
 * Endpoints whose deliveries wait for a receiver that is down: they rest, and one delivery is tried after each pause.
 * assumption: followers
 */
export class RestingEndpoints {
  /** An ended rest stays until an attempt succeeds, as the next pause is longer. */
  readonly #rests = new Map<string, { readonly pause: number; readonly timer: NodeJS.Timeout }>()
  readonly #resting = new Set<string>()

  /** True while no attempt is made. */
  isResting(key: string): boolean {
    return this.#resting.has(key)
  }

  /** Starts a rest after a failed connection; `resume` is called at its end. Returns true for the first of several. */
  rest(key: string, resume: () => void): boolean {
    const before = this.#rests.get(key)
    if (this.#resting.has(key)) return false
    const pause = before === undefined ? firstPause : Math.min(before.pause * 2, longestPause)
    const timer = setTimeout(() => {
      this.#resting.delete(key)
      resume()
    }, pause)
    this.#rests.set(key, { pause, timer })
    this.#resting.add(key)
    return before === undefined
  }

  /** The receiver took a connection, or another follows: no rest. Returns true if there was one. */
  end(key: string): boolean {
    clearTimeout(this.#rests.get(key)?.timer)
    this.#resting.delete(key)
    return this.#rests.delete(key)
  }

  /** Ends all rests; nothing is resumed. */
  stop(): void {
    for (const key of [...this.#rests.keys()]) this.end(key)
  }
}
