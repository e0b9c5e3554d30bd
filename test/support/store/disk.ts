import realFs, { type MakeDirectoryOptions, type WriteFileOptions } from 'node:fs'
import realPromises from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { callbackify } from 'node:util'
import { onTestFinished } from 'vitest'
import { replaceFunctions } from '../runner/replaced-functions.ts'
import type { DiskRecord, FileNumber } from './disk-record.ts'

/**
 * A watcher between the code and one folder: it counts the calls of node:fs, lets some of them fail, and records what
 * changes. It knows paths and descriptors alone, not what the files are for.
 */

type Fs = typeof realFs

/** Watches what is done to a folder and everything in it. */
export interface FolderWatcher {
  readonly folder: string
  /** Called before each call. Errors: what it throws is what the call throws. */
  readonly gate?: (call: string, path: string) => void
  readonly record?: DiskRecord
}

/** What the disk of this test file does. */
export const disk: {
  watcher: FolderWatcher | null
  /** Where nobody watches nothing is made durable, which saves time. */
  hurry: boolean
} = { watcher: null, hurry: false }

/** What the test itself does to a folder is not watched. */
export function unwatched<T>(act: () => T): T {
  const { watcher } = disk
  disk.watcher = null
  try {
    return act()
  } finally {
    disk.watcher = watcher
  }
}

/** A descriptor of a watched folder. `file`: undefined for a folder. */
interface WatchedDescriptor {
  readonly path: string
  readonly file: FileNumber | undefined
  readonly appends: boolean
  position: number
}

// biome-ignore lint/suspicious/noExplicitAny: calls of any shape are passed on
type Call = (...args: any[]) => any
type Calls = Readonly<Record<string, Call>>

/** Until the test ends, the calls of all code pass the watcher. */
export function useTestDisk(): void {
  disk.hurry = true
  const calls = callsOf({ ...realFs })
  const names = Object.keys(calls).flatMap((name) => (name.endsWith('Sync') ? [name.slice(0, -4)] : []))
  const promised = Object.fromEntries(names.map((name) => [name, later(calls, name)]))
  const { read: _, write: __, ...others } = promised // their callbacks are given more than one result
  const open = async (...args: unknown[]) => handleOf(calls, await promised.open?.(...args))
  replaceFunctions(realFs, (fs) => ({
    ...unknownOf(fs, ['write', 'writev', 'writevSync', 'createWriteStream', 'copyFileSync', 'symlinkSync']),
    ...Object.fromEntries(Object.entries(others).map(([name, call]) => [name, callbackify(call)])),
    ...calls,
  }))
  replaceFunctions(realPromises, (promises) => ({
    ...unknownOf(promises, Object.keys(promises)),
    ...others,
    open,
  }))
  onTestFinished(() => {
    Object.assign(disk, { watcher: null, hurry: false })
  })
}

/** A call as node:fs/promises has it. */
const later =
  (calls: Calls, name: string): Call =>
  async (...args) => {
    await new Promise((resolve) => setImmediate(resolve))
    return calls[`${name}Sync`]?.(...args)
  }

/** The path of what is watched; null for anything else. */
function inside(path: unknown): string | null {
  const folder = disk.watcher?.folder
  if (folder === undefined || (typeof path !== 'string' && !(path instanceof URL))) return null
  const absolute = resolve(String(path))
  return absolute === folder || absolute.startsWith(folder + sep) ? absolute : null
}

