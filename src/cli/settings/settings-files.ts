import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as v from 'valibot'
import { makeFolder, replaceFile } from '../../shared/files/files.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { parseJsonOr } from '../../shared/text/json-oddities.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import {
  approvalsSchema,
  type ProfileSettings,
  type ProjectSettings,
  projectSchema,
  type UserSettings,
  userSchema,
} from './settings-schema.ts'
import { userFolder } from './user-folder.ts'

/** Path of a file of this user's settings; without a home only its name. */
const userFile = (name: string): string => join(userFolder() ?? '', name)

/**
 * The text of a file of this user's settings; undefined when there is none. The folder of another user, as HOME names it under
 * `sudo -u` or `docker run --user`, has none. Errors: as `textIn`.
 */
function userText(name: string): string | undefined {
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

/**
 * The text of a file; undefined when it does not exist. Errors: UsageError for a path that is not a file, or is
 * unreadable.
 */
function textIn(path: string): string | undefined {
  const reading = <T>(act: () => T): T =>
    usingFile(act, `${path} cannot be read`, 'Move it away, or make it a file that you can read')
  const stats = reading(() => statSync(path, { throwIfNoEntry: false }))
  if (stats === undefined) return undefined
  if (!stats.isFile() || stats.size > 1024 * 1024)
    throw new UsageError(
      `${path} is not a settings file: it is ${stats.isFile() ? 'longer than 1 MiB' : 'not a regular file'}`,
      'Move it away, or write settings into it',
    )
  return reading(() => decodeText(readFileSync(path)))
}

/** What a member must be, by valibot's word for it. */
const kindNames: Readonly<Record<string, string>> = { string: 'a text', boolean: 'true or false' }

/** The content of a settings file. Errors: UsageError with the file, the member and the reason. */
export function settingsIn<S extends v.GenericSchema>(
  path: string,
  text: string,
  schema: S,
): v.InferOutput<S> {
  // The text is not shown: it may have keys.
  const json = parseJsonOr(text, ({ reason, line, column }) => {
    const problem = `${path} is not JSON: ${reason}, line ${line}, column ${column}`
    return new UsageError(problem, 'Correct the file')
  })
  const message = ({ expected }: v.BaseIssue<unknown>) =>
    `must be ${kindNames[expected ?? ''] ?? 'an object'}`
  const read = v.safeParse(schema, json, { abortEarly: true, message })
  if (read.success) return read.output
  const [issue] = read.issues
  const member = v.getDotPath(issue)
  const isUnknown = issue.type === 'strict_object' && issue.expected === 'never'
  const what = isUnknown ? 'is not a setting' : issue.message
  throw new UsageError(
    `${path}${member === null ? '' : `: ${member}`} ${what}`,
    isUnknown && member?.endsWith('apiKey')
      ? 'A project file is shared, so it holds no key: name a variable with apiKeyEnv, or run `tillbox profile set <name>`'
      : 'Correct the file; docs/profiles.md lists the settings, and docs/options.md the options of a sandbox',
  )
}

/** Writes a settings file of this user, whole or not at all, for the user alone. */
function writeUserFile(name: string, value: object): string {
  const path = join(folderToWrite(), name)
  replaceFile(path, [`${JSON.stringify(value, null, 2)}\n`])
  return path
}

/** Time limit for another process's change, and the pause between checks. Milliseconds. */
const [patience, pause] = [5_000, 10]

/**
 * Changes settings files of this user while no other process does. Errors: UsageError where one holds the lock for too long:
 * it is not removed, because its holder may go on.
 */
function withSettingsLock<T>(change: () => T): T {
  const lock = join(folderToWrite(), 'changing')
  for (let waited = 0; !isTaken(lock); waited += pause) {
    if (waited > patience)
      throw new UsageError(
        `Another process is changing the settings: it holds ${lock}`,
        `Try again. If no such process is running, it was killed: rmdir ${shellQuote(lock)}`,
      )
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

const fileName = 'config.json'

/** Path of this user's settings file, which may not exist. */
export const userFilePath = (): string => userFile(fileName)

/** This user's settings; without a file, none. Errors: UsageError for a file that cannot be read or that others can read. */
export function readUserFile(): UserSettings {
  const path = userFilePath()
  const text = userText(fileName)
  if (text === undefined) return { profiles: {} }
  const settings = settingsIn(path, text, userSchema)
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  if (isOpen && Object.values(settings.profiles).some(({ apiKey }) => apiKey !== undefined))
    throw new UsageError(
      `${path} has API keys, and other users can read it`,
      `Run chmod 600 ${shellQuote(path)}`,
    )
  return settings
}

/**
 * Changes the profile with that name; undefined removes it. Returns the path of the file. Errors: those of `change`.
 */
export const changeProfile = (
  name: string,
  change: (existing: ProfileSettings | undefined) => ProfileSettings | undefined,
): string =>
  withSettingsLock(() => {
    const { profiles, profile: current, ...others } = readUserFile()
    const profile = change(Object.hasOwn(profiles, name) ? profiles[name] : undefined)
    const rest = Object.entries(profiles).filter(([each]) => each !== name)
    return writeUserFile(fileName, {
      ...others,
      ...(current !== undefined && (profile !== undefined || current !== name) && { profile: current }),
      profiles: Object.fromEntries(profile === undefined ? rest : [...rest, [name, profile]]),
    })
  })

/** Makes a profile the default; undefined: none. Returns the path of the file. */
export const useProfile = (name: string | undefined): string =>
  withSettingsLock(() => {
    const { profile: _, ...others } = readUserFile()
    return writeUserFile(fileName, { ...(name !== undefined && { profile: name }), ...others })
  })

/** Name of a project's settings. */
export const projectFileName = 'tillbox.config.json'

/** A project's settings, as they were found. */
export interface ProjectFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  readonly settings: ProjectSettings
}

/** The settings of the project that the folder is in: of the nearest folder upwards. Errors: UsageError for a file that cannot be read. */
export function findProjectFile(from = process.cwd()): ProjectFile | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, projectFileName)
    const text = textIn(path)
    if (text !== undefined) return { path, text, settings: settingsIn(path, text, projectSchema) }
    if (folder === dirname(folder)) return undefined
  }
}

const approvalsName = 'trusted.json'

function approvals(): Readonly<Record<string, string>> {
  const text = userText(approvalsName)
  return text === undefined ? {} : settingsIn(userFile(approvalsName), text, approvalsSchema).files
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** True when this user has approved the file with the text that it has now. assumption: credentials */
export const isTrusted = ({ path, text }: ProjectFile): boolean => approvals()[path] === digestOf(text)

/** Keeps that this user approves the file with the text that was read. */
export const approveProject = ({ path, text }: ProjectFile): string =>
  withSettingsLock(() => writeUserFile(approvalsName, { files: { ...approvals(), [path]: digestOf(text) } }))

/** Revokes an approval. False when there was none. */
export const revokeApproval = (path: string): boolean =>
  withSettingsLock(() => {
    const { [path]: approval, ...others } = approvals()
    if (approval !== undefined) writeUserFile(approvalsName, { files: others })
    return approval !== undefined
  })
