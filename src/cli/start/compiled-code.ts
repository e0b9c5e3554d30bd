import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { makeFolder, ownerOnly } from '../../files/files.ts'
import { homeFolder } from '../../files/home-folder.ts'

/** Compiled code by the name of the file that it was made from. */
export type CompiledCode = ReadonlyMap<string, Uint8Array>

/** The folder for what programs of this user keep and can make again; null where none is known. */
export function cacheFolder({ XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv): string | null {
  const home = homeFolder(HOME) ?? ''
  const usual = process.platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache')
  const folder = XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || usual
  return isAbsolute(folder) ? join(folder, 'tillbox') : null
}

/** Bytes before the list of names: the checksum of all that follows, and the length of the list. */
const headLength = 8

/**
 * Reads compiled code. Empty when the file cannot be read, is damaged, or could have been written by another user: V8
 * runs whatever it is given.
 */
export function readCode(path: string): CompiledCode {
  try {
    const bytes = ownBytes(path)
    return bytes !== null && isWhole(bytes) ? new Map(parts(bytes)) : new Map()
  } catch {
    return new Map() // no file, most often: the start compiles what it needs
  }
}

/** Errors: an Error of the file system. */
function ownBytes(path: string): Buffer | null {
  const file = openSync(path, 'r')
  try {
    const { uid, mode } = fstatSync(file)
    const isOwn = process.platform === 'win32' || (uid === process.geteuid?.() && (mode & 0o022) === 0)
    return isOwn ? readFileSync(file) : null
  } finally {
    closeSync(file)
  }
}

const isWhole = (bytes: Buffer): boolean =>
  bytes.length > headLength && bytes.readUInt32LE(0) === crc32(bytes.subarray(4))

function* parts(bytes: Buffer): Generator<[string, Uint8Array]> {
  let start = headLength + bytes.readUInt32LE(4)
  const list: [string, number][] = JSON.parse(bytes.toString('utf8', headLength, start))
  for (const [name, length] of list) {
    yield [name, bytes.subarray(start, start + length)]
    start += length
  }
}

/** Writes compiled code for this user alone. False where the folder or the file cannot be written. */
export function writeCode(path: string, code: CompiledCode): boolean {
  try {
    makeBuildFolder(dirname(path))
    replaceFile(path, bytesOf(code))
    return true
  } catch {
    return false // the next start compiles dist/ again
  }
}

/** Errors: an Error of the file system. */
function makeBuildFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(folder)
  removeUnused(dirname(folder))
}

/** Not durable, for it can be made again. Errors: an Error of the file system. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const unfinished = `${path}.${process.pid}`
  try {
    writeFileSync(unfinished, bytes, { mode: ownerOnly, flag: 'wx' })
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function bytesOf(code: CompiledCode): Buffer {
  const list = Buffer.from(JSON.stringify([...code].map(([name, { length }]) => [name, length])))
  const bytes = Buffer.concat([Buffer.alloc(headLength), list, ...code.values()])
  bytes.writeUInt32LE(list.length, 4)
  bytes.writeUInt32LE(crc32(bytes.subarray(4)))
  return bytes
}

/** Milliseconds after which the code of another build or Node version is removed. */
const retentionMs = 30 * 24 * 60 * 60 * 1000

/** Removes folders that were not written for a month. Errors: an Error of the file system. */
function removeUnused(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - statSync(path).mtimeMs > retentionMs) rmSync(path, { recursive: true, force: true })
  }
}
