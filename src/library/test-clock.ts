import type { CallControl } from './caller.ts'
import { type Duration, millisecondsOf } from './sandbox-options.ts'

/** The sandbox clock. It decides when events are due; header checks use real time. */
export interface TestClock {
  /** Sandbox time. */
  now(): Promise<Date>
  /** Freezes the clock. */
  freeze(): Promise<Date>
  /** Lets the clock run on. */
  resume(): Promise<Date>
  /** Goes ahead; resolves when everything that fell due has happened, its webhooks included. */
  advance(span: Duration): Promise<Date>
  /** Sets the clock, forwards or back. What fell due on the way happens at the new time; `advance` lets each happen at its own. */
  set(time: Date | string): Promise<Date>
  /** Back to real time. */
  reset(): Promise<Date>
}

/** The longest time that going ahead may take: webhooks under way are waited for. Milliseconds. */
const advanceTimeout = 120_000

export function clockOf(call: CallControl): TestClock {
  const order = async (members: object) =>
    new Date((await call('set-clock', { ...members }, {}, advanceTimeout)).now)
  return {
    now: async () => new Date((await call('clock')).now),
    freeze: () => order({ action: 'freeze' }),
    resume: () => order({ action: 'resume' }),
    advance: (span) => order({ action: 'advance', milliseconds: millisecondsOf(span, 'advance') }),
    set: (time) => order({ action: 'set', time: time instanceof Date ? time.toISOString() : time }),
    reset: () => order({ action: 'reset' }),
  }
}
