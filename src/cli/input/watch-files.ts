import { type FSWatcher, lstatSync, readdirSync, readlinkSync, realpathSync, statSync, watch } from 'node:fs'
import { dirname, extname, join, parse, resolve, sep } from 'node:path'
import { readOr } from '../../shared/read-or.ts'

/** Quiet time after a change, as editors write a file in several steps. Milliseconds. */
const quiet = 100

/** Links on the way to a file that are followed at most. */
const mostLinks = 40

/**
 * Watches files, and all beside them with these extensions, through links; changes count too while nobody
 * waits for one.
 */
export function watchFiles(
  files: readonly string[],
  signal: AbortSignal,
  extensions: readonly string[] = ['.yaml', '.yml'],
) {
  let before = stateOf(files, extensions)
  let tell: (isChange: boolean) => void = () => undefined
  let timer: NodeJS.Timeout | undefined
  const watchers = new Map<string, FSWatcher>()
  /** A link may lead elsewhere by now. */
  const follow = () => {
    const folders = foldersOf(files)
    for (const [folder, watcher] of watchers)
      if (!folders.has(folder)) {
        watcher.close()
        watchers.delete(folder)
      }
    for (const folder of folders) if (!watchers.has(folder)) watchers.set(folder, watch(folder, changed))
  }
  const hasChanged = () => stateOf(files, extensions) !== before
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => hasChanged() && tell(true), quiet)
  }
  const stop = () => tell(false)
  signal.addEventListener('abort', stop)
  follow()
  return {
    /** Resolves to true once a file changed since it resolved last, and to false when the signal aborted. */
    next: async () => {
      const isChange = await new Promise<boolean>((resolve) => {
        tell = resolve
        if (signal.aborted) resolve(false)
        else changed()
      })
      clearTimeout(timer)
      before = stateOf(files, extensions)
      follow()
      return isChange
    },
    close: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

/** Changes with every file and every other one beside them with these extensions; a report is none. */
function stateOf(files: readonly string[], extensions: readonly string[]): string {
  const beside = [...new Set(files.map(dirname))].flatMap((folder) =>
    readOr([], () => readdirSync(folder))
      .filter((name) => extensions.includes(extname(name)))
      .map((name) => join(folder, name)),
  )
  const states = [...files, ...beside].map((file) =>
    readOr('', () => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(file)
      return [realpathSync(file), ino, size, mtimeMs, ctimeMs].join()
    }),
  )
  return states.join('\n')
}

/** The folders in which a change of a file shows: those of the files, and of every link to them. */
function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>()
  const add = (path: string, links = 0): void => {
    const { root } = parse(path)
    const parts = path.slice(root.length).split(sep)
    let at = root
    for (const [index, part] of parts.entries()) {
      const next = join(at, part)
      if (index === parts.length - 1 || isLink(next)) folders.add(at)
      if (isLink(next)) {
        const rest = parts.slice(index + 1)
        if (links < mostLinks) add(resolve(at, readlinkSync(next), ...rest), links + 1)
        return
      }
      at = next
    }
  }
  for (const file of files) add(resolve(file))
  return new Set([...folders].filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory()))
}

const isLink = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true

/**
 * Loads fixtures again after each change of their file or folder, until the signal aborts, and reports that
 * in one line. `load`:
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
