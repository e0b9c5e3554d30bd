import { closeSync, fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openState } from '../../files/files.ts'
import { StoreError } from '../store-errors.ts'

/**
 * State files have one JSON object a line. Its last member is the CRC-32 of the text before it:
 * `{"…":…,"crc":"0a1b2c3d"}`. Any JSON tool can read the files, and damage is found with its line.
 */

const suffixLength = ',"crc":"00000000"}'.length
const chunkSize = 4 * 1024 * 1024
const newline = 10
const comma = 44

/** A line of a state file that is not what was written. */
export class DamagedLine extends StoreError {
  override readonly name = 'DamagedLine'
  readonly remedy = 'Nothing was changed. Bring it back from a backup; what does not use it can go on'
  constructor(
    readonly path: string,
    readonly line: number,
    readonly offset: number,
    readonly why: string,
  ) {
    super(`${path} is damaged at line ${line} (byte ${offset}): ${why}`)
  }
}

/** Makes the error for a line. */
export type DamagedLineOf = (why: string) => DamagedLine

/** Why a line is not sound. */
export const wrongChecksum = 'its checksum does not match'

/** The line of an object that has members, without its newline. */
export function encodeLine(value: object): string {
  const text = JSON.stringify(value)
  return text.slice(0, -1) + suffixOf(text)
}

/** The object of a line; undefined when it is not sound. */
export function decodeLine<T>(bytes: Buffer): T | undefined {
  const line = bytes.toString('utf8')
  const text = `${line.slice(0, -suffixLength)}}`
  return line.slice(-suffixLength) === suffixOf(text) ? (JSON.parse(text) as T) : undefined
}

/** The end of a line: the checksum of the object as text without it. */
const suffixOf = (text: string): string => `,"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`

/** Characters of a piece of text that is written at once. */
const pieceLength = 256 * 1024

/** Lines as the elements of a JSON array, each still on a line of its own; in pieces to be written. */
export function* asArray(lines: Iterable<string>): Generator<string> {
  let piece = '['
  let before = '\n'
  for (const line of lines) {
    piece += before + line
    before = ',\n'
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  yield `${piece}\n]\n`
}

/** A line of a file, whatever it holds. */
export interface FileLine {
  /** Without its newline. */
  readonly bytes: Buffer
  readonly line: number
  readonly offset: number
  /** False for the rest of a file that does not end with a newline. */
  readonly ended: boolean
}

/** The lines of a file up to `bytes`. Errors: an Error of the file system. */
export function* linesOf(path: string, bytes = Number.POSITIVE_INFINITY): Generator<FileLine> {
  const file = openState(path, 'read')
  try {
    const size = Math.min(fstatSync(file).size, bytes)
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    let [position, offset, line] = [0, 0, 0]
    while (position < size) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, size - position))
      const count = readSync(file, chunk, 0, chunk.length, position)
      if (count === 0) break
      position += count
      const text = Buffer.concat([rest, chunk.subarray(0, count)])
      let from = 0
      for (let end = text.indexOf(newline); end !== -1; end = text.indexOf(newline, from)) {
        yield { bytes: text.subarray(from, end), line: ++line, offset, ended: true }
        offset += end + 1 - from
        from = end + 1
      }
      rest = text.subarray(from)
    }
    if (rest.length > 0) yield { bytes: rest, line: line + 1, offset, ended: false }
  } catch (error) {
    throw Object.assign(error as Error, { path })
  } finally {
    closeSync(file)
  }
}

/** An object in a file; `value` is undefined when its line is not sound. */
export interface FoundObject<T> {
  readonly value: T | undefined
  /** Its text, whose beginning names its kind even when it is damaged. */
  readonly text: Buffer
  readonly line: number
  readonly offset: number
}

/** Makes the error for an object in a file. */
export const damagedAt =
  (path: string, { line, offset }: Pick<FoundObject<unknown>, 'line' | 'offset'>): DamagedLineOf =>
  (why) =>
    new DamagedLine(path, line, offset, why)

/** The object of a sound line. Errors: DamagedLine. */
export function soundValue<T>(path: string, found: FoundObject<T>): T {
  if (found.value === undefined) throw damagedAt(path, found)(wrongChecksum)
  return found.value
}

/** The objects of a file with one in each line. */
export function* objectsOf<T>(path: string): Generator<FoundObject<T>> {
  for (const { bytes, line, offset } of linesOf(path))
    yield { value: decodeLine<T>(bytes), text: bytes, line, offset }
}

/** The elements of a file that `asArray` wrote. Damage of the brackets is an unsound element. */
export function* elementsOf<T>(path: string): Generator<FoundObject<T>> {
  let isOver = false
  for (const { bytes, line, offset, ended } of linesOf(path)) {
    const text = bytes.at(-1) === comma ? bytes.subarray(0, -1) : bytes
    const isBracket = bytes.length === 1 && ended && bytes.toString() === (line === 1 ? '[' : ']')
    const value = isOver || line === 1 || !ended ? undefined : decodeLine<T>(text)
    if (isBracket && !isOver) isOver = line > 1
    else yield { value, text, line, offset }
  }
}
