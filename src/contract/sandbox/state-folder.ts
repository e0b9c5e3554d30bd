/** The file in a state folder that says which process holds it, and where that sandbox listens. */
export const lockFileName = 'lock.json'

/**
 * The flags that a sandbox was started with, by name, so that it can be started again. They may include an API key and
 * a token, so nobody else may read them.
 */
export type StartRecord = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** True for the URL of a service that only this machine reaches. */
export function isOnLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url) // URL writes every IPv4 address with four numbers
  return (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** True for `localhost` or a loopback address. */
export const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** True for a loopback address, without brackets. */
export const isLoopbackAddress = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

/** What the lock file says: written by the sandbox, read by its clients. */
export interface LockFile {
  readonly pid: number
  /** UUID of this start: the sandbox answers with it, so that no other program can stand in for it. */
  readonly id?: string | undefined
  /** When the process began, and its PID namespace: on Linux, a pid alone may be that of another process. */
  readonly began?: string | undefined
  readonly space?: string | undefined
  /** Where it listens; absent while it starts. */
  readonly url?: string
  /** Certificate to trust, when it serves TLS. */
  readonly certificate?: string
  /** Token of its control interface, if it was started with one. */
  readonly token?: string
  /** What `sandbox restart` starts again, without database passwords; absent if another program runs it. */
  readonly start?: StartRecord
  /** True if it was started with port 0; the port in `start` was free then. */
  readonly isFreePort?: boolean
  /** True if its database was given a password, which a restart needs from elsewhere. */
  readonly lacksPassword?: boolean
}

/** A file of a state folder. */
export interface StateFile {
  readonly name: string
  readonly bytes: number
  /** What it is for, in words. */
  readonly use: string
  /** False for a journal that state.json does not name; null for a file that is no part of the state. */
  readonly named: boolean | null
  /** Intact lines and damaged lines of a journal or state file. */
  readonly lines?: number
  readonly damagedLines?: number
}

/** What `sandbox verify` prints. */
export interface StateVerdict {
  readonly folder: string
  /** True when nothing is damaged. */
  readonly sound: boolean
  /** URL of the database with the data, if the folder belongs to a running node; that data was not checked. */
  readonly database: string | null
  /** The process that the lock file names, alive or not. */
  readonly holder: { readonly pid: number; readonly url: string | null } | null
  /** Merchants with events, and all transactions, as far as the state could be read. */
  readonly merchants: number
  readonly transactions: number
  readonly files: readonly StateFile[]
  /** What is damaged, in words; empty for a sound state. */
  readonly problems: readonly string[]
  /** Findings that are not damage of the state but deserve a look, such as unreadable lines of a log. */
  readonly warnings: readonly string[]
}

/** Something that a repair left out. */
export interface LeftOut {
  readonly file: string
  /** First and last line; null for a whole file. */
  readonly lines: readonly [first: number, last: number] | null
  readonly why: string
  /** Transactions that were opened in the part left out, as far as it can be read. */
  readonly transactionIds: readonly string[]
}

/** What `sandbox repair` prints. */
export interface StateRepair {
  readonly folder: string
  readonly status: 'sound' | 'repaired'
  /** Copy of the folder as it was; null when nothing was changed. */
  readonly backup: string | null
  readonly merchants: number
  readonly transactions: number
  readonly leftOut: readonly LeftOut[]
}
