import { statSync, watch } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** Quiet time after a change, as editors write a file in several steps. Milliseconds. */
const quiet = 100

/**
 * Watches files, and all beside them with these extensions; changes count too while nobody waits for one. Errors: an Error of
 * the file system.
 */
export function watchFiles(
  files: readonly string[],
  signal: AbortSignal,
  extensions: readonly string[] = ['.yaml', '.yml'],
) {
  let isChanged = false
  let tell: (isChange: boolean) => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const names = new Set(files.map((file) => basename(file)))
  const changed = (_: string, name: string | null) => {
    // A report that is written beside them is not a reason to run again.
    if (name !== null && !names.has(name) && !extensions.includes(extname(name))) return
    isChanged = true
    clearTimeout(timer)
    timer = setTimeout(() => tell(true), quiet)
  }
  const stop = () => tell(false)
  signal.addEventListener('abort', stop)
  const watchers = [...new Set(files.map(dirname))].map((folder) => watch(folder, changed))
  return {
    /** Resolves to true once a file changed since it resolved last, and to false when the signal aborted. */
    next: async () => {
      const hasChanges = await new Promise<boolean>((resolve) => {
        tell = resolve
        if (signal.aborted) resolve(false)
        else if (isChanged) timer = setTimeout(() => resolve(true), quiet)
      })
      clearTimeout(timer)
      isChanged = false
      return hasChanges
    },
    close: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/**
 * Loads fixtures again after each change of their file or folder, until the signal aborts, and reports that in one line.
 * `load`: Errors: an Error for people. Errors: an Error of the file system.
 */
export async function followFixtures(
  path: string,
  load: () => Promise<void>,
  report: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const isFolder = statSync(path).isDirectory()
  const extensions = isFolder ? ['.yaml', '.yml', '.json'] : []
  const watched = watchFiles([isFolder ? join(path, 'fixtures.yaml') : path], signal, extensions)
  const refused = ({ message }: Error) =>
    report(`The fixtures stay as they were: ${message.replaceAll('\n', '; ')}`)
  while (await watched.next()) await load().then(() => report(`Loaded the fixtures ${path}`), refused)
  watched.close()
}
