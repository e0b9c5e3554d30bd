import { accessSync, constants, existsSync, lstatSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import * as v from 'valibot'
import { stateFolderName } from '../../client/which-sandbox.ts'
import { makeFolder, replaceFile, throughLinks } from '../../shared/files/files.ts'
import { decodeText } from '../../shared/text/decode-text.ts'
import { parseJsonOr } from '../../shared/text/json-oddities.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { usingFile } from '../errors/system-error.ts'
import {
  type ProfileSettings,
  type ProjectSettings,
  projectSchema,
  type UserSettings,
  userSchema,
} from './settings-schema.ts'
import { userFolder } from './user-folder.ts'

/** Path of this user's settings file, which may not exist; without a home only its name. */
export const userFilePath = (): string => join(userFolder() ?? '', 'config.json')

/**
 * The text of this user's settings; undefined when there is none. The folder of another user, as HOME names
 * it under `sudo -u` or `docker run --user`, has none.
 */
function userText(): string | undefined {
  const folder = userFolder()
  return folder === undefined || isClosed(folder) ? undefined : textIn(userFilePath())
}

function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** The text of a file; undefined when it does not exist. */
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

/** The content of a settings file. */
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
  throw new UsageError(
    `${path}${member === null ? '' : `: ${member}`} ${isUnknown ? 'is not a setting here' : issue.message}`,
    isUnknown && member !== null && Object.hasOwn(keptBy, member)
      ? `Remove it; each user keeps it in a profile: \`tillbox profile ${keptBy[member]}\``
      : 'Correct the file; docs/profiles.md lists the settings, and docs/options.md the options of a sandbox',
  )
}

/** What keeps a member in a profile that a project file cannot have: the rest of `tillbox profile`. */
const keptBy: Readonly<Record<string, string>> = {
  profile: 'use <name>',
  profiles: 'set <name> --base-url <url>',
  baseUrl: 'set <name> --base-url <url>',
  space: 'set <name> --space <name>',
  appId: 'set <name> --app-id <id>',
  merchantId: 'set <name> --merchant-id <id>',
  terminal: 'set <name> --terminal <serial>',
  apiKey: 'set <name> --base-url <url> --api-key -',
  apiKeyEnv: 'set <name> --base-url <url> --api-key-env <name>',
  live: 'set <name> --base-url <url> --live',
}

/** This user's settings; without a file, none. A file that others can read is refused. */
export function readUserFile(): UserSettings {
  const path = userFilePath()
  const text = userText()
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
 * Changes the profile with that name; undefined removes it. `isUsed`: it becomes the default. Returns the new
 * settings.
 */
export function changeProfile(
  name: string,
  change: (existing: ProfileSettings | undefined) => ProfileSettings | undefined,
  isUsed = false,
): UserSettings {
  const { profiles, profile: chosen } = readUserFile()
  const profile = change(Object.hasOwn(profiles, name) ? profiles[name] : undefined)
  const rest = Object.entries(profiles).filter(([each]) => each !== name)
  const used = isUsed ? name : chosen
  return writeUserFile({
    profile: profile === undefined && used === name ? undefined : used,
    profiles: Object.fromEntries(profile === undefined ? rest : [...rest, [name, profile]]),
  })
}

/** Makes a profile the default; undefined: none. Returns the new settings. */
export const useProfile = (name: string | undefined): UserSettings =>
  writeUserFile({ profile: name, profiles: readUserFile().profiles })

/** Writes this user's settings, whole or not at all, for the user alone; returns them. */
function writeUserFile(settings: UserSettings): UserSettings {
  const folder = userFolder()
  if (folder === undefined)
    throw new UsageError(
      'Settings cannot be kept: this user has no home folder',
      'Set HOME, or XDG_CONFIG_HOME',
    )
  makeFolder(folder)
  replaceFile(throughLinks(userFilePath()), [`${JSON.stringify(settings, null, 2)}\n`])
  return settings
}

/** A project's settings, as they were found. */
interface ProjectFile {
  /** Absolute. */
  readonly path: string
  readonly settings: ProjectSettings
}

/** A folder, and those around it. */
const upwards = (folder: string): readonly string[] =>
  folder === dirname(folder) ? [folder] : [folder, ...upwards(dirname(folder))]

/** A folder with a sandbox of its own, and everything below it. */
export interface Project {
  /** Absolute. */
  readonly root: string
  /** Its tillbox.config.json; undefined: none. */
  readonly file: ProjectFile | undefined
  /** State folder of its sandbox, absolute. */
  readonly state: string
}

/**
 * The project that the folder is in: the nearest folder upwards with a state folder or settings, unless
 * another user put them there. assumption: which-sandbox
 */
export function findProject(from = process.cwd()): Project | undefined {
  const start = resolve(from)
  const owners = new Set([0, process.getuid?.(), statSync(start, { throwIfNoEntry: false })?.uid])
  const isOurs = (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    return stats !== undefined && owners.has(stats.uid)
  }
  for (const root of upwards(start)) {
    const [path, usual] = [join(root, 'tillbox.config.json'), join(root, stateFolderName)]
    const text = isOurs(path) ? textIn(path) : undefined
    const file = text === undefined ? undefined : { path, settings: settingsIn(path, text, projectSchema) }
    if (file !== undefined || isOurs(usual))
      return { root, file, state: resolve(root, file?.settings.state ?? stateFolderName) }
  }
  return undefined
}

/** The settings of the project that the folder is in. */
export const findProjectFile = (from?: string): ProjectFile | undefined => findProject(from)?.file

/** The state folder of a project: below its folder, and not through a link. */
export function projectState({ root, file, state }: Project): string {
  const below = relative(root, state)
  const parts = below.split(sep)
  const refuse = (why: string): never => {
    throw new UsageError(
      `${file?.path ?? root} names the state folder ${state}: ${why}`,
      'Name the real path of your own folder with --state, or in a profile: `tillbox profile set <name> --state <folder>`',
      'state',
    )
  }
  if (parts[0] === '..' || isAbsolute(below)) refuse('it is outside the folder of the project')
  for (const index of parts.keys()) {
    const part = join(root, ...parts.slice(0, index + 1))
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) refuse(`${part} is a link`)
  }
  return state
}

const recordedName = 'tillbox.drift.json'

/** The differences that the project accepted: of the nearest folder upwards; undefined: none. */
export const findRecordedFile = (): string | undefined =>
  upwards(process.cwd())
    .map((folder) => join(folder, recordedName))
    .find(existsSync)

/** Where they are written: beside the settings of the project, or here. */
export const recordedPath = (): string =>
  findRecordedFile() ?? join(dirname(findProjectFile()?.path ?? resolve(recordedName)), recordedName)
