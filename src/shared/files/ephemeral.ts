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

/** Removes a temporary state folder with its contents. */
export function removeEphemeralFolder(path: string): void {
  if (!isEphemeralFolder(path)) throw new Error(`${path} is not a temporary state folder of tillbox`)
  rmSync(path, { recursive: true, force: true })
}

/** Folders to remove if the process ends first. */
const pendingFolders = new Set<string>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Removes a temporary state folder when the process ends, however it does. The result calls that off. */
export function removeAtEnd(path: string): () => void {
  if (pendingFolders.size === 0) {
    process.on('exit', removePendingFolders)
    for (const signal of signals) process.prependListener(signal, endBySignal) // while those that listen once are still there
  }
  pendingFolders.add(path)
  return () => {
    pendingFolders.delete(path)
    if (pendingFolders.size === 0) stopWatching()
  }
}

function stopWatching(): void {
  process.off('exit', removePendingFolders)
  for (const signal of signals) process.off(signal, endBySignal)
}

function removePendingFolders(): void {
  for (const path of pendingFolders) removeEphemeralFolder(path)
  pendingFolders.clear()
}

/** Marks `endBySignal`: a process may have loaded this module twice, with `import` and with `require`. */
const mark = Symbol.for('tillbox.endBySignal')

/** Ends the process as the signal would have, unless the program handles the signal itself. */
const endBySignal = Object.assign(
  (signal: NodeJS.Signals): void => {
    if (process.listeners(signal).some((listener) => !(mark in listener))) return
    removePendingFolders()
    stopWatching()
    process.kill(process.pid, signal)
  },
  { [mark]: true },
)
