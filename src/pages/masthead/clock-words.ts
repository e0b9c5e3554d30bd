import type { ReadableClock } from '../../engine/sandbox-clock.ts'
import { durationInWords } from '../../text/duration-words.ts'

/** Less than so much is not an offset: it is how long things take. Milliseconds. */
const noticeable = 1_000

/** Offset from the wall clock in whole seconds. */
const offsetOf = (clock: ReadableClock): number =>
  Math.round((clock.now() - clock.wall()) / noticeable) * noticeable

/** True for a clock that is frozen or differs from the wall clock. */
export const isMoved = (clock: ReadableClock): boolean =>
  clock.frozen || Math.abs(clock.state.offset) >= noticeable

/** How far a running clock is from the wall clock, in its two largest units: `+1 d 2 h`, `−5 min`, `real time`. */
export function offsetInShort(clock: ReadableClock): string {
  const offset = offsetOf(clock)
  if (!isMoved(clock) || offset === 0) return 'real time'
  return `${offset > 0 ? '+' : '−'}${durationInWords(Math.abs(offset))}`
}
