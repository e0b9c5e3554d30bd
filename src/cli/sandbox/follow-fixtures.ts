import { statSync } from 'node:fs'
import { join } from 'node:path'
import { watchFiles } from '../input/watch-files.ts'

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
