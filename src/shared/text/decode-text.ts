const withoutMark = new TextDecoder('utf-8', { fatal: true })
const withMark = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a file that a person wrote. A byte order mark is left out, unless the text is passed on byte
 * for byte.
 */
export function decodeText(bytes: Uint8Array, keepsMark = false): string {
  if (bytes.includes(0)) throw new Error('it is UTF-16, or not text; save it as UTF-8')
  try {
    return (keepsMark ? withMark : withoutMark).decode(bytes)
  } catch {
    throw new Error('it is not UTF-8; save it as UTF-8')
  }
}
