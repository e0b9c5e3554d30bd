import { sleep } from '../../timers.ts'
import { type ClusterHost, leave } from './cluster-host.ts'
import type { SpaceRegistry } from './space-registry.ts'

interface UpkeepOptions {
  readonly registry: SpaceRegistry
  readonly spaces: ClusterHost
  /** Time without use after which a space leaves memory. Milliseconds. assumption: spaces */
  readonly idleMs: number
  readonly report: (message: string, error: Error) => void
  /** Called when the database answered. */
  readonly answered: () => void
}

/** Pause between two rounds of the upkeep. Milliseconds. */
const pause = 500

/** Most spaces that a node takes over at once, so that other nodes get some too. */
const mostAtOnce = 20

/**
 * Starts what a node does for the spaces of its database without a request: it deletes those that expired, takes over
 * those whose node died or that are due, closes idle ones, and leaves nodes that no longer serve a space. A failure is
 * reported, and tried again. Returns what ends it.
 */
export function startUpkeep({ registry, spaces, idleMs, report, answered }: UpkeepOptions): () => void {
  const busy = new Set<string>()
  const over = new AbortController()
  /** Runs work on a space unless some is under way; nothing else waits for it. */
  const apart = (name: string, work: () => Promise<unknown>) => {
    if (busy.has(name) || over.signal.aborted) return
    busy.add(name)
    void spaces.reportFailure(work()).finally(() => busy.delete(name))
  }
  const look = async () => {
    const away = spaces.slots.filter(({ elsewhere }) => elsewhere !== null)
    const most = Math.max(0, mostAtOnce - busy.size)
    const names = away.map(({ name }) => name)
    const { ended, wanted, owners } = await registry.survey(most, names)
    for (const name of ended) apart(name, () => spaces.end(name))
    for (const slot of away) if (owners[slot.name] !== slot.elsewhere?.url) leave(slot)
    for (const name of wanted) apart(name, () => spaces.enter(spaces.slotOf(name)))
    for (const { name, space } of spaces.slots) apart(name, () => space.closeIfIdle(idleMs))
    spaces.forgetUnused()
  }
  const run = async () => {
    while (true) {
      await sleep(pause, over.signal)
      if (over.signal.aborted) return
      await look().then(answered, (error: Error) =>
        report(`the spaces of the database could not be looked at: ${error.message}`, error),
      )
    }
  }
  void run()
  return () => over.abort()
}
