import { dirname } from 'node:path'
import type { Random } from '../load/random.ts'
import type { DiskChange, FileNumber } from './disk-record.ts'

/** Bytes that the disk keeps or loses at once. */
const diskPageSize = 4096

/** A change of a file's bytes that may not be on the disk yet. */
interface Pending {
  readonly number: number
  readonly change: Extract<DiskChange, { kind: 'write' | 'truncate' }>
}

interface OnDisk {
  durable: Buffer
  pending: Pending[]
}

/** A folder after a power loss: the bytes of each file by its path; null for a folder. */
export type DiskImage = ReadonlyMap<string, Buffer | null>

type Naming = Extract<DiskChange, { kind: 'create' | 'link' | 'folder' | 'remove' | 'rename' }>

/**
 * A disk that is written to, change by change. `imageAt` shows it as it may be after a power loss at this point: all that
 * was made durable, and of the rest any 4 KiB pages, any size that the file had meanwhile, and any names.
 */
export class Disk {
  readonly #files = new Map<FileNumber, OnDisk>()
  readonly #names = new Map<string, FileNumber | null>()
  #pendingNames: Naming[] = []
  #number = 0

  apply(change: DiskChange): void {
    const number = this.#number++
    if (change.kind === 'write' || change.kind === 'truncate')
      return void this.#fileOf(change.file).pending.push({ number, change })
    if (change.kind === 'sync') return this.#sync(change.file, change.since)
    if (change.kind === 'sync-folder') return this.#syncNames(change.path)
    this.#pendingNames.push(change)
  }

  /** True when a power loss now could take something. */
  get isDirty(): boolean {
    return (
      this.#pendingNames.length > 0 || [...this.#files.values()].some(({ pending }) => pending.length > 0)
    )
  }

  imageAt(random: Random): DiskImage {
    const image = new Map<string, Buffer | null>()
    const way = random.pick(ways)
    const names = [...this.#namesAt(random)].sort(([one], [other]) => (one < other ? -1 : 1))
    for (const [path, file] of names)
      image.set(path, file === null ? null : contentOf(this.#fileOf(file), way, random))
    return image
  }

  #fileOf(file: FileNumber): OnDisk {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const added: OnDisk = { durable: Buffer.alloc(0), pending: [] }
    this.#files.set(file, added)
    return added
  }

  #sync(file: FileNumber, since: number): void {
    const own = this.#fileOf(file)
    const done = own.pending.filter(({ number }) => number < since)
    own.durable = after(own.durable, done)
    own.pending = own.pending.filter(({ number }) => number >= since)
  }

  #syncNames(folder: string): void {
    const isHere = (naming: Naming) => dirname(naming.kind === 'rename' ? naming.to : naming.path) === folder
    for (const naming of this.#pendingNames.filter(isHere)) rename(this.#names, naming)
    this.#pendingNames = this.#pendingNames.filter((naming) => !isHere(naming))
  }

  /** Names in their order up to some point; now and then without one or the other of them. */
  #namesAt(random: Random): Map<string, FileNumber | null> {
    const names = new Map(this.#names)
    const skips = random.happens(0.25)
    const count = random.happens(0.5)
      ? this.#pendingNames.length
      : random.whole(this.#pendingNames.length + 1)
    for (const naming of this.#pendingNames.slice(0, count))
      if (!skips || random.happens(0.6)) rename(names, naming)
    return names
  }
}

function rename(names: Map<string, FileNumber | null>, naming: Naming): void {
  switch (naming.kind) {
    case 'create':
    case 'link':
      names.set(naming.path, naming.file)
      return
    case 'folder':
      names.set(naming.path, null)
      return
    case 'remove':
      names.delete(naming.path)
      return
    case 'rename':
      names.delete(naming.path)
      names.set(naming.to, naming.file)
  }
}

/** The bytes after these changes. */
function after(bytes: Buffer, changes: readonly Pending[]): Buffer {
  const end = ({ change }: Pending) =>
    change.kind === 'write' ? change.offset + change.bytes.length : change.length
  const room = Buffer.alloc(Math.max(bytes.length, ...changes.map(end)))
  bytes.copy(room)
  let size = bytes.length
  for (const { change } of changes)
    if (change.kind === 'truncate') {
      room.fill(0, change.length)
      size = change.length
    } else {
      change.bytes.copy(room, change.offset)
      size = Math.max(size, change.offset + change.bytes.length)
    }
  return room.subarray(0, size)
}

/** What is there of the changes that are not durable. */
const ways = ['nothing', 'everything', 'in order', 'torn', 'pages', 'pages', 'pages', 'pages'] as const

function contentOf({ durable, pending }: OnDisk, way: (typeof ways)[number], random: Random): Buffer {
  if (pending.length === 0 || way === 'nothing') return durable
  if (way === 'everything') return after(durable, pending)
  const some = after(durable, pending.slice(0, random.whole(pending.length + 1)))
  if (way === 'in order') return some
  if (way === 'torn') return torn(durable, some, random)
  const other = after(durable, pending.slice(0, random.whole(pending.length + 1)))
  return mixed([durable, after(durable, pending), some, other], random)
}

/** Grown only in part. */
function torn(durable: Buffer, later: Buffer, random: Random): Buffer {
  const more = later.length - durable.length
  return more <= 0 ? later : later.subarray(0, durable.length + random.whole(more + 1))
}

/** Each page as one of the versions had it, in the size of one of them; where that had nothing there are zeros. */
function mixed(versions: readonly Buffer[], random: Random): Buffer {
  const result = Buffer.alloc(random.pick(versions).length)
  for (let start = 0; start < result.length; start += diskPageSize)
    result.set(random.pick(versions).subarray(start, Math.min(start + diskPageSize, result.length)), start)
  return result
}
