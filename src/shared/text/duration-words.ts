const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** How long something takes: `0.4 ms`, `12 ms`, `1.2 s`; from a minute on in its two largest units. */
export function shortDuration(ms: number): string {
  if (ms >= 60_000) return durationInWords(ms)
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return `${ms < 10 && !Number.isInteger(ms) ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** The two largest units of a duration in milliseconds: `2 h 5 min`, `1 h`; `0 s` for less than a second. */
export function durationInWords(ms: number): string {
  let rest = Math.max(0, ms)
  const counts = units.map(([unit, length]) => {
    const count = Math.floor(rest / length)
    rest -= count * length
    return { unit, count }
  })
  const first = counts.findIndex(({ count }) => count > 0)
  if (first < 0) return '0 s'
  return counts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ')
}

/** True for an offset of the sandbox clock, in milliseconds; less than a second is how long things take. */
export const isOffset = (ms: number): boolean => Math.abs(ms) >= 1000

/** The offset to the second, without its sign. */
const distance = (ms: number): string => durationInWords(Math.round(Math.abs(ms) / 1000) * 1000)

/**
 * How far the sandbox clock is from the wall clock: `2 h 5 min ahead of the wall clock`, or `in step with the
 * wall clock`; and its speed, unless it is that of the wall clock.
 */
export const offsetInWords = (ms: number, speed = 1): string =>
  (isOffset(ms)
    ? `${distance(ms)} ${ms > 0 ? 'ahead of' : 'behind'} the wall clock`
    : 'in step with the wall clock') + (speed === 1 ? '' : `, runs ${speed}× as fast`)

/** The offset of the sandbox clock in short: `+2 h 5 min`, `+2 h 5 min · 60×`; empty: real time. */
export const offsetInShort = (ms: number, speed = 1): string =>
  [isOffset(ms) && `${ms > 0 ? '+' : '−'}${distance(ms)}`, speed !== 1 && `${speed}×`]
    .filter(Boolean)
    .join(' · ')
