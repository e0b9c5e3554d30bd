import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Prefix of the names of temporary state folders. */
const prefix = 'tillbox-ephemeral-'

const temporary = (): string => realpathSync(tmpdir())

/** Makes a temporary state folder, for its owner alone. */
export const makeEphemeralFolder = (): string => mkdtempSync(join(temporary(), prefix))

/** True for a folder that `makeEphemeralFolder` made: no other folder is ever removed. */
export const isEphemeralFolder = (path: string): boolean =>
  dirname(path) === temporary() && basename(path).startsWith(prefix)

/** Removes a temporary state folder with its contents. Errors: an Error for any other folder. */
export function removeEphemeralFolder(path: string): void {
  if (!isEphemeralFolder(path)) throw new Error(`${path} is not a temporary state folder of tillbox`)
  rmSync(path, { recursive: true, force: true })
}
