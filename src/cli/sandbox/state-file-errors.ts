import { existsSync, writeFileSync } from 'node:fs'
import { fileProblem, isFullDisk } from '../../shared/files/file-problem.ts'
import { ownerOnly } from '../../shared/files/files.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { requireFolder, usingFile } from '../errors/system-error.ts'

export { openPortable, writePortable } from '../../shared/files/portable.ts'

/** Errors: UsageError for an existing file, which could be anything. */
export function refuseExisting(file: string): void {
  if (!existsSync(file)) return
  throw new UsageError(`${file} exists`, 'Choose another name, or replace it with --force', 'file')
}

const unwritable = (file: string) =>
  [`${file} cannot be written`, 'Name a file in a folder that exists and that you can write', 'file'] as const

/** Checks early what `writeNew` will need. */
export function requireNew(file: string, isReplaced: boolean): void {
  if (!isReplaced) refuseExisting(file)
  requireFolder(file, ...unwritable(file))
}

/** Writes a file of what was recorded, for its owner alone; `--force` may replace it. */
export function writeNew(file: string, text: string, isReplaced: boolean): void {
  if (!isReplaced) refuseExisting(file)
  usingFile(() => writeFileSync(file, text, { mode: ownerOnly }), ...unwritable(file))
}

/** Resolves as the work does. An error of the file system or of gzip becomes one about the file. */
export async function withFileErrors<T>(file: string, work: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    const problem = error as NodeJS.ErrnoException
    if (problem.errno === undefined) throw error
    throw new UsageError(
      `${file} cannot be used: ${fileProblem(problem)}`,
      isFullDisk(problem)
        ? 'Free disk space, or name a file on another disk'
        : `Check the path: ls -l ${shellQuote(file)}; nothing was changed`,
      'file',
    )
  }
}
