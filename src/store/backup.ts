import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { lockFileName } from '../contract/sandbox/state-folder/lock-file.ts'
import { openState, syncFile, syncFolder, unfinishedSuffix } from '../files/files.ts'

/**
 * Copies every file of a state folder, checkpoints included, to a folder beside it, completely or not at all; the copy
 * is durable when this returns. Links are not followed: a state has none. `why`: part of the name; `now`: milliseconds,
 * for the name. Returns its path. Errors: an Error of the file system.
 */
export function backUp(folder: string, now: number, why = ''): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  const backup = `${folder}.backup-${why}${stamp}`
  if (existsSync(backup)) throw new Error(`${backup} exists`)
  const beside = `${backup}.${process.pid}${unfinishedSuffix}`
  copyFiles(folder, beside)
  renameSync(beside, backup)
  syncFolder(join(folder, '..'))
  return backup
}

function copyFiles(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const copy = join(to, entry.name)
    if (entry.isDirectory()) copyFiles(join(from, entry.name), copy)
    if (!entry.isFile() || entry.name === lockFileName) continue
    copyFileSync(join(from, entry.name), copy, constants.COPYFILE_EXCL)
    syncFile(openState(copy, 'append'))
  }
  syncFolder(to)
}
