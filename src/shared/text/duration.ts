const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `500ms`, `90s`, `5m`, `1h30m`, `181d`, or seconds without a unit, in milliseconds; else undefined. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}|(?:\d{1,6}(?:ms|s|m|h|d))+)$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+)(ms|s|m|h|d)?/g)
  return [...parts].reduce(
    (sum, [, count, unit = 's']) => sum + Number(count) * units[unit as keyof typeof units],
    0,
  )
}

/** A duration in milliseconds, as which a number without a unit counts; undefined for anything else. */
export const parseMilliseconds = (text: string): number | undefined =>
  /^\d{1,11}$/.test(text) ? Number(text) : parseDuration(text)

/**
 * A range of durations, `1s..5s` or `1s-5s`, or one duration for both ends, in milliseconds; for anything
 * else, what is wrong. `parse` reads an end.
 */
export function parseDurationRange(text: string, parse = parseDuration): readonly [number, number] | string {
  const [first = '', second = first, ...more] = text.split(/\.\.|-/)
  if (more.length > 0) return 'is not a range'
  const [from, to] = [parse(first), parse(second)]
  if (from === undefined || to === undefined) return 'is not a duration'
  return from > to ? 'ends before it begins' : [from, to]
}

/** A duration in milliseconds as it is typed, in the largest unit that divides it: `90s`, `366d`. */
export function durationText(ms: number): string {
  const fitting = Object.entries(units).findLast(([, length]) => ms > 0 && ms % length === 0)
  return fitting === undefined ? `${ms}ms` : `${ms / fitting[1]}${fitting[0]}`
}
