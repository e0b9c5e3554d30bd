import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * The state files hold one JSON object a line. Each line ends with the CRC-32 of what stands before it, as its last
 * member, so that any JSON tool can read the file and damage is noticed: `{"…":…,"crc":"0a1b2c3d"}`.
 */

const suffixLength = ',"crc":"00000000"}'.length
const chunkSize = 4 * 1024 * 1024
const newline = 10

/** Lines on their way to a file, encoded as they come. */
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

/** A line that is not what was written. */
export class DamagedLine extends Error {
  override readonly name = 'DamagedLine'
  constructor(
    readonly path: string,
    readonly line: number,
    readonly offset: number,
    why: string,
  ) {
    super(`${path} is damaged at line ${line} (byte ${offset}): ${why}`)
  }
}

/** What a file ended with: the bytes of its whole lines, and of the last one when its newline is missing. */
export interface Ending {
  readonly wholeBytes: number
  readonly tornBytes: number
  readonly lines: number
}

/** Hands every whole line of the first `limit` bytes to `take`, in order. Errors: DamagedLine. */
export function readLines<T>(
  path: string,
  take: (value: T, line: number, offset: number) => void,
  limit = Number.POSITIVE_INFINITY,
): Ending {
  const file = openSync(path, 'r')
  try {
    const size = Math.min(fstatSync(file).size, limit)
    let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
    let [position, offset, line] = [0, 0, 0]
    while (position < size) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkSize, size - position))
      const count = readSync(file, chunk, 0, chunk.length, position)
      if (count === 0) break
      position += count
      const block =
        rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)])
      let start = 0
      for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
        line += 1
        take(decode<T>(block.subarray(start, end), path, line, offset), line, offset)
        offset += end + 1 - start
        start = end + 1
      }
      rest = block.subarray(start)
    }
    return { wholeBytes: offset, tornBytes: rest.length, lines: line }
  } finally {
    closeSync(file)
  }
}

function decode<T>(bytes: Buffer, path: string, line: number, offset: number): T {
  const body = bytes.subarray(0, Math.max(0, bytes.length - suffixLength))
  const crc = crc32('}', crc32(body)).toString(16).padStart(8, '0')
  if (bytes.toString('latin1', body.length) !== `,"crc":"${crc}"}`)
    throw new DamagedLine(path, line, offset, 'its checksum does not fit')
  return JSON.parse(bytes.toString('utf8')) as T
}
