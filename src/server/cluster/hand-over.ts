import { elapsedTime, nextTurn } from '../../timers.ts'
import { finishRequests } from '../spaces/space.ts'
import type { Slot, Slots } from './slots.ts'

interface HandOverOptions {
  readonly slots: Slots
  /** URLs of the remaining nodes. */
  readonly successors: readonly string[]
  /** Makes the node at a URL open a space. `patience`: milliseconds. Errors: an Error with its answer. */
  readonly wake: (url: string, space: string, patience: number) => Promise<unknown>
  /** Deadline by `elapsedTime`; spaces that remain are released immediately. */
  readonly until: number
}

/** Maximum concurrent hand-overs: the receiving nodes have other work too. */
const atOnce = 4

/**
 * Hands the spaces of a stopping node to other nodes, so that each is away only during its own hand-over. This node
 * forwards their requests. Without another node, nothing happens. assumption: shared-store
 */
export async function handOver({ slots, successors, wake, until }: HandOverOptions): Promise<void> {
  if (successors.length === 0) return
  slots.giveWayTo(successors)
  const left = slots.all.filter(({ successor }) => successor === null)
  const work = async () => {
    for (let slot = left.pop(); slot !== undefined && elapsedTime() < until; slot = left.pop())
      await slots.reportFailure(giveAway(slot))
  }
  await Promise.all(Array.from({ length: atOnce }, work))

  async function giveAway(slot: Slot): Promise<void> {
    const open = await slot.space.opened()
    await nextTurn() // starts the requests that waited for it
    const successor = slots.nextSuccessor()
    slot.successor = successor
    if (open !== null) await finishRequests([open.sandbox], { until })
    await slot.space.putToSleep()
    if (successor !== null) await wake(successor, slot.name, Math.max(1, until - elapsedTime()))
  }
}
