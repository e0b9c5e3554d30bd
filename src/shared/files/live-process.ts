import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { readOr } from '../read-or.ts'

/** A process in a lock file: its pid alone may belong to another process by now. */
export interface NamedProcess {
  readonly pid: number
  /** When it started, in clock ticks since boot; absent where the system does not tell. */
  readonly began?: string | undefined
}

/** This process, in the form by which others find it again. */
export const thisProcess = (): NamedProcess & { readonly space: string | undefined } => ({
  pid: process.pid,
  began: processStat(process.pid)?.began,
  space: pidSpace(),
})

/** The pid namespace of this process: a container has its own. Undefined without /proc. */
export const pidSpace = (): string | undefined => readOr(undefined, () => readlinkSync('/proc/self/ns/pid'))

/** True for a valid pid of one process: -1 and 0 mean several. */
export const isPid = (pid: unknown): pid is number =>
  typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0

/** True while this process, of our pid namespace, runs, whoever owns it. A zombie does not run. */
export function isLive({ pid, began }: NamedProcess): boolean {
  const stat = processStat(pid)
  if (stat?.state === 'Z' || stat?.state === 'X') return false
  if (began !== undefined && stat !== undefined && began !== stat.began) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What /proc/<pid>/stat tells of a process; undefined on a system without /proc, and when it has ended. */
export function processStat(pid: number) {
  const stat = readOr(undefined, () => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  return {
    name: basename(stat.slice(stat.indexOf('(') + 1, end)),
    state: fields[0],
    parent: fields[1],
    /** When it started, in clock ticks since boot. */
    began: fields[19],
  }
}
