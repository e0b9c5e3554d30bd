import { resolve } from 'node:path'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import { isHttpUrl } from '../../shared/text/http-url.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import type { ProfileView } from '../answer-shapes.ts'
import { requireKey } from '../connection/credentials.ts'
import { urlFrom } from '../connection/target.ts'
import { requireKnownName, UsageError } from '../errors/exit-codes.ts'
import { isInteractive } from '../input/confirmation.ts'
import { firstProfile } from '../settings/effective.ts'
import { changeProfile, readUserFile, settingsIn, userFilePath } from '../settings/settings-files.ts'
import {
  nameProblem,
  type ProfileSettings,
  type UserSettings,
  userSchema,
} from '../settings/settings-schema.ts'

/** Every profile of this user. */
export function profileViews(): readonly ProfileView[] {
  const { profiles, profile } = readUserFile()
  return Object.entries(profiles).map(([name, { apiKey, ...settings }]) => ({
    name,
    current: name === profile,
    file: userFilePath(),
    ...settings,
    ...(apiKey !== undefined && { apiKey: hiddenKey(apiKey) }),
  }))
}

/** The profile of that name. */
export function profileNamed(name: string, hint?: string): ProfileView {
  const all = profileViews()
  const withHint = (remedy: string) => [remedy, hint].filter(Boolean).join('. ')
  if (all.length === 0)
    throw new UsageError(`There is no profile ${name}`, withHint(firstProfile(name)), 'name')
  const names = all.map((each) => each.name)
  return requireKnownName('profile', name, all, 'name', () => withHint(suggestion(name, names)))
}

/** Settings of a profile that were typed. `unset`: those to take away; `use`: it becomes the default. */
interface TypedSettings extends ProfileSettings {
  readonly unset: readonly (keyof ProfileSettings)[]
  readonly use: boolean
}

/**
 * Stores the typed settings in the profile of that name; others are kept. A new profile asks for required
 * settings on a terminal. Returns the new settings of the user.
 */
export async function setProfile(
  name: string,
  { unset, use, ...typed }: TypedSettings,
): Promise<UserSettings> {
  const problem = nameProblem(name)
  if (problem !== undefined)
    throw new UsageError(`The name ${name} ${problem}`, 'Choose another name, such as staging', 'name')
  if (typed.baseUrl !== undefined) urlFrom(typed.baseUrl, '--base-url')
  const changes = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
  const isEmpty = Object.keys(changes).length === 0 && unset.length === 0
  const added = isEmpty ? await promptForSettings(name, readUserFile().profiles[name] ?? {}) : changes
  const change = (existing: ProfileSettings = {}) => {
    const remaining = Object.entries(existing).filter(([setting]) => !unset.some((each) => each === setting))
    return checked(name, { ...Object.fromEntries(remaining), ...added })
  }
  return changeProfile(name, change, use)
}

function checked(name: string, profile: ProfileSettings): ProfileSettings {
  const whole = { ...profile, ...(profile.state !== undefined && { state: resolve(profile.state) }) }
  settingsIn(userFilePath(), JSON.stringify({ profiles: { [name]: whole } }), userSchema)
  if (profile.apiKey !== undefined && profile.apiKeyEnv !== undefined)
    throw new UsageError(
      `The profile ${name} has a key and a variable for one`,
      'Take one of them away: --unset apiKey or --unset apiKeyEnv',
      'api-key-env',
    )
  const ofService = (profile.apiKey ?? profile.apiKeyEnv) !== undefined ? 'a key' : profile.live && '--live'
  if (ofService && profile.baseUrl === undefined)
    throw new UsageError(
      `The profile ${name} has ${ofService}, but no base URL`,
      'Add --base-url <url>',
      'base-url',
    )
  return whole
}

async function promptForSettings(name: string, existing: ProfileSettings): Promise<ProfileSettings> {
  if (!isInteractive())
    throw new UsageError(
      `No setting was passed for the profile ${name}`,
      'Pass --base-url and --api-key -, or other settings; see `tillbox profile set --help`',
      'base-url',
    )
  const { ask, askSecret, askText } = await import('../input/prompt.ts')
  const baseUrl = await askText('Base URL', existing.baseUrl ?? '', (text) =>
    isHttpUrl(text) ? undefined : 'Write it with http:// or https://',
  )
  const apiKey = (await askSecret('API key (it is not shown; empty: none)')).trim()
  if (apiKey !== '') requireKey(apiKey)
  const live = isOnLoopback(baseUrl) ? false : await ask('Is money real there?', true)
  return { ...existing, baseUrl, live, ...(apiKey !== '' && { apiKey }) }
}
