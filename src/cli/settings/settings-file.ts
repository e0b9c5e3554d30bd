import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { makeFolder, replaceFile } from '../../files/files.ts'
import { decodeText } from '../../text/decode-text.ts'
import { jsonFault } from '../../text/json-oddities.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { fileProblem } from '../errors/system-error.ts'
import { userFolder } from './user-folder.ts'

/** Path of a file of this user's settings; without a home only its name. */
export const userFile = (name: string): string => join(userFolder() ?? '', name)

/**
 * The text of a file of this user's settings; undefined when there is none. The folder of another user, as HOME names it under
 * `sudo -u` or `docker run --user`, has none. Errors: as `textIn`.
 */
export function userText(name: string): string | undefined {
  const folder = userFolder()
  return folder === undefined || isClosed(folder) ? undefined : textIn(userFile(name))
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Errors: UsageError for a user without a home. */
function folderToWrite(): string {
  const folder = userFolder()
  if (folder === undefined)
    throw new UsageError(
      'Settings cannot be kept: this user has no home folder',
      'Set HOME, or XDG_CONFIG_HOME',
    )
  makeFolder(folder)
  return folder
}

/** Bytes of the longest settings file that is read. */
const longest = 1024 * 1024

/**
 * The text of a file; undefined when it does not exist. Errors: UsageError for a path that is not a file, or is
 * unreadable.
 */
export function textIn(path: string): string | undefined {
  try {
    return plainText(path)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${path} cannot be read: ${fileProblem(error as NodeJS.ErrnoException)}`,
      'Move it away, or make it a file that you can read',
    )
  }
}

/** Errors: UsageError for a path that is not a file; an Error of the file system. */
function plainText(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile() || stats.size > longest)
    throw new UsageError(
      `${path} is not a settings file: it is ${stats.isFile() ? 'longer than 1 MiB' : 'not a regular file'}`,
      'Move it away, or write settings into it',
    )
  return decodeText(readFileSync(path))
}

/** The content of a settings file. Errors: UsageError with the file, the member and the reason. */
export function settingsIn<S extends v.GenericSchema>(
  path: string,
  text: string,
  schema: S,
): v.InferOutput<S> {
  const read = v.safeParse(schema, jsonIn(path, text), { abortEarly: true })
  if (read.success) return read.output
  const [issue] = read.issues
  const member = v.getDotPath(issue)
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
  const what = isUnknown ? 'is not a setting' : issue.message
  throw new UsageError(
    `${path}${member === null ? '' : `: ${member}`} ${what}`,
    isUnknown && member?.endsWith('apiKey')
      ? 'A project file is shared, so it holds no key: name a variable with apiKeyEnv, or run tillbox profile set <name>'
      : 'Correct the file; docs/profiles.md lists the settings, and docs/options.md the options of a sandbox',
  )
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { reason, line, column } = jsonFault(text, error as Error) // which shows nothing of the text: it may have keys
    throw new UsageError(`${path} is not JSON: ${reason}, line ${line}, column ${column}`, 'Correct the file')
  }
}

/** Writes a settings file of this user, whole or not at all, for the user alone. */
export function writeUserFile(name: string, value: object): string {
  const path = join(folderToWrite(), name)
  replaceFile(path, [`${JSON.stringify(value, null, 2)}\n`])
  return path
}

/**
 * Time limit for another process's change, after which that process counts as dead, and the pause between checks.
 * Milliseconds.
 */
const [patience, pause] = [5_000, 10]

/** Changes settings files of this user while no other process does. */
export function withSettingsLock<T>(change: () => T): T {
  const lock = join(folderToWrite(), 'changing')
  for (let waited = 0; !isTaken(lock); waited += pause) {
    if (waited > patience) rmSync(lock, { recursive: true, force: true })
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause)
  }
  try {
    return change()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
