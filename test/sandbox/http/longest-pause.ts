import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Processor time of this process while something ran: no pause by its own work is longer. Milliseconds. */
export async function workOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e3
}

/**
 * How long the event loop stood still at most while something ran, by its own work. Milliseconds. The smallest of a few
 * tries, as soon as it is under the bound: a busy machine stops every process now and then.
 */
export async function pauseWithin(bound: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && least >= bound; tries++) {
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    await sleep(5) // it counts from its first tick
    const work = await workOf(run)
    await sleep(5) // so that a pause at the very end counts
    delays.disable()
    least = Math.min(least, delays.max / 1e6, work)
  }
  return least
}
