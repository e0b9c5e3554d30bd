import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { NamedError } from '../named-error.ts'

/** State files are for their owner alone. */
export const ownerOnly = 0o600

/** A link is never followed: it could name a file of somebody else. Windows has no such flag. */
const noFollow = constants.O_NOFOLLOW ?? 0

/** How the name of a file ends that is not finished: a crash may leave it behind. */
export const unfinishedSuffix = '.new'

/** Ways to open a state file. `append` and `create` make it when it is not there; `begin` wants it not to be there. */
const ways = {
  read: constants.O_RDONLY,
  append: constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT,
  begin: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
} as const

/** Flags to read a state file, and to append to one, for `open` of node:fs/promises. Links are not followed. */
export const [reading, appending] = [ways.read | noFollow, ways.append | noFollow]

/**
 * Opens a state file, which must not be a link; one that may be written to is for its owner alone from then on.
 * Errors: an Error of the file system, ELOOP for a link.
 */
export function openState(path: string, way: keyof typeof ways): number {
  const file = openSync(path, ways[way] | noFollow, ownerOnly)
  try {
    if (way !== 'read') fchmodSync(file, ownerOnly)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

/** Does something with an open file, and closes it. */
function withFile<T>(file: number, act: (file: number) => T): T {
  try {
    return act(file)
  } finally {
    closeSync(file)
  }
}

/** The first `count` bytes of a file; a link is followed. Errors: an Error of the file system. */
export const readFirst = (path: string, count: number): Uint8Array =>
  withFile(openSync(path, 'r'), (file) => {
    const bytes = Buffer.alloc(count)
    return bytes.subarray(0, readSync(file, bytes, 0, count, 0))
  })

/** The whole text of a state file. Errors: as openState; each names the path. */
export function readState(path: string): string {
  const file = openState(path, 'read')
  try {
    return withFile(file, () => readFileSync(file, 'utf8'))
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/** Makes a folder with its parents, for its owner alone. Node's own way loops for ever where nothing can be made. */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // else another process made it in this moment
  }
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** Makes a folder with its parents, for its owner alone, where there is none. Errors: an Error for a link or a file. */
export function makeRealFolder(path: string): void {
  makeFolder(path)
  if (lstatSync(resolve(path)).isDirectory()) return // with a slash at its end it would be followed
  throw Object.assign(new Error(`${path} is a link; links are never followed`), { path })
}

/**
 * Writes a file for its owner alone, in place of one that is there; not durable. A link, or what else is not a file, is
 * refused, and a file that has other names keeps its text under those. Errors: an Error of the file system.
 */
export function writeAnew(path: string, text: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile())
    throw Object.assign(new Error(`${path} is a link or no file; links are never followed`), { path })
  rmSync(path, { force: true })
  withFile(openState(path, 'begin'), (file) => writeWhole(file, Buffer.from(text)))
}

/** Makes renames and new files in a folder durable. */
export const syncFolder = (path: string): void => withFile(openSync(path, 'r'), fsyncSync)

/** Makes an open file durable, and closes it. */
export const syncFile = (file: number): void => withFile(file, fdatasyncSync)

/** Writes all of it, at the end of the file or at a position. A write may take only a part. */
export function writeWhole(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, position === undefined ? null : position + done)
}

/** Writes a file beside the old one and renames it, so that a reader sees the old or the new one, whole. */
export function replaceFile(path: string, blocks: Iterable<string | Uint8Array>): void {
  const beside = writeBeside(path, blocks)
  try {
    renameSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** A file was made, and may be gone or there after a power loss: its folder could not be made durable. */
export class UncertainFile extends NamedError {
  static override readonly name = 'UncertainFile'
  constructor(path: string, cause: Error) {
    super(`${path} was made, but its folder could not be written: ${cause.message}`, { cause })
  }
}

/**
 * Writes a file that is there whole or not at all, and never replaces another: of two that make the same one, one gets
 * false. It is durable when this returns. Errors: UncertainFile; another Error of the file system, and then it is not there.
 */
export function createFile(path: string, blocks: Iterable<string | Uint8Array>): boolean {
  const beside = writeBeside(path, blocks)
  try {
    linkSync(beside, path)
  } catch (error) {
    rmSync(beside, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    rmSync(beside, { force: true })
    syncFolder(dirname(path))
    return true
  } catch (error) {
    throw new UncertainFile(path, error as Error)
  }
}

/** Writes a file under a name of its own beside `path`, durable; returns that name. */
export function writeBeside(path: string, blocks: Iterable<string | Uint8Array>): string {
  const beside = `${path}.${randomUUID()}${unfinishedSuffix}`
  const file = openState(beside, 'begin')
  try {
    withFile(file, () => {
      for (const block of blocks) writeWhole(file, typeof block === 'string' ? Buffer.from(block) : block)
      fdatasyncSync(file)
    })
    return beside
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
