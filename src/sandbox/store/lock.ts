import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, realpathSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { type LockFile, lockFileName } from '../../contract/control/state-folder.ts'
import { makeFolder, readState, syncFolder, writeBeside } from '../../shared/files/files.ts'
import { folderName, isOfFolder } from '../../shared/files/folder-name.ts'
import { HeldFile } from '../../shared/files/held-file.ts'
import { isLive, isPid, pidSpace, thisProcess } from '../../shared/files/live-process.ts'
import { clearInterval, setInterval, wallTime } from '../../shared/timers.ts'

/** Another sandbox holds the state folder. */
export class LockedState extends Error {
  override readonly name = 'LockedState'
  constructor(
    readonly folder: string,
    readonly holder: LockFile,
  ) {
    super(
      `The state folder ${folder} is in use by process ${holder.pid}${holder.url ? `, a sandbox at ${holder.url}` : ''}`,
    )
  }
}

/** A held lock. */
export interface Lock {
  /** Identifies this start. A UUID. */
  readonly id: string
  /** Why the folder no longer belongs to this process; undefined while it holds the lock. */
  lost(): string | undefined
  /** Publishes where the sandbox listens. */
  announce(details: Pick<LockFile, 'url' | 'certificate' | 'token' | 'start' | 'from'>): void
  release(): void
}

/** What a lock says from the start. */
const lockOf = (folder: string, id: string) => ({ ...thisProcess(), id, folder: folderName(folder) })

const lockPath = (folder: string): string => join(folder, lockFileName)

/**
 * Folders that this process holds, also by a second copy of this module. Any other lock with our pid was left
 * by a dead process with the same number.
 */
const heldFolders = Symbol.for('tillbox.heldFolders')
const shared = globalThis as { [heldFolders]?: Set<string> }
const held = shared[heldFolders] ?? new Set<string>()
shared[heldFolders] = held

/**
 * The holder touches its lock at this interval. A start judges some holders by it: see `isAlive`.
 * Milliseconds.
 */
const heartbeat = 2_000

/**
 * Takes the state folder for this process. `pause`: milliseconds between two touches. assumption: state-lock.
 * Errors: LockedState when a live process holds it.
 */
export function acquireLock(folder: string, pause = heartbeat): Lock {
  makeFolder(folder)
  const real = realpathSync(folder)
  if (held.has(real)) throw new LockedState(folder, { pid: process.pid, ...readHolder(folder) })
  const path = lockPath(folder)
  const id: string = randomUUID()
  let lockFile = take(folder, path, id)
  held.add(real)
  const lost = () => (lockFile.isThere ? undefined : `${path} was removed or replaced`)
  const beat = setInterval(() => touch(lockFile), pause).unref()
  return {
    id,
    lost,
    announce: (details) => {
      const why = lost()
      if (why !== undefined) throw new Error(why)
      const next = writeBeside(path, [`${JSON.stringify({ ...lockOf(folder, id), ...details })}\n`])
      lockFile.close() // Windows replaces no file that is open
      renameSync(next, path)
      syncFolder(folder)
      lockFile = new HeldFile(path)
    },
    release: () => {
      clearInterval(beat)
      held.delete(real)
      if (lockFile.isThere && readHolder(folder)?.id === id) rmSync(path, { force: true })
      lockFile.close()
    },
  }
}

/** Touches a lock that is still ours. False when it fails: the next write reports such a disk. */
function touch(lockFile: HeldFile): boolean {
  const now = new Date(wallTime())
  try {
    if (lockFile.isThere) utimesSync(lockFile.path, now, now)
    return true
  } catch {
    return false
  }
}

/** Makes the lock by a link, which fails if it exists, so only one process can take it. */
function take(folder: string, path: string, id: string): HeldFile {
  const temporary = writeBeside(path, [JSON.stringify(lockOf(folder, id))])
  try {
    while (!tryTo(() => linkSync(temporary, path))) evictDead(folder, path)
    return new HeldFile(path)
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** False when it exists already. */
function tryTo(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Age from which an eviction counts as abandoned by a dead process. Milliseconds. */
const evictionTime = 5_000

/**
 * Removes the lock of a dead process. Only one process at a time may do so, and it checks the lock again
 * first. A lock is never replaced, so the lock that was checked is the one that is removed. A lock that has
 * disappeared by then is left alone: the next one belongs to a faster process. Errors: LockedState for a live
 * holder.
 */
function evictDead(folder: string, path: string): void {
  for (let waited = 0; waited < 2 * heartbeat && mayWakeUp(folder, refuseAlive(folder)); waited += look)
    block(look)
  const evicting = `${path}.evicting`
  if (!tryTo(() => mkdirSync(evicting))) return waitForEviction(evicting)
  try {
    if (refuseAlive(folder) !== null) rmSync(path, { force: true })
  } finally {
    rmSync(evicting, { recursive: true, force: true })
  }
}

/** Pause between two looks at a lock whose holder may wake up. Milliseconds. */
const look = 100

/**
 * True for a live process that has not touched its lock for too long: the machine may have slept, and then it
 * does so within a heartbeat. assumption: state-lock
 */
const mayWakeUp = (folder: string, holder: LockFile | null | undefined): boolean =>
  holder != null &&
  holder.pid !== process.pid &&
  holder.space === pidSpace() &&
  !isCopied(folder, holder) &&
  isLive(holder)

/** True for a lock of our pid namespace that came with a copy of its folder, and does not hold it. */
const isCopied = (folder: string, { space, folder: named }: LockFile): boolean =>
  space === pidSpace() && named !== undefined && !isOfFolder(folder, named)

/** As `readHolder`. Errors: LockedState for a live holder. */
function refuseAlive(folder: string): LockFile | null | undefined {
  const holder = readHolder(folder)
  if (holder && isAlive(folder, holder)) throw new LockedState(folder, holder)
  return holder
}

function waitForEviction(evicting: string): void {
  const since = statSync(evicting, { throwIfNoEntry: false })?.mtimeMs
  if (since !== undefined && wallTime() - since > evictionTime)
    rmSync(evicting, { recursive: true, force: true })
  block(10)
}

function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** The sandbox named by the lock, dead or alive; null: no lock; undefined: one that names no process. */
export function readHolder(folder: string): LockFile | null | undefined {
  const path = lockPath(folder)
  try {
    const holder = JSON.parse(readState(path)) as LockFile | null
    return holder !== null && isPid(holder.pid) ? holder : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw Object.assign(error as Error, { path })
  }
}

/**
 * A holder of our pid namespace is judged by its pid and start time. Where one of them says nothing (in
 * another container, or on a system that tells no start times) the holder must have touched its lock, too.
 */
function isAlive(folder: string, holder: LockFile): boolean {
  const { pid, began, space } = holder
  if (isCopied(folder, holder)) return false
  if (space !== undefined && space !== pidSpace()) return !isStale(folder)
  return pid !== process.pid && isLive({ pid, began }) && (began !== undefined || !isStale(folder))
}

/** True for a lock that was not touched for too long: its holder hangs or is dead. */
function isStale(folder: string): boolean {
  const touched = statSync(lockPath(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return wallTime() - touched >= 5 * heartbeat
}
