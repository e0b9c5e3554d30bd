import { realpathSync, statSync } from 'node:fs'
import { readOr } from '../read-or.ts'

/** A folder, so that a copy of it can be told from it. `inode`: device and number, in decimal. */
interface NamedFolder {
  readonly path: string
  readonly inode: string
}

/** How a lock names a folder that exists. Errors: an Error of the file system. */
export function folderName(folder: string): NamedFolder {
  const { dev, ino } = statSync(folder, { bigint: true })
  return { path: realpathSync(folder), inode: `${dev}:${ino}` }
}

/** True where a lock was written for this very folder, and not for one that it was copied from. */
export function isOfFolder(folder: string, named: NamedFolder | undefined): boolean {
  const here = readOr(undefined, () => folderName(folder))
  return here !== undefined && (here.path === named?.path || here.inode === named?.inode)
}
