import { statSync } from 'node:fs'
import { join } from 'node:path'
import { watchFiles } from '../input/watch-files.ts'

interface FollowOptions {
  /** A file or a folder. */
  readonly path: string
  /** Takes the fixtures over. Errors: an Error whose message is for people. */
  readonly load: () => Promise<void>
  /** Reports what a person should know, in one line. */
  readonly report: (message: string) => void
  readonly signal: AbortSignal
}

/** Loads fixtures again after each change of their files, until the signal aborts. Errors: an Error of the file system. */
export async function followFixtures({ path, load, report, signal }: FollowOptions): Promise<void> {
  const isFolder = statSync(path).isDirectory()
  const watched = isFolder
    ? watchFiles([join(path, 'fixtures.yaml')], signal, ['.yaml', '.yml', '.json'])
    : watchFiles([path], signal, [])
  try {
    while (await watched.next())
      await load().then(
        () => report(`Loaded the fixtures ${path}`),
        (error: Error) => report(`The fixtures stay as they were: ${error.message.replaceAll('\n', '; ')}`),
      )
  } finally {
    watched.close()
  }
}
