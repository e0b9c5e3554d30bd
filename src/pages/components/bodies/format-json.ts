import { isShallow } from '../../../is-object.ts'

/** White space between the tokens of JSON, and its texts, which keep theirs. */
const spaces = /("(?:[^"\\]|\\.)*")|\s+/g

/** The JSON of a text; null for what would not read the same with a line for each member, and for other texts. */
export function tryReadJson(text: string): { readonly value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!isShallow(value)) return null
    return JSON.stringify(value) === text.replace(spaces, '$1') ? { value } : null
  } catch {
    return null // cut, or never JSON
  }
}

/** JSON with a line for each member; a text is unchanged if this would change its meaning. */
export function indented(text: string): string {
  const json = tryReadJson(text)
  return json === null ? text : JSON.stringify(json.value, null, 2)
}

/** JSON in one line, without white space; any other text is unchanged. */
export function compacted(text: string): string {
  const json = tryReadJson(text)
  return json === null ? text : JSON.stringify(json.value)
}
