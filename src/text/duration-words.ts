const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

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
