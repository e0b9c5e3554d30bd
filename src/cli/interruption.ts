import { constants } from 'node:os'
import { processStat } from '../shared/files/live-process.ts'

/**
 * A controller that aborts when the process is asked to end; `more`: signals beside SIGINT and SIGTERM. The
 * same signal again ends the process at once, as it would by itself, but nothing that was started for it
 * stays behind.
 */
export function onInterruption(...more: readonly NodeJS.Signals[]): AbortController {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', ...more] as const) {
    let count = 0
    const listen = () => {
      if (++count > 1) process.exit(128 + constants.signals[signal])
      ended.abort()
    }
    process.on(signal, listen)
    listening.push([signal, listen])
  }
  return ended
}

const listening: (readonly [NodeJS.Signals, () => void])[] = []

/** From now on no signal ends the process because of `onInterruption`: who calls this listens to them. */
export function takeSignals(): void {
  for (const [signal, listen] of listening.splice(0)) process.off(signal, listen)
}

/**
 * Ends a command that goes on: with a signal, with the reader of its output, as `head`, and under npm and npx
 * with them. assumption: with-parent
 */
export function onInterruptionOrParentEnd(): AbortController {
  const ended = onInterruption()
  onReaderGone(process.stdout, () => ended.abort())
  if (isRunByPackageManager()) onParentEnd(() => ended.abort())
  return ended
}

/** Calls back when the reader of a standard stream closed it; `bin/run.js` makes that no error. */
export function onReaderGone(stream: NodeJS.WriteStream, gone: () => void): void {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') gone()
  })
}

/** Shells that npm starts a command in, where they do not become the command itself. */
const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'busybox'])

/**
 * Calls back once the process that started this one has ended. No system notifies a process of that, so
 * the parent's id is checked once a second. Returns a function that ends the checks. assumption: with-parent
 */
export function onParentEnd(ended: () => void): () => void {
  const before = parents()
  const timer = setInterval(() => {
    if (parents() === before) return
    clearInterval(timer)
    ended()
  }, 1_000).unref()
  return () => clearInterval(timer)
}

/** The ids of the parent and, of a shell, of its parent: one changes when one of them ends. */
function parents(): string {
  const { ppid } = process
  const stat = processStat(ppid)
  return stat && shells.has(stat.name) ? `${ppid} ${stat.parent}` : String(ppid)
}

/** True for a command that npm, npx or another package manager started. */
export const isRunByPackageManager = (): boolean =>
  process.env.npm_command !== undefined || process.env.npm_lifecycle_event !== undefined

type EndReason = 'signal' | 'window' | 'parent' | 'reader'

/**
 * Resolves with the reason once the sandbox of this process has to stop: a signal, the end of its window, of
 * the process that started it (`withParent`; left out: under npm and npx), or of who reads its output.
 * assumption: with-parent
 */
export function untilEnded(withParent = isRunByPackageManager()): Promise<EndReason> {
  return new Promise((resolve) => {
    onInterruption().signal.addEventListener('abort', () => resolve('signal'))
    process.once('SIGHUP', () => resolve('window'))
    for (const stream of [process.stdout, process.stderr]) onReaderGone(stream, () => resolve('reader'))
    if (withParent) onParentEnd(() => resolve('parent'))
  })
}
