/** The file in a state folder that says which process holds it, and where that sandbox listens. */
export const lockFileName = 'lock.json'

/**
 * The flags that a sandbox was started with, by name, so that it can be started again. An API key and a token are among
 * them: it is kept where nobody else can read it.
 */
export type StartRecord = Readonly<Record<string, string | number | boolean | readonly string[]>>

/** True for the URL of a service that only this machine reaches. */
export function isOnLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url) // which writes every IPv4 address with four numbers
  return (protocol === 'http:' || protocol === 'https:') && isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** True for an address, or its name, that only this machine reaches. */
export const isLoopback = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host)

/** True for an address of loopback, without brackets. */
export const isLoopbackAddress = (address: string): boolean => /^(127(\.\d{1,3}){3}|::1)$/.test(address)

/** What the lock file says: written by the sandbox, read by its clients. */
export interface LockFile {
  readonly pid: number
  /** Of this start, a UUID: the sandbox answers with it, so that no other program can stand in for it. */
  readonly id?: string | undefined
  /** When the process began, and the space its pid counts in: on Linux a pid alone can be another's. */
  readonly began?: string | undefined
  readonly space?: string | undefined
  /** Where it listens; absent while it starts. */
  readonly url?: string
  /** Certificate to trust, when it serves TLS. */
  readonly certificate?: string
  /** What its control interface wants, when it was started with a token. */
  readonly token?: string
  /** What `sandbox restart` starts again; absent where another program runs the sandbox. It has no password of a database. */
  readonly start?: StartRecord
  /** True where it was started with port 0: the one in `start` was free then. */
  readonly isFreePort?: boolean
  /** True where its database was given a password: a restart needs it from somewhere else. */
  readonly lacksPassword?: boolean
}
