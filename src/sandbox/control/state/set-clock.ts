import type { ClockReading } from '../../../contract/control/control-answers.ts'
import { isReachable } from '../../../contract/control/controls/clock-controls.ts'
import type { ControlInput } from '../../../contract/control/controls/controls.ts'
import { reject, rejectField } from '../../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { SandboxClock } from '../../engine/identifiers.ts'
import { reading } from '../../views/views.ts'
import { type ControlContext, saveSettings } from '../control-context.ts'

/** Changes the clock once its new state was written; changes run one after another. assumption: clocks */
export function setClock(context: ControlContext, request: ControlInput<'set-clock'>): Promise<ClockReading> {
  const { clock, clockQueue, engine, settings } = context
  return clockQueue.run(async () => {
    const target = new SandboxClock(clock.wall, clock.state)
    const ahead = applyClockRequest(target, request)
    await saveSettings(context, () => {
      settings.data.clock = target.state
    })
    try {
      if (ahead !== null) await advance(context, ahead)
    } finally {
      clock.follow(target.state) // as it was written, after what fell due
    }
    engine.clockChanged()
    context.changes.tellAll()
    await engine.written()
    return reading(context)
  })
}

/** Changes a clock as requested; returns how far it was advanced, null for another change. */
function applyClockRequest(
  clock: SandboxClock,
  { action, milliseconds, time, speed }: ControlInput<'set-clock'>,
): number | null {
  switch (action) {
    case 'advance': {
      const ahead = milliseconds ?? rejectField('milliseconds', 'is required to advance')
      if (!isReachable(clock.now() + ahead)) rejectField('milliseconds', 'leads beyond the year 9998')
      clock.advance(ahead)
      return ahead
    }
    case 'set':
      clock.set(Date.parse(time ?? rejectField('time', 'is required to set the clock')))
      return null
    case 'speed':
      clock.run(speed ?? rejectField('speed', 'is required to set the speed'))
      return null
    case 'freeze':
      clock.freeze()
      return null
    case 'resume':
      clock.resume()
      return null
    case 'reset':
      clock.reset()
      return null
  }
}

/**
 * Moves the clock forward, stopping at each due event, webhooks included, and resolves when everything is
 * durable. assumption: clocks
 */
export async function advance(
  { engine, clock }: { readonly engine: Engine; readonly clock: SandboxClock },
  milliseconds: number,
): Promise<void> {
  await engine.ready()
  const target = clock.now() + milliseconds
  await engine.background?.idle()
  let stored = true
  while (stored) {
    const time = engine.earliest()
    if (time === undefined || time > target) break
    await engine.ready() // what is due waits for it
    if (engine.isClosed) reject('SBX_STORE_FAIL', { detail: 'the sandbox has stopped' })
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
