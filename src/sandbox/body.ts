import { hasCheckDigit } from '../api/card-numbers.ts'
import { reject } from '../api/errors.ts'

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
const unescaped = (text: string): string =>
  text
    .replace(/\\[bfnrt]/g, ' ')
    .replaceAll('\\/', '/')
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** Names of members that hold card data, also within JSON that stands in a text; `null` and empty ones hold none. */
const cardMembers =
  /\\?"(pan|card_?(?:number|no|num)|primary_?account_?number|cvv2?|cvc2?|(?:card_?)?security_?code|track_?[123]?(?:_?data)?|mag_?stripe|pin_?block)\\?"\s*:(?!\s*(?:null|""|\\"\\"))/i

/** Digits in one run, or in groups with something between them. */
const digitGroups = /\d+(?:[\s._+/-]{1,3}\d+)*/g

/** Lengths of the groups in which card numbers are printed, one after the other. */
const printedGroups = /^(?:1[3-9]|4 4 4 4(?: [1-3])?|4 6 [45])$/

/** UUIDs, and other ids in hexadecimal digits, which may hold such digits by chance. */
const hexIds =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<![0-9a-f])(?=\d*[a-f])[0-9a-f]{32,}(?![0-9a-f])/gi

/** First digits of the card networks; the service's own ids begin with none of them. */
const networks = /^(4|5[0-8]|2[2-7]|3[0-9]|6[0-9])/

const tracks = /%?B\d{12,19}\^|;\d{12,19}=/

/**
 * Plaintext card data is outside the interface. spec: What the service does 2. assumption: card-data
 * Errors: SBX_CARD_DATA.
 */
export function refuseCardData(text: string): void {
  const named = cardMembers.exec(text)
  if (named !== null)
    reject('SBX_CARD_DATA', { field: named[1] ?? 'body', detail: 'the member holds card data' })
  if (tracks.test(text)) reject('SBX_CARD_DATA', { field: 'body', detail: 'a member holds track data' })
  // Ids are looked for only where digits could be a card number at all.
  if (hasCardNumber(text) && hasCardNumber(text.replace(hexIds, '')))
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

function hasCardNumber(text: string): boolean {
  for (const [found] of text.matchAll(digitGroups))
    if (found.length >= 13 && holdsCardNumber(found.split(/\D+/))) return true
  return false
}

/** True when groups that follow each other are a card number, whatever digits stand before and after. */
function holdsCardNumber(groups: readonly string[]): boolean {
  for (let start = 0; start < groups.length; start++)
    for (let end = start + 1; end <= Math.min(start + 5, groups.length); end++) {
      const some = groups.slice(start, end)
      const lengths = some.map(({ length }) => length).join(' ')
      if (printedGroups.test(lengths) && isCardNumber(some.join(''))) return true
    }
  return false
}

const isCardNumber = (digits: string): boolean => networks.test(digits) && hasCheckDigit(digits)
