import realFs, { type MakeDirectoryOptions, type WriteFileOptions } from 'node:fs'
import realPromises from 'node:fs/promises'
import { resolve, sep } from 'node:path'
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

type Calls = ReturnType<typeof callsOf>

/** Until the test ends, the calls of all code pass the watcher. */
export function useTestDisk(): void {
  disk.hurry = true
  const fs = { ...realFs }
  const calls = callsOf(fs)
  replaceFunctions(realFs, () => ({
    ...calls,
    ...Object.fromEntries(withCallback.map((name) => [name, callbackOf(fs, calls, name)])),
    ...unknownOf(fs, unknown),
  }))
  replaceFunctions(realPromises, (promises) => ({
    ...unknownOf(promises, functionNames(promises)),
    ...promisesOf(calls),
  }))
  onTestFinished(() => {
    Object.assign(disk, { watcher: null, hurry: false })
  })
}

const functionNames = (module: object): string[] =>
  Object.entries(module).flatMap(([name, member]) => (typeof member === 'function' ? [name] : []))

/** The calls of node:fs/promises, made of the synchronous ones. */
function promisesOf(calls: Calls): object {
  const names = Object.keys(calls).filter((name) => name.endsWith('Sync') && name !== 'openSync')
  const later = names.map((name) => [
    name.slice(0, -'Sync'.length),
    async (...args: unknown[]) => {
      await nextTurn()
      return callThrough(calls, name, args)
    },
  ])
  const open = async (...args: Parameters<Fs['openSync']>) => handleOf(calls, calls.openSync(...args))
  return { ...Object.fromEntries(later), open }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

// biome-ignore lint/suspicious/noExplicitAny: calls of any shape are passed on
const callThrough = (calls: object, name: string, args: unknown[]): any =>
  (calls as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args)

/** The path of what is watched; null for anything else. */
function inside(path: unknown): string | null {
  const folder = disk.watcher?.folder
  if (folder === undefined || (typeof path !== 'string' && !(path instanceof URL))) return null
  const absolute = resolve(String(path))
  return absolute === folder || absolute.startsWith(folder + sep) ? absolute : null
}

/** The synchronous calls; everything else is made of them. */
function callsOf(fs: Fs) {
  const opened = new Map<number, WatchedDescriptor>()
  const gate = (name: string, path: string) => disk.watcher?.gate?.(name, path)
  const record = () => disk.watcher?.record
  /** A call that changes nothing, or nothing that a power loss could take. */
  const plain = <F extends (...args: never[]) => unknown>(name: string, real: F): F =>
    ((...args: never[]) => {
      const [first] = args as unknown[]
      const path = typeof first === 'number' ? (opened.get(first)?.path ?? null) : inside(first)
      if (path !== null) gate(name, path)
      return real(...args)
    }) as F

  const openSync: Fs['openSync'] = (path, flags, mode) => {
    const watchedPath = inside(path)
    if (watchedPath === null) return fs.openSync(path, flags, mode)
    const reads =
      flags === undefined || flags === 'r' || (typeof flags === 'number' && opensForReading(fs, flags))
    gate(reads ? 'open to read' : 'open', watchedPath)
    const was = fs.lstatSync(watchedPath, { throwIfNoEntry: false })
    const descriptor = fs.openSync(path, flags, mode)
    const isFolder = fs.fstatSync(descriptor).isDirectory()
    const { O_TRUNC, O_APPEND } = fs.constants
    const has = (letter: string, flag: number) =>
      typeof flags === 'string' ? flags.includes(letter) : typeof flags === 'number' && (flags & flag) !== 0
    if (was === undefined) record()?.create(watchedPath)
    const file = isFolder ? undefined : record()?.fileAt(watchedPath)
    if (was !== undefined && file !== undefined && has('w', O_TRUNC)) record()?.truncate(file, 0)
    opened.set(descriptor, { path: watchedPath, file, appends: has('a', O_APPEND), position: 0 })
    return descriptor
  }

  const closeSync: Fs['closeSync'] = (descriptor) => {
    const own = opened.get(descriptor)
    opened.delete(descriptor)
    fs.closeSync(descriptor)
    if (own !== undefined) gate('close', own.path)
  }

  const writeSync = (
    descriptor: number,
    data: string | NodeJS.ArrayBufferView,
    ...rest: unknown[]
  ): number => {
    const own = opened.get(descriptor)
    if (own === undefined) return callThrough(fs, 'writeSync', [descriptor, data, ...rest])
    gate('write', own.path)
    const { bytes, position } = writtenBytes(data, rest)
    const at = own.appends ? fs.fstatSync(descriptor).size : (position ?? own.position)
    const count = fs.writeSync(descriptor, bytes, 0, bytes.length, own.appends ? null : at)
    if (position === null) own.position = at + count
    if (own.file !== undefined) record()?.write(own.file, at, Buffer.from(bytes.subarray(0, count)))
    return count
  }

  const syncSync = (name: 'fdatasyncSync' | 'fsyncSync') => (descriptor: number) => {
    const own = opened.get(descriptor)
    if (own === undefined) return disk.hurry ? undefined : fs[name](descriptor)
    gate('sync', own.path)
    fs[name](descriptor)
    endSync(own, record()?.position)
  }

  const endSync = ({ path, file }: WatchedDescriptor, since: number | undefined) => {
    if (file === undefined) record()?.syncFolder(path)
    else record()?.sync(file, since ?? 0)
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

  const ftruncateSync: Fs['ftruncateSync'] = (descriptor, length = 0) => {
    const own = opened.get(descriptor)
    if (own !== undefined) gate('truncate', own.path)
    fs.ftruncateSync(descriptor, length)
    if (own?.file !== undefined) record()?.truncate(own.file, length ?? 0)
  }

  /** A call that changes a folder; `note` is told the watched paths, null for one that is not. */
  const naming =
    (
      name: string,
      real: (...args: never[]) => unknown,
      note: (record: DiskRecord, paths: string[]) => void,
    ) =>
    (...args: unknown[]) => {
      const paths = args.slice(0, name === 'rename' || name === 'link' ? 2 : 1).map(inside)
      if (paths.every((path) => path === null)) return real(...(args as never[]))
      if (paths.includes(null)) throw new Error(`the test disk cannot ${name} between folders`)
      gate(name, paths[0] as string)
      const result = real(...(args as never[]))
      const log = record()
      if (log !== undefined) note(log, paths as string[])
      return result
    }

  const renameSync = naming('rename', fs.renameSync, (log, [from = '', to = '']) => log.rename(from, to))
  const linkSync = naming('link', fs.linkSync, (log, [from = '', to = '']) => log.link(from, to))
  const unlinkSync = naming('unlink', fs.unlinkSync, (log, [path = '']) => log.remove(path))
  const rmdirSync = naming('rmdir', fs.rmdirSync, (log, [path = '']) => log.remove(path))
  const makeSync = naming('mkdir', fs.mkdirSync, (log, [path = '']) => log.makeFolder(path))
  const mkdirSync = (path: string, options?: MakeDirectoryOptions) => {
    if (options?.recursive && fs.existsSync(path)) return undefined
    return makeSync(path, options)
  }

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
    (target: string | number, data: string | NodeJS.ArrayBufferView, options: WriteFileOptions = {}) => {
      const { flag = usualFlag, mode = 0o666 } =
        typeof options === 'string' || options === null ? {} : options
      const descriptor = typeof target === 'number' ? target : openSync(target, flag, mode)
      try {
        const { bytes } = writtenBytes(data, [])
        for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes.subarray(done))
      } finally {
        if (typeof target !== 'number') closeSync(descriptor)
      }
    }

  const truncateSync = (path: string, length = 0) => {
    const descriptor = openSync(path, 'r+')
    try {
      ftruncateSync(descriptor, length)
    } finally {
      closeSync(descriptor)
    }
  }

  return {
    openSync,
    closeSync,
    writeSync,
    ftruncateSync,
    truncateSync,
    renameSync,
    linkSync,
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
    readdirSync: plain('readdir', fs.readdirSync as (...args: never[]) => unknown),
    statSync: plain('stat', fs.statSync as (...args: never[]) => unknown),
    lstatSync: plain('stat', fs.lstatSync as (...args: never[]) => unknown),
    fstatSync: plain('stat', fs.fstatSync as (...args: never[]) => unknown),
    chmodSync: plain('chmod', fs.chmodSync),
    fchmodSync: plain('chmod', fs.fchmodSync),
    utimesSync: plain('utimes', fs.utimesSync),
    futimesSync: plain('utimes', fs.futimesSync),
    accessSync: plain('access', fs.accessSync),
    realpathSync: fs.realpathSync,
  }
}

function opensForReading({ constants }: Fs, flags: number): boolean {
  return (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) === 0
}

/** The bytes and the position of a write, in the forms that writeSync takes. */
function writtenBytes(
  data: string | NodeJS.ArrayBufferView,
  rest: readonly unknown[],
): { bytes: Buffer; position: number | null } {
  if (typeof data === 'string') {
    const [position, encoding] = rest as [number | null | undefined, BufferEncoding | undefined]
    return { bytes: Buffer.from(data, encoding ?? 'utf8'), position: position ?? null }
  }
  const all = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const named = typeof rest[0] === 'object' && rest[0] !== null ? (rest[0] as Record<string, number>) : null
  const [offset, length, position] = named
    ? [named.offset, named.length, named.position]
    : (rest as (number | null | undefined)[])
  const from = offset ?? 0
  return { bytes: all.subarray(from, from + (length ?? all.length - from)), position: position ?? null }
}

/** Calls with a callback that are made of the synchronous ones where somebody watches. */
const withCallback = [
  ...['open', 'close', 'ftruncate', 'truncate', 'rename', 'link', 'unlink', 'rmdir', 'mkdir', 'rm'],
  ...[
    'writeFile',
    'appendFile',
    'readFile',
    'readdir',
    'stat',
    'lstat',
    'fstat',
    'chmod',
    'fchmod',
    'utimes',
  ],
] as const

function callbackOf(fs: Fs, calls: Calls, name: string) {
  return (...args: unknown[]) => {
    const [first] = args
    const done = args.pop() as (error: Error | null, result?: unknown) => void
    if (typeof first === 'string' && inside(first) === null) return callThrough(fs, name, [...args, done])
    setImmediate(() => {
      let result: unknown
      try {
        result = callThrough(calls, `${name}Sync`, args)
      } catch (error) {
        return done(error as Error)
      }
      done(null, result)
    })
  }
}

/** Ways to change a file that the disk does not know: rather than miss what they do, it refuses them. */
const unknown = [
  'write',
  'writev',
  'writevSync',
  'createWriteStream',
  'copyFileSync',
  'copyFile',
  'symlinkSync',
]

const unknownOf = (module: object, names: readonly string[]): object =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => {
        if (disk.watcher !== null) throw new Error(`the test disk does not know ${name} of node:fs: teach it`)
        return callThrough(module, name, args)
      },
    ]),
  )

