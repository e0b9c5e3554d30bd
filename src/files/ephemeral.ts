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

/** Folders to remove if the process ends first. */
const left = new Set<string>()
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Removes a temporary state folder when the process ends: by itself, by an error, or by a signal. The result calls that off. */
export function removeAtEnd(path: string): () => void {
  if (left.size === 0) {
    process.on('exit', removeLeft)
    for (const signal of signals) process.prependListener(signal, endBySignal) // while those that listen once are still there
  }
  left.add(path)
  return () => {
    left.delete(path)
    if (left.size === 0) stopWatching()
  }
}

function stopWatching(): void {
  process.off('exit', removeLeft)
  for (const signal of signals) process.off(signal, endBySignal)
}

function removeLeft(): void {
  for (const path of left) removeEphemeralFolder(path)
  left.clear()
}

/** Marks `endBySignal`: a process may have loaded this module twice, with `import` and with `require`. */
const mark = Symbol.for('tillbox.endBySignal')

/** Ends the process as the signal would have, unless the program handles the signal itself. */
const endBySignal = Object.assign(
  (signal: NodeJS.Signals): void => {
    if (process.listeners(signal).some((listener) => !(mark in listener))) return
    removeLeft()
    stopWatching()
    process.kill(process.pid, signal)
  },
  { [mark]: true },
)
