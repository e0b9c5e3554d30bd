const withoutMark = new TextDecoder('utf-8', { fatal: true })
const withMark = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The text of a file that a person wrote. A byte order mark is left out, unless the text is passed on byte
 * for byte.
 */
export const decodeText = (bytes: Uint8Array, keepsMark = false): string =>
  textOf(bytes, (all) => (keepsMark ? withMark : withoutMark).decode(all))

/** As `decodeText`, of a file that is read in parts. */
export async function* decodeParts(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const bytes of parts) yield textOf(bytes, (part) => decoder.decode(part, { stream: true }))
}

function textOf(bytes: Uint8Array, decode: (bytes: Uint8Array) => string): string {
  if (bytes.includes(0)) throw new Error('it is UTF-16, or not text; save it as UTF-8')
  try {
    return decode(bytes)
  } catch {
    throw new Error('it is not UTF-8; save it as UTF-8')
  }
}
