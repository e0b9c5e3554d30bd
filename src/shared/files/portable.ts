import { createReadStream, createWriteStream, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip, gunzipSync } from 'node:zlib'
import { openState, readFirst, syncFile, syncFolder, throughLinks, unfinishedSuffix } from './files.ts'

/** Files that people keep and carry: as they are, or packed with gzip. */

/** Beginning of every export. */
const beginning = '[\n{"format":'

/** True for a file that begins like an export, compressed or not. */
export function isExport(path: string): boolean {
  if (!statSync(path).isFile()) return false
  const bytes = readFirst(path, 1024)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b)
    return Buffer.from(bytes).toString('latin1').startsWith(beginning)
  try {
    const plain = gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    return plain.toString('latin1').startsWith(beginning)
  } catch {
    return false // compressed, but damaged
  }
}

/**
 * Writes a stream to a file, compressed when its name ends in .gz: complete or not at all, durable, for its
 * owner alone.
 */
export async function writePortable(path: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  const kept = throughLinks(path)
  const beside = `${kept}.${process.pid}${unfinishedSuffix}`
  rmSync(beside, { force: true })
  const file = openState(beside, 'begin')
  try {
    const target = createWriteStream('', { fd: file })
    await (/\.gz$/i.test(path) ? pipeline(source, createGzip(), target) : pipeline(source, target))
    syncFile(openState(beside, 'append'))
    renameSync(beside, kept)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  syncFolder(dirname(kept))
}

/** The contents of a file, decompressed, read lazily. */
export function openPortable(path: string): Readable {
  const [first, second] = readFirst(path, 2)
  return Readable.from(unpackedBytes(path, first === 0x1f && second === 0x8b))
}

async function* unpackedBytes(path: string, packed: boolean): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path)
  if (!packed) return yield* file
  const plain = createGunzip()
  file.once('error', (error) => plain.destroy(error))
  yield* file.pipe(plain)
}
