import { rejectField } from '../../contract/errors.ts'
import type { ClockReading } from '../../contract/sandbox/answers.ts'
import { isReachable } from '../../contract/sandbox/controls/clock-controls.ts'
import type { ControlInput } from '../../contract/sandbox/controls/controls.ts'
import { advance } from '../../engine/advance.ts'
import { SandboxClock } from '../../engine/clock.ts'
import { reading } from '../../views/views.ts'
import type { ControlContext } from '../context/context.ts'
import { saveSettings } from '../context/save-settings.ts'

/** What an order to the clock needs. */
export type ClockContext = Pick<
  ControlContext,
  'engine' | 'clock' | 'clockOrders' | 'settings' | 'directory' | 'changes'
>

/**
 * Moves the clock after its new state was written; orders run one after another. Errors: C17, SBX_STORE_FAIL.
 * assumption: two-clocks
 */
export function setClock(context: ClockContext, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  return context.clockOrders.run(() => moveClock(context, order))
}

async function moveClock(context: ClockContext, order: ControlInput<'set-clock'>): Promise<ClockReading> {
  const { clock, engine, settings } = context
  const target = new SandboxClock(clock.wall, clock.state)
  const ahead = applyOrder(target, order)
  await saveSettings(context, () => {
    settings.data.clock = target.state
  })
  if (ahead !== null) await advance(context, ahead)
  else clock.follow(target.state)
  engine.clockChanged()
  context.changes.tellAll()
  await engine.written()
  return reading(context)
}

/** Moves a clock as ordered; returns how far it went ahead, null when that was not the order. Errors: C17. */
function applyOrder(
  clock: SandboxClock,
  { action, milliseconds, time }: ControlInput<'set-clock'>,
): number | null {
  switch (action) {
    case 'advance': {
      const ahead = milliseconds ?? rejectField('milliseconds', 'is required to advance')
      if (!isReachable(clock.now() + ahead)) rejectField('milliseconds', 'leads beyond the year 9998')
      clock.set(clock.now() + ahead)
      return ahead
    }
    case 'set':
      clock.set(Date.parse(time ?? rejectField('time', 'is required to set the clock')))
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
