import { clearInterval, setInterval } from '../../timers.ts'
import { type ClusterHost, leave } from './cluster-host.ts'
import type { SpaceRegistry } from './space-registry.ts'

interface UpkeepOptions {
  readonly registry: SpaceRegistry
  readonly spaces: ClusterHost
  /** Clock of this machine in milliseconds. */
  readonly wall: () => number
  /** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  readonly report: (message: string, error: Error) => void
  /** Called when the database answered. */
  readonly answered: () => void
}

/** Interval of the upkeep. Milliseconds. */
const every = 500

/** Most spaces that a node takes over at once, so that other nodes get some too. */
const mostAtOnce = 20

/**
 * Starts what a node does for the spaces of its database without a request: it deletes those that expired, takes over
 * those whose node died or that are due, closes idle ones, and leaves nodes that no longer serve a space. A failure is
 * reported, and tried again. Returns what ends it.
 */
export function startUpkeep({ registry, spaces, wall, idleMs, report, answered }: UpkeepOptions): () => void {
  const busy = new Set<string>()
  let isLooking = false
  let isOver = false
  /** Runs work on a space unless some is under way; nothing else waits for it. */
  const apart = (name: string, work: () => Promise<unknown>) => {
    if (busy.has(name) || isOver) return
    busy.add(name)
    void spaces.reportFailure(work()).finally(() => busy.delete(name))
  }
  const look = async () => {
    await registry.followNodes(wall)
    const away = spaces.slots.filter(({ elsewhere }) => elsewhere !== null)
    const { over, owners } = await registry.look(away.map(({ name }) => name))
    for (const name of over) apart(name, () => spaces.end(name))
    for (const slot of away) if (owners.get(slot.name) !== slot.elsewhere?.url) leave(slot)
    for (const name of await registry.wanted(Math.max(0, mostAtOnce - busy.size)))
      apart(name, () => spaces.enter(spaces.slotOf(name)))
    for (const { name, space } of spaces.slots) apart(name, () => space.closeIfIdle(idleMs))
    spaces.forgetUnused()
  }
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      .then(answered, (error: Error) =>
        report(`the spaces of the database could not be looked at: ${error.message}`, error),
      )
      .finally(() => {
        isLooking = false
      })
  }, every).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}
