import { reject } from '../contract/errors.ts'
import type { Engine } from './engine.ts'
import type { SandboxClock } from './sandbox-clock.ts'

/**
 * Moves the clock forward, stopping at each due event, webhooks included, and resolves when everything is durable.
 * Errors: SBX_STORE_FAIL when a write failed; the events are then due again. assumption: two-clocks
 */
export async function advance(
  { engine, clock }: { readonly engine: Engine; readonly clock: SandboxClock },
  milliseconds: number,
): Promise<void> {
  await engine.ready()
  const target = clock.now() + milliseconds
  await engine.background?.idle()
  let stored = true
  for (
    let time = engine.earliest();
    stored && time !== undefined && time <= target;
    time = engine.earliest()
  ) {
    if (time > clock.now()) clock.set(time)
    engine.runDue()
    engine.background?.runDue()
    if (engine.background?.hasWork) stored = await sentOff(engine)
  }
  clock.set(Math.max(target, clock.now()))
  engine.clockChanged()
  if (!stored || !(await engine.written()))
    reject('SBX_STORE_FAIL', {
      detail: `the clock was advanced to ${new Date(clock.now()).toISOString()}; what fell due happens once the state can be written`,
    })
}

/** Waits until all notifications are durable and sent. Resolves to false when a write failed. */
async function sentOff(engine: Engine): Promise<boolean> {
  if (!(await engine.written())) return false
  await engine.background?.idle()
  return true
}
