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
  /** Moves the clock forward; resolves when everything that fell due has happened, including its webhooks. */
  advance(span: Duration): Promise<Date>
  /**
   * Sets the clock, forwards or back. Events due by then happen at the new time; `advance` runs each at its own time.
   */
  set(time: Date | string): Promise<Date>
  /** Back to real time. */
  reset(): Promise<Date>
}

/** Time limit of moving the clock: it waits for webhooks under way. Milliseconds. */
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
