import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long the event loop of this process stood still at most while something ran. Milliseconds. */
export async function longestPause(run: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await sleep(5) // it counts from its first tick
  await run()
  await sleep(5) // so that a pause at the very end counts
  delays.disable()
  return delays.max / 1e6
}

/** The smallest of a few tries, as soon as it is under the bound: a busy machine stops every process now and then. */
export async function pauseWithin(bound: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 4 && least >= bound; tries++) least = Math.min(least, await longestPause(run))
  return least
}
