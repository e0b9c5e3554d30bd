import { isObject } from '../shared/is-object.ts'
import { parseJson, readOr } from '../shared/read-or.ts'

export { parseJson } from '../shared/read-or.ts'

/** Members of answers that another service wrote, whatever they are. */

/** The value of a body; the text itself where it is not JSON. */
export function bodyValue(body: string): unknown {
  const value = parseJson(body)
  return value === undefined ? body : value
}

/** A part of a path, decoded; itself where it is not percent-encoded. */
export const decoded = (text: string): string => readOr(text, () => decodeURIComponent(text))

/** A string, or a number or boolean as a string; undefined for any other value. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A finite number; undefined for any other value. */
export const asNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The objects in an array; none for any other value. */
export const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The members to display: a text or number of another type becomes '' or 0. */
export const shownMembers = <T extends string, N extends string>(
  value: Readonly<Record<string, unknown>>,
  texts: readonly T[],
  numbers: readonly N[] = [],
): Record<T, string> & Record<N, number> =>
  ({
    ...Object.fromEntries(texts.map((name) => [name, asText(value[name]) ?? ''])),
    ...Object.fromEntries(numbers.map((name) => [name, asNumber(value[name]) ?? 0])),
  }) as Record<T, string> & Record<N, number>
