import { closeSync, fstatSync, lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  isOnLoopback,
  type LockFile,
  lockFileName,
  type StartRecord,
} from '../contract/control/state-folder.ts'
import { openState, readState } from '../shared/files/files.ts'
import { isOfFolder } from '../shared/files/folder-name.ts'
import { isLive, isPid, type NamedProcess, pidSpace } from '../shared/files/live-process.ts'
import { parseJson } from './tolerant.ts'

/** A lock file that is not used because it may have been planted. assumption: credentials */
export class UnusableLock extends Error {
  override readonly name = 'UnusableLock'
  constructor(
    readonly path: string,
    reason: string,
    /** URL of the sandbox according to the file, if it could be read. */
    readonly url?: string,
  ) {
    super(`${path} was not used: ${reason}`)
  }
}

/** The contents of a running sandbox's lock file, after every check except the sandbox's own answer. */
export interface SandboxLock {
  readonly path: string
  /** State folder, absolute. */
  readonly stateFolder: string
  /** A URL on loopback. */
  readonly baseUrl: string
  /** The sandbox must answer with this id. */
  readonly id: string
  /** Certificate to trust, PEM. */
  readonly ca: string | undefined
  /** Path of that certificate. */
  readonly certificate: string | undefined
  /** A secret that only this URL may get. */
  readonly token: string | undefined
  /** The process that wrote it; undefined when it runs in another pid namespace, such as a container's. */
  readonly process: NamedProcess | undefined
  /** Options of the start; undefined when no command started it. */
  readonly start: StartRecord | undefined
  /** Folder in which the start was typed; undefined when no command started it. */
  readonly from: string | undefined
  /** True when it was started with port 0; `start` has the chosen port. */
  readonly isFreePort: boolean
  /** True when `start` names a database without the password that was given. */
  readonly lacksPassword: boolean
}

/** Largest lock file that is read. Bytes. */
const longest = 64 * 1024

/**
 * The lock file of a state folder's running sandbox; undefined when no file has a URL, its process is dead,
 * or it was written for another folder, which this one was copied from. assumption: state-lock. Errors:
 * UnusableLock for a file that no sandbox of this user would have written.
 */
export function readLock(state: string): SandboxLock | undefined {
  const path = `${state}/${lockFileName}`
  const file = readWhole(path)
  if (file === undefined) return undefined
  const lock = parse(file.text)
  if (lock === undefined || isDead(lock) || !isOfFolder(state, lock.folder)) return undefined
  const flaw = lockFlaw(lock, file.stats)
  if (flaw !== undefined) throw new UnusableLock(path, flaw, lock.url)
  const { id, url: baseUrl, token, pid, began, start, from, isFreePort, lacksPassword } = lock
  const ca = certificateIn(state, lock.certificate)
  return {
    path,
    stateFolder: resolve(state),
    baseUrl,
    id,
    ca,
    certificate: ca && lock.certificate,
    token,
    process: isOfThisSpace(lock) ? { pid, began } : undefined,
    start: typeof start === 'object' && start !== null ? start : undefined,
    from: typeof from === 'string' ? from : undefined,
    isFreePort: isFreePort === true,
    lacksPassword: lacksPassword === true,
  }
}

/** True when a killed node left its lock here: a database has its state. Errors: UnusableLock. */
export const isOfDeadNode = (state: string): boolean =>
  parse(readWhole(`${state}/${lockFileName}`)?.text ?? '')?.start?.store !== undefined

/** Id of a process that holds the state folder and listens not yet; undefined: none. Errors: UnusableLock. */
export function readStarting(state: string): number | undefined {
  const file = readWhole(`${state}/${lockFileName}`)
  const lock = file && (parseJson(file.text) as Partial<LockFile> | null | undefined)
  if (lock == null || lock.url !== undefined || !isPid(lock.pid) || !isOfFolder(state, lock.folder))
    return undefined
  const holder = { ...lock, pid: lock.pid }
  return isOfThisSpace(holder) && isLive(holder) ? lock.pid : undefined
}

/** Why no sandbox of this user can have written it; undefined when one can. */
function lockFlaw(lock: AnnouncedLock, { uid, mode }: Stats): string | undefined {
  if (isOfThisSpace(lock) && !isPid(lock.pid)) return `its pid ${shown(lock.pid)} is not the id of a process`
  if (hasUsers && uid !== process.getuid?.()) return 'it belongs to another user'
  if (hasUsers && (mode & 0o077) !== 0)
    return `other users can open it: its mode is 0${(mode & 0o777).toString(8).padStart(3, '0')}, not 0600`
  if (!isOnLoopback(lock.url)) return `${shown(lock.url)} is not a loopback address`
  if (lock.token !== undefined && !isSendable(lock.token)) return 'its token is not valid'
  if (typeof lock.id !== 'string' || lock.id === '') return 'it has no id'
  return undefined
}

/** True when its process belongs to this pid namespace and does not run. */
const isDead = (lock: AnnouncedLock): boolean => isOfThisSpace(lock) && isPid(lock.pid) && !isLive(lock)

/** A lock file with a URL. Its other members are unchecked until `lockFlaw` has checked them. */
type AnnouncedLock = LockFile & { readonly url: string; readonly id: string }

/** Undefined also for a file that was cut short while it was written: it has no URL. */
function parse(text: string): AnnouncedLock | undefined {
  const lock = parseJson(text) as Partial<LockFile> | null | undefined
  return typeof lock?.url === 'string' && URL.canParse(lock.url) ? (lock as AnnouncedLock) : undefined
}

/** The text of a regular file and its stats; undefined when there is none. Errors: UnusableLock. */
function readWhole(path: string): { text: string; stats: Stats } | undefined {
  try {
    const there = lstatSync(path) // before opening: opening a pipe would wait for a writer
    if (there.isSymbolicLink()) throw new UnusableLock(path, 'it is a link')
    if (!there.isFile() || there.size > longest) return undefined
    const file = openState(path, 'read')
    try {
      return { stats: fstatSync(file), text: readFileSync(file, 'utf8') }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'EACCES') throw new UnusableLock(path, 'it belongs to another user')
    if (code === 'ELOOP') throw new UnusableLock(path, 'it is a link')
    throw error
  }
}

/** A process of another pid namespace cannot be found from here. */
const isOfThisSpace = ({ space }: LockFile): boolean => space === undefined || space === pidSpace()

/** Windows has no such users and modes. */
const hasUsers = process.getuid !== undefined

/** A value of the file, shortened for a message. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** True for characters that a header may contain. */
const isSendable = (token: unknown): boolean => typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)

/** The certificate that a lock file names, if it lies in the state folder itself. */
function certificateIn(state: string, path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined
  try {
    const isInside = realpathSync(dirname(path)) === realpathSync(state)
    return isInside && lstatSync(path).isFile() ? readState(path) : undefined
  } catch {
    return undefined // missing or unreadable: TLS then reports an untrusted certificate
  }
}
