import { hiddenKey, hiddenMark } from '../../contract/control/request-log-answers.ts'
import { isSecretHeader, isSecretInQuery, maybeSecret } from '../../contract/presentation/secret-names.ts'
import { parseJson } from '../../shared/read-or.ts'

/** Hides the secrets in URLs: user, password, and query members. assumption: request-log */

/** A URL without a match has nothing to hide. */
const suspect = new RegExp(`${maybeSecret.source}|@|auth|referer|key|sig`, 'i')

/** User and password of a URL. */
const user = /(:[/\\]{2,})[^/\\?#]*@/g

/** A URL without user, password and the secrets in its query or fragment. */
export function hideInAddress(address: string): string {
  let within = false // a part that begins with ? or ; continues a secret value
  return address
    .replace(user, `$1${hiddenMark}@`)
    .split(/(?=[?&#;])/)
    .map((part) => {
      within &&= /^[?;]/.test(part)
      if (within) return ''
      const [, name, value] = /^[?&#;]([^=]*)=(.*)$/s.exec(part) ?? []
      if (name === undefined || value === undefined) return part
      within = isSecretInQuery(unescaped(name))
      return part.slice(0, name.length + 2) + (within ? hiddenMark : hideInValue(value))
    })
    .join('')
}

/** The target of a request without the secrets in its query; most targets have none. */
export const hideInUrl = (url: string): string =>
  url.includes('?') && suspect.test(url) ? hideInAddress(url) : url

/** A value of the query may itself be a URL. */
function hideInValue(value: string): string {
  if (!value.includes('%')) return value
  const address = unescaped(value)
  const shown = hideAddresses(address)
  return shown === address ? value : shown
}

const unescaped = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** A text without a match holds no URL, not even one with JSON escapes. */
const trace = /:[/\\]{2}|\\/

const beginsAsAddress = /^\s*[a-z][a-z0-9+.-]*:[/\\]{2}/i

/** Splits a text into JSON strings, of which the last may be cut off, and the text between them. */
const texts = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[^"]+/gs

/** A text, JSON or not, without the secrets of the URLs in it. */
export function hideAddresses(text: string): string {
  if (!trace.test(text)) return text
  if (beginsAsAddress.test(text)) return hideInAddress(text)
  return text.replace(texts, (part) => (part.startsWith('"') ? hideInQuoted(part) : hideInWords(part)))
}

/** A JSON string is unchanged unless something in it is hidden. */
function hideInQuoted(quoted: string): string {
  if (!trace.test(quoted)) return quoted
  const text = parseJson(quoted) as string | undefined // cut off, or never JSON
  if (text === undefined) return `"${hideInWords(quoted.slice(1))}`
  const shown = beginsAsAddress.test(text) ? hideInAddress(text) : hideInWords(text)
  return shown === text ? quoted : JSON.stringify(shown)
}

const hideInWords = (text: string): string =>
  text
    .split(/(\s+)/)
    .map((word) => (trace.test(word) ? hideInAddress(word) : word))
    .join('')

/** A copy of raw headers, names and values in turn, without the secrets in them. */
export function hideHeaders(raw: readonly string[]): readonly string[] {
  const shown = raw.slice()
  for (let index = 0; index < shown.length; index += 2)
    if (isSecretHeader(shown[index] as string)) shown[index + 1] = hidden(shown[index + 1] as string)
  return shown
}

/** Headers by name in their order, without the secrets in them. */
export const safeHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? hidden(value) : value])

/** A secret header as it is shown: scheme, kind and last four characters of a long key; else hidden. */
function hidden(value: string): string {
  const [, scheme, key = ''] = /^(Bearer|Basic) (.*)$/i.exec(value) ?? []
  if (scheme === undefined) return hiddenMark
  return `${scheme} ${scheme.length === 6 ? hiddenKey(key) : hiddenMark}`
}
