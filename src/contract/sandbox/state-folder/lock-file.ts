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
