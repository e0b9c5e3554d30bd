import { spawnSync } from 'node:child_process'
import { chmodSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLock, LockedState } from '../../../src/sandbox/store/lock.ts'
import { folderName } from '../../../src/shared/files/folder-name.ts'
import { scratchFolder } from '../commands/scratch.ts'

/** Path of the lock file of a state folder. */
export const lockPath = (folder: string): string => join(folder, 'lock.json')

/** A pid that no process has any more. */
export const deadPid = (): number => spawnSync('true').pid

/** The text of a lock that was written for the folder, unless it says otherwise. */
export const lockText = (folder: string, lock: object): string =>
  JSON.stringify({ folder: folderName(folder), ...lock })

/** A state folder with that lock file, gone after the test. `age`: milliseconds since the lock was touched. */
export function folderWithLock(lock: object, { mode = 0o600, age = 0 } = {}): string {
  const folder = scratchFolder()
  writeFileSync(lockPath(folder), lockText(folder, lock))
  chmodSync(lockPath(folder), mode)
  const touched = new Date(Date.now() - age)
  utimesSync(lockPath(folder), touched, touched)
  return folder
}

/** The refusal of a lock that another holds. */
export function refusalOf(folder: string): LockedState {
  try {
    acquireLock(folder).release()
  } catch (error) {
    if (error instanceof LockedState) return error
    throw error
  }
  throw new Error('the lock was free')
}
