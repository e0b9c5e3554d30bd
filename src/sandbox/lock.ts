import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOnly, replaceFile } from './store/files.ts'

/** What lock.json says of the sandbox that holds a state folder. */
export interface LockHolder {
  readonly pid: number
  /** Where it listens; absent while it starts. */
  readonly url?: string
  /** Certificate to trust, when it serves TLS. */
  readonly certificate?: string
}

/** Another sandbox holds the state folder. */
export class LockedState extends Error {
  override readonly name = 'LockedState'
  constructor(
    readonly folder: string,
    readonly holder: LockHolder,
  ) {
    super(
      `The state folder ${folder} is in use by process ${holder.pid}${holder.url ? `, a sandbox at ${holder.url}` : ''}`,
    )
  }
}

/** A held lock. */
export interface Lock {
  /** Tells others where the sandbox listens. */
  announce(details: Omit<LockHolder, 'pid'>): void
  release(): void
}

const pathOf = (folder: string): string => join(folder, 'lock.json')

/** Takes the state folder for this process. Errors: LockedState when a live process holds it. */
export function acquireLock(folder: string): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = pathOf(folder)
  const own = `${path}.${process.pid}`
  writeFileSync(own, JSON.stringify({ pid: process.pid }), { mode: ownerOnly })
  try {
    if (!tryLink(own, path)) {
      evictDead(folder, path)
      if (!tryLink(own, path)) throw new LockedState(folder, readHolder(folder) ?? { pid: 0 })
    }
  } finally {
    rmSync(own, { force: true })
  }
  return {
    announce: (details) => replaceFile(path, [`${JSON.stringify({ pid: process.pid, ...details })}\n`]),
    release: () => {
      if (readHolder(folder)?.pid === process.pid) rmSync(path, { force: true })
    },
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

/** Moves the lock of a dead process away; a live one that slipped in meanwhile is put back. */
function evictDead(folder: string, path: string): void {
  const holder = readHolder(folder)
  if (holder !== null && isAlive(holder.pid)) throw new LockedState(folder, holder)
  const aside = `${path}.dead.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const moved = parse(readFileSync(aside, 'utf8'))
  if (moved !== null && moved.pid !== holder?.pid && isAlive(moved.pid)) tryLink(aside, path)
  rmSync(aside)
}

/** The sandbox that holds the folder, dead or alive; null when there is none. */
export function readHolder(folder: string): LockHolder | null {
  try {
    return parse(readFileSync(pathOf(folder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

function parse(text: string): LockHolder | null {
  const pid = /"pid":\s*(\d+)/.exec(text)?.[1]
  if (pid === undefined) return null
  return text.trimEnd().endsWith('}') ? (JSON.parse(text) as LockHolder) : { pid: Number(pid) }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
