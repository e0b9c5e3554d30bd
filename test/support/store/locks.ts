import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Path of the lock file of a state folder. */
export const lockPath = (folder: string): string => join(folder, 'lock.json')

/** A pid that no process has any more. */
export const deadPid = (): number => spawnSync('true').pid
