/** The file in a state folder that says which process holds it, and where that sandbox listens. */
export const lockFileName = 'lock.json'

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
}