/** A file handle as node:fs/promises gives one. */
function handleOf(calls: Calls, fd: number) {
  const later =
    <A extends unknown[], R>(act: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      await nextTurn()
      return act(...args)
    }
  const synced = () =>
    new Promise<void>((resolve, reject) =>
      calls.fdatasync(fd, (error: Error | null) => (error ? reject(error) : resolve())),
    )
  return {
    fd,
    stat: later(() => callThrough(calls, 'fstatSync', [fd])),
    read: later(
      (
        buffer: NodeJS.ArrayBufferView,
        offset = 0,
        length = buffer.byteLength,
        position: number | null = null,
      ) => ({
        bytesRead: callThrough(calls, 'readSync', [fd, buffer, offset, length, position]),
        buffer,
      }),
    ),
    readFile: later((options?: BufferEncoding) => callThrough(calls, 'readFileSync', [fd, options])),
    write: later((data: NodeJS.ArrayBufferView | string, ...rest: unknown[]) => ({
      bytesWritten: calls.writeSync(fd, data, ...rest),
      buffer: data,
    })),
    writeFile: later((data: string | NodeJS.ArrayBufferView) => calls.writeFileSync(fd, data)),
    appendFile: later((data: string | NodeJS.ArrayBufferView) => calls.appendFileSync(fd, data)),
    truncate: later((length?: number) => calls.ftruncateSync(fd, length)),
    chmod: later((mode: number) => calls.fchmodSync(fd, mode)),
    datasync: synced,
    sync: synced,
    close: later(() => calls.closeSync(fd)),
  }
}
