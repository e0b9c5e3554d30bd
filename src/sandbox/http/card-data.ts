import { reject } from '../../contract/errors.ts'
import { parseJson } from '../../shared/read-or.ts'
import { holdsCardNumber } from './card-number-search.ts'

/**
 * The search for plaintext card data, which the interface does not allow. Free text is searched for card
 * numbers and tracks. Ids are not searched, because an order number may look like a card number. A field
 * named for card data counts only if its value has the matching form. docs/api.md#service-2. assumption:
 * card-data
 */

/** What was found, and in which member; null outside members, or when the member's name holds it. */
interface CardData {
  readonly what: string
  readonly member: string | null
}

/** Members that hold ids. */
const ids: ReadonlySet<string> = new Set([
  'appId',
  'batchNo',
  'merchantId',
  'nextToken',
  'originalTransactionId',
  'originalTransactionRequestId',
  'referenceOrderId',
  'sessionId',
  'terminalSn',
  'transactionId',
  'transactionRequestId',
])

/** Field names for card data, and the form of each. */
const named = [
  {
    what: 'a card number',
    names: 'pan|card_?(?:number|no|num)|primary_?account_?number',
    form: '(?:\\d[\\s._+/-]{0,3}){11,18}\\d',
  },
  { what: 'a security code', names: 'cvv2?|cvc2?|(?:card_?)?security_?code', form: '\\d{3,4}' },
  {
    what: 'track data',
    names: 'track_?[123]?(?:_?data)?|mag_?stripe',
    form: '[;%]?B?\\d{12,19}(?:[=^]|D\\d)[^"]*',
  },
  { what: 'a PIN block', names: 'pin_?block', form: '[0-9a-f]{16}' },
].map(({ what, names, form }) => ({
  what,
  name: new RegExp(`^(?:${names})$`, 'i'),
  value: new RegExp(`^(?:${form})$`, 'i'),
  quotedName: `"(?:${names})"`,
  /** Name and value in a text that only resembles JSON: cut off, or mistyped. */
  both: new RegExp(
    `["'](?:${names})\\\\*["']\\s*:\\s*(?:(?:\\\\+["']?|["'])\\s*)?(?:${form})(?![0-9a-f])`,
    'i',
  ),
}))

const anyName = new RegExp(named.map(({ quotedName }) => quotedName).join('|'), 'i')

const tracks = /%?B\d{12,19}\^|;\d{12,19}=/

/** UUIDs and other hexadecimal ids, which may contain the digits of a card number by chance. */
const hexIds =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|(?<![0-9a-f])(?=\d*[a-f])[0-9a-f]{32,}(?![0-9a-f])/gi

/** Refuses text that holds card data; JSON is searched by its members. */
export function refuseCardData(text: string): void {
  refuse(inText(text))
}

/** Names and values of a query. */
type Query = Iterable<readonly [name: string, value: string]>

/** Refuses a query that holds card data. */
export function refuseCardDataInQuery(query: Query): void {
  refuse(inQuery(query))
}

function refuse(found: CardData | null): void {
  if (found === null) return
  const { member, what } = found
  const field = member === null ? 'body' : member.slice(0, 64)
  reject('SBX_CARD_DATA', {
    field,
    detail: member === null ? `it holds ${what}` : `the member holds ${what}`,
  })
}

/** True when the text has card data, whether it is JSON, the target of a request, or other text. */
export function holdsCardData(text: string): boolean {
  const [, path, query] = /^(\/[^\s?]*)\?(.*)$/s.exec(text) ?? []
  if (path === undefined || query === undefined) return inText(text) !== null
  return inText(path) !== null || inQuery(new URLSearchParams(query)) !== null
}

function inText(text: string): CardData | null {
  const mayHide = text.includes('\\')
  if (!mayHide && !anyName.test(text) && !tracks.test(text) && !holdsCardNumber(text)) return null
  if (isJson(text)) return inJson(text)
  const plain = mayHide ? unescaped(text) : text
  const [what] = [
    ...named.flatMap(({ both, what }) => (both.test(plain) ? [what] : [])),
    ...(tracks.test(plain) ? ['track data'] : []),
    // Ids are removed only if the text seems to hold a card number.
    ...(holdsCardNumber(plain) && holdsCardNumber(plain.replace(hexIds, '')) ? ['a card number'] : []),
  ]
  return what === undefined ? null : { what, member: null }
}

/** Searches every value of a name: the service reads only the first, but all are logged. */
function inQuery(query: Query): CardData | null {
  for (const [name, value] of query) {
    const found = inText(name) ?? inMember(name, value)
    if (found !== null) return found
  }
  return null
}

function inMember(name: string, value: string): CardData | null {
  if (ids.has(name)) return null
  const kind = named.find((each) => each.name.test(name) && each.value.test(value.trim()))
  if (kind !== undefined) return { what: kind.what, member: name }
  const found = inText(value)
  return found && { ...found, member: name === '' ? found.member : name }
}

/** False for what only resembles JSON. */
const isJson = (text: string): boolean => /^\s*[[{]/.test(text) && parseJson(text) !== undefined

/** JSON strings, with the colon after a name; braces; numbers. */
const tokens = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]|-?\d[\d.eE+-]*/g

/**
 * Searches the JSON as written, not as parsed: the parser keeps only the last of two equal names and about 16
 * digits of a number, but the request log keeps the text.
 */
function inJson(json: string): CardData | null {
  let name = ''
  for (const [token, quoted, colon] of json.matchAll(tokens)) {
    if (token === '{' || token === '}') {
      name = ''
      continue
    }
    const text = quoted?.includes('\\') ? (JSON.parse(`"${quoted}"`) as string) : (quoted ?? token)
    const found = colon === undefined ? inMember(name, text) : inText(text)
    if (found !== null) return found
    if (colon !== undefined) name = text
  }
  return null
}

/** The text with the JSON escapes decoded that could hide digits or the gaps between them. */
function unescaped(text: string): string {
  const spaced = text.replace(/\\[bfnrt]/g, ' ').replaceAll('\\/', '/')
  const [before = '', ...pieces] = spaced.split(/\\u(?=[0-9a-f]{4})/i)
  if (pieces.length === 0) return before
  const code = (piece: string) => Number.parseInt(piece.slice(0, 4), 16)
  return before + pieces.map((piece) => String.fromCharCode(code(piece)) + piece.slice(4)).join('')
}