/** The synchronous calls, and what makes a file durable; everything else is made of them. */
function callsOf(fs: Fs): Calls {
  const opened = new Map<number, WatchedDescriptor>()
  const gate = (name: string, path: string) => disk.watcher?.gate?.(name, path)
  const record = () => disk.watcher?.record
  /** A call that changes nothing, or nothing that a power loss could take. */
  const plain =
    (name: string, real: Call): Call =>
    (...args) => {
      const path = typeof args[0] === 'number' ? opened.get(args[0])?.path : inside(args[0])
      if (path) gate(name, path)
      return real(...args)
    }

  const openSync: Fs['openSync'] = (path, flags = 'r', mode = undefined) => {
    const watchedPath = inside(path)
    if (watchedPath === null) return fs.openSync(path, flags, mode)
    const { O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND } = fs.constants
    const has = (letters: RegExp, flag: number) =>
      typeof flags === 'string' ? letters.test(flags) : (flags & flag) !== 0
    gate(has(/[wa+]/, O_WRONLY | O_RDWR | O_CREAT) ? 'open' : 'open to read', watchedPath)
    const was = fs.lstatSync(watchedPath, { throwIfNoEntry: false })
    const descriptor = fs.openSync(path, flags, mode)
    if (was === undefined) record()?.create(watchedPath)
    const isFolder = fs.fstatSync(descriptor).isDirectory()
    const file = isFolder ? undefined : record()?.fileAt(watchedPath)
    if (was !== undefined && file !== undefined && has(/w/, O_TRUNC))
      record()?.add({ kind: 'truncate', file, length: 0 })
    opened.set(descriptor, { path: watchedPath, file, appends: has(/a/, O_APPEND), position: 0 })
    return descriptor
  }

  const closeSync: Fs['closeSync'] = (descriptor) => {
    const own = opened.get(descriptor)
    opened.delete(descriptor)
    fs.closeSync(descriptor)
    if (own !== undefined) gate('close', own.path)
  }

  /** In the forms that the code uses: a text, or bytes with their place. */
  const writeSync = (
    descriptor: number,
    data: string | Uint8Array,
    offset = 0,
    length = data.length - offset,
    position: number | null = null,
  ): number => {
    const own = opened.get(descriptor)
    const bytes = typeof data === 'string' ? Buffer.from(data) : data.subarray(offset, offset + length)
    if (own === undefined) return fs.writeSync(descriptor, bytes, 0, bytes.length, position)
    gate('write', own.path)
    const at = own.appends ? fs.fstatSync(descriptor).size : (position ?? own.position)
    const count = fs.writeSync(descriptor, bytes, 0, bytes.length, own.appends ? null : at)
    if (position === null) own.position = at + count
    if (own.file !== undefined) record()?.write(own.file, at, Buffer.from(bytes.subarray(0, count)))
    return count
  }

  const endSync = ({ path, file }: WatchedDescriptor, since = 0) => {
    record()?.add(file === undefined ? { kind: 'sync-folder', path } : { kind: 'sync', file, since })
  }

  const syncSync = (name: 'fdatasyncSync' | 'fsyncSync') => (descriptor: number) => {
    const own = opened.get(descriptor)
    if (own === undefined) return disk.hurry ? undefined : fs[name](descriptor)
    gate('sync', own.path)
    fs[name](descriptor)
    endSync(own, record()?.position)
  }

  /** Only what was written before the call is durable after it. */
  const sync =
    (name: 'fdatasync' | 'fsync') =>
    (descriptor: number, done: (error: NodeJS.ErrnoException | null) => void) => {
      const own = opened.get(descriptor)
      if (own === undefined) return disk.hurry ? setImmediate(() => done(null)) : fs[name](descriptor, done)
      const since = record()?.position
      try {
        gate('sync', own.path)
      } catch (error) {
        return setImmediate(() => done(error as Error))
      }
      fs[name](descriptor, (error) => {
        if (error === null) endSync(own, since)
        done(error)
      })
    }

  const ftruncateSync: Fs['ftruncateSync'] = (descriptor, length) => {
    const own = opened.get(descriptor)
    if (own !== undefined) gate('truncate', own.path)
    fs.ftruncateSync(descriptor, length)
    if (own?.file !== undefined) record()?.add({ kind: 'truncate', file: own.file, length: length ?? 0 })
  }

  /** A call that changes a folder, with so many paths; `note` is told them. */
  const naming =
    (name: string, count: 1 | 2, real: Call, note: (record: DiskRecord, paths: string[]) => void): Call =>
    (...args) => {
      const paths = args.slice(0, count).map(inside)
      if (paths.every((path) => path === null)) return real(...args)
      if (paths.includes(null)) throw new Error(`the test disk cannot ${name} between folders`)
      gate(name, paths[0] as string)
      const result = real(...args)
      const log = record()
      if (log !== undefined) note(log, paths as string[])
      return result
    }

  const unlinkSync = naming('unlink', 1, fs.unlinkSync, (log, [path = '']) => log.remove(path))
  const rmdirSync = naming('rmdir', 1, fs.rmdirSync, (log, [path = '']) => log.remove(path))
  const makeSync = naming('mkdir', 1, fs.mkdirSync, (log, [path = '']) => log.add({ kind: 'folder', path }))
  const mkdirSync = (path: string, options?: MakeDirectoryOptions) =>
    options?.recursive && fs.existsSync(path) ? undefined : makeSync(path, options)

  const rmSync: Fs['rmSync'] = (path, options = {}) => {
    const watchedPath = inside(path)
    if (watchedPath === null) return fs.rmSync(path, options)
    const found = fs.lstatSync(watchedPath, { throwIfNoEntry: false })
    if (found === undefined && options.force) return undefined
    if (!found?.isDirectory()) return void unlinkSync(watchedPath)
    for (const name of fs.readdirSync(watchedPath)) rmSync(`${watchedPath}${sep}${name}`, options)
    rmdirSync(watchedPath)
  }

  const whole =
    (usualFlag: string) =>
    (target: string | number, data: string | Uint8Array, options: WriteFileOptions = {}) => {
      const { flag = usualFlag, mode = 0o666 } = Object(options)
      const descriptor = typeof target === 'number' ? target : openSync(target, flag, mode)
      try {
        const bytes = typeof data === 'string' ? Buffer.from(data) : data
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
      } finally {
        if (typeof target !== 'number') closeSync(descriptor)
      }
    }

  return {
    openSync,
    closeSync,
    writeSync,
    ftruncateSync,
    renameSync: naming('rename', 2, fs.renameSync, (log, [from = '', to = '']) => log.rename(from, to)),
    linkSync: naming('link', 2, fs.linkSync, (log, [from = '', to = '']) => log.link(from, to)),
    unlinkSync,
    rmdirSync,
    mkdirSync,
    rmSync,
    fdatasync: sync('fdatasync'),
    fsync: sync('fsync'),
    fdatasyncSync: syncSync('fdatasyncSync'),
    fsyncSync: syncSync('fsyncSync'),
    writeFileSync: whole('w'),
    appendFileSync: whole('a'),
    readSync: plain('read', fs.readSync),
    readFileSync: plain('read', fs.readFileSync),
    readdirSync: plain('readdir', fs.readdirSync),
    statSync: plain('stat', fs.statSync),
    lstatSync: plain('stat', fs.lstatSync),
    fstatSync: plain('stat', fs.fstatSync),
    chmodSync: plain('chmod', fs.chmodSync),
    fchmodSync: plain('chmod', fs.fchmodSync),
    utimesSync: plain('utimes', fs.utimesSync),
    accessSync: plain('access', fs.accessSync),
  }
}

/** Ways to change a file that the disk does not know: rather than miss what they do, it refuses them. */
const unknownOf = (module: object, names: readonly string[]): Calls =>
  Object.fromEntries(
    Object.entries(module).flatMap(([name, real]) =>
      names.includes(name) && typeof real === 'function'
        ? [
            [
              name,
              (...args: unknown[]) => {
                if (disk.watcher === null) return real(...args)
                throw new Error(`the test disk does not know ${name} of node:fs: teach it`)
              },
            ],
          ]
        : [],
    ),
  )

/** The part that the code uses of a file handle as node:fs/promises gives one. */
const handleOf = (calls: Calls, fd: number) => ({
  fd,
  appendFile: (data: string) => later(calls, 'appendFile')(fd, data),
  chmod: (mode: number) => later(calls, 'fchmod')(fd, mode),
  close: () => later(calls, 'close')(fd),
})
