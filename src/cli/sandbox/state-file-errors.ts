import { existsSync } from 'node:fs'
import { shellQuote } from '../../text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'

export { openPortable, writePortable } from '../../files/portable.ts'

/** Errors: UsageError for an existing file, which could be anything. */
export function refuseExisting(file: string): void {
  if (!existsSync(file)) return
  throw new UsageError(`${file} exists`, 'Choose another name, or replace it with --force', 'file')
}

/** System errors about a file that the user named. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not open it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of its path is not a folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  Z_DATA_ERROR: 'it is packed with gzip, and damaged',
  Z_BUF_ERROR: 'it is packed with gzip, and cut off',
}

/** Resolves as the work does. Errors: UsageError with the file for errors of the file system or gzip. */
export async function withFileErrors<T>(file: string, work: Promise<T> | (() => T)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (!('errno' in (error as object))) throw error
    throw new UsageError(
      `${file} cannot be used: ${reasons[code] ?? message}`,
      `Check the path: ls -l ${shellQuote(file)}; nothing was changed`,
      'file',
    )
  }
}
