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
  /** Called when a whole round got its answers from the database. */
  readonly answered: () => void
}

/** Interval of the rounds, which find spaces that expired, are idle or lack a node. Milliseconds. */
const every = 1_000

/** Most spaces that a node takes over in a round, so that other nodes get some too. */
const mostAtOnce = 20

/** Periodic work of a node on the spaces of its database. A round that fails is followed by the next one. */
export class Rounds {
  readonly #options: RoundsOptions
  #timer: NodeJS.Timeout | undefined
  #isLooking = false
  #isOver = false
  /** Spaces with work under way. */
  readonly #busy = new Set<string>()

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** Starts the rounds, in which this node takes over spaces that no node serves. */
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

  /** Runs work on a space unless some is under way; neither other spaces nor the rounds wait for it. */
  #apart(name: string, work: () => Promise<unknown>): void {
    if (this.#busy.has(name) || this.#isOver) return
    this.#busy.add(name)
    void this.#options.slots.reportFailure(work()).finally(() => this.#busy.delete(name))
  }

  /** Aborts requests to nodes that no longer serve their space, where they would hang. */
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
