/** Text of others as a terminal may print it: what would do something is shown. assumption: foreign-text */

/** Controls, what turns the direction, and what cannot be seen; joiners make one character, and stay. */
const active = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** The Unicode picture of a control character: ␛ for Escape. */
function picture(control: string): string {
  const code = control.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return code === 0x7f ? '\u2421' : '\ufffd'
}

/** The text in one line. */
export const clean = (text: string): string => text.replace(/[\t\n]/g, ' ').replace(active, picture)

/** The text in the lines it has; tabs stay too. */
export const cleanLines = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(active, (control) => (/[\t\n]/.test(control) ? control : picture(control)))

/** A copy of an answer whose texts and member names are single lines. */
export const cleaned = <T>(value: T): T => cleanedValue(value) as T

function cleanedValue(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleanedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [clean(name), cleanedValue(each)]))
}
