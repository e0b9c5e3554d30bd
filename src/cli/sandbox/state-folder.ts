import { lstatSync } from 'node:fs'
import { resolve } from 'node:path'
import { string } from '@oclif/core/flags'
import { runsAt } from '../../client/discover.ts'
import { defaultState } from '../../client/which-sandbox.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { type SandboxFlags, sandboxFlags } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { effectiveSettings, settingOf } from '../settings/effective.ts'

/** `--state` of commands that read the folder itself. */
export const stateFolderFlag = {
  state: string({
    description: `State folder; default: the profile’s, or ${defaultState}. Environment: TILLBOX_STATE.`,
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
 * The state folder of the command's sandbox. The URL of a profile that only `profile use` chose does not
 * count: `sandbox start` starts the sandbox of the folder beside it.
 */
export function folderOfSandbox(flags: SandboxFlags): string {
  const { settings, baseUrl, state } = namedTarget(flags)
  const folder = state ?? defaultState
  const isOfProfile = baseUrl?.origin.kind === 'profile'
  if (baseUrl === undefined || (isOfProfile && settings.profile?.origin.kind === 'profile')) return folder
  if (runsAt(folder, baseUrl.value)) return folder
  throw new UsageError(
    `${baseUrl.origin.name} names ${baseUrl.value}, and that is not the sandbox of ${folder}`,
    'Pass the state folder of that sandbox with --state',
    'state',
  )
}
