import { readFileSync, readlinkSync } from 'node:fs'

/** A process as a lock file names it: a pid alone can be another's by now. */
export interface NamedProcess {
  readonly pid: number
  /** When it began, in clock ticks since boot; absent where the system does not tell. */
  readonly began?: string | undefined
}

/** This process, for others to find again. */
export const thisProcess = (): NamedProcess & { readonly space: string | undefined } => ({
  pid: process.pid,
  began: statOf(process.pid)?.began,
  space: pidSpace(),
})

/** The space that pids of this process count in: a container has its own. Undefined where there is no /proc. */
export const pidSpace = (): string | undefined => orUndefined(() => readlinkSync('/proc/self/ns/pid'))

/** True for a number that one process can have: -1 and 0 mean many. */
export const isPid = (pid: unknown): pid is number =>
  typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0

/** True while the process of this pid space runs, whoever owns it. One that ended and was not waited for does not run. */
export function isLive({ pid, began }: NamedProcess): boolean {
  const stat = statOf(pid)
  if (stat?.state === 'Z' || stat?.state === 'X') return false
  if (began !== undefined && stat !== undefined && began !== stat.began) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** How a process was run: its command line in words, and the folder that it is in. */
interface ProcessRun {
  readonly words: readonly string[]
  readonly folder: string
}

/** How a process was run; undefined where the system does not tell. */
export const runOf = (pid: number): ProcessRun | undefined =>
  orUndefined(() => ({
    words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0'),
    folder: readlinkSync(`/proc/${pid}/cwd`),
  }))

/** What /proc says of a process, field 3 and field 22 of its stat; undefined where it says nothing. */
function statOf(pid: number): { state: string | undefined; began: string | undefined } | undefined {
  const stat = orUndefined(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && { state: fields[0], began: fields[19] }
}

/** Systems without /proc tell nothing, and a process may be gone. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
