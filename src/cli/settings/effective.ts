import { dirname, resolve } from 'node:path'
import { command } from '../../shared/text/commands.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { sourceOfVariable } from '../input/env-file.ts'
import { findProjectFile, isTrusted, type ProjectFile, readUserFile, userFilePath } from './settings-files.ts'
import type { ProfileSettings } from './settings-schema.ts'

/**
 * The settings that hold for a command: flag before environment before project file before user file, each by itself.
 * assumption: settings-precedence
 */

const settingSources = {
  baseUrl: { flag: 'base-url', variable: 'TILLBOX_BASE_URL' },
  state: { flag: 'state', variable: 'TILLBOX_STATE' },
  space: { flag: 'space', variable: 'TILLBOX_SPACE' },
  apiKey: { flag: 'api-key', variable: 'TILLBOX_API_KEY' },
  appId: { flag: 'app-id', variable: 'TILLBOX_APP_ID' },
  merchantId: { flag: 'merchant-id', variable: 'TILLBOX_MERCHANT_ID' },
  terminal: { flag: 'terminal', variable: 'TILLBOX_TERMINAL_SN' },
} as const
export type SettingName = keyof typeof settingSources

/** Where a setting is from. `name`: the flag, the variable, or the path of the file. */
interface Origin {
  readonly kind: 'flag' | 'environment' | 'project' | 'user'
  readonly name: string
}

/** A value, and where it is from. */
export interface Setting {
  readonly value: string
  readonly origin: Origin
}

/** Flags that a command got, as they were typed. */
export type SettingFlags = {
  readonly [F in (typeof settingSources)[SettingName]['flag'] | 'profile']?: string | undefined
}

/** Settings of one source; only files have `live` and `apiKeyEnv`. */
export interface Layer {
  readonly kind: Origin['kind']
  readonly values: Partial<Record<SettingName, Setting>>
  readonly apiKeyEnv?: string | undefined
  readonly live?: boolean | undefined
}

export interface EffectiveSettings {
  /** The profile in use, and what named it; undefined: none. */
  readonly profile: Setting | undefined
  /** From the strongest source to the weakest. */
  readonly layers: readonly Layer[]
  /** The profile of `profile use` when the project names another service or sandbox: only `whoami` shows it. */
  readonly overridden: { readonly profile: Setting; readonly layers: readonly Layer[] } | undefined
  readonly project: ProjectFile | undefined
  /** Whether the profile uses real money; undefined when it does not say. */
  readonly live: boolean | undefined
}

/** Errors: UsageError for an unreadable settings file, and for an unknown profile. */
export function effectiveSettings(flags: SettingFlags): EffectiveSettings {
  const [project, user] = [findProjectFile(), readUserFile()]
  const profile = profileInUse(flags, project, user.profile)
  const shared = profile && profileIn(project?.settings.profiles, profile.value)
  const userProfile = profile && profileIn(user.profiles, profile.value)
  if (profile !== undefined && shared === undefined && userProfile === undefined)
    throw unknownProfile(profile, [
      ...Object.keys(project?.settings.profiles ?? {}),
      ...Object.keys(user.profiles),
    ])
  // Settings of a project outside its profiles yield to a profile that this command names, and override that of
  // `profile use`. Settings of two services are not mixed.
  const current = profile?.origin.kind === 'user' ? profile : undefined
  const base = profile === current || shared !== undefined ? project?.settings : undefined
  const overriddenProfile = shared === undefined && namesTarget(base) ? current : undefined
  const ofUser = fileLayers('user', userFilePath(), userProfile)
  const layers = [
    makeLayer('flag', ({ flag }) => [flags[flag], `--${flag}`]),
    makeLayer('environment', ({ variable }) => [process.env[variable], sourceOfVariable(variable)]),
    ...fileLayers('project', project?.path, shared, base),
    ...(overriddenProfile ? [] : ofUser),
  ]
  return {
    profile: overriddenProfile ? undefined : profile,
    layers,
    overridden: overriddenProfile && { profile: overriddenProfile, layers: ofUser },
    project,
    live: liveIn(layers),
  }
}

/** True for settings that say where the service is. */
export const namesTarget = (settings: { readonly [name in SettingName]?: unknown } | undefined): boolean =>
  settings?.baseUrl !== undefined || settings?.state !== undefined

/** The profile of that name; not what every object has. */
const profileIn = <T>(all: Readonly<Record<string, T>> = {}, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined

/** Every source may declare real money; only the user's own may deny it. */
function liveIn(layers: readonly Layer[]): boolean | undefined {
  if (layers.some(({ live }) => live === true)) return true
  return layers.some(({ kind, live }) => kind === 'user' && live === false) ? false : undefined
}

function profileInUse(
  { profile }: SettingFlags,
  project: ProjectFile | undefined,
  current: string | undefined,
): Setting | undefined {
  const candidates: readonly [string | undefined, Origin['kind'], string][] = [
    [profile, 'flag', '--profile'],
    [process.env.TILLBOX_PROFILE, 'environment', sourceOfVariable('TILLBOX_PROFILE')],
    [project?.settings.profile, 'project', project?.path ?? ''],
    [current, 'user', userFilePath()],
  ]
  const found = candidates.find(([value]) => value)
  return found && { value: String(found[0]), origin: { kind: found[1], name: found[2] } }
}

/** Remedy when there is no profile. */
export const firstProfile = (name: string): string =>
  `There are no profiles yet. Create this one: ${command(`profile set ${shellQuote(name)} --base-url <url>`)}`

function unknownProfile({ value, origin }: Setting, names: readonly string[]): UsageError {
  const remedy =
    names.length === 0
      ? firstProfile(value)
      : `Use one that ${command('profile list')} shows: ${suggestion(value, names)}`
  const source = origin.kind === 'flag' ? '' : ` (named by ${origin.name})`
  return new UsageError(`Profile ${value} does not exist${source}`, remedy, 'profile')
}

/** The settings of one source; `read`: the value of a setting, and where it is from. */
function makeLayer(
  kind: Origin['kind'],
  read: (source: (typeof settingSources)[SettingName], setting: SettingName) => [string | undefined, string],
): Layer {
  const entries = settingNames.flatMap((setting): [SettingName, Setting][] => {
    const [value, name] = read(settingSources[setting], setting)
    return value ? [[setting, { value, origin: { kind, name } }]] : []
  })
  return { kind, values: Object.fromEntries(entries) }
}

export const settingNames = Object.keys(settingSources) as readonly SettingName[]

/** The layers of a file: its profile, and the settings beside the profiles. */
function fileLayers(
  kind: 'project' | 'user',
  path = '',
  ...settings: readonly (ProfileSettings | undefined)[]
): Layer[] {
  return settings.flatMap((each) => {
    if (each === undefined) return []
    const { apiKeyEnv, live } = each
    const values = { ...each, ...(each.state && { state: resolve(dirname(path), each.state) }) }
    return [{ ...makeLayer(kind, (_, setting) => [values[setting], path]), apiKeyEnv, live }]
  })
}

/** The value that holds, and where it is from. */
export const settingOf = ({ layers }: EffectiveSettings, name: SettingName): Setting | undefined =>
  layers.find((layer) => layer.values[name] !== undefined)?.values[name]

/** True for a file of the project that this user has not approved. */
export const isUnapproved = ({ project }: EffectiveSettings): boolean =>
  project !== undefined && !isTrusted(project)
