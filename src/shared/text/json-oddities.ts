import { readJson, tooDeep } from '../read-or.ts'

/** What `JSON.parse` passes over in silence: the path of a member, and what is odd about it. */
export interface JsonOddity {
  readonly field: string
  readonly reason: string
  /** Present where an integer is read that is not the one that was written: no reader may go on with it. */
  readonly isLost?: true
}

/** Where a number may have a fraction; elsewhere an integer that is written as `10.00` or `1e3` is odd. */
export type MayBeFraction = (field: string) => boolean

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[{}[\],]/g
const member = /"\s*:/g
const oddNumber = /[:[,]\s*-?\d+(?:[.eE]|\d{15})/

/** The most that are listed of one text. */
const mostListed = 10

/**
 * Members that are there twice, and numbers that are not what they look like, in a text that was parsed to
 * `value`; lost digits come first. Most texts have neither, and are not read again. assumption: field-reading
 */
export function jsonOddities(
  text: string,
  value: unknown,
  mayBeFraction: MayBeFraction,
): readonly JsonOddity[] {
  // Each member has a quote and a colon; more of them than members are a duplicate, or stand inside a text.
  if (!oddNumber.test(text) && (text.match(member)?.length ?? 0) === countOfMembers(value)) return []
  const found: JsonOddity[] = []
  const note = (odd: JsonOddity) => void (found.length < mostListed && found.push(odd))
  const open: { at: string; names: Set<string> | null; step: string | number }[] = []
  for (const [token, colon] of text.matchAll(tokens)) {
    const level = open.at(-1)
    const field = () => (level ? shortPath(level.at + String(level.step).slice(0, 64)) : '')
    if (token === '{' || token === '[') {
      const names = token === '{' ? new Set<string>() : null
      open.push({ at: level ? `${field()}.` : '', names, step: 0 })
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && level?.names === null) level.step = Number(level.step) + 1
    else if (colon !== undefined && level?.names) {
      const name: string = JSON.parse(token.slice(0, -colon.length))
      level.step = name || '""'
      const reason = 'is there twice, and readers of JSON differ in which one they take'
      if (level.names.has(name)) note({ field: field(), reason })
      level.names.add(name)
    } else if (/^-?\d+(?:[.eE]|\d{15})/.test(token)) {
      const oddity = numberOddity(token, () => mayBeFraction(field()))
      if (oddity?.isLost) return [{ field: field() || 'body', ...oddity }, ...found]
      if (oddity !== undefined) note({ field: field() || 'body', ...oddity })
    }
  }
  return found
}

/** The end of a long path. */
const shortPath = (path: string): string => (path.length <= 200 ? path : `…${path.slice(-200)}`)

/** What is odd about a number as it is written in JSON. */
export function numberOddity(
  written: string,
  mayBeFraction: () => boolean,
): Omit<JsonOddity, 'field'> | undefined {
  const read = Number(written)
  const shown = written.slice(0, 64)
  const isHeld = written.length <= 15 && read !== 0 && Number.isFinite(read) // a double holds any 15 digits
  if (!isHeld && significant(written) !== significant(String(read))) {
    const reason = `is ${shown}, which is read as ${read}`
    return Number.isInteger(read) ? { reason, isLost: true } : { reason }
  }
  const isOdd = Number.isInteger(read) && /[.e]/i.test(written) && !mayBeFraction()
  return isOdd ? { reason: `is written as ${shown}; write the integer ${read}` } : undefined
}

/** The digits of a number and the power of ten of the last one, however it is written. */
function significant(written: string): string {
  const [, whole = '', fraction = '', exponent = 0] = /^-?(\d+)\.?(\d*)(?:e(.+))?$/i.exec(written) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const [, kept = ''] = /^(.*[1-9])?0*$/.exec(digits) ?? []
  return kept === '' ? '0' : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}

function countOfMembers(value: unknown): number {
  let count = 0
  const waiting = [value]
  for (const each of waiting) {
    if (typeof each !== 'object' || each === null) continue
    for (const inner of Object.values(each)) waiting.push(inner)
    if (!Array.isArray(each)) count += Object.keys(each).length
  }
  return count
}

/** Why `JSON.parse` refused a text with that error, and where: line and column from 1. */
export function jsonFault(text: string, { message }: Error) {
  const depth = message.startsWith(tooDeep) ? /\d+$/.exec(message)?.[0] : undefined
  const sound = text
    .slice(0, depth === undefined ? brokenAt(text) : Number(depth) + 1)
    .trimEnd()
    .split('\n')
  return {
    reason: message.replace(/ in JSON at position.*$|, (\.\.\.)?".*$/s, ''),
    line: sound.length,
    column: Math.max(sound.at(-1)?.length ?? 0, 1),
  }
}

/** The value of a JSON text. */
export function parseJsonOr(text: string, refusal: (fault: ReturnType<typeof jsonFault>) => Error): unknown {
  try {
    return readJson(text)
  } catch (error) {
    throw refusal(jsonFault(text, error as Error))
  }
}

/** How much of the text could still become JSON. Errors of JSON.parse name a position only sometimes. */
function brokenAt(text: string): number {
  let [sound, broken] = [0, text.length]
  while (broken - sound > 1) {
    const middle = (sound + broken) >>> 1
    if (isBroken(text.slice(0, middle))) broken = middle
    else sound = middle
  }
  return broken
}

/** True for a text that cannot become JSON by going on. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { message } = error as Error
    const [, position] = /at position (\d+)/.exec(message) ?? []
    return position === undefined ? !/end of JSON/.test(message) : Number(position) < text.length
  }
}
