import { statSync } from 'node:fs'

/** Every user of the machine may remove and replace the files of the state folder. */
class OpenToAll extends Error {
  override readonly name = 'OpenToAll'
  constructor(readonly folder: string) {
    super(`Every user of this machine may replace the files in ${folder}`)
  }
}

const [group, others, sticky] = [0o020, 0o002, 0o1000]

/**
 * The access that a folder's mode gives to other users, as a sentence; undefined for none. Windows has no such modes.
 */
export function whoElseMayWrite(folder: string): string | undefined {
  const { mode } = statSync(folder)
  if (process.platform === 'win32' || (mode & (group | others)) === 0) return undefined
  const who = mode & others ? 'every user of this machine' : 'the group that owns it'
  return `${folder} may be written to by ${who}; make it yours alone: chmod 700 ${folder}`
}

/** Errors: OpenToAll for a folder where every user may replace every file. */
export function refuseOpenFolder(folder: string): void {
  const { mode } = statSync(folder)
  if (process.platform !== 'win32' && mode & others && !(mode & sticky)) throw new OpenToAll(folder)
}
