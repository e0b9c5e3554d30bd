import { localDateTime } from '../../domain/model/local-time.ts'
import type { ReadableClock } from '../../engine/sandbox-clock.ts'
import { Submit } from '../components/actions.tsx'
import type { FragmentSlot } from '../frame/page-view.tsx'

/** Input of a refused form; empty for any other. */
export type TypedFields = Readonly<Record<string, string>>

/** Steps of the clock buttons, by posted value. */
export const clockSteps = {
  '1m': ['+1 min', 60_000],
  '1h': ['+1 h', 3_600_000],
  '1d': ['+1 day', 86_400_000],
} as const

interface ClockMenuProps {
  readonly slot: FragmentSlot
  readonly clock: ReadableClock
  readonly typed: TypedFields
}

/** Orders to the clock. */
export const ClockMenu = ({ slot, clock, typed }: ClockMenuProps) => (
  <>
    <form class="stack gap-2" method="post" action="/clock">
      <div class="menu-buttons flex wrap gap-2">
        {Object.entries(clockSteps).map(([order, [text]]) => (
          <Submit name="order" value={order}>
            {text}
          </Submit>
        ))}
      </div>
      {slot('clock-now')}
    </form>
    <form method="post" action="/clock" class="menu-form pad-top-3 stack gap-2 rule-above">
      <label>
        <span>Set, in UTC</span>
        <input
          type="datetime-local"
          name="time"
          step={1}
          required
          value={typed.time ?? localDateTime(clock.now(), 'UTC')}
          autocomplete="off"
        />
      </label>
      <Submit look="main" name="order" value="set">
        Set
      </Submit>
    </form>
  </>
)
