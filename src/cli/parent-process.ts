import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** How often it is looked whether the parent has changed. Milliseconds. */
const pause = 1_000

/** Shells that npm starts a command in, where they do not become the command itself. */
const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'busybox'])

/**
 * Calls back once the process that started this one has ended. No system notifies a process of that, so
 * the parent's id is checked once a second. Returns a function that ends the checks. assumption: with-parent
 */
export function onParentEnd(ended: () => void, every = pause): () => void {
  const before = parents()
  const timer = setInterval(() => {
    if (parents() === before) return
    clearInterval(timer)
    ended()
  }, every).unref()
  return () => clearInterval(timer)
}

/** The ids of the parent and, where that is a shell, of the parent's parent: one of them changes when one of them ends. */
function parents(): string {
  const { ppid } = process
  const { name, parent } = processOf(ppid)
  return shells.has(name) ? `${ppid} ${parent}` : String(ppid)
}

/** Name and parent of a process; both are empty on a system without /proc. */
function processOf(pid: number): { name: string; parent: string } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    return {
      name: basename(stat.slice(stat.indexOf('(') + 1, end)),
      parent: stat.slice(end + 2).split(' ')[1] ?? '',
    }
  } catch {
    return { name: '', parent: '' }
  }
}

/** True for a command that npm, npx or another package manager started. */
export const isRunByPackageManager = (env = process.env): boolean =>
  env.npm_command !== undefined || env.npm_lifecycle_event !== undefined
