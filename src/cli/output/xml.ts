import { cleanLines } from './clean.ts'

/** Attributes of an XML element, each after a space. */
export const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replace(/\n/g, '&#10;')}"`)
    .join('')

/** Characters that XML 1.0 does not allow: control characters, lone surrogates, U+FFFE and U+FFFF. */
const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\r': '&#13;',
}

/** A text as XML. */
export const escaped = (text: string): string =>
  cleanLines(text)
    .replace(unwritable, '\ufffd')
    .replace(/[&<>"\t\r]/g, (character) => entities[character] ?? character)
