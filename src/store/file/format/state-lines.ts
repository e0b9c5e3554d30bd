import { closeSync, fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { openState } from '../../../files/files.ts'

/**
 * The state files have one JSON object a line. Its last member is the CRC-32 of the text before it:
 * `{"…":…,"crc":"0a1b2c3d"}`. Any JSON tool can read the file, and damage is detected.
 */

const suffixLength = ',"crc":"00000000"}'.length
const chunkSize = 4 * 1024 * 1024
const newline = 10

/** A buffer of lines for a file, encoded as they are added. */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(64 * 1024)
  #length = 0

  /** Adds one object as a line with its checksum. */
  add(value: object): this {
    const text = JSON.stringify(value)
    this.#reserve(text.length * 3 + suffixLength + 1)
    const start = this.#length
    const end = start + this.#bytes.write(text, start)
    const crc = crc32(this.#bytes.subarray(start, end)).toString(16).padStart(8, '0')
    this.#length = end - 1 + this.#bytes.write(`,"crc":"${crc}"}\n`, end - 1, 'latin1')
    return this
  }

  /** Adds an encoded line with its checksum, without its newline. */
  addEncoded(line: Uint8Array): this {
    this.#reserve(line.length + 1)
    this.#bytes.set(line, this.#length)
    this.#bytes[this.#length + line.length] = newline
    this.#length += line.length + 1
    return this
  }

  /** Bytes of all lines; valid until the next `clear` or `add`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  clear(): this {
    this.#length = 0
    return this
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** A line that does not match its checksum. */
export class DamagedLine extends Error {
  override readonly name = 'DamagedLine'
  constructor(
    readonly path: string,
    readonly line: number,
    readonly offset: number,
    readonly why: string,
  ) {
    super(`${path} is damaged at line ${line} (byte ${offset}): ${why}`)
  }
}

/** How a file ends: the number of bytes of its sound lines, and of the unacknowledged bytes after them. */
export interface FileEnd {
  readonly soundBytes: number
  readonly unfinishedBytes: number
  readonly lines: number
}

/** How a file is read. */
export interface Reading<T> {
  /** Takes each sound line, in order; `bytes`: the line without its newline, in memory that many lines share. */
  readonly take: (value: T, line: number, offset: number, bytes: Buffer) => void
  /** Bytes to read; absent: all. */
  readonly bytes?: number | undefined
  /**
   * True for a line that is written only once everything before it is durable. Absent: every line that ends with a
   * newline was durable.
   */
  readonly provesDurable?: (value: T) => boolean
}

/**
 * Passes every sound line to `take`, in order. Lines left unfinished by a crash at the end of the file are not damage:
 * a line that was cut off and, with `provesDurable`, an unsound line with no later line that proves it was durable.
 * Errors: DamagedLine; an Error of the file system.
 */
export function readLines<T>(path: string, { take, bytes, provesDurable }: Reading<T>): FileEnd {
  let [soundBytes, lines] = [0, 0]
  for (const { block, offset, ended } of blocksOf(path, bytes)) {
    const sound = soundLine<T>(block, ended)
    if (sound !== undefined) {
      lines += 1
      take(sound.value, lines, offset, sound.bytes)
      soundBytes = offset + block.length + (ended ? 1 : 0)
    } else if (ended && (provesDurable === undefined || provenAfter(path, offset, bytes, provesDurable))) {
      throw new DamagedLine(path, lines + 1, offset, 'its checksum does not match')
    } else break
  }
  return { soundBytes, unfinishedBytes: sizeOf(path, bytes) - soundBytes, lines }
}

/** A line as found; `value` is undefined for a line that is not sound. */
export interface FoundLine<T> {
  readonly value: T | undefined
  /** The line without its newline, in memory that many lines share. */
  readonly bytes: Buffer
  /** Its first characters, even of a damaged line: they name its first member. */
  readonly beginning: string
  readonly line: number
  readonly offset: number
}

/** Every line of a file, damaged ones too. Errors: an Error of the file system. */
export function* everyLine<T>(path: string): Generator<FoundLine<T>> {
  let line = 0
  for (const { block, offset, ended } of blocksOf(path)) {
    line += 1
    const { value, bytes } = soundLine<T>(block, ended) ?? { value: undefined, bytes: block }
    yield { value, bytes, beginning: block.toString('latin1', 0, 16), line, offset }
  }
}

/** The object of a line, and its bytes. If the newline was not written, the bytes in its place are dropped. */
function soundLine<T>(block: Buffer, ended: boolean): { value: T; bytes: Buffer } | undefined {
  for (const bytes of ended ? [block] : [block, block.subarray(0, -1)]) {
    const value = decodeLine<T>(bytes)
    if (value !== undefined) return { value, bytes }
  }
  return undefined
}

/** The number of sound lines from an offset on. */
export function countSoundAfter(path: string, offset: number, bytes?: number): number {
  let count = 0
  for (const { block } of blocksOf(path, bytes, offset)) if (decodeLine(block) !== undefined) count += 1
  return count
}

/** True when a later sound line proves that the bytes at that position were durable. */
function provenAfter<T>(
  path: string,
  offset: number,
  bytes: number | undefined,
  provesDurable: (value: T) => boolean,
): boolean {
  for (const { block } of blocksOf(path, bytes, offset)) {
    const value = decodeLine<T>(block)
    if (value !== undefined && provesDurable(value)) return true
  }
  return false
}

/** A line without its newline. `ended`: the newline was present. */
interface FileBlock {
  readonly block: Buffer
  readonly offset: number
  readonly ended: boolean
}

/** The lines of a file from `start` up to `bytes`, whatever they hold. */
function* blocksOf(path: string, bytes = Number.POSITIVE_INFINITY, start = 0): Generator<FileBlock> {
  const file = openState(path, 'read')
  try {
    const size = Math.min(fstatSync(file).size, bytes)
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    let [position, offset] = [start, start]
    while (position < size) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, size - position))
      const count = readSync(file, chunk, 0, chunk.length, position)
      if (count === 0) break
      position += count
      const read = chunk.subarray(0, count)
      const text = rest.length === 0 ? read : Buffer.concat([rest, read])
      let from = 0
      for (let end = text.indexOf(newline); end !== -1; end = text.indexOf(newline, from)) {
        yield { block: text.subarray(from, end), offset, ended: true }
        offset += end + 1 - from
        from = end + 1
      }
      rest = text.subarray(from)
    }
    if (rest.length > 0) yield { block: rest, offset, ended: false }
  } finally {
    closeSync(file)
  }
}

function sizeOf(path: string, bytes = Number.POSITIVE_INFINITY): number {
  const file = openState(path, 'read')
  try {
    return Math.min(fstatSync(file).size, bytes)
  } finally {
    closeSync(file)
  }
}

/** The object of a line without its newline; undefined when it is not sound. */
export function decodeLine<T>(bytes: Buffer): T | undefined {
  const body = bytes.subarray(0, Math.max(0, bytes.length - suffixLength))
  const crc = crc32('}', crc32(body)).toString(16).padStart(8, '0')
  if (bytes.toString('latin1', body.length) !== `,"crc":"${crc}"}`) return undefined
  return JSON.parse(bytes.toString('utf8')) as T
}
