import type { Ledger } from '../domain/model/ledger.ts'
import { endpointKey } from '../domain/model/outbox.ts'
import { clearTimeout, setTimeout } from '../timers.ts'
import {
  findNextDelivery,
  type NextDeliveries,
  type NextDelivery,
  type NextDeliveryRules,
} from './next-delivery.ts'
import type { PostResult } from './post.ts'

/** A failed connection to an endpoint. */
export interface FailedConnection {
  readonly ledger: Ledger
  readonly result: PostResult
  /** Number of the last delivery when the connection was opened. */
  readonly lastNumber: number
  /** Sandbox time when the connection was opened. */
  readonly at: number
  /** Number of attempts under way that share the failure. */
  sharing: number
  /** True when all deliveries that waited for it share the failure: the rest waits until the pause ends. */
  isShared: boolean
}

/** Milliseconds until another connection is opened, which serves all deliveries due by then. */
const pause = 250

/** Most deliveries that share a failure in one turn of the event loop, so that payments can run. */
const mostTogether = 32

interface Pause {
  readonly failed: FailedConnection
  readonly timer: NodeJS.Timeout
  readonly resume: () => void
}

/**
 * URLs that were recently unreachable. Without this, each sale would open a connection to a receiver that is down.
 * assumption: webhook-delivery
 */
export class UnreachableEndpoints {
  readonly #pauses = new Map<string, Pause>()

  /** The failed connection; undefined when another one may be opened. */
  get(key: string): FailedConnection | undefined {
    return this.#pauses.get(key)?.failed
  }

  get isPausing(): boolean {
    return this.#pauses.size > 0
  }

  /** Starts a pause, which lasts at least until no attempt shares the failure. `resume`: called at its end. */
  add(key: string, failed: FailedConnection, resume: () => void): void {
    clearTimeout(this.#pauses.get(key)?.timer)
    const timer = setTimeout(() => (failed.sharing > 0 ? timer.refresh() : this.#end(key)), pause)
    this.#pauses.set(key, { failed, timer, resume })
  }

  endPauses(): void {
    for (const key of this.#pauses.keys()) this.#end(key)
  }

  #end(key: string): void {
    const ended = this.#pauses.get(key)
    clearTimeout(ended?.timer)
    this.#pauses.delete(key)
    ended?.resume()
  }
}

/**
 * True when the delivery was due before that connection was opened. False when it was resent or changed state
 * meanwhile.
 */
export function hasWaitedFor(
  failed: FailedConnection,
  ledger: Ledger,
  { delivery, at }: NextDelivery,
): boolean {
  const { number, attempts, round } = delivery
  if (ledger !== failed.ledger || number > failed.lastNumber) return false
  return attempts > 0 ? at < failed.at : at <= failed.at && round === undefined
}

/**
 * The next delivery, and later ones that waited for the same connection. With the strict order no delivery passes a
 * failed one.
 */
export function deliveriesTogether(
  first: NextDelivery,
  failed: FailedConnection,
  ledger: Ledger,
  rules: NextDeliveryRules,
): NextDeliveries {
  const together: [NextDelivery, ...NextDelivery[]] = [first]
  if (rules.deliveryOrder.order === 'strict') return together
  const underWay = new Set(rules.underWay).add(first.delivery.number)
  const rest = { ...rules, free: 1, underWay }
  while (together.length < mostTogether) {
    const next = findNextDelivery(ledger.outbox, endpointKey(first.delivery), rest)
    if (next === undefined || next.at > rest.now || !hasWaitedFor(failed, ledger, next)) break
    together.push(next)
    underWay.add(next.delivery.number)
  }
  return together
}
