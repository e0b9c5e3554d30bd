import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { string } from '@oclif/core/flags'
import { runsAt } from '../../client/discover.ts'
import { defaultState } from '../../client/which-sandbox.ts'
import { firstSpace, spaceIn } from '../../contract/control/spaces.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { capitalize } from '../../shared/text/words.ts'
import { type SandboxFlags, sandboxFlags } from '../connection/sandbox-address.ts'
import { namedInWords, namedTarget, otherOfProject, TwoTargets } from '../connection/target.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { effectiveSettings, settingOf } from '../settings/effective.ts'

/** `--state` of commands that read the folder itself. */
export const stateFolderFlag = {
  state: string({
    description: 'State folder; default: the profile’s, or the project’s. Environment: TILLBOX_STATE.',
  }),
}

/** The state folder that is typed, set or usual. */
export const stateNamed = (typed: string | undefined): string =>
  typed ?? settingOf(effectiveSettings({}), 'state')?.value ?? defaultState

/** The folder as an absolute path. */
export function stateFolder(path: string): string {
  const folder = resolve(path)
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return folder
  if (stats?.isSymbolicLink())
    throw new UsageError(
      `${folder} is a link; links are never followed`,
      'Name its real path with --state',
      'state',
    )
  throw new UsageError(`There is no state folder ${folder}`, 'Name one with --state', 'state')
}

/** The flag that names the folder in another command; empty for the usual one. */
export const stateFlag = (path: string): string =>
  resolve(path) === resolve(stateNamed(undefined)) ? '' : ` --state ${shellQuote(path)}`

/** Flags of commands that act on the sandbox of a folder. */
export const folderSandboxFlags = { ...stateFolderFlag, profile: sandboxFlags.profile }

/** Flag of commands that stop the sandbox of a folder. */
export const stopTimeoutFlag = {
  timeout: string({
    description: 'How long to wait until it has stopped.',
    default: '15s',
    helpValue: '<duration>',
  }),
}

/**
 * The state folder of the command's sandbox, which stops with all its spaces. One of another folder than this
 * is only meant by name. Errors: TwoTargets; UsageError. assumption: which-sandbox
 */
export function folderOfSandbox(flags: SandboxFlags): string {
  const named = namedTarget(flags)
  const { settings, by, baseUrl, state, space } = named
  const ours = otherOfProject(named)
  if (ours !== undefined) throw new TwoTargets(named, ours)
  const byName = (what: string) =>
    new UsageError(
      `${capitalize(namedInWords(named))} ${what}`,
      'Name its state folder with --state',
      'state',
    )
  const inSpace = space ?? (baseUrl && spaceIn(baseUrl.value))
  if (by !== 'flag' && inSpace !== undefined && inSpace !== firstSpace)
    throw byName(`is in the space ${inSpace}, and this command acts on the whole server`)
  if (by === 'profile' && settings.project?.state !== state) throw byName('is not the sandbox of this folder')
  const folder = state ?? defaultState
  if (baseUrl === undefined || runsAt(folder, baseUrl.value)) return folder
  throw byName(`is not the sandbox of ${folder}`)
}
