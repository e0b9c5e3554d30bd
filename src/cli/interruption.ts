import { isRunByPackageManager, onParentEnd } from './parent-process.ts'

/** A controller that aborts when the process is asked to end; `more`: signals beside SIGINT and SIGTERM. */
export function onInterruption(...more: readonly NodeJS.Signals[]): AbortController {
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', ...more]) process.once(signal, () => ended.abort())
  return ended
}

/** The same for a command that goes on: under npm and npx it ends with them, too. assumption: with-parent */
export function onInterruptionOrParentEnd(): AbortController {
  const ended = onInterruption()
  if (isRunByPackageManager()) onParentEnd(() => ended.abort())
  return ended
}

/** Calls back, instead of failing, when the reader of the output has closed it, as `head` does. */
export function onReaderGone(ended: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    const others = stream.listeners('error')
    stream.removeAllListeners('error')
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') ended()
      else for (const listener of others) listener.call(stream, error)
    })
  }
}
