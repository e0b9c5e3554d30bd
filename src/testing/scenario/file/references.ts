import { asText } from '../../../client/tolerant.ts'
import type { Path } from '../../../sandbox/fixture-files/fixtures-problems.ts'

/** References to what steps captured: `$sale`, `$sale.transactionId`, and in text `order ${sale.orderId}`. */

const whole = /^\$(?:\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\}|([A-Za-z][\w-]*)((?:\.[\w-]+)*))$/
const inside = /\$\{([A-Za-z][\w-]*)((?:\.[\w-]+)*)\}/g

/** True for a text that is only a reference. */
export const isReference = (value: unknown): boolean => typeof value === 'string' && whole.test(value)

interface Reference {
  readonly name: string
  readonly rest: readonly string[]
  readonly path: Path
}

/** Every reference in a value. */
export function referencesIn(value: unknown, path: Path = []): Reference[] {
  if (typeof value === 'string') return namesIn(value).map((each) => ({ ...each, path }))
  if (typeof value !== 'object' || value === null) return []
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? value.map((each, index) => [index, each] as const)
    : Object.entries(value)
  return entries.flatMap(([key, each]) => referencesIn(each, [...path, key]))
}

function namesIn(text: string): Omit<Reference, 'path'>[] {
  const only = wholeReference(text)
  if (only !== undefined) return [only]
  return [...text.matchAll(inside)].map(([, name = '', rest = '']) => ({ name, rest: pathParts(rest) }))
}

function wholeReference(text: string): Omit<Reference, 'path'> | undefined {
  const found = whole.exec(text)
  if (found === null) return undefined
  const [, braced, inBraces, plain, after] = found
  return { name: braced ?? plain ?? '', rest: pathParts(inBraces ?? after ?? '') }
}

const pathParts = (rest: string): string[] => rest.split('.').filter(Boolean)

/** A reference leads nowhere. */
export class EmptyReference extends Error {
  override readonly name = 'EmptyReference'
}

/** What steps captured, by name. */
export type Captures = ReadonlyMap<string, unknown>

/**
 * The value with its references replaced. Where a member takes an id, `pick` chooses the id of a whole
 * capture.
 */
export function withReferences(
  value: unknown,
  captured: Captures,
  pick: (found: unknown, member: string) => unknown = (found) => found,
  member = '',
): unknown {
  if (typeof value === 'string') {
    const only = wholeReference(value)
    if (only !== undefined) {
      const found = capturedValue(captured, only)
      return only.rest.length === 0 ? pick(found, member) : found
    }
    return value.replace(inside, (_, name: string, rest: string) => {
      const found = capturedValue(captured, { name, rest: pathParts(rest) })
      return asText(found) ?? JSON.stringify(found)
    })
  }
  if (Array.isArray(value)) return value.map((each) => withReferences(each, captured, pick, member))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withReferences(each, captured, pick, name)]),
  )
}

function capturedValue(captured: Captures, { name, rest }: Omit<Reference, 'path'>): unknown {
  let found = captured.get(name)
  let path = `$${name}`
  if (found === undefined) throw new EmptyReference(`${path} is not there: its step did not run`)
  for (const part of rest) {
    const names = typeof found === 'object' && found !== null ? Object.keys(found) : []
    if (!names.includes(part))
      throw new EmptyReference(
        `${path} has no ${part}${names.length === 0 ? '' : `; it has ${names.join(', ')}`}`,
      )
    found = (found as Readonly<Record<string, unknown>>)[part]
    path += `.${part}`
  }
  return found
}
