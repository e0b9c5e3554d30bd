import { bodyLimit } from 'hono/body-limit'
import { reject } from '../contract/errors.ts'
import { limits } from '../contract/headers.ts'
import { type Call, headerOf } from './call.ts'
import { holdsCardNumber } from './card-search.ts'

/**
 * Refuses a body that is announced as too long; a chunked one is counted while it is read. assumption: body-limit
 * Errors: SBX_TOO_LARGE.
 */
export async function limitLength(call: Call): Promise<void> {
  if (headerOf(call, 'transfer-encoding') !== undefined) {
    await limitChunks(call, async () => undefined)
    return
  }
  const length = Number(headerOf(call, 'content-length') ?? 0)
  if (length > limits.body) reject('SBX_TOO_LARGE', { field: 'body', detail: `it has ${length} bytes` })
}

const limitChunks = bodyLimit({
  maxSize: limits.body,
  onError: () => reject('SBX_TOO_LARGE', { field: 'body', detail: `it has more than ${limits.body} bytes` }),
})

/** The members of a GET. Errors: SBX_CARD_DATA. */
export function membersOfQuery(call: Call): Record<string, string> {
  const members = call.req.query()
  refuseCardData(JSON.stringify(members))
  return members
}

/** A decoded JSON object. */
export type Members = Readonly<Record<string, unknown>>

/** Decodes a body as one JSON object. Errors: SBX_BAD_JSON, SBX_CARD_DATA. */
export function membersOf(text: string): Members {
  if (text.includes('\uFFFD')) reject('SBX_BAD_JSON', { field: 'body', detail: 'it is not UTF-8' })
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    reject('SBX_BAD_JSON', { field: 'body', detail: 'it is JSON, but not an object' })
  refuseCardData(text.includes('\\') ? unescaped(text) : text)
  return value as Members
}

function parse(text: string): unknown {
  if (text.trim() === '') reject('SBX_BAD_JSON', { field: 'body', detail: 'it is empty' })
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the body, which may hold secrets.
    return reject('SBX_BAD_JSON', { field: 'body', detail: 'it cannot be parsed' })
  }
}

/** With what JSON writes as escapes, as far as it could stand in or between digits. */
function unescaped(text: string): string {
  const spaced = text.replace(/\\[bfnrt]/g, ' ').replaceAll('\\/', '/')
  const [before = '', ...pieces] = spaced.split(/\\u(?=[0-9a-f]{4})/i)
  if (pieces.length === 0) return before
  const code = (piece: string) => Number.parseInt(piece.slice(0, 4), 16)
  return before + pieces.map((piece) => String.fromCharCode(code(piece)) + piece.slice(4)).join('')
}

/** Names of members that hold card data, also within JSON that stands in a text; `null` and empty ones hold none. */
const cardMembers =
  /\\?"(pan|card_?(?:number|no|num)|primary_?account_?number|cvv2?|cvc2?|(?:card_?)?security_?code|track_?[123]?(?:_?data)?|mag_?stripe|pin_?block)\\?"\s*:(?!\s*(?:null|""|\\"\\"))/i

/** UUIDs, and other ids in hexadecimal digits, which may hold such digits by chance. */
const hexIds =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<![0-9a-f])(?=\d*[a-f])[0-9a-f]{32,}(?![0-9a-f])/gi

const tracks = /%?B\d{12,19}\^|;\d{12,19}=/

/**
 * Plaintext card data is outside the interface. docs/api.md#service-2. assumption: card-data
 * Errors: SBX_CARD_DATA.
 */
export function refuseCardData(text: string): void {
  const named = cardMembers.exec(text)
  if (named !== null)
    reject('SBX_CARD_DATA', { field: named[1] ?? 'body', detail: 'the member holds card data' })
  if (tracks.test(text)) reject('SBX_CARD_DATA', { field: 'body', detail: 'a member holds track data' })
  // Ids are looked for only where digits could be a card number at all.
  if (holdsCardNumber(text) && holdsCardNumber(text.replace(hexIds, '')))
    reject('SBX_CARD_DATA', { field: 'body', detail: 'a member holds a card number' })
}

/** True when one of the texts holds card data, also where it was never read as JSON. */
export function holdsCardData(...texts: readonly string[]): boolean {
  try {
    for (const text of texts) refuseCardData(text.includes('\\') ? unescaped(text) : text)
    return false
  } catch {
    return true
  }
}
