import { type Endpoint, endpointKey } from '../domain/model/outbox.ts'
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
      ...{ key, merchantId, endpoint },
      ...{ underWay: new Set(), connections: new KeptConnections() },
    }
    this.#lines.set(key, line)
    return line
  }

  /** Numbers of the deliveries under way to an endpoint. */
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
