/** Members that hold a moment. */
const moments = /^(at|now|wall|from|until|since)$|At$/

/** True for a member that holds a moment. */
export const isMomentName = (name: string): boolean => moments.test(name)

/** Milliseconds of any time near ours: no amount or count comes under the name of a moment. */
const isEpoch = (value: number): boolean => value > 1e12 && value < 1e13

/** A copy for programs: times in ISO 8601 with their offset, durations in whole milliseconds. See docs/json.md. */
export const readableTimes = <T>(value: T): T => readable(value, '') as T

function readable(value: unknown, name: string): unknown {
  if (typeof value === 'number') {
    if (isMomentName(name) && isEpoch(value)) return new Date(value).toISOString()
    return name.endsWith('Ms') ? Math.round(value) : value
  }
  if (Array.isArray(value)) return value.map((each) => readable(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, readable(each, member)]))
}
