import { closeSync, fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Damage } from '../../../shared/files/checked-json.ts'
import { openState } from '../../../shared/files/files.ts'

/**
 * State files have one JSON object a line. Its last member is the CRC-32 of the text before it:
 * `{"…":…,"crc":"0a1b2c3d"}`. Any JSON tool can read the files, and damage is found with its line.
 */

const suffixLength = ',"crc":"00000000"}'.length
const chunkSize = 1024 * 1024
const newline = 10
const comma = 44

/** How the last element begins, which no comma follows. */
const lastElement = Buffer.from('{"end":')

/** A line of a state file that is not what was written. */
export class DamagedLine extends Damage {
  override readonly name = 'DamagedLine'
  constructor(
    readonly path: string,
    readonly line: number,
    /** Where it begins; null for a row of a database. */
    readonly offset: number | null,
    readonly why: string,
  ) {
    super(`${path} is damaged at line ${line}${offset === null ? '' : ` (byte ${offset})`}: ${why}`)
  }
}

/** Makes the error for a line. */
export type DamagedLineOf = (why: string) => DamagedLine

/** Why a line is not sound. */
export const wrongChecksum = 'its checksum does not match'

/** The line of an object that has members, without its newline. */
export function encodeLine(value: object): string {
  const text = JSON.stringify(value).slice(0, -1)
  return text + checksumSuffix(text)
}

/** The object of a line; undefined when it is not sound. A comma after the object is none of it. */
export function decodeLine<T>(bytes: Buffer): T | undefined {
  const end = bytes.length - suffixLength - (bytes.at(-1) === comma ? 1 : 0)
  return bytes.toString('latin1', end, end + suffixLength) === checksumSuffix(bytes.subarray(0, end))
    ? (JSON.parse(`${bytes.toString('utf8', 0, end)}}`) as T)
    : undefined
}

/** The end of a line: the checksum of the text before it. */
const checksumSuffix = (text: string | Buffer): string =>
  `,"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`

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

/** A line of a file, whatever it holds. Its bytes are those of the file until the next line is read. */
export class FileLine {
  constructor(
    readonly path: string,
    readonly line: number,
    readonly offset: number,
    /** Without its newline. */
    readonly bytes: Buffer,
    /** False for the rest of a file that does not end with a newline. */
    readonly isEnded: boolean,
  ) {}

  /** Makes the error for this line. */
  damaged(why: string): DamagedLine {
    return new DamagedLine(this.path, this.line, this.offset, why)
  }

  /** The object of the line. Errors: DamagedLine unless it is sound. */
  sound<T>(): T {
    const value = decodeLine<T>(this.bytes)
    if (value === undefined) throw this.damaged(wrongChecksum)
    return value
  }
}

/** The lines of a file: of its chunks, if they are known. */
export function* readFileLines(
  path: string,
  chunks: Iterable<Buffer> = readChunks(path),
): Generator<FileLine> {
  let rest: Buffer = Buffer.alloc(0)
  let [line, offset] = [0, 0]
  for (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const part = chunk.subarray(from, end)
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part])
      rest = rest.subarray(0, 0)
      yield new FileLine(path, ++line, offset, bytes, true)
      offset += bytes.length + 1
      from = end + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(from)])
  }
  if (rest.length > 0) yield new FileLine(path, line + 1, offset, rest, false)
}

/** The bytes of a file up to `limit`; each chunk takes the place of the one before. */
export function* readChunks(path: string, limit = Number.POSITIVE_INFINITY): Generator<Buffer> {
  const file = openState(path, 'read')
  try {
    const size = Math.min(fstatSync(file).size, limit)
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, size))
    for (let position = 0; position < size; ) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, size - position), position)
      if (count === 0) return
      position += count
      yield chunk.subarray(0, count)
    }
  } catch (error) {
    throw Object.assign(error as Error, { path })
  } finally {
    closeSync(file)
  }
}

/** The elements of a file that `asArray` wrote. Damage of the brackets is an unsound element. */
export function* readElements(path: string, chunks?: Iterable<Buffer>): Generator<FileLine> {
  let isOver = false
  for (const found of readFileLines(path, chunks)) {
    const { line, offset, bytes, isEnded } = found
    const isBracket = bytes.length === 1 && isEnded && bytes.toString() === (line === 1 ? '[' : ']')
    if (isBracket && !isOver) isOver = line > 1
    else if (isOver || line === 1 || !isEnded)
      yield new FileLine(path, line, offset, bytes.subarray(0, 0), isEnded)
    else yield found
  }
}

/** As `readElements`, for a file that must be whole. Errors: DamagedLine for a comma missing or too many. */
export function* readJoinedElements(path: string, chunks?: Iterable<Buffer>): Generator<FileLine> {
  for (const found of readElements(path, chunks)) {
    yield found
    const isLast = found.bytes.subarray(0, lastElement.length).equals(lastElement)
    const hasComma = found.bytes.at(-1) === comma
    if (hasComma === isLast)
      throw found.damaged(isLast ? 'a comma follows the last record' : 'the comma after it is missing')
  }
}
