import { isOnLoopback } from '../../contract/sandbox/state-folder/lock-file.ts'
import { UsageError } from '../errors/usage-error.ts'
import { isInteractive, requireYes } from '../input/confirmation.ts'
import { cleanLines } from '../output/clean.ts'
import { isUnapproved, type Setting, settingNames, settingOf } from '../settings/effective.ts'
import { approveProject, type ProjectFile } from '../settings/project-file.ts'
import type { NamedTarget } from './target.ts'

/**
 * A project file is untrusted until this user approves it: without that it leads only to sandboxes of this
 * machine, and no key goes anywhere because of it. assumption: project-trust
 * Errors: UsageError when it is not approved, and there is no terminal to ask on; as `requireYes`.
 */
export async function requireTrust(target: NamedTarget, key: Setting | undefined): Promise<void> {
  const { project } = target.settings
  const reasons = missingApproval(target, key)
  if (project === undefined || reasons.length === 0) return
  if (!isInteractive()) throw untrusted(project, reasons)
  await approve(project, reasons)
  approveProject(project)
}

/** Why the project file needs an approval that it does not have; empty when it needs none. */
export const missingApproval = (target: NamedTarget, key: Setting | undefined): readonly string[] =>
  contributes(target, key) && isUnapproved(target.settings) ? reasonsOf(target, key) : []

/** True when something of the project file is in use. */
function contributes({ settings }: NamedTarget, key: Setting | undefined): boolean {
  const used = [settings.profile, key, ...settingNames.map((name) => settingOf(settings, name))]
  return used.some((setting) => setting?.origin.kind === 'project')
}

/** What of it would lead elsewhere, or take a key there. */
function reasonsOf({ settings, baseUrl }: NamedTarget, key: Setting | undefined): string[] {
  const isElsewhere = baseUrl !== undefined && !isOnLoopback(baseUrl.value)
  const service = baseUrl === undefined ? 'a sandbox of this machine' : serviceAt(baseUrl.value)
  return [
    ...(isElsewhere ? [`calls ${service}`] : []),
    ...(key?.origin.kind === 'project'
      ? [`sends the API key in ${key.origin.name} ${isElsewhere ? 'there' : `to ${service}`}`]
      : []),
    ...(key?.origin.kind === 'user' ? [`uses your profile ${settings.profile?.value} with its API key`] : []),
  ]
}

/** Where requests will go: the text before an @ looks like a host, but is not, and neither is what follows a path. */
const serviceAt = (url: string): string => new URL(url).origin

/** Errors: as `requireYes`. */
async function approve({ path, text }: ProjectFile, reasons: readonly string[]): Promise<void> {
  process.stderr.write(
    cleanLines(
      `${path}\n\n${text.trimEnd()}\n\nYou have not approved this file. It\n${reasons.map((each) => `  ${each}\n`).join('')}`,
    ),
  )
  await requireYes('Approve it as it is now?')
}

const untrusted = ({ path }: ProjectFile, reasons: readonly string[]): UsageError =>
  new UsageError(
    `${path} ${reasons.join(' and ')}, and you have not approved it`,
    'Read it, then run tillbox trust; or name what you want with flags',
  )
