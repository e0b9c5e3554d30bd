import { closeSync, fstatSync, lstatSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  isOnLoopback,
  type LockFile,
  lockFileName,
  type StartRecord,
} from '../contract/sandbox/state-folder/lock-file.ts'
import { openState, readState } from '../files/files.ts'
import { isLive, isPid, type NamedProcess, pidSpace } from '../files/live-process.ts'
import { NamedError } from '../named-error.ts'
import { parseJson } from './tolerant.ts'

/** A lock file that may have been planted, so that it is not used. assumption: credentials */
export class UnusableLock extends NamedError {
  static override readonly name = 'UnusableLock'
  constructor(
    readonly path: string,
    reason: string,
    /** Where it says that a sandbox listens, as far as it was read. */
    readonly url?: string,
  ) {
    super(`${path} was not used: ${reason}`)
  }
}

/** What the lock file of a running sandbox says, once it passed every check but the answer of the sandbox itself. */
export interface SandboxLock {
  readonly path: string
  /** State folder, absolute. */
  readonly stateFolder: string
  /** On loopback. */
  readonly baseUrl: string
  /** The sandbox must answer with the same one. */
  readonly id: string
  /** Certificate to trust, PEM. */
  readonly ca: string | undefined
  /** Where that certificate is. */
  readonly certificate: string | undefined
  /** A secret, for this URL alone. */
  readonly token: string | undefined
  /** The process that wrote it; undefined when it counts its pids elsewhere, in another container. */
  readonly process: NamedProcess | undefined
  /** What it was started with; undefined where no command started it. */
  readonly start: StartRecord | undefined
  /** True where port 0 was asked for; `start` has the one that was free. */
  readonly isFreePort: boolean
  /** True where `start` names a database and not the password that it was given. */
  readonly lacksPassword: boolean
}

/** Bytes of the longest lock file that is read. */
const longest = 64 * 1024

/** Bits of a mode that let group and others in. */
const forOthers = 0o077

/**
 * The lock of the sandbox that runs on a state folder; undefined when none says where it listens, or its process is dead.
 * Errors: UnusableLock for one that a sandbox of this user would not have written.
 */
export function readLock(state: string): SandboxLock | undefined {
  const path = `${state}/${lockFileName}`
  const file = readWhole(path)
  if (file === undefined) return undefined
  const lock = parse(file.text)
  if (lock === undefined || isDead(lock)) return undefined
  const flaw = flawOf(lock, file.stats)
  if (flaw !== undefined) throw new UnusableLock(path, flaw, lock.url)
  const { id, url: baseUrl, token, pid, began, start, isFreePort, lacksPassword } = lock
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
    isFreePort: isFreePort === true,
    lacksPassword: lacksPassword === true,
  }
}

/** The process that holds a state folder and does not listen yet; undefined when there is none. Errors: UnusableLock. */
export function readStarting(state: string): number | undefined {
  const file = readWhole(`${state}/${lockFileName}`)
  const lock = file && (parseJson(file.text) as Partial<LockFile> | null | undefined)
  if (lock == null || lock.url !== undefined || !isPid(lock.pid)) return undefined
  const holder = { ...lock, pid: lock.pid }
  return isOfThisSpace(holder) && isLive(holder) ? lock.pid : undefined
}

/** Why this user's own sandbox cannot have written it; undefined when it can. */
function flawOf(lock: AnnouncedLock, { uid, mode }: Stats): string | undefined {
  if (isOfThisSpace(lock) && !isPid(lock.pid)) return `its pid ${shown(lock.pid)} is not the id of a process`
  if (hasUsers && uid !== process.getuid?.()) return 'it belongs to another user'
  if (hasUsers && (mode & forOthers) !== 0)
    return `other users can open it: its mode is ${modeText(mode)}, not 0600`
  if (!isOnLoopback(lock.url)) return `${shown(lock.url)} is not a loopback address`
  if (lock.token !== undefined && !isSendable(lock.token)) return 'its token is not valid'
  if (typeof lock.id !== 'string' || lock.id === '') return 'it has no id'
  return undefined
}

/** True when its process can be looked for from here, and does not run. */
const isDead = (lock: AnnouncedLock): boolean => isOfThisSpace(lock) && isPid(lock.pid) && !isLive(lock)

/** A lock file that says where a sandbox listens. Its other members may be anything until `flawOf` has seen them. */
type AnnouncedLock = LockFile & { readonly url: string; readonly id: string }

/** Undefined also for one that was cut off while it was written: no sandbox tells where it is. */
function parse(text: string): AnnouncedLock | undefined {
  const lock = parseJson(text) as Partial<LockFile> | null | undefined
  return typeof lock?.url === 'string' && URL.canParse(lock.url) ? (lock as AnnouncedLock) : undefined
}

/** The text of a regular file and whose it is; undefined when there is none. Errors: UnusableLock. */
function readWhole(path: string): { text: string; stats: Stats } | undefined {
  try {
    const there = lstatSync(path) // before it is opened: to open a pipe would wait for a writer
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

/** A process of another container cannot be looked for from here. */
const isOfThisSpace = ({ space }: LockFile): boolean => space === undefined || space === pidSpace()

/** Windows knows neither users nor modes in this way. */
const hasUsers = process.getuid !== undefined

const modeText = (mode: number): string => `0${(mode & 0o777).toString(8).padStart(3, '0')}`

/** A value of the file in a sentence, in short. */
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** A header carries no other characters. */
const isSendable = (token: unknown): boolean => typeof token === 'string' && /^[\x21-\x7e]+$/.test(token)

/** The certificate that a lock names, when it is a file of the state folder itself. */
function certificateIn(state: string, path: unknown): string | undefined {
  if (typeof path !== 'string') return undefined
  try {
    const isInside = realpathSync(dirname(path)) === realpathSync(state)
    return isInside && lstatSync(path).isFile() ? readState(path) : undefined
  } catch {
    return undefined // it is not there, or may not be read: then TLS says that it trusts nobody
  }
}
