import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { inTurns } from '../timers.ts'
import { fileProblem } from './file-problem.ts'

/** Permissions of state files: only their owner may read and write them. */
export const ownerOnly = 0o600

/**
 * Links are never followed: a link could name another user's file. A pipe is not waited for. Windows has no
 * such flags.
 */
const noFollow = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

/** Suffix of unfinished files; a crash may leave one behind. */
export const unfinishedSuffix = '.new'

/** Ways to open a state file. `append` makes a missing file; `begin` makes one, and fails if it exists. */
const ways = {
  read: fs.constants.O_RDONLY,
  append: fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_CREAT,
  begin: fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_EXCL,
} as const

/** Flags of node:fs/promises `open` for reading a state file and appending to it. Links are not followed. */
export const appending = ways.append | noFollow

/**
 * Opens a state file, which must not be a link. Opening it for writing restricts it to its owner. Errors: an
 * Error of the file system, ELOOP for a link.
 */
export function openState(path: string, way: keyof typeof ways): number {
  const file = fs.openSync(path, ways[way] | noFollow, ownerOnly)
  try {
    requireFile(path, fs.fstatSync(file))
    if (way !== 'read') fs.fchmodSync(file, ownerOnly)
    return file
  } catch (error) {
    fs.closeSync(file)
    throw error
  }
}

/** Calls `act` with an open file, then closes it. */
function withFile<T>(file: number, act: (file: number) => T): T {
  try {
    return act(file)
  } finally {
    fs.closeSync(file)
  }
}

/** The first `count` bytes of a file; links are followed. */
export const readFirst = (path: string, count: number): Uint8Array =>
  withFile(fs.openSync(path, 'r'), (file) => {
    const bytes = Buffer.alloc(count)
    return bytes.subarray(0, fs.readSync(file, bytes, 0, count, 0))
  })

/** The whole text of a state file. */
export function readState(path: string): string {
  const file = openState(path, 'read')
  try {
    return withFile(file, () => fs.readFileSync(file, 'utf8'))
  } catch (error) {
    throw Object.assign(error as Error, { path })
  }
}

/**
 * Makes a folder with its parents, for its owner alone; it is durable when this returns. Node's recursive
 * mkdir loops forever where none can be made.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (!fs.existsSync(dirname(path))) makeFolder(dirname(path))
  try {
    fs.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!isFolder(path)) throw error // another process made it in the meantime
  }
  syncFolder(dirname(path))
}

const isFolder = (path: string): boolean => fs.existsSync(path) && fs.statSync(path).isDirectory()

/** Makes a folder with its parents, for its owner alone, where there is none. */
export function makeRealFolder(path: string): void {
  makeFolder(path)
  requireRealFolder(path)
}

/** Errors: an Error of the file system, ELOOP for a link, EEXIST for a file. */
function requireRealFolder(path: string): void {
  const stats = fs.lstatSync(resolve(path)) // a trailing slash would follow the link
  refuseLink(path, stats)
  if (!stats.isDirectory()) throw unusable(path, 'EEXIST')
}

/** Errors: an Error with the code ELOOP for a link. */
export function refuseLink(path: string, stats: fs.Stats): void {
  if (stats.isSymbolicLink()) throw unusable(path, 'ELOOP')
}

/** Refuses what is no regular file: a pipe would be waited for. Errors: EISDIR, ENXIO. */
function requireFile(path: string, stats = fs.statSync(path)): void {
  if (!stats.isFile()) throw unusable(path, stats.isDirectory() ? 'EISDIR' : 'ENXIO')
}

/** An error of the file system, as opening the path would give one. */
const unusable = (path: string, code: string): Error =>
  Object.assign(new Error(`${path}: ${fileProblem(Object.assign(new Error(code), { code }))}`), {
    ...{ code, path, syscall: 'open' },
  })

/** Paths in a folder; none where it does not exist. */
export function pathsIn(folder: string): string[] {
  if (fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return []
  requireRealFolder(folder)
  return fs.readdirSync(folder).map((name) => join(folder, name))
}

/**
 * Writes a file for its owner alone, replacing an existing one; not durable. Refuses links and other
 * non-files; other hard links of the old file keep its text.
 */
export function writeAnew(path: string, text: string): void {
  const there = fs.lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile())
    throw Object.assign(new Error(`${path} is a link or no file; links are never followed`), { path })
  fs.rmSync(path, { force: true })
  withFile(openState(path, 'begin'), (file) => writeWhole(file, Buffer.from(text)))
}

/** Makes renames and new files in a folder durable. Windows refuses it: it has a journal of names. */
export function syncFolder(path: string): void {
  if (process.platform !== 'win32') withFile(fs.openSync(path, 'r'), fs.fsyncSync)
}

/** Makes an open file durable, and closes it. */
export const syncFile = (file: number): void => withFile(file, fs.fdatasyncSync)

/** Writes all bytes, at the end of the file or at a position: one write may take only a part. */
export function writeWhole(file: number, bytes: Uint8Array, position?: number): void {
  for (let done = 0; done < bytes.length; ) {
    const at = position === undefined ? null : position + done
    done += fs.writeSync(file, bytes, done, bytes.length - done, at)
  }
}

/**
 * Writes a file beside the old one and renames it, so that a reader sees either the old or the new one; it is
 * durable when this returns.
 */
export function replaceFile(path: string, blocks: Iterable<string | Uint8Array>): void {
  moveOver(path, writeBeside(path, blocks))
}

/** As `replaceFile`, in as many turns of the event loop as it takes. */
export async function replaceInTurns(path: string, blocks: Iterable<string>): Promise<void> {
  moveOver(path, await writeBesideInTurns(path, blocks))
}

/** As `writeBeside`, in as many turns of the event loop as it takes. */
export async function writeBesideInTurns(path: string, blocks: Iterable<string>): Promise<string> {
  const beside = nameBeside(path)
  const file = openState(beside, 'begin')
  try {
    await inTurns(blocks, (block) => writeWhole(file, Buffer.from(block)))
    await new Promise<void>((resolve, reject) =>
      fs.fdatasync(file, (error) => (error ? reject(error) : resolve())),
    )
    return beside
  } catch (error) {
    fs.rmSync(beside, { force: true })
    throw error
  } finally {
    fs.closeSync(file)
  }
}

/** The file that is written for a file of the user: links are followed, also to one that is not there yet. */
export function throughLinks(path: string, most = 40): string {
  if (most === 0 || fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path
  return throughLinks(resolve(dirname(path), fs.readlinkSync(path)), most - 1)
}

function moveOver(path: string, beside: string): void {
  try {
    fs.renameSync(beside, path)
  } catch (error) {
    fs.rmSync(beside, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

const nameBeside = (path: string): string => `${path}.${randomUUID()}${unfinishedSuffix}`

/** Writes a durable file under a unique name beside `path`; returns that name. */
export function writeBeside(path: string, blocks: Iterable<string | Uint8Array>): string {
  const beside = nameBeside(path)
  const file = openState(beside, 'begin')
  try {
    withFile(file, () => {
      for (const block of blocks) writeWhole(file, typeof block === 'string' ? Buffer.from(block) : block)
      fs.fdatasyncSync(file)
    })
    return beside
  } catch (error) {
    fs.rmSync(beside, { force: true })
    throw error
  }
}
