import { readOr } from '../../shared/read-or.ts'
import { hiddenMark } from '../control/request-log-answers.ts'
import { isSecretMember, maybeSecret } from './secret-names.ts'

/** The beginning of a JSON string, or a word outside strings. */
const names = /"|[\w$%.-]+/g

/** What stands between a name and its value in JSON; in a part of a form. */
const afterQuoted = /\s*:\s*|\r?\n\r?\n/y

/** The same after a word: in a form, in XML, in text that only resembles JSON. */
const afterWord = /\\?["']?\s*[:=>]\s*/y

const endOfWords = /[&,;<}\]\r\n]|$/g

/**
 * A text without the values of its secret members, at any depth, also in JSON inside a string, and where the
 * text was cut off or is not JSON. What is valid JSON stays valid. assumption: request-log
 */
export function hideMembers(text: string): string {
  if (!maybeSecret.test(text)) return text
  let shown = ''
  let kept = 0
  let at = 0
  const replace = (from: number, to: number, by: string) => {
    shown += text.slice(kept, from) + by
    kept = to
  }
  for (let found = nextName(text, at); found !== null; found = nextName(text, at)) {
    const { name, start } = found
    at = start + name.length
    const value = startOfValue(text, at, name.startsWith('"'))
    if (value === undefined) {
      const inside = name.startsWith('"') ? hideInString(name) : name
      if (inside !== name) replace(start, at, inside)
    } else if (isSecretMember(plainName(name))) {
      const end = endOfValue(text, value)
      if (mayBeSecret(text.slice(value, end))) replace(value, end, markFor(text, at, value))
      at = Math.max(end, at)
    }
  }
  return kept === 0 ? text : shown + text.slice(kept)
}

/** The next string, of which the end may be cut off, or word. */
function nextName(text: string, at: number): { name: string; start: number } | null {
  names.lastIndex = at
  const found = names.exec(text)
  if (found === null) return null
  const start = found.index
  return { name: found[0] === '"' ? text.slice(start, endOfQuoted(text, start)) : found[0], start }
}

function startOfValue(text: string, at: number, isQuoted: boolean): number | undefined {
  const between = isQuoted ? afterQuoted : afterWord
  between.lastIndex = at
  return between.test(text) ? between.lastIndex : undefined
}

const plainName = (name: string): string =>
  name.startsWith('"')
    ? readOr(name, () => String(JSON.parse(name)))
    : name.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Nothing, and what only says yes, no or none, tells nothing. */
const mayBeSecret = (value: string): boolean => !/^(?:true|false|null|\s*)$/.test(value.trim())

/** A member of JSON stays one. */
const markFor = (text: string, from: number, to: number): string =>
  /[=>]/.test(text.slice(from, to)) && !/["'{[]/.test(text.charAt(to)) ? hiddenMark : `"${hiddenMark}"`

function endOfValue(text: string, start: number): number {
  const first = text.charAt(start)
  if (first === '"' || first === "'") return endOfQuoted(text, start)
  if (first === '{' || first === '[') return endOfList(text, start)
  endOfWords.lastIndex = start
  return endOfWords.exec(text)?.index ?? text.length
}

function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start)
  for (let at = start + 1; at < text.length; at++)
    if (text.charAt(at) === '\\') at += 1
    else if (text.charAt(at) === quote) return at + 1
  return text.length
}

/** The end of an object or an array; of the text where it was cut off. */
function endOfList(text: string, start: number): number {
  let open = 0
  for (let at = start; at < text.length; at++) {
    const letter = text.charAt(at)
    if (letter === '"') at = endOfQuoted(text, at) - 1
    else if (letter === '{' || letter === '[') open += 1
    else if (letter === '}' || letter === ']') open -= 1
    if (open === 0) return at + 1
  }
  return text.length
}

/** A string may itself hold JSON. */
function hideInString(quoted: string): string {
  if (!/^"\s*[[{]/.test(quoted) || !maybeSecret.test(quoted)) return quoted
  const whole = readOr(undefined, () => String(JSON.parse(quoted)))
  const text = whole ?? quoted.slice(1).replace(/\\(.)/gs, '$1')
  const shown = hideMembers(text)
  if (shown === text) return quoted
  return whole === undefined ? JSON.stringify(shown).slice(0, -1) : JSON.stringify(shown)
}
