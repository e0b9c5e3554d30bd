import { randomUUID } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type LockFile, lockFileName } from '../api/lock-file.ts'
import { makeFolder, ownerOnly, replaceFile } from './store/files.ts'

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
  /** Tells others where the sandbox listens. */
  announce(details: Pick<LockFile, 'url' | 'certificate' | 'token'>): void
  release(): void
}

const pathOf = (folder: string): string => join(folder, lockFileName)

/** Folders that this very process holds. A lock with our own pid that is not among them was left by a dead namesake. */
const held = new Set<string>()

/** The holder touches its lock so often; one that was not touched for five times as long is dead. Milliseconds. */
const heartbeat = 2_000

/** Takes the state folder for this process. Errors: LockedState when a live process holds it. */
export function acquireLock(folder: string): Lock {
  if (held.has(folder)) throw new LockedState(folder, { pid: process.pid, ...readHolder(folder) })
  makeFolder(folder)
  const path = pathOf(folder)
  take(folder, path)
  held.add(folder)
  const timer = setInterval(() => touch(path), heartbeat).unref()
  return {
    announce: (details) => replaceFile(path, [`${JSON.stringify({ ...ownIdentity(), ...details })}\n`]),
    release: () => {
      clearInterval(timer)
      held.delete(folder)
      if (isOurs(readHolder(folder))) rmSync(path, { force: true })
    },
  }
}

function ownIdentity(): LockFile {
  return { pid: process.pid, began: beganOf(process.pid), space: pidSpace() }
}

/** True for the lock that this process wrote; another container may have taken the folder over. */
function isOurs(holder: LockFile | null): boolean {
  const own = ownIdentity()
  return holder?.pid === own.pid && holder.began === own.began && holder.space === own.space
}

/** Start of a process in clock ticks since boot; undefined where the system does not tell. */
function beganOf(pid: number): string | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

/** A container counts its own pids. */
const pidSpace = (): string | undefined => orUndefined(() => readlinkSync('/proc/self/ns/pid'))

/** Systems without /proc tell nothing, and a process may be gone. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A folder that was removed under a running sandbox leaves nothing to touch. */
const touch = (path: string): void => orUndefined(() => utimesSync(path, new Date(), new Date()))

function take(folder: string, path: string): void {
  const own = `${path}.${randomUUID()}`
  writeFileSync(own, JSON.stringify(ownIdentity()), { mode: ownerOnly })
  try {
    while (!tryLink(own, path)) evictDead(folder, path)
  } finally {
    rmSync(own, { force: true })
  }
}

/** Linking fails when the lock is there, so only one process can take it. */
function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Milliseconds after which an eviction must have been given up by a process that died in it. */
const evictionTime = 5_000

/**
 * Removes the lock of a dead process. Only one process at a time may do so, and it looks again before it does: a lock
 * that stands is never replaced, so what it saw dead is what it removes. Errors: LockedState for a live one.
 */
function evictDead(folder: string, path: string): void {
  refuseAlive(folder)
  const evicting = `${path}.evicting`
  if (!tryMakeFolder(evicting)) return waitForEviction(evicting)
  try {
    refuseAlive(folder)
    rmSync(path, { force: true })
  } finally {
    rmSync(evicting, { recursive: true, force: true })
  }
}

function refuseAlive(folder: string): void {
  const holder = readHolder(folder)
  if (holder !== null && isAlive(folder, holder)) throw new LockedState(folder, holder)
}

function tryMakeFolder(path: string): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function waitForEviction(evicting: string): void {
  const since = statSync(evicting, { throwIfNoEntry: false })?.mtimeMs
  if (since !== undefined && Date.now() - since > evictionTime)
    rmSync(evicting, { recursive: true, force: true })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
}

/** The sandbox that holds the folder, dead or alive; null when there is none. */
export function readHolder(folder: string): LockFile | null {
  try {
    return parse(readFileSync(pathOf(folder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw Object.assign(error as Error, { path: pathOf(folder) })
  }
}

/** A lock that was cut off while it was written still names its process. */
function parse(text: string): LockFile | null {
  const holder = orUndefined(() => JSON.parse(text) as LockFile)
  if (typeof holder?.pid === 'number') return holder
  const pid = /"pid":\s*(\d+)/.exec(text)?.[1]
  return pid === undefined ? null : { pid: Number(pid) }
}

/** A holder in another container is known by its heartbeat, one of ours by its pid and when it began. */
function isAlive(folder: string, { pid, began, space }: LockFile): boolean {
  if (space !== undefined && space !== pidSpace()) {
    const touched = statSync(pathOf(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Date.now() - touched < 5 * heartbeat
  }
  if (pid === process.pid || (began !== undefined && began !== beganOf(pid))) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
