import { resolve } from 'node:path'
import { isSameOrigin, runsAt } from '../../client/discover.ts'
import { inSpace, spaceIn, spaceName, spaceNameRule } from '../../contract/control/spaces.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import { isHttpUrl, notHttpUrl } from '../../shared/text/http-url.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { isInteractive, requireYes } from '../input/confirmation.ts'
import { requirePath } from '../input/path-flags.ts'
import { cleanLines } from '../output/clean.ts'
import {
  type EffectiveSettings,
  effectiveSettings,
  isUnapproved,
  type Layer,
  namesTarget,
  type Setting,
  type SettingFlags,
  settingNames,
  settingOf,
} from '../settings/effective.ts'
import { approveProject } from '../settings/settings-files.ts'

/** Which service a command is for, as flags, environment and settings files name it. */
export interface NamedTarget {
  readonly settings: EffectiveSettings
  /** Undefined for a sandbox that is looked for. */
  readonly baseUrl: Setting | undefined
  /** State folder of the sandbox; beside a base URL, where its certificate and token may be. */
  readonly state: string | undefined
  /** Name of the space, where one is named and no base URL has it in its path. */
  readonly space: string | undefined
}

/**
 * The strongest source that names a URL or a state folder decides. Two that a person has set by hand and that do not
 * name the same sandbox are refused: it is unclear which one to use. assumption: settings-precedence
 * Errors: UsageError; for settings files as `effectiveSettings`.
 */
export function namedTarget(flags: SettingFlags): NamedTarget {
  const settings = effectiveSettings(flags)
  const deciding = settings.layers.find(({ values }) => namesTarget(values))
  const { baseUrl, state } = deciding?.values ?? {}
  if (baseUrl !== undefined) urlFrom(baseUrl.value, baseUrl.origin.name)
  if (state !== undefined) requirePath(state.value, state.origin.name, 'state')
  if (deciding !== undefined) refuseConflicts(settings, deciding)
  const space = checkedSpace(settings)
  if (baseUrl === undefined) return { settings, baseUrl, state: state?.value, space: space?.value }
  return {
    settings,
    baseUrl: space === undefined ? baseUrl : { ...baseUrl, value: urlOfSpace(baseUrl, space) },
    state: (state ?? settingOf(settings, 'state'))?.value,
    space: undefined,
  }
}

function checkedSpace(settings: EffectiveSettings): Setting | undefined {
  const space = settingOf(settings, 'space')
  if (space === undefined || spaceName.test(space.value)) return space
  throw new UsageError(
    `${space.origin.name} ${space.value} cannot be the name of a space`,
    `Use ${spaceNameRule}`,
    'space',
  )
}

function urlOfSpace(baseUrl: Setting, space: Setting): string {
  const named = spaceIn(baseUrl.value)
  if (named === undefined) return inSpace(baseUrl.value, space.value)
  if (named === space.value) return baseUrl.value
  throw new UsageError(
    `${baseUrl.origin.name} ${baseUrl.value} is of the space ${named}, and ${space.origin.name} names ${space.value}`,
    'Leave one of them out',
    'space',
  )
}

/** The URL as it was written. `input`: the flag, the variable or the file that has it. Errors: UsageError unless it is a URL. */
export function urlFrom(text: string, input: string): string {
  if (isHttpUrl(text)) return text
  throw new UsageError(
    notHttpUrl(input, text),
    'Write it with http:// or https://, host and port',
    input.startsWith('--') ? input.slice(2) : undefined,
  )
}

/** Errors: UsageError for two that name different sandboxes, and neither of which is weaker by its kind alone. */
function refuseConflicts({ layers, profile }: EffectiveSettings, deciding: Layer): void {
  const { kind, values } = deciding
  if (isOfFile(deciding)) return
  const environment = layers.find((layer) => layer.kind === 'environment')
  const url = values.baseUrl ?? environment?.values.baseUrl
  if (values.state !== undefined && url !== undefined && !runsAt(values.state.value, url.value))
    throw conflict(values.state, url)
  const ofProfile = layers.find((layer) => isOfFile(layer) && namesTarget(layer.values))
  if (kind !== 'environment' || profile?.origin.kind !== 'flag' || ofProfile === undefined) return
  if (!agree(deciding, ofProfile)) throw conflict(profile, values.baseUrl ?? (values.state as Setting))
}

const isOfFile = ({ kind }: Layer): boolean => kind === 'project' || kind === 'user'

function agree({ values: one }: Layer, { values: other }: Layer): boolean {
  if (one.baseUrl && other.baseUrl) return isSameOrigin(one.baseUrl.value, other.baseUrl.value)
  if (one.state && other.state) return resolve(one.state.value) === resolve(other.state.value)
  const [state, url] = [one.state ?? other.state, one.baseUrl ?? other.baseUrl]
  return state !== undefined && url !== undefined && runsAt(state.value, url.value)
}

function conflict(typed: Setting, other: Setting): UsageError {
  const named = ({ value, origin }: Setting) => `${origin.name} ${value}`
  const remedy =
    other.origin.kind === 'flag'
      ? 'Leave one of them out'
      : `Unset ${other.origin.name}, or leave ${typed.origin.name} out`
  return new UsageError(`${named(typed)} and ${named(other)} do not name the same sandbox`, remedy)
}

/**
 * A project file is untrusted until this user approves it: without that it leads only to sandboxes of this
 * machine, and no key goes anywhere because of it. assumption: credentials
 * Errors: UsageError when it is not approved, and there is no terminal to ask on; as `requireYes`.
 */
export async function requireTrust(target: NamedTarget, key: Setting | undefined): Promise<void> {
  const { project } = target.settings
  const reasons = missingApproval(target, key)
  if (project === undefined || reasons.length === 0) return
  const { path, text } = project
  if (!isInteractive())
    throw new UsageError(
      `${path} ${reasons.join(' and ')}, and you have not approved it`,
      'Read it, then run `tillbox trust`; or name what you want with flags',
    )
  const why = reasons.map((each) => `  ${each}\n`).join('')
  process.stderr.write(
    cleanLines(`${path}\n\n${text.trimEnd()}\n\nYou have not approved this file. It\n${why}`),
  )
  await requireYes('Approve it as it is now?')
  approveProject(project)
}

/** Why the project file needs an approval that it does not have; empty when it needs none. */
export const missingApproval = (target: NamedTarget, key: Setting | undefined): readonly string[] =>
  contributes(target, key) && isUnapproved(target.settings) ? approvalReasons(target, key) : []

/** True when something of the project file is in use. */
function contributes({ settings }: NamedTarget, key: Setting | undefined): boolean {
  const used = [settings.profile, key, ...settingNames.map((name) => settingOf(settings, name))]
  return used.some((setting) => setting?.origin.kind === 'project')
}

/** What of it would lead elsewhere, or take a key there. */
function approvalReasons({ settings, baseUrl }: NamedTarget, key: Setting | undefined): string[] {
  const isElsewhere = baseUrl !== undefined && !isOnLoopback(baseUrl.value)
  // The text before an @ looks like a host, but is not, and neither is what follows a path.
  const service = baseUrl === undefined ? 'a sandbox of this machine' : new URL(baseUrl.value).origin
  return [
    ...(isElsewhere ? [`calls ${service}`] : []),
    ...(key?.origin.kind === 'project'
      ? [`sends the API key in ${key.origin.name} ${isElsewhere ? 'there' : `to ${service}`}`]
      : []),
    ...(key?.origin.kind === 'user' ? [`uses your profile ${settings.profile?.value} with its API key`] : []),
  ]
}
