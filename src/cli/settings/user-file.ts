import { statSync } from 'node:fs'
import { shellQuote } from '../../text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { settingsIn, userFile, userText, withSettingsLock, writeUserFile } from './settings-file.ts'
import { type ProfileSettings, type UserSettings, userSchema } from './settings-schema.ts'

const fileName = 'config.json'

/** Path of this user's settings file, which may not exist. */
export const userFilePath = (): string => userFile(fileName)

/** This user's settings; without a file, none. Errors: UsageError for a file that cannot be read or that others can read. */
export function readUserFile(): UserSettings {
  const path = userFilePath()
  const text = userText(fileName)
  if (text === undefined) return { profiles: {} }
  const settings = settingsIn(path, text, userSchema)
  requirePrivate(path, settings)
  return settings
}

/** Errors: UsageError when a file with keys lets group or others in. */
function requirePrivate(path: string, { profiles }: UserSettings): void {
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
  if (isOpen && Object.values(profiles).some(({ apiKey }) => apiKey !== undefined))
    throw new UsageError(
      `${path} has API keys, and other users can read it`,
      `Run chmod 600 ${shellQuote(path)}`,
    )
}

/**
 * Changes the profile with that name; undefined removes it. Returns the path of the file. Errors: those of `change`.
 */
export const changeProfile = (
  name: string,
  change: (known: ProfileSettings | undefined) => ProfileSettings | undefined,
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
