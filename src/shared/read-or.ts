import { deepest, isShallow } from './is-object.ts'

/** What is read, or the other value where reading fails: of what others wrote, or that may be gone. */
export function readOr<T, O = T>(otherwise: O, read: () => T): T | O {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Parses JSON; returns undefined, which fits no shape, for JSON that is invalid or nested too deeply. */
export const parseJson = (text: string): unknown => readOr(undefined, () => readJson(text))

/** Parses JSON of others: the one limit of its depth. Errors: SyntaxError. */
export function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isShallow(value)) return value
  throw new SyntaxError(`${tooDeep} in JSON at position ${positionOfDepth(text)}`)
}

/** Why a value is refused that is not shallow. */
export const tooDeep = `it is nested too deeply: ${deepest} levels at most`

/** True for a text, JSON or not, that opens more levels than are read. */
export const isTooDeep = (text: string): boolean => positionOfDepth(text) < text.length

function positionOfDepth(text: string): number {
  let level = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (isQuoted && letter === '\\') at += 1
    else if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === '{' || letter === '[') level += 1
    else if (letter === '}' || letter === ']') level -= 1
    if (level > deepest) return at
  }
  return text.length
}
