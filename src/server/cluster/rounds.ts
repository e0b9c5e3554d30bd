import { clearInterval, setInterval } from '../../timers.ts'
import type { ClusterRegistry } from './cluster-registry.ts'
import type { Slots } from './slots.ts'

interface RoundsOptions {
  readonly registry: ClusterRegistry
  readonly slots: Slots
  /** Announces this node to the others. */
  readonly present: () => Promise<void>
  /** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  readonly report: (message: string, error: Error) => void
  /** The database answered a whole round. */
  readonly answered: () => void
}

/** How often a node looks which spaces are over, unused, or without a node. Milliseconds. */
const every = 1_000

/** Maximum spaces that a node takes over in one round, so that others get some too. */
const mostAtOnce = 20

/**
 * The periodic work of a node on the spaces of its database. While the database is away nothing happens: the next round
 * tries again.
 */
export class Rounds {
  readonly #options: RoundsOptions
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #isOver = false
  /** Spaces with which something is being done. */
  readonly #busy = new Set<string>()

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** From now on, this node takes over spaces that no node serves. */
  begin(): void {
    this.#timer = setInterval(() => void this.#look(), every).unref()
  }

  stop(): void {
    this.#isOver = true
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#lookOnce()
      this.#options.answered()
    } catch (thrown) {
      const error = thrown as Error
      this.#options.report(`the spaces of the database could not be looked at: ${error.message}`, error)
    } finally {
      this.#isLooking = false
    }
  }

  async #lookOnce(): Promise<void> {
    const { registry, slots, present, idleMs } = this.#options
    await present()
    for (const name of await registry.removeExpired()) this.#apart(name, () => slots.lose(name))
    for (const name of await registry.removed()) this.#apart(name, () => registry.erase(name))
    await this.#leaveOldNodes()
    for (const name of await registry.wanted(Math.max(0, mostAtOnce - this.#busy.size)))
      this.#apart(name, () => this.#adopt(name))
    for (const { name, space } of slots.all) this.#apart(name, () => space.closeIfIdle(idleMs))
    slots.forgetUnused()
  }

  /** One thing after the other with one space; no other space, and no round, waits for it. */
  #apart(name: string, work: () => Promise<unknown>): void {
    if (this.#busy.has(name) || this.#isOver) return
    this.#busy.add(name)
    void this.#options.slots.reportFailure(work()).finally(() => this.#busy.delete(name))
  }

  /** Aborts requests at nodes that no longer serve the space: they would hang there. */
  async #leaveOldNodes(): Promise<void> {
    const { registry, slots } = this.#options
    const away = slots.all.filter(({ elsewhere }) => elsewhere !== null)
    if (away.length === 0) return
    const owners = await registry.owners(away.map(({ name }) => name))
    for (const slot of away) {
      const { elsewhere } = slot
      if (elsewhere === null || owners.get(slot.name) === elsewhere.url) continue
      slot.elsewhere = null
      elsewhere.over.abort()
    }
  }

  /** Takes over a space with pending work, unless another node is faster. */
  async #adopt(name: string): Promise<void> {
    const slot = this.#options.slots.of(name)
    if (slot.space.open === null) await this.#options.slots.enter(slot)
  }
}
