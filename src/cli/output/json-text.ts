import { parseJson } from '../../client/tolerant.ts'

/** JSON as it is printed. assumption: foreign-text */

/**
 * Characters that act on a terminal and that JSON.stringify does not escape: C1 controls, and characters that
 * reverse or hide text.
 */
const active = /[\u007f-\u009f\p{Cf}\u2028\u2029]/gu

const escaped = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')

/** A value as JSON, every control character escaped; it means the same. `indent`: usually one line. */
export const jsonText = (value: unknown, indent = 0): string =>
  `${JSON.stringify(value, null, indent).replace(active, escaped)}\n`

/** JSON indented, as its text stands; any other text unchanged. */
export const indentedJson = (text: string): string => {
  const value = parseJson(text)
  return value === undefined ? text : JSON.stringify(value, null, 2)
}

/** True for a member that holds a moment. */
export const isMomentName = (name: string): boolean => /^(at|now|wall|from|until|since)$|At$/.test(name)

/** Milliseconds of any time near ours: no amount or count comes under the name of a moment. */
const isEpoch = (value: number): boolean => value > 1e12 && value < 1e13

/** A copy for programs: times in ISO 8601 with offset, durations in whole milliseconds. See docs/json.md. */
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
