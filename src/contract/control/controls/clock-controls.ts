import * as v from 'valibot'
import { isoTime, milliseconds, oneOf, optional, whole } from '../../member-kinds.ts'
import { type Control, get, post } from '../control.ts'
import { clockReading } from '../control-answers.ts'

/** True for a time that the clock can be set to: years have four digits, and later expiries need room. */
export const isReachable = (time: number): boolean =>
  time >= Date.UTC(2000, 0, 1) && time < Date.UTC(9999, 0, 1)

/** How many times as fast as the wall clock the sandbox clock can run. assumption: clock-speed */
export const highestSpeed = 3_600

const clock = {
  action: oneOf('What to do to the clock', ['freeze', 'resume', 'set', 'advance', 'speed', 'reset']),
  milliseconds: optional(milliseconds('How far to advance', 0, 10 * 366 * 86_400_000)),
  time: optional(
    v.pipe(
      isoTime('Time to set, ISO 8601 with offset'),
      v.check((text) => isReachable(Date.parse(text)), 'must be within the years 2000 to 9998'),
    ),
  ),
  speed: optional(whole('How many times as fast as the wall clock it runs', 1, highestSpeed)),
}

/** The sandbox clock. */
export const clockControls = {
  clock: get('/clock', { summary: 'Show the sandbox clock', command: 'sandbox clock', answer: clockReading }),
  'set-clock': post('/clock', {
    summary: 'Freeze, resume, set or advance the sandbox clock, or set its speed',
    answer: clockReading,
    input: clock,
  }),
} as const satisfies Record<string, Control>
