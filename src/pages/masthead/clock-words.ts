import type { ReadableClock } from '../../engine/clock.ts'

/** Less than so much is no offset: it is how long things take. Milliseconds. */
const noticeable = 1_000

/** To the second: nothing is moved by less. */
const offsetOf = (clock: ReadableClock): number =>
  Math.round((clock.now() - clock.wall()) / noticeable) * noticeable

/** True for a clock that stands, or is not at the wall clock. */
export const isMoved = (clock: ReadableClock): boolean =>
  clock.frozen || Math.abs(clock.state.offset) >= noticeable

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** How far a running clock is from the wall clock, in its two largest units: `+1 d 2 h`, `−5 min`, `real time`. */
export function offsetInShort(clock: ReadableClock): string {
  const offset = offsetOf(clock)
  if (!isMoved(clock) || offset === 0) return 'real time'
  let rest = Math.abs(offset)
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return count === 0 ? [] : [`${count} ${unit}`]
  })
  return `${offset > 0 ? '+' : '−'}${parts.slice(0, 2).join(' ')}`
}
