import { command } from '../../shared/text/commands.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { suggestion } from '../../shared/text/suggest.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { sourceOfVariable, variable } from '../input/env-file.ts'
import { findProject, type Project, projectState, readUserFile, userFilePath } from './settings-files.ts'
import type { ProfileSettings } from './settings-schema.ts'

/**
 * The settings that hold for a command: flag before environment before the user's profile, each by itself. Of
 * a project only the state folder of its sandbox, after these. They are resolved once, and every part of a
 * command uses the result. assumption: settings-precedence
 */

const settingSources = {
  baseUrl: { flag: 'base-url', variable: 'TILLBOX_BASE_URL' },
  state: { flag: 'state', variable: 'TILLBOX_STATE' },
  space: { flag: 'space', variable: 'TILLBOX_SPACE' },
  apiKey: { flag: undefined, variable: 'TILLBOX_API_KEY' }, // `typedKey` reads --api-key
  appId: { flag: 'app-id', variable: 'TILLBOX_APP_ID' },
  merchantId: { flag: 'merchant-id', variable: 'TILLBOX_MERCHANT_ID' },
  terminal: { flag: 'terminal', variable: 'TILLBOX_TERMINAL_SN' },
} as const
export type SettingName = keyof typeof settingSources
const settingNames = Object.keys(settingSources) as readonly SettingName[]

/** Where a setting is from. `name`: the flag, the variable, or the path of the file. */
interface Origin {
  readonly kind: 'flag' | 'environment' | 'profile' | 'project'
  readonly name: string
}

/** A value, and where it is from. */
export interface Setting {
  readonly value: string
  readonly origin: Origin
}

/** Flags that a command got, as they were typed. */
export type SettingFlags = {
  readonly [F in NonNullable<(typeof settingSources)[SettingName]['flag']> | 'profile']?: string | undefined
}

/** Settings of one source. */
export interface Layer {
  readonly kind: Origin['kind']
  readonly values: Partial<Record<SettingName, Setting>>
}

export interface EffectiveSettings {
  /** The profile in use, and what named it; undefined: none. */
  readonly profile: Setting | undefined
  /** The project that the current folder is in; undefined: none. */
  readonly project: Project | undefined
  /** From the strongest source to the weakest. */
  readonly layers: readonly Layer[]
}

/** Errors: UsageError for an unreadable settings file, and for an unknown profile. */
export function effectiveSettings(flags: SettingFlags): EffectiveSettings {
  const { profiles, profile: chosen } = readUserFile()
  const profile = profileInUse(flags, chosen)
  const typed = makeLayer('flag', ({ flag }) => [flag && flags[flag], `--${flag}`])
  const environment = makeLayer('environment', (source) => [
    process.env[source.variable],
    sourceOfVariable(source.variable),
  ])
  const ofProfile = profile ? [profileLayer(profile, profiles)] : []
  const isTyped = profile?.origin.kind === 'flag' // then it counts as a flag
  const project = findProject()
  const own = [typed, ...(isTyped ? [...ofProfile, environment] : [environment, ...ofProfile])]
  const isNamed = project === undefined || own.some(({ values }) => values.state)
  return { profile, project, layers: isNamed ? own : [...own, projectLayer(project)] }
}

function profileInUse({ profile }: SettingFlags, chosen: string | undefined): Setting | undefined {
  const candidates: readonly [string | undefined, Origin['kind'], string][] = [
    [profile, 'flag', '--profile'],
    [process.env.TILLBOX_PROFILE, 'environment', sourceOfVariable('TILLBOX_PROFILE')],
    [chosen, 'profile', userFilePath()],
  ]
  const found = candidates.find(([value]) => value)
  return found && { value: String(found[0]), origin: { kind: found[1], name: found[2] } }
}

/** Settings of a profile; its key may be in a variable. */
function profileLayer(profile: Setting, profiles: Readonly<Record<string, ProfileSettings>>): Layer {
  if (!Object.hasOwn(profiles, profile.value)) throw unknownProfile(profile, Object.keys(profiles))
  const { apiKeyEnv = '', ...settings } = profiles[profile.value] ?? {}
  return makeLayer('profile', (_, name) =>
    name === 'apiKey' && apiKeyEnv !== ''
      ? [variable(apiKeyEnv), sourceOfVariable(apiKeyEnv)]
      : [settings[name], userFilePath()],
  )
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

/** The state folder of the project's sandbox. */
const projectLayer = (project: Project): Layer => ({
  kind: 'project',
  values: {
    state: {
      value: projectState(project),
      origin: { kind: 'project', name: project.file?.path ?? project.root },
    },
  },
})

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

/** The value that holds, and where it is from. */
export const settingOf = ({ layers }: EffectiveSettings, name: SettingName): Setting | undefined =>
  layers.find((layer) => layer.values[name] !== undefined)?.values[name]
