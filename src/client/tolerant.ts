import { isObject } from '../is-object.ts'

/** Members of answers that another service wrote, whatever they are. */

/** The JSON value of a text; undefined, which fits no shape, for none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text, or a number or truth as text; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** A finite number; undefined for anything else. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The objects of a list; none where it is not a list. */
export const objectsOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** The members that are shown, each as what it is shown as: a text is empty and a number 0 where it is not one. */
export const shownMembers = <T extends string, N extends string>(
  value: Readonly<Record<string, unknown>>,
  texts: readonly T[],
  numbers: readonly N[] = [],
): Record<T, string> & Record<N, number> =>
  ({
    ...Object.fromEntries(texts.map((name) => [name, textOf(value[name]) ?? ''])),
    ...Object.fromEntries(numbers.map((name) => [name, numberOf(value[name]) ?? 0])),
  }) as Record<T, string> & Record<N, number>
