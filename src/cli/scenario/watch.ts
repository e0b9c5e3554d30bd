import { watch } from 'node:fs'
import { dirname } from 'node:path'

/** Editors write a file in several steps; so long nothing further happens, in milliseconds. */
const quiet = 100

/** Resolves to true once one of the files changed, and to false when the signal aborts before. */
export function nextChange(files: readonly string[], signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    let timer: NodeJS.Timeout | undefined
    const changed = () => {
      clearTimeout(timer)
      timer = setTimeout(() => end(true), quiet)
    }
    const folders = [...new Set(files.map(dirname))]
    const watchers = folders.map((folder) => watch(folder, changed))
    const stop = () => end(false)
    const end = (isChange: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      for (const watcher of watchers) watcher.close()
      resolve(isChange)
    }
    signal.addEventListener('abort', stop)
  })
}
