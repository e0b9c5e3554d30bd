import { realpathSync } from 'node:fs'
import { isSameOrigin } from '../../client/discover.ts'
import { readLock, type SandboxLock } from '../../client/sandbox-lock.ts'
import { inSpace, serverUrl, spaceIn, spaceName, spaceNameRule } from '../../contract/control/spaces.ts'
import { isOfFolder } from '../../shared/files/folder-name.ts'
import { readOr } from '../../shared/read-or.ts'
import { isHttpUrl, notHttpUrl } from '../../shared/text/http-url.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { requirePath } from '../input/path-flags.ts'
import {
  type EffectiveSettings,
  effectiveSettings,
  type Layer,
  type Setting,
  type SettingFlags,
  settingOf,
} from '../settings/effective.ts'

/** Which service a command is for, as flags, environment and settings files name it. */
export interface NamedTarget {
  readonly settings: EffectiveSettings
  /** What decided; `port`: nothing, so the sandbox on the usual port is meant. */
  readonly by: 'flag' | 'environment' | 'profile' | 'project' | 'port'
  /** Undefined for a sandbox that is looked for. */
  readonly baseUrl: Setting | undefined
  /**
   * State folder of the sandbox, named or the project's; beside a base URL, where its certificate and token
   * may be.
   */
  readonly state: string | undefined
  /** Name of the space, where one is named and no base URL has it in its path. */
  readonly space: string | undefined
}

/**
 * The strongest source that names a URL or a state folder decides; where it names both, the URL does.
 * assumption: settings-precedence
 */
export function namedTarget(flags: SettingFlags): NamedTarget {
  const settings = effectiveSettings(flags)
  const deciding = settings.layers.find(({ values }) => values.baseUrl ?? values.state)
  const { baseUrl, state } = deciding?.values ?? {}
  if (baseUrl !== undefined) urlFrom(baseUrl.value, baseUrl.origin.name)
  if (state !== undefined) requirePath(state.value, state.origin.name, 'state')
  const space = checkedSpace(spaceFor(settings, baseUrl))
  const by = (deciding?.kind === 'profile' ? settings.profile?.origin.kind : deciding?.kind) ?? 'port'
  if (baseUrl === undefined) return { settings, by, baseUrl, state: state?.value, space: space?.value }
  return {
    settings,
    by,
    baseUrl: space === undefined ? baseUrl : { ...baseUrl, value: urlOfSpace(settings, baseUrl, space) },
    state: (state ?? settingOf(settings, 'state'))?.value,
    space: undefined,
  }
}

/**
 * This project's running sandbox, where a variable or the profile of `profile use` names another one;
 * undefined: there is only one to mean. assumption: which-sandbox
 */
export function otherOfProject({ settings, by, baseUrl, state }: NamedTarget): SandboxLock | undefined {
  const { project } = settings
  if (project === undefined || (by !== 'environment' && by !== 'profile')) return undefined
  const lock = readOr(undefined, () => readLock(project.state)) // a lock that is not used names no sandbox
  if (lock === undefined) return undefined
  const isSame =
    baseUrl === undefined
      ? isOfFolder(state ?? '', { path: realpathSync(project.state), inode: '' })
      : isSameOrigin(baseUrl.value, lock.baseUrl)
  return isSame ? undefined : lock
}

/** What named the target, and the target, in words: `profile shop (http://…)`. */
export function namedInWords({ settings, by, baseUrl, state }: NamedTarget): string {
  const where = baseUrl?.value ?? `the state folder ${state}`
  const variable = baseUrl?.origin.name ?? settingOf(settings, 'state')?.origin.name
  const isProfile = by === 'profile' || settings.profile?.origin.kind === by
  return isProfile ? `the profile ${settings.profile?.value} (${where})` : `${variable} (${where})`
}

/** Two sandboxes are named, and a command that changes something chooses none. assumption: which-sandbox */
export class TwoTargets extends UsageError {
  constructor(named: NamedTarget, ours: SandboxLock) {
    const profile = named.settings.profile?.value ?? ''
    super(
      `Two sandboxes are named: ${namedInWords(named)}, and the running one of this project, ${ours.baseUrl}`,
      `Say which: --profile ${profile}, or --state ${shellQuote(ours.stateFolder)}. Nothing was changed`,
      'profile',
    )
  }
}

/** The strongest space. It belongs to the URL of its source, where that has one, as a key does. */
export function spaceFor({ layers }: EffectiveSettings, baseUrl: Setting | undefined): Setting | undefined {
  const isOfUrl = ({ values }: Layer) => (values.baseUrl ?? baseUrl)?.origin === baseUrl?.origin
  return layers.find((layer) => layer.values.space && isOfUrl(layer))?.values.space
}

function checkedSpace(space: Setting | undefined): Setting | undefined {
  if (space === undefined || spaceName.test(space.value)) return space
  throw new UsageError(
    `${space.origin.name} ${space.value} cannot be the name of a space`,
    `Use ${spaceNameRule}`,
    'space',
  )
}

/** The URL with a space in its path: its own, or that of the setting where this is of a stronger source. */
function urlOfSpace({ layers }: EffectiveSettings, baseUrl: Setting, space: Setting): string {
  const named = spaceIn(baseUrl.value)
  if (named === space.value) return baseUrl.value
  const rankOf = ({ origin }: Setting) => layers.findIndex(({ kind }) => kind === origin.kind)
  if (named === undefined || rankOf(space) < rankOf(baseUrl))
    return inSpace(serverUrl(baseUrl.value), space.value)
  if (rankOf(baseUrl) < rankOf(space)) return baseUrl.value
  throw new UsageError(
    `${baseUrl.origin.name} ${baseUrl.value} is of the space ${named}, and ${space.origin.name} names ${space.value}`,
    'Leave one of them out',
    'space',
  )
}

/** The URL as it was written. `input`: the flag, the variable or the file that has it. */
export function urlFrom(text: string, input: string): string {
  if (isHttpUrl(text)) return text
  throw new UsageError(
    notHttpUrl(input, text),
    'Write it with http:// or https://, host and port',
    input.startsWith('--') ? input.slice(2) : undefined,
  )
}
